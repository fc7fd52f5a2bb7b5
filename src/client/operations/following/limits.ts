import type { CallOptions } from "../../http/call.js";

/** Limits for following an event stream. */
export interface StreamLimits extends CallOptions {
  /** Total time, in milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** Time without even a heartbeat until a stream is reopened. Milliseconds. Default 60 000. */
  readonly idleMs?: number | undefined;
  /** Time without a new state until the record is read as well. Milliseconds. */
  readonly recheckMs?: number | undefined;
  /**
   * Maximum number of times that a stream is reopened, or the record is read, without progress. Progress is
   * a new state, a state in progress in the record, or a stream that lasted 10 s, even a silent stream: whether
   * the service sends heartbeats is not published. Default 10, which bridges about a minute. Until the service
   * has reported the record, the limit is `attempts` of the client's `retry` options (default 4).
   */
  readonly maxReconnects?: number | undefined;
}

/** Limits with the same default for every stream. */
export const streamDefaults = { idleMs: 60_000, maxReconnects: 10 };
