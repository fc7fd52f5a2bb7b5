import { subscribe } from "node:diagnostics_channel";

const cancelPath = "/pulumirpc.ResourceProvider/Cancel";

/**
 * A signal that aborts when the engine cancels the deployment (Ctrl-C). Pulumi's dynamic provider process swallows the
 * engine's Cancel call, and being in a process group of its own it gets no SIGINT either; but Node announces every
 * incoming HTTP/2 stream, gRPC calls included, on a diagnostics channel. Where a Node version has no such channel,
 * nothing is ever announced and running work ends only by itself.
 */
export function cancellationSignal(): AbortSignal {
  const controller = new AbortController();
  subscribe("http2.server.stream.created", (message) => {
    const headers = (message as { headers?: Record<string, unknown> } | undefined)?.headers;
    if (headers?.[":path"] === cancelPath) {
      controller.abort();
    }
  });
  return controller.signal;
}
