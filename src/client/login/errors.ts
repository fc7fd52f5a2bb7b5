import { durationText } from "../../duration.js";
import { LoginError, type LoginErrorCode, type LoginErrorFields } from "../../errors.js";
import { withoutAddresses } from "../../without-addresses.js";
import type { CleanText } from "../service-text.js";
import type { LoginErrorEvent, LoginStateEvent } from "../types.js";

/** Codes of error events after which following again would meet the same. Any other may pass. */
const lastingCodes: ReadonlySet<string> = new Set([
  "bad_request",
  "forbidden",
  "no_active_flow",
  "not_found",
  "project_not_found",
  "sdk_update_required",
  "sdk_upgrade_required",
  "unauthorized",
]);

/** Whether an error event may pass, so that following goes on. */
export function mayPass({ error }: LoginErrorEvent): boolean {
  return error.code === null || !lastingCodes.has(error.code);
}

/** Makes the errors of one login. */
export class LoginErrors {
  readonly #connectionId: string;
  readonly #clean: CleanText;

  constructor(connectionId: string, clean: CleanText) {
    this.#connectionId = connectionId;
    this.#clean = clean;
  }

  /** For a flow that ended otherwise than with `SUCCESS`. */
  ended(state: LoginStateEvent | undefined): LoginError {
    const end = ends[state?.flowStatus ?? ""] ?? otherEnd;
    const fields = this.#fields(state, state?.errorCode ?? null, state?.errorMessage ?? null);
    const website = this.#words(state?.websiteError ?? null);
    const why = [fields.serviceCode, fields.serviceMessage, website && `the website says: ${website}`];
    return this.#error(end.code, end.verb, why, "", end.advice, fields);
  }

  /** For a flow that was not over when the time for waiting was. */
  timedOut(seconds: number, state: LoginStateEvent | undefined): LoginError {
    const fields = this.#fields(state, null, null);
    const stood = [fields.flowStatus, fields.flowStep]
      .filter((each) => each !== null)
      .map((text) => this.#clean(text));
    const why = stood.length === 0 ? "nothing was heard of it" : `it was last seen at ${stood.join(", ")}`;
    return this.#error(
      "login_timed_out",
      `was not over after ${durationText(seconds * 1_000)}`,
      [why],
      "",
      "It may still be going on at the service: follow it again, or allow more time.",
      fields,
    );
  }

  /** For a flow that had not begun when the time for waiting was over. */
  notBegun(seconds: number): LoginError {
    return new LoginError(
      "login_not_begun",
      `No login of the auth connection "${this.#connectionId}" began within ${durationText(seconds * 1_000)}. ` +
        "Start one at the service, then wait for it again, or allow more time.",
      this.#fields(undefined, null, null),
    );
  }

  /** For an error event that does not pass. `note` is a sentence on repeats, or empty. */
  reported({ error }: LoginErrorEvent, state: LoginStateEvent | undefined, note: string): LoginError {
    const fields = this.#fields(state, error.code, error.message ?? error.innerError?.message ?? null);
    return this.#error(
      "login_stream_error",
      "can no longer be followed",
      [fields.serviceCode, fields.serviceMessage],
      note,
      error.code === "no_active_flow"
        ? "Start a login, then follow it."
        : "See how the auth connection stands.",
      fields,
    );
  }

  #words(text: string | null): string | null {
    if (text === null) {
      return null;
    }
    // Half an address at the cut would not be recognised, so addresses go first.
    const words = this.#clean(withoutAddresses(text)).replace(/\.+$/, "");
    return words === "" ? null : words;
  }

  #fields(state: LoginStateEvent | undefined, code: string | null, message: string | null): LoginErrorFields {
    return {
      connectionId: this.#connectionId,
      flowStatus: state?.flowStatus ?? null,
      flowStep: state?.flowStep ?? null,
      serviceCode: this.#words(code),
      serviceMessage: this.#words(message),
    };
  }

  #error(
    code: LoginErrorCode,
    verb: string,
    why: readonly (string | null)[],
    note: string,
    advice: string,
    fields: LoginErrorFields,
  ): LoginError {
    const reason = why.filter(Boolean).join(", ") || "without an explanation";
    const subject = `The login of the auth connection "${this.#connectionId}"`;
    const message = [`${subject} ${verb}: ${reason}.`, note, advice].filter(Boolean).join(" ");
    return new LoginError(code, message, fields);
  }
}

interface End {
  readonly code: LoginErrorCode;
  readonly verb: string;
  readonly advice: string;
}

const otherEnd: End = {
  code: "login_failed",
  verb: "failed",
  advice: "Correct the cause, then start a new login.",
};

const ends: Readonly<Record<string, End>> = {
  FAILED: otherEnd,
  EXPIRED: {
    code: "login_expired",
    verb: "expired",
    advice: "Start a new login, and have whoever must act at hand: the service waits for minutes only.",
  },
  CANCELED: {
    code: "login_canceled",
    verb: "was canceled",
    advice: "Start a new login if it is still wanted.",
  },
};
