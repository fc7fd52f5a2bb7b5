import {
  inputTimeoutMsDefault,
  type LoginOutcome,
  type LoginScenario,
  type ScenarioStep,
} from "./scenarios/schema.js";

/** Status of a login. */
export type LoginStatus = "IN_PROGRESS" | LoginOutcome;

/** What a login is doing. */
export type LoginStep = Exclude<ScenarioStep["step"], "END">;

/** A login. Times are milliseconds since 1970, with fractions when logins run faster. */
export interface Login {
  readonly id: string;
  readonly connectionId: string;
  /** The scenario as it was at the start: a changed seed does not change a login in progress. */
  readonly scenario: LoginScenario;
  readonly type: "LOGIN" | "REAUTH";
  readonly status: LoginStatus;
  readonly step: LoginStep;
  /** Name of the scenario's step it is at. */
  readonly position: string;
  /** How many steps it has been at. */
  readonly visits: number;
  readonly websiteError: string | null;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  /** True once a password was submitted, so there are credentials to keep. */
  readonly passwordGiven: boolean;
  readonly handoffCode: string;
  /** True once the code was exchanged for a token. */
  readonly handedOff: boolean;
  readonly browserSessionId: string;
  readonly startedMs: number;
  /** When it reached its present step, or ended. */
  readonly updatedMs: number;
  /** When it continues by itself; null when it only waits. */
  readonly dueMs: number | null;
  readonly expiresMs: number;
}

/** The step of its scenario a login is at. */
export function scriptStep({ scenario, position }: Pick<Login, "scenario" | "position">): ScenarioStep {
  const step = scenario.steps[position];
  if (step === undefined) {
    throw new Error("a login is at a step its scenario does not have");
  }
  return step;
}

/** When a login changes by itself: for its next step, or to expire. */
export function wakeMs({ dueMs, expiresMs }: Pick<Login, "dueMs" | "expiresMs">): number {
  return dueMs === null ? expiresMs : Math.min(dueMs, expiresMs);
}

/** Identifies the input a login waits for. Source of the prefix: the service's login page. */
export function interactionId({ id, visits }: Login): string {
  return `mai_${id}${visits}`;
}

/** How a login ends. */
export interface LoginEnd {
  readonly status: LoginOutcome;
  /** Why it failed, as a code. */
  readonly errorCode?: string | undefined;
  /** Why it failed, in words. */
  readonly errorMessage?: string | undefined;
}

/** A login that has reached a step of its scenario. */
export function atStep(login: Login, position: string, atMs: number, speed: number): Login {
  const step = scriptStep({ ...login, position });
  if (step.step === "END") {
    return ended({ ...login, position }, step, atMs);
  }
  const lasts = durationMs(step);
  return {
    ...login,
    position,
    step: step.step,
    visits: login.visits + 1,
    updatedMs: atMs,
    dueMs: lasts === undefined ? null : atMs + lasts / speed,
  };
}

/** A login whose present step is over. */
export function afterStep(login: Login, atMs: number, speed: number): Login {
  const step = scriptStep(login);
  if (step.step === "AWAITING_INPUT") {
    return step.onTimeout === undefined
      ? ended(login, { status: "EXPIRED" }, atMs)
      : atStep(login, step.onTimeout, atMs, speed);
  }
  if (step.step === "END") {
    throw new Error("a login continues after its end");
  }
  const websiteError = ("websiteError" in step ? step.websiteError : undefined) ?? login.websiteError;
  return atStep({ ...login, websiteError }, step.next, atMs, speed);
}

/**
 * A login that has ended. One that succeeded is `COMPLETED`. Any other keeps the step it ended at,
 * which is a guess: no step is published for it.
 */
export function ended(login: Login, { status, errorCode, errorMessage }: LoginEnd, atMs: number): Login {
  const failed = status === "FAILED";
  return {
    ...login,
    status,
    step: status === "SUCCESS" ? "COMPLETED" : login.step,
    visits: login.visits + 1,
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
