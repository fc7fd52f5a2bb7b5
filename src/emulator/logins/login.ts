import type { LoginOutcome, LoginScenario, ScenarioStep } from "./scenarios/schema.js";

/** How a login stands. */
export type LoginStatus = "IN_PROGRESS" | LoginOutcome;

/** What a login is doing. */
export type LoginStep = Exclude<ScenarioStep["step"], "END">;

/** A login as the emulator holds it. Times are milliseconds since 1970, with fractions where a run is faster than written. */
export interface LoginFlow {
  readonly id: string;
  readonly connectionId: string;
  /** The script as it was at the start: a change of the seed does not bend a login under way. */
  readonly scenario: LoginScenario;
  readonly type: "LOGIN" | "REAUTH";
  readonly status: LoginStatus;
  readonly step: LoginStep;
  /** Name of the script's step it is at. */
  readonly position: string;
  /** How many steps it has been at. */
  readonly visits: number;
  readonly websiteError: string | null;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  /** A password was submitted, so there is something to keep. */
  readonly passwordGiven: boolean;
  readonly handoffCode: string;
  /** The code was exchanged for a token. */
  readonly handedOff: boolean;
  readonly browserSessionId: string;
  readonly startedMs: number;
  /** When it came to its present step, or ended. */
  readonly updatedMs: number;
  /** When it goes on by itself; null when it only waits. */
  readonly dueMs: number | null;
  readonly expiresMs: number;
}

/** The step of the script it is at. */
export function scriptStep({ scenario, position }: Pick<LoginFlow, "scenario" | "position">): ScenarioStep {
  const step = scenario.steps[position];
  if (step === undefined) {
    throw new Error("a login is at a step its script does not have");
  }
  return step;
}

/** When it wakes by itself: at its next step, or to expire. */
export function wakeMs({ dueMs, expiresMs }: Pick<LoginFlow, "dueMs" | "expiresMs">): number {
  return dueMs === null ? expiresMs : Math.min(dueMs, expiresMs);
}

/** Names what a login waits for: a submission may say which it answers. Source of the prefix: the service's own login page. */
export function interactionId({ id, visits }: LoginFlow): string {
  return `mai_${id}${visits}`;
}
