import type { CheckFailure, LifecycleContext } from "../providers/lifecycle.js";
import { explainStoredKey } from "../providers/stored-key.js";
import { safeMessage } from "../text/escape.js";
import type { EngineLog } from "./engine-log.js";
import { withinLimit } from "./time-limit.js";

/** What a provider process knows of the deployment it works for. */
export interface DeploymentProgress {
  /** A resource of the program was checked, so the settings are those of this run. */
  hasProgram: boolean;
  /** Calls of the engine that wait for an answer. */
  callsRunning: number;
}

/** A failure that is safe to print: a program may name an input as it likes. */
export function safeFailure({ property, reason }: CheckFailure): CheckFailure {
  return { property: safeMessage(property), reason: safeMessage(reason) };
}

/** The provider process as the life cycles see it, whichever bridge it serves. */
export interface ProviderProcess {
  readonly log: EngineLog;
  /** Absolute path of the program's folder. */
  readonly programFolder: string;
  /** Aborted when the engine cancels. */
  readonly signal: AbortSignal;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** See `LifecycleContext.settingsNamespace`. */
  readonly settingsNamespace?: string;
  /** What the process knows of the deployment. All providers in it share it. */
  readonly deployment: DeploymentProgress;
}

/** One call of the engine, before it becomes the context of a life cycle. */
export interface EngineCall {
  readonly urn: string | undefined;
  readonly configuration: LifecycleContext["configuration"];
  /** Its limit in `customTimeouts`, such as `"30s"`, after which the bridge ends it. */
  readonly limit?: string | undefined;
  /** The same limit for a life cycle that ends the work itself. */
  readonly ownLimit?: string | undefined;
}

/**
 * Does the work of one call of the engine: gives it its context, its limit and the cancel, counts
 * it for the end of the deployment, and answers only when its messages have arrived.
 */
export async function runCall<R>(
  { log, signal: canceled, deployment, ...process }: ProviderProcess,
  { urn, configuration, limit, ownLimit }: EngineCall,
  work: (context: LifecycleContext) => Promise<R>,
): Promise<R> {
  const { programFolder, environment, settingsNamespace } = process;
  const report = log.reportFor(urn);
  deployment.callsRunning += 1;
  const contextWith = (signal: AbortSignal): LifecycleContext => ({
    urn,
    programFolder,
    configuration,
    environment,
    settingsNamespace,
    signal,
    report,
    ...(ownLimit === undefined ? {} : { timeLimit: ownLimit }),
  });
  try {
    return await withinLimit(limit, canceled, (signal) => work(contextWith(signal)));
  } catch (error) {
    throw deployment.hasProgram ? error : explainStoredKey(error, contextWith(canceled));
  } finally {
    await report.flush();
    deployment.callsRunning -= 1;
  }
}
