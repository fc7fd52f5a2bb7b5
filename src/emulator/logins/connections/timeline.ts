import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import type { Page, PageRequest } from "../../storage/select-page.js";

/** Kinds of entries of a timeline. Source: the service's published interface description. */
export const timelineTypes = ["login", "reauth", "health_check"] as const;

/** Which entries of a connection's timeline are asked for. */
export interface TimelineQuery extends PageRequest {
  readonly connectionId: string;
  readonly type: (typeof timelineTypes)[number] | undefined;
}

/** One page of a connection's logins and health checks on the wire, newest first. */
export function timelinePage(
  database: DatabaseSync,
  { connectionId, type, limit, offset }: TimelineQuery,
): Page<Record<string, unknown>> {
  const rows = database
    .prepare(
      `SELECT * FROM (
         SELECT iif(type = 'REAUTH', 'reauth', 'login') AS type, id, status, started_ms AS at_ms, updated_ms, step, error_code, error_message,
           website_error, browser_session_id, NULL AS previous_status, seq
         FROM login_flows WHERE connection_id = ?1
         UNION ALL
         SELECT 'health_check', id, status, checked_ms, NULL, NULL, NULL, NULL, NULL, NULL, previous_status, seq
         FROM health_checks WHERE connection_id = ?1
       ) WHERE ?2 IS NULL OR type = ?2 ORDER BY at_ms DESC, seq DESC LIMIT ?3 OFFSET ?4`,
    )
    // One row more than asked for tells whether the page is the last.
    .all(connectionId, type ?? null, limit + 1, offset);
  return { rows: rows.slice(0, limit).map(onWire), more: rows.length > limit };
}

/** An entry as the service sends it: members it has nothing for are left out. */
function onWire(row: Record<string, SQLOutputValue>): Record<string, unknown> {
  const time = (ms: SQLOutputValue | undefined) =>
    typeof ms === "number" ? new Date(ms).toISOString() : undefined;
  const members = {
    type: row.type,
    id: row.id,
    timestamp: time(row.at_ms),
    status: row.status,
    previous_status: row.previous_status,
    step: row.step,
    error_code: row.error_code,
    error_message: row.error_message,
    website_error: row.website_error,
    browser_session_id: row.browser_session_id,
    updated_at: time(row.updated_ms),
  };
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== null && value !== undefined),
  );
}
