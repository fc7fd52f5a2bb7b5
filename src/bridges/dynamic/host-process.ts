import { subscribe } from "node:diagnostics_channel";
import { createRequire } from "node:module";
import type { ChannelCredentials } from "@grpc/grpc-js";
import { safeMessage } from "../../text/escape.js";

/**
 * What Pulumi's dynamic provider process, which hosts this package, does to its providers: it
 * swallows a cancel, and prints every error it reports.
 */

/**
 * A controller whose signal aborts at the first Cancel of the engine. The engine sends one when a
 * person cancels the deployment (Ctrl-C), and at the end of every deployment, when no work is left.
 * The process swallows that call, and in its own process group it gets no SIGINT from a terminal. But
 * Node announces every incoming HTTP/2 stream, gRPC calls included, on a diagnostics channel.
 * Without that channel (older Node), running work ends only by itself.
 */
export function cancellation(): AbortController {
  const controller = new AbortController();
  subscribe("http2.server.stream.created", (message) => {
    const headers = (message as { headers?: Record<string, unknown> } | undefined)?.headers;
    if (headers?.[":path"] === "/pulumirpc.ResourceProvider/Cancel") {
      controller.abort();
    }
  });
  return controller;
}

/** What an error prints once the engine has it in another way. */
const reported = "(reported to the engine)";

/**
 * Makes the text that the process prints of an error one that {@link silenceEchoes} knows. It
 * prints every error of check, diff, read and delete beside answering the engine with it, so
 * whoever deploys would read each one twice. The message, which goes to the engine, stays, but for
 * characters that could steer a terminal.
 */
export function withoutEcho(error: unknown): unknown {
  if (error instanceof Error) {
    error.message = safeMessage(error.message);
    error.stack = "";
    error.toString = () => reported;
  }
  return error;
}

/** Drops exactly the lines that {@link withoutEcho} makes, and no others. */
export function silenceEchoes(console: Pick<Console, "error">): void {
  const print = console.error.bind(console);
  console.error = (...items: unknown[]) => {
    if (items.length !== 1 || items[0] !== `${reported}: `) {
      print(...items);
    }
  };
}

/** Credentials of an insecure channel, made by the copy of gRPC that Pulumi's SDK loads. */
export function stubCredentials(): ChannelCredentials {
  const requireOfSdk = createRequire(require.resolve("@pulumi/pulumi/package.json"));
  return requireOfSdk("@grpc/grpc-js").credentials.createInsecure();
}
