/** Messages about a login for the waiting person, in the provider and the command line. */
import { dateTimeMs } from "../../../text/date-time.js";
import { oneLine } from "../../../text/escape.js";
import { withoutAddresses } from "../../../text/redact.js";
import { projectOption } from "../../../text/shell.js";
import { durationText } from "../../../text/words.js";
import type { AuthConnection } from "../auth-connection.js";
import type { LoginEvent, LoginStateEvent } from "../login.js";
import { isFinal, loginStanding } from "./connection-record.js";

/** Receiver of the messages about a login. */
interface LoginReport {
  /** Gets the new state, in a few words without a URL. `isOver`: the login has ended. */
  readonly status: (text: string, isOver: boolean) => void;
  /**
   * Gets a sentence with a new URL where a person logs in. The sentence must stay on the screen. The
   * URL is a secret: whoever has the URL can log in.
   */
  readonly address: (text: string) => void;
  /** Gets a sentence that no login is needed, or no longer needed. Nothing follows. */
  readonly notNeeded: (text: string) => void;
}

/** Command that starts or shows a login. `projectId`: unless the project is the key's own. */
export function commandForLogin(
  command: "start" | "follow",
  connectionId: string,
  projectId?: string,
): string {
  return `npx browser-infra login ${command} ${connectionId}${projectOption(projectId)}`;
}

/** Puts the events of a login into words, and never repeats a message in a row. */
export class LoginReporter {
  readonly #report: LoginReport;
  readonly #startCommand: string;
  readonly #addresses = new Set<string>();
  readonly #limit: string;
  /** End of the wait. A moment of `performance.now()`, like `#expiresAt`. */
  readonly #endsAt: number;
  #expiresAt = Number.POSITIVE_INFINITY;
  #domain = "the website";
  #reported = "";
  #address: string | undefined;
  /** Last known state of the login. */
  state: LoginStateEvent | undefined;

  /** The wait ends `timeoutMs` from now, by the limit called `limit`, such as `--timeout`. */
  constructor(report: LoginReport, startCommand: string, timeoutMs: number, limit: string) {
    this.#report = report;
    this.#limit = limit;
    this.#startCommand = startCommand;
    this.#endsAt = performance.now() + timeoutMs;
  }

