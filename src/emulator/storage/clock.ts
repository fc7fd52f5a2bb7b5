import { InputError } from "../../errors.js";
import { dateTime } from "./ids-and-names.js";

/** The clock of an emulator: every time that it shows, and what expires by it. */
export interface EmulatedClock {
  /** The emulator's present time. */
  now(): Date;
  /**
   * Moves the clock to a time, a `Date` or an ISO 8601 date-time; null returns it to the system's
   * time. It continues from there, and logins with it. Throws `InputError` `time_invalid`.
   */
  set(time: Date | string | null): void;
  /** Moves the clock forward by milliseconds, or back if they are negative. */
  advance(milliseconds: number): void;
}

/** A clock that runs beside another, as far ahead as it was moved. */
export class MovableClock implements EmulatedClock {
  /** Called after it was moved. */
  moved = () => {};
  readonly #base: () => Date;
  #aheadMs = 0;

  /** `base`: the clock that it follows until it is moved. */
  constructor(base: () => Date) {
    this.#base = base;
  }

  now(): Date {
    return new Date(this.#base().getTime() + this.#aheadMs);
  }

  set(time: Date | string | null): void {
    const wanted = dateTime(time, "time_invalid", "time", 'The "time" of the clock');
    this.#aheadMs = wanted === null ? 0 : Date.parse(wanted) - this.#base().getTime();
    this.moved();
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
