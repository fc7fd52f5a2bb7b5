import type { ChannelCredentials } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb.js";
import type { Report } from "../providers/lifecycle.js";
import { safeMessage } from "../text/escape.js";

/**
 * Start of a message that leaves the row of the resource empty. Outside of a terminal, Pulumi
 * prints a row at every event of the resource, with the first line of the last message: a note
 * would appear up to eight times. "Diagnostics" at the end has all lines. Source: Pulumi's CLI,
 * pkg/backend/display/rows.go, at 3.259.0.
 */
const emptyRow = "\n";

/**
 * Message that empties the row and prints nothing: Pulumi drops a message without text, and "--diff"
 * prints the text of every message, also of an ephemeral one. So the text is a color only.
 */
const nothing = "<{%reset%}>";

/** Longest wait of a response to the engine for messages on their way, in milliseconds. */
const flushLimitMs = 1_000;

/**
 * Writes messages on a resource's own row with the engine's Log call: printed output of a dynamic
 * provider appears under the stack. Source: @pulumi/pulumi proto/engine (Log).
 */
export class EngineLog {
  readonly #client: EngineClient | undefined;

  /**
   * `address`: empty as long as the address of the engine is unknown; then nothing is logged.
   * `credentials`: credentials of an insecure channel, made by the copy of gRPC that the SDK's
   * stubs load, because gRPC compares its own types by identity.
   */
  constructor(address: string, credentials: ChannelCredentials) {
    this.#client = address === "" ? undefined : new EngineClient(address, credentials);
  }

  /**
   * Builds the reporter for a resource. Every message waits for the response to the previous one.
   * `flush` waits until all messages have arrived, for one second at most.
   */
  reportFor(urn: string | undefined): Report & { flush(): Promise<void> } {
    let sent = Promise.resolve();
    const send = (severity: LogSeverity, text: string, ephemeral: boolean, about = urn) => {
      sent = sent.then(() => this.#send(severity, text, about, ephemeral));
    };
    // Without the line break, ephemeral messages pile up in a single line of "Diagnostics".
    const enqueue = (severity: LogSeverity, message: string, ephemeral: boolean, about = urn, start = "") =>
      send(severity, `${start}${safeMessage(message)}\n`, ephemeral, about);
    return {
      progress: (message) => enqueue(LogSeverity.INFO, message, true),
      row: (what, message) => {
        if (urn !== undefined) {
          enqueue(LogSeverity.INFO, message, true, rowUrn(urn, what));
        }
      },
      info: (message) => enqueue(LogSeverity.INFO, message, false, urn, emptyRow),
      warning: (message) => {
        enqueue(LogSeverity.WARNING, message, false);
        // After the word "warning", an empty first line would not be empty.
        send(LogSeverity.INFO, nothing, true);
      },
      debug: (message) => enqueue(LogSeverity.DEBUG, message, false),
      flush: async () => {
        let timer: NodeJS.Timeout | undefined;
        const limit = new Promise<void>((resolve) => {
          timer = setTimeout(resolve, flushLimitMs);
        });
        await Promise.race([sent, limit]);
        clearTimeout(timer);
      },
    };
  }

  #send(severity: LogSeverity, text: string, urn: string | undefined, ephemeral: boolean): Promise<void> {
    const client = this.#client;
    if (client === undefined) {
      return Promise.resolve();
    }
    const request = new LogRequest();
    request.setSeverity(severity);
    request.setMessage(text);
    request.setStreamid(0);
    request.setUrn(urn ?? "");
    request.setEphemeral(ephemeral);
    // An undelivered message is no reason for the resource to fail.
    return new Promise((resolve) => client.log(request, () => resolve()));
  }
}

/**
 * Builds the URN of a row below a resource, with `what` in place of the type. Pulumi's table has a
 * row for every URN with a message, and cuts rows at the terminal's edge: the type is the first
 * column, the message the last. Source: Pulumi's CLI, pkg/backend/display, at 3.259.0.
 */
function rowUrn(urn: string, what: string): string {
  const [prefixAndStack, project, type, ...name] = urn.split("::");
  return [prefixAndStack, project, `${type}$${what}`, ...name].join("::");
}