  /** Time until the earlier end: `the login expires in 19 min 58 s`, `24 s left of --timeout`. */
  get timeLeft(): string {
    const now = performance.now();
    // A login that should have expired by now goes on, so the expiry was not the end.
    const expires = this.#expiresAt > now && this.#expiresAt < this.#endsAt;
    const left = durationText(Math.max(1, (expires ? this.#expiresAt : this.#endsAt) - now));
    return expires ? `the login expires in ${left}` : `${left} left of ${this.#limit}`;
  }

  /** URL where a person must act now, if anywhere. Secret: whoever has the URL can log in. */
  get addressToOpen(): string | undefined {
    const isAwaited =
      this.state?.flowStatus === "IN_PROGRESS" && this.state.flowStep?.startsWith("AWAITING_");
    return isAwaited ? this.#address : undefined;
  }

  /** Reports a record read before a login, or after a login whose end was missed. */
  reportConnection(connection: AuthConnection): void {
    this.#domain = foreignText(connection.domain);
    this.#expiresAt = expiryOf(connection);
    const standing = loginStanding(connection);
    if (standing === "not_begun") {
      this.#reportStatus(
        `no login at ${this.#domain} has begun yet; start one: ${this.#startCommand}`,
        false,
      );
    }
    if (standing === "not_needed") {
      this.#report.notNeeded(loggedInText(connection, this.state === undefined));
    }
  }

  reportEvent(event: LoginEvent): void {
    if (event.event !== "managed_auth_state") {
      return;
    }
    this.state = event;
    if (event.flowStatus === "IN_PROGRESS") {
      this.#address = addressOf(event.hostedUrl) ?? this.#address;
      const address = canNeedPerson(event) ? this.#address : undefined;
      if (address !== undefined && !this.#addresses.has(address)) {
        this.#addresses.add(address);
        this.#report.address(`To log in at ${this.#domain}, open ${address}`);
      }
    }
    this.#reportStatus(stateText(event), isFinal(event));
  }

  #reportStatus(text: string, isOver: boolean): void {
    const report = `${text} ${this.addressToOpen ?? ""}`;
    if (report === this.#reported) {
      return;
    }
    this.#reported = report;
    this.#report.status(text, isOver);
  }
}

/** Expiry of the login in progress, on the clock of `performance.now()`; infinite if unreported. */
function expiryOf({ flowStatus, flowExpiresAt }: AuthConnection): number {
  const expiresMs = flowExpiresAt === null ? undefined : dateTimeMs(flowExpiresAt);
  return expiresMs === undefined || flowStatus !== "IN_PROGRESS"
    ? Number.POSITIVE_INFINITY
    : performance.now() + expiresMs - Date.now();
}

/** Steps that the service takes by itself. With stored credentials, a login has no others. */
const ownSteps: ReadonlySet<string | null> = new Set(["DISCOVERING", "SUBMITTING", "COMPLETED"]);

/** Whether a login in progress may wait for a person: at any step not known to do without one. */
function canNeedPerson({ flowStep }: LoginStateEvent): boolean {
  return !ownSteps.has(flowStep);
}

/** Sentence that a profile is logged in. `already`: before any login was reported. */
export function loggedInText({ profileName, domain }: AuthConnection, already: boolean): string {
  return `The profile "${foreignText(profileName)}" is ${already ? "already " : ""}logged in at ${foreignText(domain)}.`;
}

/** URL in the form of browsers, which cannot rewrite a terminal's line. */
function addressOf(text: string | null): string | undefined {
  const url = text !== null && URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && ["http:", "https:"].includes(url.protocol) ? url.href : undefined;
}

/** Activity or wait of a login, in a few words on one line without a URL. */
function stateText(state: LoginStateEvent): string {
  const { flowStatus, flowStep } = state;
  if (flowStatus !== "IN_PROGRESS") {
    return endTexts[flowStatus] ?? `the login is at ${foreignText(flowStatus)}`;
  }
  const website = state.websiteError === null ? "" : `; the website says: ${foreignText(state.websiteError)}`;
  switch (flowStep) {
    case "DISCOVERING":
      return "looking for the login form";
    case "AWAITING_INPUT":
      return `waiting for ${awaitedText(state)}${website}`;
    case "AWAITING_EXTERNAL_ACTION":
      return state.externalActionMessage === null
        ? "waiting for a step outside the browser"
        : `waiting: ${foreignText(state.externalActionMessage)}`;
    case "SUBMITTING":
      return "logging in";
    case "COMPLETED":
      return "logged in, finishing";
    default:
      return flowStep === null ? "the login is in progress" : `the login is at ${foreignText(flowStep)}`;
  }
}

const endTexts: Readonly<Record<string, string>> = {
  SUCCESS: "the login succeeded",
  FAILED: "the login failed",
  EXPIRED: "the login expired",
  CANCELED: "the login was canceled",
};

/** Canonical fields and choices come first where the service sends both forms. */
function awaitedText(state: LoginStateEvent): string {
  const fields =
    state.fields.length > 0
      ? state.fields.map(({ label, ref }) => label ?? ref)
      : state.discoveredFields.map(({ label }) => label);
  const choices =
    state.choices.length > 0
      ? state.choices
      : [...state.mfaOptions, ...state.signInOptions, ...state.pendingSsoButtons];
  const parts = [
    labelList(fields),
    choices.length === 0 ? "" : `a choice of ${labelList(choices.map(({ label }) => label))}`,
  ].filter((part) => part !== "");
  return parts.length === 0 ? "input" : parts.join(", or ");
}

/** Most fields, or choices, named in a line. */
const namedMax = 5;

function labelList(labels: readonly string[]): string {
  const shown = labels.slice(0, namedMax).map((label) => `"${foreignText(label)}"`);
  const more = labels.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(", ");
}

/** Longest string of the website or the service in a line, in characters. */
const quotedCharactersMax = 200;

/** Foreign text as part of a line: bounded, with every URL reduced to the host. */
function foreignText(text: string): string {
  return oneLine(withoutAddresses(text), quotedCharactersMax);
}
