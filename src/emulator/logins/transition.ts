import { type LoginFlow, scriptStep } from "./login.js";
import { inputTimeoutMsDefault, type LoginOutcome, type ScenarioStep } from "./scenarios/schema.js";

/** How a login ends. */
export interface LoginEnd {
  readonly status: LoginOutcome;
  /** Why it failed, as a code. */
  readonly errorCode?: string | undefined;
  /** Why it failed, in words. */
  readonly errorMessage?: string | undefined;
}

/** A login that has come to a step of its script. */
export function atStep(flow: LoginFlow, position: string, atMs: number, speed: number): LoginFlow {
  const step = scriptStep({ ...flow, position });
  if (step.step === "END") {
    return ended({ ...flow, position }, step, atMs);
  }
  const lasts = durationMs(step);
  return {
    ...flow,
    position,
    step: step.step,
    visits: flow.visits + 1,
    updatedMs: atMs,
    dueMs: lasts === undefined ? null : atMs + lasts / speed,
  };
}

/** A login whose present step is over. */
export function afterStep(flow: LoginFlow, atMs: number, speed: number): LoginFlow {
  const step = scriptStep(flow);
  if (step.step === "AWAITING_INPUT") {
    return step.onTimeout === undefined
      ? ended(flow, { status: "EXPIRED" }, atMs)
      : atStep(flow, step.onTimeout, atMs, speed);
  }
  if (step.step === "END") {
    throw new Error("a login goes on after its end");
  }
  const websiteError = ("websiteError" in step ? step.websiteError : undefined) ?? flow.websiteError;
  return atStep({ ...flow, websiteError }, step.next, atMs, speed);
}

/**
 * A login that has ended. One that succeeded is `COMPLETED`; any other stays at the step it ended at, which is a guess, since no step is
 * published for it.
 */
export function ended(
  flow: LoginFlow,
  { status, errorCode, errorMessage }: LoginEnd,
  atMs: number,
): LoginFlow {
  const failed = status === "FAILED";
  return {
    ...flow,
    status,
    step: status === "SUCCESS" ? "COMPLETED" : flow.step,
    visits: flow.visits + 1,
    websiteError: status === "SUCCESS" ? null : flow.websiteError,
    errorCode: failed ? (errorCode ?? "flow_failed") : null,
    errorMessage: failed ? (errorMessage ?? "The login failed.") : null,
    updatedMs: atMs,
    dueMs: null,
  };
}

function durationMs(step: Exclude<ScenarioStep, { step: "END" }>): number | undefined {
  return step.step === "AWAITING_INPUT" ? (step.timeoutMs ?? inputTimeoutMsDefault) : step.durationMs;
}
