import { wholeNumber } from "../http/query.js";

/** Rows of a page when the request does not say. Source: the service's published interface description. */
const limitDefault = 20;

/** Most rows of a page. Source: the service's published interface description. */
const limitMax = 100;

/** Which rows a list request asks for. */
export interface PageRequest {
  readonly limit: number;
  readonly offset: number;
}

/** The rows of a page, and whether more follow. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly more: boolean;
}

/**
 * Reads `limit` (1 to 100, default 20) and `offset` (from 0, default 0). Throws `ServiceError` 400 for anything else; that the
 * service refuses and does not clamp is a guess.
 */
export function readPageRequest(limit: string | undefined, offset: string | undefined): PageRequest {
  return {
    limit: wholeNumber("limit", limit, limitDefault, 1, limitMax),
    offset: wholeNumber("offset", offset, 0, 0, Number.MAX_SAFE_INTEGER),
  };
}

/**
 * The headers that tell where the list goes on: `X-Next-Offset` is absolute, and 0 on the last page.
 * Source: the service's published interface description.
 */
export function pageHeaders({ limit, offset }: PageRequest, more: boolean): Record<string, string> {
  return {
    "x-has-more": String(more),
    "x-next-offset": String(more ? offset + limit : 0),
    "x-limit": String(limit),
    "x-offset": String(offset),
  };
}
