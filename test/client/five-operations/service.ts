import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Ways in which the service may refuse unsupported operations. */
export const refusals = ["404 page", "404 with a code", "405", "501"] as const;
export type Refusal = (typeof refusals)[number];

/** Service with exactly the five operations that the interface specifies. */
export interface FiveOperations {
  readonly url: string;
  readonly apiKeys: readonly [string];
  /** Projects in the order of the list. Tests may add projects at any time. */
  readonly projects: { readonly id: string; readonly name: string }[];
  /** Method and path of all requests, without the query. */
  readonly requests: string[];
  readonly close: () => Promise<void>;
}

export const keyId = "ckk0000000000000000000cd";
export const connectionId = "ckc0000000000000000000ef";

const apiKey = "sk_five_operations_0123456789";
const time = "2026-11-21T10:00:00Z";

/**
 * Starts the service. The list of projects has a limit and an offset, but no sign of further
 * projects. Names of keys are stored. The login of the only connection succeeds.
 */
export async function startFiveOperations(refusal: Refusal = "404 page"): Promise<FiveOperations> {
  const projects: { id: string; name: string }[] = [];
  const requests: string[] = [];
  let keyName = "ci";

  const serve = (request: IncomingMessage, response: ServerResponse, body: string) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://service.invalid");
    const operation = `${request.method} ${pathname}`;
    requests.push(operation);
    const [, projectId] = /^GET \/org\/projects\/([^/]+)\/limits$/.exec(operation) ?? [];
    if (request.headers.authorization !== `Bearer ${apiKey}`) {
      return json(response, 401, { code: "unauthorized", message: "No" });
    }
    if (operation === "GET /org/projects") {
      const offset = Number(searchParams.get("offset") ?? 0);
      const limit = Math.min(100, Number(searchParams.get("limit") ?? 20));
      const query = searchParams.get("query")?.toLowerCase() ?? "";
      const name = searchParams.get("name")?.toLowerCase();
      const found = projects.filter(
        (each) =>
          each.name.toLowerCase().includes(query) && (name === undefined || each.name.toLowerCase() === name),
      );
      const rows = found.slice(offset, offset + limit);
      return json(
        response,
        200,
        rows.map((each) => ({ ...each, status: "active", created_at: time, updated_at: time })),
      );
    }
    if (projectId !== undefined) {
      return projects.some(({ id }) => id === projectId)
        ? json(response, 200, { max_concurrent_sessions: 7, max_concurrent_invocations: null })
        : json(response, 404, { code: "not_found", message: "No such project" });
    }
    if (operation === `PATCH /org/api_keys/${keyId}`) {
      ({ name: keyName } = JSON.parse(body) as { name: string });
      return json(response, 200, { id: keyId, name: keyName, created_at: time, masked_key: "sk_1...cdef" });
    }
    if (operation === `GET /auth/connections/${connectionId}/events`) {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const [status, step] of [
        ["IN_PROGRESS", "DISCOVERING"],
        ["SUCCESS", "COMPLETED"],
      ]) {
        const state = {
          event: "managed_auth_state",
          timestamp: time,
          flow_status: status,
          flow_step: step,
          flow_type: "LOGIN",
        };
        response.write(`data: ${JSON.stringify(state)}\n\n`);
      }
      return response.end();
    }
    if (refusal === "404 page") {
      response.writeHead(404, { "content-type": "text/html" });
      return response.end("<h1>Not Found</h1>");
    }
    const status = Number(refusal.slice(0, 3));
    return json(response, status, { code: "no_such_route", message: "There is no such operation" });
  };

  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => serve(request, response, Buffer.concat(pieces).toString()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiKeys: [apiKey],
    projects,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** As many projects, `project-0` and so on. */
export function manyProjects(count: number): { id: string; name: string }[] {
  return Array.from({ length: count }, (_, number) => ({
    id: `ckp${String(number).padStart(21, "0")}`,
    name: `project-${number}`,
  }));
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}
