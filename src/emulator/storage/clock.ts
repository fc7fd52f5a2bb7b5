import { InputError } from "../../errors.js";
import { isoTime } from "./ids-and-names.js";

/** Clock of an emulator, the base of all reported times and expiries. */
export interface EmulatedClock {
  now(): Date;
  /**
   * Sets the clock to a `Date` or an ISO 8601 date-time; null returns to the time of the option
   * `now`, by default the system's. The clock continues from there, and logins follow. Throws
   * `InputError` `time_invalid`.
   */
  set(time: Date | string | null): void;
  /**
   * Moves the clock forward by milliseconds, or back if the number is negative. Throws `InputError`
   * `time_invalid`.
   */
  advance(milliseconds: number): void;
}

/** Clock with an adjustable offset from a base clock. */
export class MovableClock implements EmulatedClock {
  /** Called after every move. */
  onMove = () => {};
  readonly #base: () => Date;
  #offsetMs = 0;

  /** `base`: source of the time, to which `set` and `advance` add an offset. */
  constructor(base: () => Date) {
    this.#base = base;
  }

  now(): Date {
    return new Date(this.#base().getTime() + this.#offsetMs);
  }

  set(time: Date | string | null): void {
    const wanted = isoTime(time, "time_invalid", "time", 'The "time" of the clock');
    this.#offsetMs = wanted === null ? 0 : Date.parse(wanted) - this.#base().getTime();
    this.onMove();
  }

  advance(milliseconds: number): void {
    if (!Number.isFinite(milliseconds)) {
      throw new InputError(
        "time_invalid",
        "milliseconds",
        "The clock can be advanced by a number of milliseconds only.",
      );
    }
    this.set(new Date(this.now().getTime() + milliseconds));
  }
}
