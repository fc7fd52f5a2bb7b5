import type { LifecycleContext, ResourceLifecycle } from "../providers/lifecycle.js";
import type { EngineLog } from "./engine-log.js";

/**
 * How long the work at the end may take, in milliseconds. The engine kills the process after 5 s.
 */
const endMsMax = 4_000;

/** What a provider process knows of the deployment it works for. */
export interface DeploymentProgress {
  /**
   * Whether the deployment is to change things: it is no preview and no refresh. Undefined: nobody
   * has said so far.
   */
  isUpdate: boolean | undefined;
  /** A resource of the program was checked, so the settings are those of this run. */
  hasProgram: boolean;
  /** Calls of the engine that wait for an answer. */
  callsRunning: number;
  /** The context of the last call. */
  lastContext?: LifecycleContext;
}

/**
 * Lets the life cycles finish when the engine ends the deployment. At the end of every command the
 * engine calls Cancel, then sends SIGINT to the process group, and kills it after 5 s. By then
 * every answer is in the state. A killed engine sends nothing.
 *
 * A Cancel while a call is running, or a second one, means that the deployment was canceled.
 * Source: github.com/pulumi/pulumi/pkg/v3 at 3.259.0, host/host.go.
 */
export function atOrderlyEnd(
  deployment: DeploymentProgress,
  lifecycles: () => readonly ResourceLifecycle[],
  logOf: (engineAddress: string) => EngineLog,
  onCancel: (listener: () => void) => void,
): void {
  let cancels = 0;
  let wasCanceled = false;
  onCancel(() => {
    cancels += 1;
    wasCanceled ||= cancels > 1 || deployment.callsRunning > 0;
  });
  process.once("SIGINT", () => {
    const { isUpdate, hasProgram, callsRunning, lastContext } = deployment;
    if (lastContext === undefined || callsRunning > 0) {
      process.exit();
    }
    // The Cancel before has aborted the signal of every call.
    const signal = AbortSignal.timeout(endMsMax);
    const report = logOf(lastContext.deployment).reportFor(undefined);
    // A refresh has no program, so it would take everything for what the program left.
    const undoes = wasCanceled || !(isUpdate ?? hasProgram) ? false : isUpdate;
    const ends = lifecycles().map((lifecycle) => lifecycle.end?.(undoes, { ...lastContext, signal, report }));
    // What does not succeed is left to the next deployment.
    void Promise.allSettled(ends)
      .then(() => report.flush())
      .finally(() => process.exit());
  });
}
