import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { getPath } from "hono/utils/url";
import { LocalError } from "../errors.js";
import { messageOf } from "../text/words.js";
import { createApp } from "./app.js";
import { type Controlled, isControl as isControlPath } from "./control/routes.js";
import {
  ConnectionEnded,
  type Exchange,
  type FaultPoint,
  type PreparedResponse,
  RespondedByFault,
} from "./http/exchange.js";
import { perform } from "./http/fault-action.js";
import type { RateLimit } from "./http/rate-limit.js";
import { limitBodyTime, refuseEndless, refuseUnread } from "./http/request-body.js";
import type { OpenRequest, RecordedRequest } from "./http/request-log.js";
import { type AllowedSources, headersForPage, refuseForeign } from "./http/request-source.js";
import { preparedResponseOf, sendResponse } from "./http/send-response.js";
import { invalidInput, ServiceError } from "./http/service-error.js";
import { storageProblem } from "./storage/database.js";
import { randomText } from "./storage/ids-and-names.js";

/** Header, with the value `1`, that distinguishes the emulator's responses from the service's. */
const emulatorHeader = "x-browser-infra-emulator";

/**
 * Time until an idle connection is closed, in milliseconds. Long, so that clients rarely send a
 * request during the close.
 */
const idleConnectionMs = 60_000;

/** Longest time between two searches for connections with overdue headers, in milliseconds. */
const checkingMsMax = 5_000;

/** Longest wait for running requests after all connections are closed, in milliseconds. */
const closingMsMax = 500;

/** Longest name of a program in the request log, in characters. */
const programCharactersMax = 200;

interface ServerParts extends AllowedSources, Controlled {
  readonly rateLimit: RateLimit | undefined;
  /** See `EmulatorOptions`. */
  readonly requestTimeoutMs: number;
  readonly onRequest: (request: RecordedRequest) => void;
}

/**
 * Listens on a host and port; port 0 takes any free port. `close` ends every connection, even with
 * open requests. Throws `LocalError` `emulator_port_unavailable` if the port is taken or not
 * allowed, or if this machine has no such address.
 */
export async function startServer(parts: ServerParts, host: string, port: number) {
  const closing = new AbortController();
  const running = new Set<Promise<void>>();
  const sockets = new Set<Socket>();
  const handle = requestHandler(parts, closing.signal);
  const { requestTimeoutMs } = parts;
  const server = createServer(
    {
      keepAliveTimeout: idleConnectionMs,
      headersTimeout: requestTimeoutMs,
      // A held request stays held, however long. Reading a body has a separate timeout.
      requestTimeout: 0,
      connectionsCheckingInterval: Math.min(requestTimeoutMs, checkingMsMax),
    },
    getRequestListener(
      async (request, bindings) => {
        const work = handle(request, bindings as HttpBindings);
        running.add(work);
        await work.finally(() => running.delete(work));
        return RESPONSE_ALREADY_SENT;
      },
      // The program that runs the emulator keeps its own Request and Response.
      { overrideGlobalObjects: false, autoCleanupIncoming: false, errorHandler: () => malformedRequest() },
    ),
  );
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    // A connection reset by the client is not an error to report.
    socket.on("error", () => {});
  });
  server.on("upgrade", (request, socket, head) => {
    let isConnected: boolean | undefined;
    try {
      refuseForeign(request, parts);
      isConnected = parts.stores.sessions.running?.connect(request, socket, head);
    } catch {
      // A foreign page, or a path that is none.
    }
    if (!isConnected) {
      socket.end("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    }
  });
  await listen(server, host, port);
  return {
    port: (server.address() as AddressInfo).port,
    close: async (): Promise<void> => {
      closing.abort();
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) {
        socket.destroy();
      }
      await closed;
      await Promise.race([Promise.allSettled(running), wait(closingMsMax, undefined, { ref: false })]);
    },
  };
}

