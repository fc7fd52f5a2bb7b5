import { json, type Script } from "./fault-server.js";

/** Behavior of a served list. */
export interface ServedList {
  /** The rows at the time of a request, in the service's order. `request` counts from 0. */
  readonly rows: (request: number) => readonly object[];
  /** Maximum rows per page, whatever limit the client requests. Default: 100, as in the service. */
  readonly pageRowsMax?: number;
}

/** Serves a list as the service does: an array, `x-has-more`, `x-next-offset` (0 at the end). */
export function serveList({ rows, pageRowsMax = 100 }: ServedList): Script {
  let requests = 0;
  return (socket, request) => {
    const query = new URL(request.target, "http://service.invalid").searchParams;
    const offset = Number(query.get("offset") ?? 0);
    const all = rows(requests++);
    const page = all.slice(offset, offset + Math.min(Number(query.get("limit") ?? 20), pageRowsMax));
    const end = offset + page.length;
    const more = end < all.length;
    json(200, page, { "x-has-more": String(more), "x-next-offset": String(more ? end : 0) })(socket, request);
  };
}

/** List of exactly the given rows. */
export function listOf(...rows: readonly object[]): Script {
  return json(200, rows, { "x-has-more": "false", "x-next-offset": "0" });
}

/** The offsets of these requests, in order. */
export function offsetsOf(requests: readonly { readonly target: string }[]): number[] {
  return requests.map(({ target }) =>
    Number(new URL(target, "http://service.invalid").searchParams.get("offset")),
  );
}
