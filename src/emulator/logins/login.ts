import { Table } from "../storage/table.js";
import {
  inputTimeoutMsDefault,
  type LoginEnd,
  type LoginOutcome,
  type LoginScenario,
  type ScenarioStep,
} from "./scenarios/schema.js";

export type LoginStatus = "IN_PROGRESS" | LoginOutcome;

export type LoginStep = Exclude<ScenarioStep["step"], "END">;

/** A login. Times are milliseconds since 1970, with fractions when logins run faster. */
export interface Login {
  readonly id: string;
  readonly connectionId: string;
  /** Scenario at the start: a changed seed does not change a login in progress. */
  readonly scenario: LoginScenario;
  readonly type: "LOGIN" | "REAUTH";
  readonly status: LoginStatus;
  readonly step: LoginStep;
  /** Name of the present step in the scenario. */
  readonly position: string;
  /** Number of steps so far. */
  readonly visits: number;
  /** The newest 50 steps, oldest first, with the time at which each began. */
  readonly steps: readonly { readonly step: string; readonly atMs: number }[];
  readonly websiteError: string | null;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  /** Whether a password was submitted, so that there are credentials to keep. */
  readonly passwordGiven: boolean;
  readonly handoffCode: string;
  /** Whether the code was exchanged for a token. */
  readonly handedOff: boolean;
  readonly browserSessionId: string;
  readonly startedMs: number;
  /** Time at which the present step began, or the login ended. */
  readonly updatedMs: number;
  /** Time at which the login continues by itself; null if the login only waits. */
  readonly dueMs: number | null;
  readonly expiresMs: number;
}

/** Logins in the database, including ended logins. @internal */
export class LoginStore extends Table<Login> {
  latest(connectionId: string): Login | undefined {
    return this.listByConnection(connectionId)[0];
  }

  /** Every login of a connection, newest first. */
  listByConnection(connectionId: string): readonly Login[] {
    return this.select((login) => login.connectionId === connectionId);
  }

  /** Logins in progress, beginning with the login that continues first. */
  waiting(): readonly Login[] {
    const waiting = this.select(({ status }) => status === "IN_PROGRESS");
    return waiting.toReversed().sort((a, b) => wakeMs(a) - wakeMs(b));
  }
}

/** Most steps kept of a login. A scenario may go in circles. */
const stepsMax = 50;

/** Present step of a login in the scenario. */
export function scriptStep({ scenario, position }: Pick<Login, "scenario" | "position">): ScenarioStep {
  const step = scenario.steps[position];
  if (step === undefined) {
    throw new Error("a login is at a step its scenario does not have");
  }
  return step;
}

/** Time at which a login changes by itself: for the next step, or to expire. */
export function wakeMs({ dueMs, expiresMs }: Pick<Login, "dueMs" | "expiresMs">): number {
  return dueMs === null ? expiresMs : Math.min(dueMs, expiresMs);
}

/** Id of the input that a login waits for. Source of the prefix: the service's login page. */
export function interactionId({ id, visits }: Login): string {
  return `mai_${id}${visits}`;
}

/** Moves a login to a step of the scenario. */
export function enterStep(login: Login, position: string, atMs: number, speed: number): Login {
  const step = scriptStep({ ...login, position });
  if (step.step === "END") {
    return endLogin({ ...login, position }, step, atMs);
  }
  const lasts = durationMs(step);
  return {
    ...login,
    position,
    step: step.step,
    visits: login.visits + 1,
    steps: [...login.steps, { step: step.step, atMs }].slice(-stepsMax),
    updatedMs: atMs,
    dueMs: lasts === undefined ? null : atMs + lasts / speed,
  };
}

/** Moves a login past the present step. */
export function leaveStep(login: Login, atMs: number, speed: number): Login {
  const step = scriptStep(login);
  if (step.step === "AWAITING_INPUT") {
    return step.onTimeout === undefined
      ? endLogin(login, { status: "EXPIRED" }, atMs)
      : enterStep(login, step.onTimeout, atMs, speed);
  }
  if (step.step === "END") {
    throw new Error("a login continues after its end");
  }
  const websiteError = ("websiteError" in step ? step.websiteError : undefined) ?? login.websiteError;
  return enterStep({ ...login, websiteError }, step.next, atMs, speed);
}

/**
 * Ends a login. A successful login is `COMPLETED`. After any different outcome, the login keeps its
 * last step, which is a guess: no step is published for such logins.
 */
export function endLogin(login: Login, { status, errorCode, errorMessage }: LoginEnd, atMs: number): Login {
  const failed = status === "FAILED";
  return {
    ...login,
    status,
    step: status === "SUCCESS" ? "COMPLETED" : login.step,
    visits: login.visits + 1,
    steps: [...login.steps, { step: status, atMs }].slice(-stepsMax),
    websiteError: status === "SUCCESS" ? null : login.websiteError,
    errorCode: failed ? (errorCode ?? "flow_failed") : null,
    errorMessage: failed ? (errorMessage ?? "The login failed.") : null,
    updatedMs: atMs,
    dueMs: null,
  };
}

function durationMs(step: Exclude<ScenarioStep, { step: "END" }>): number | undefined {
  return step.step === "AWAITING_INPUT" ? (step.timeoutMs ?? inputTimeoutMsDefault) : step.durationMs;
}