function requestHandler(parts: ServerParts, closing: AbortSignal) {
  const { faults, log, rateLimit, clock, onRequest } = parts;
  const app = createApp(parts);
  return async (request: Request, { incoming, outgoing }: HttpBindings): Promise<void> => {
    const startedMs = performance.now();
    outgoing.setHeader("date", clock.now().toUTCString());
    const record: OpenRequest = {
      requestId: newRequestId(),
      time: clock.now().toISOString(),
      method: incoming.method ?? "",
      path: pathOf(request.url),
      project: null,
      apiKeyId: null,
      bodyBytes: 0,
      status: null,
      program: incoming.headers["user-agent"]?.slice(0, programCharactersMax) ?? null,
      tookMs: null,
      createdId: null,
      fault: null,
    };
    const contents = {
      query: incoming.url?.split("?").slice(1).join("?") ?? "",
      headers: incoming.headers,
    };
    // A test that reads or sets something must not change the observed data. The path is the path
    // that the router decodes.
    const isControl = isControlPath(getPath(request));
    if (!isControl) {
      log.add(record, contents);
    }
    let isReported = isControl;
    const matchFaults = (point: FaultPoint) => (isControl ? [] : faults.match(point, record));
    const exchange: Exchange = {
      incoming,
      outgoing,
      record,
      contents,
      parameters: new Set(),
      closing,
      bodyTimeoutMs: parts.requestTimeoutMs,
      headers: {
        "x-request-id": record.requestId,
        [emulatorHeader]: "1",
        ...headersForPage(incoming, parts),
      },
      reportBegin: () => {
        if (!isReported) {
          isReported = true;
          record.tookMs = Math.round(performance.now() - startedMs);
          onRequest({ ...record });
        }
      },
      applyFaults: async (point) => {
        if (point === "before-commit") {
          await refuseUnread(exchange);
        }
        for (const { action } of matchFaults(point)) {
          await perform(action, exchange);
        }
        if (closing.aborted) {
          throw new ConnectionEnded();
        }
      },
    };
    try {
      const answer = await runRoute(exchange, async () => {
        // Before any fault: faults are for the requests of a test, not for stray requests.
        refuseForeign(incoming, parts);
        if ("access-control-allow-methods" in exchange.headers) {
          return new Response(null, { status: 204 });
        }
        if (rateLimit !== undefined && !isControl) {
          const refusal = rateLimit.countRequest();
          Object.assign(exchange.headers, rateLimit.headers);
          if (refusal !== undefined) {
            return refusal;
          }
        }
        await exchange.applyFaults("before-reading");
        refuseEndless(incoming);
        return app.fetch(request, { exchange });
      });
      await sendResponse(exchange, answer, [...matchFaults("while-answering")]);
    } catch (error) {
      if (!(error instanceof ConnectionEnded)) {
        outgoing.destroy();
      }
    } finally {
      exchange.reportBegin();
      // Node reads and drops the part of a body that the route has not read.
      limitBodyTime(exchange);
    }
  };
}

/** Runs the route, unless a fault answers instead. */
async function runRoute(exchange: Exchange, route: () => Promise<Response>): Promise<PreparedResponse> {
  try {
    const response = await preparedResponseOf(await route());
    if (response.status === 201) {
      exchange.record.createdId = JSON.parse(String(Buffer.from(response.body as Uint8Array))).id ?? null;
    }
    if (response.status < 400) {
      await exchange.applyFaults("after-commit");
    }
    return response;
  } catch (error) {
    if (error instanceof RespondedByFault) {
      return error.response;
    }
    if (error instanceof ConnectionEnded) {
      throw error;
    }
    if (error instanceof ServiceError) {
      return preparedResponseOf(error.response());
    }
    const message = storageProblem(error) ?? messageOf(error);
    return preparedResponseOf(
      new ServiceError(500, "internal_error", `The emulator failed: ${message}`).response(),
    );
  }
}

/** Path of a URL, unchanged and therefore percent-encoded. */
function pathOf(url: string): string {
  return /^[^:]+:\/\/[^/?#]*([^?#]*)/.exec(url)?.[1] ?? "";
}

function newRequestId(): string {
  return `req_${randomText(24)}`;
}

/** Response to a request whose URL cannot be parsed. */
function malformedRequest(): Response {
  const response = invalidInput("The request's target or its Host header is malformed.").response();
  response.headers.set(emulatorHeader, "1");
  response.headers.set("x-request-id", newRequestId());
  return response;
}

const noAddress = "this machine has no such address";

const listenProblems: Readonly<Record<string, string>> = {
  EADDRINUSE: "the port is in use",
  EACCES: "this user may not use the port",
  EADDRNOTAVAIL: noAddress,
  ENOTFOUND: noAddress,
};

async function listen(server: Server, host: string, port: number): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    const { code = "unknown cause" } = error as NodeJS.ErrnoException;
    const why = listenProblems[code] ?? code;
    const remedy = why === noAddress ? "Choose another host" : "Choose another port, or 0 for any free port";
    throw new LocalError(
      "emulator_port_unavailable",
      `Starting the emulator on ${host}, port ${port}, failed: ${why}. ${remedy}.`,
      { cause: error },
    );
  }
}
