import { type StreamLimits, streamDefaults } from "../../operations/following/limits.js";

/** Limits for following a login, and choice of the events that are returned. */
export interface FollowOptions extends StreamLimits {
  /** Whether heartbeats are returned. Default false. */
  readonly heartbeats?: boolean | undefined;
  /**
   * Total time, in milliseconds; then throws `LoginError` `login_timed_out`, or `login_not_begun` if no
   * login has begun. Default 1 500 000 (25 min): the service ends a flow after 20 min.
   */
  readonly timeoutMs?: number | undefined;
  /** Time without a new state until the record is read as well. Milliseconds. Default 60 000. */
  readonly recheckMs?: number | undefined;
}

/** Default limits for following a login. */
export const followDefaults = { ...streamDefaults, timeoutMs: 1_500_000, recheckMs: 60_000 };
