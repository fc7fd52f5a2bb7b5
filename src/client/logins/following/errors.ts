import { LoginError, type LoginErrorCode, type LoginErrorFields } from "../../../errors.js";
import { shorten } from "../../../text/escape.js";
import { type CleanText, withoutAddresses } from "../../../text/redact.js";
import { durationText, paragraph } from "../../../text/words.js";
import type { LoginErrorEvent, LoginStateEvent } from "../login.js";

/** Longest string of the service in an error of a login, in characters. */
const messageCharactersMax = 500;

/** Longest string that is searched for secrets and addresses, in characters. */
const searchedCharactersMax = 4_000;

export class LoginErrors {
  readonly #connectionId: string;
  readonly #clean: CleanText;

  constructor(connectionId: string, clean: CleanText) {
    this.#connectionId = connectionId;
    this.#clean = clean;
  }

  /** Creates the error for a flow that ended, but not with `SUCCESS`. */
  ended(state: LoginStateEvent | undefined): LoginError {
    const [code, verb, advice] = ends[state?.flowStatus ?? ""] ?? failed;
    const fields = this.#fields(state, state?.errorCode, state?.errorMessage);
    const website = this.#cleanText(state?.websiteError);
    const why = [fields.serviceCode, fields.serviceMessage, website && `the website says: ${website}`];
    return this.#error(code, verb, why, advice, fields);
  }

  /** Creates the error for a flow still in progress when the time was up. `note`: other facts. */
  timedOut(seconds: number, state: LoginStateEvent | undefined, note: string): LoginError {
    const last = [state?.flowStatus, state?.flowStep].map((text) => this.#cleanText(text)).filter(Boolean);
    const why = last.length === 0 ? "the service reported no state" : `its last state was ${last.join(", ")}`;
    const verb = `did not end within ${durationText(seconds * 1_000)}`;
    const advice = "The login may still be in progress: follow the login again, or allow more time.";
    return this.#error("login_timed_out", verb, [why], paragraph(note, advice), this.#fields(state));
  }

  /** Creates the error for a flow that had not begun when the time was up. */
  notBegun(seconds: number): LoginError {
    const message =
      `No login of the auth connection "${this.#connectionId}" began within ${durationText(seconds * 1_000)}. ` +
      "Start a login and wait again, or allow more time.";
    return new LoginError("login_not_begun", message, this.#fields(undefined));
  }

  /** Creates the error for the service's last error event. `note`: a sentence about retries, or empty. */
  reported({ error }: LoginErrorEvent, state: LoginStateEvent | undefined, note: string): LoginError {
    const fields = this.#fields(state, error.code, error.message ?? error.innerError?.message);
    const why = [fields.serviceCode, fields.serviceMessage];
    const noFlow = error.code === "no_active_flow";
    const advice = noFlow ? "Start a login, then follow it." : "Check the auth connection at the service.";
    const verb = "can no longer be followed";
    return this.#error("login_stream_error", verb, why, paragraph(note, advice), fields);
  }

  #cleanText(text: string | null | undefined): string | null {
    // Secrets first, because a part of a secret may look like an address. The cut comes last: half
    // a secret or half an address would not be recognised.
    const words = withoutAddresses(this.#clean(text ?? "", searchedCharactersMax));
    return shorten(words, messageCharactersMax).replace(/\.+$/, "") || null;
  }

  #fields(
    state: LoginStateEvent | undefined,
    code?: string | null,
    message?: string | null,
  ): LoginErrorFields {
    return {
      connectionId: this.#connectionId,
      flowStatus: state?.flowStatus ?? null,
      flowStep: state?.flowStep ?? null,
      serviceCode: this.#cleanText(code),
      serviceMessage: this.#cleanText(message),
    };
  }

  #error(
    code: LoginErrorCode,
    verb: string,
    why: readonly (string | null)[],
    advice: string,
    fields: LoginErrorFields,
  ): LoginError {
    const reason = why.filter(Boolean).join(", ") || "without an explanation";
    const what = `The login of the auth connection "${this.#connectionId}" ${verb}: ${reason}.`;
    return new LoginError(code, paragraph(what, advice), fields);
  }
}

type FlowEnd = readonly [code: LoginErrorCode, verb: string, advice: string];

const failed: FlowEnd = ["login_failed", "failed", "Fix the cause, then start a new login."];

/** Errors by final status. Every other status is a failure. */
const ends: Readonly<Record<string, FlowEnd>> = {
  EXPIRED: [
    "login_expired",
    "expired",
    "Start a new login with the person ready: a login expires within minutes.",
  ],
  CANCELED: ["login_canceled", "was canceled", "If you still need the login, start a new login."],
};
