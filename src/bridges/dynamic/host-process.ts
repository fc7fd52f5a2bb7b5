import { subscribe } from "node:diagnostics_channel";
import { createRequire } from "node:module";
import type { ChannelCredentials } from "@grpc/grpc-js";
import { safeMessage } from "../../text/escape.js";

/** Workarounds: Pulumi's dynamic provider process swallows a cancel, and prints reported errors. */

/**
 * Builds a controller whose signal aborts at the first Cancel of the engine. The engine sends a
 * Cancel after a person cancels the deployment (Ctrl-C), and at the end of every deployment, when
 * no work is left. The process swallows the call, and in its own process group gets no SIGINT from
 * a terminal. But Node announces every incoming HTTP/2 stream, gRPC calls included, on a
 * diagnostics channel. Without the channel (older Node), running work ends only by itself.
 */
export function createCancelController(): AbortController {
  const controller = new AbortController();
  subscribe("http2.server.stream.created", (message) => {
    const headers = (message as { headers?: Record<string, unknown> } | undefined)?.headers;
    if (headers?.[":path"] === "/pulumirpc.ResourceProvider/Cancel") {
      controller.abort();
    }
  });
  return controller;
}

/** Printed form of an error already reported to the engine. */
const reported = "(reported to the engine)";

/**
 * Gives an error a printed form that {@link silenceEchoes} recognizes. The process reports every
 * error of check, diff, read and delete to the engine, and prints the error as well: a person would
 * read every error twice. The message for the engine stays, except for characters that could steer
 * a terminal.
 */
export function withoutEcho(error: unknown): unknown {
  if (error instanceof Error) {
    error.message = safeMessage(error.message);
    error.stack = "";
    error.toString = () => reported;
  }
  return error;
}

/** Drops exactly the lines made by {@link withoutEcho}. */
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
