import type { CheckFailure, LifecycleContext } from "../providers/lifecycle.js";
import { safeMessage } from "../text/escape.js";
import type { EngineLog } from "./engine-log.js";
import { explainStoredKey } from "./stored-key.js";
import { withinLimit } from "./time-limit.js";

/** Progress of a deployment, as visible to the provider process. */
export interface DeploymentProgress {
  /** Whether a resource of the program was checked. The settings are then those of this run. */
  hasProgram: boolean;
  /** Number of calls of the engine without a response so far. */
  callsRunning: number;
}

/** Makes a failure safe to print: a program may choose any name for an input. */
export function safeFailure({ property, reason }: CheckFailure): CheckFailure {
  return { property: safeMessage(property), reason: safeMessage(reason) };
}

/** Provider process as visible to the life cycles, for either bridge. */
export interface ProviderProcess {
  readonly log: EngineLog;
  /** Absolute path of the program's folder. */
  readonly programFolder: string;
  /** Aborted when the engine cancels. */
  readonly signal: AbortSignal;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** See `LifecycleContext.settingsNamespace`. */
  readonly settingsNamespace?: string;
  readonly mayRead?: LifecycleContext["mayRead"];
  /** Progress of the deployment, shared by all providers in the process. */
  readonly deployment: DeploymentProgress;
}

/** A call of the engine, before the conversion to the context of a life cycle. */
export interface EngineCall {
  readonly urn: string | undefined;
  readonly configuration: LifecycleContext["configuration"];
  readonly configurationKeys?: LifecycleContext["configurationKeys"];
  /** Limit of the call in `customTimeouts`, such as `"30s"`. The bridge then ends the call. */
  readonly limit?: string | undefined;
  /** Limit of the call for a life cycle that ends the work itself. */
  readonly ownLimit?: string | undefined;
}

/**
 * Does the work of a call of the engine with context, limit and cancel. Counts the call as running,
 * and returns only after the messages of the call have arrived, at most one second later.
 */
export async function runCall<R>(
  { log, signal: canceled, deployment, ...process }: ProviderProcess,
  { urn, configuration, configurationKeys, limit, ownLimit }: EngineCall,
  work: (context: LifecycleContext) => Promise<R>,
): Promise<R> {
  const { programFolder, environment, settingsNamespace, mayRead } = process;
  const report = log.reportFor(urn);
  deployment.callsRunning += 1;
  const contextWith = (signal: AbortSignal): LifecycleContext => ({
    urn,
    programFolder,
    configuration,
    configurationKeys,
    environment,
    settingsNamespace,
    mayRead,
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
