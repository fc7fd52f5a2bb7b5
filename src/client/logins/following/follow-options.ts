import type { CallOptions } from "../../http/call.js";
import { withDefaults } from "../../options.js";

/** Limits for following a login, and choice of the events that are returned. */
export interface FollowOptions extends CallOptions {
  /** Whether heartbeats are returned. Default false. */
  readonly heartbeats?: boolean | undefined;
  /**
   * Total time, in milliseconds; then throws `LoginError` `login_timed_out`, or `login_not_begun` if no
   * login has begun. Default 1 500 000 (25 min): the service ends a flow after 20 min.
   */
  readonly timeoutMs?: number | undefined;
  /** Time without even a heartbeat until a stream is reopened. Milliseconds. Default 60 000. */
  readonly idleMs?: number | undefined;
  /** Time without a new state until the record is read as well. Milliseconds. Default 60 000. */
  readonly recheckMs?: number | undefined;
  /**
   * Maximum number of times that a stream is reopened, or the connection is read, without progress.
   * Progress is a new state, a login in progress in the connection's record, or a stream that
   * lasted 10 s, even a silent stream: whether the service sends heartbeats is not published. Default
   * 10, which bridges about a minute. Until the service has reported the login, the limit is `attempts`
   * of the client's `retry` options (default 4).
   */
  readonly maxReconnects?: number | undefined;
}

export type FollowSettings = typeof defaults & CallOptions;

const defaults = {
  heartbeats: false,
  timeoutMs: 1_500_000,
  idleMs: 60_000,
  recheckMs: 60_000,
  maxReconnects: 10,
};

/** Fills in defaults. Throws `InputError` for a number that is not positive. */
export function followSettings({ signal, ...options }: FollowOptions): FollowSettings {
  return { ...withDefaults("", defaults, options), signal };
}
