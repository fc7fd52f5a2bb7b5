import type { CallOptions } from "../http/exchange.js";
import { withDefaults } from "../options.js";

/** How long a login is followed, and what of it is given. */
export interface FollowOptions extends CallOptions {
  /** Give heartbeats too. Default false. */
  readonly heartbeats?: boolean | undefined;
  /** Time for the whole, in milliseconds. Default 1 500 000 (25 minutes): the service ends a flow after 20. */
  readonly timeoutMs?: number | undefined;
  /**
   * Silence, heartbeats and comments included, after which a stream is taken for dead and opened anew, in milliseconds. Default 60 000.
   * How often the service sends heartbeats is not known; streams of its kind send one every 15 s.
   */
  readonly idleMs?: number | undefined;
  /** Time without news of the flow after which the connection is read, though the stream is alive, in milliseconds. Default 60 000. */
  readonly recheckMs?: number | undefined;
  /**
   * Times a stream is opened anew without anything gained in between, which is a new state, or a stream that lasted for 10 s. Default 10, which
   * bridges about a minute. Silence counts as lasting too, since nobody knows that the service sends heartbeats: with an `idleMs` of 10 s or more, a
   * stream that is silent each time is opened anew until `timeoutMs` is over. Looks whether a login has begun have the same limit. Before the
   * service has told anything of the connection, a request is tried as often as a read.
   */
  readonly reconnectsMax?: number | undefined;
}

/** Options with defaults in the place of what was left out. */
export type FollowSettings = {
  readonly [Option in Exclude<keyof FollowOptions, "signal">]-?: NonNullable<FollowOptions[Option]>;
} & Pick<FollowOptions, "signal">;

const defaults: Omit<FollowSettings, "signal"> = {
  heartbeats: false,
  timeoutMs: 1_500_000,
  idleMs: 60_000,
  recheckMs: 60_000,
  reconnectsMax: 10,
};

/** Fills in defaults. Throws `InputError` for a number that is not positive. */
export function followSettings({ signal, ...options }: FollowOptions): FollowSettings {
  return { ...withDefaults("", defaults, options), signal };
}
