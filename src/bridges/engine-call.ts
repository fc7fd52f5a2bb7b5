import type { LifecycleContext } from "../providers/lifecycle.js";
import { explainStoredKey } from "../providers/stored-key.js";
import type { EngineLog } from "./engine-log.js";
import { withinLimit } from "./time-limit.js";

/** What a provider process knows of the deployment it works for. */
export interface DeploymentProgress {
  /** A resource of the program was checked, so the settings are those of this run. */
  hasProgram: boolean;
  /** Calls of the engine that wait for an answer. */
  callsRunning: number;
}

/** The provider process as the life cycles see it, whichever bridge it serves. */
export interface ProviderProcess {
  readonly log: EngineLog;
  /** Absolute path of the program's folder. */
  readonly programFolder: string;
  /** Aborted when the engine cancels. */
  readonly signal: AbortSignal;
  readonly environment: Readonly<Record<string, string | undefined>>;
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
  const { programFolder, environment } = process;
  const report = log.reportFor(urn);
  deployment.callsRunning += 1;
  const contextWith = (signal: AbortSignal): LifecycleContext => ({
    urn,
    programFolder,
    configuration,
    environment,
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

/**
 * The settings of the stack that the engine passes to a provider process itself, in
 * `PULUMI_CONFIG`: those of its own namespace, decrypted, as the stack has them today, and by their
 * names without the namespace. Every provider process has them, also that of an explicit provider.
 * Pulumi does not document this, so whatever cannot be read counts as not set. Source: Pulumi's
 * engine, pkg/host/host.go.
 */
export function ownSetting(
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  try {
    const settings: unknown = JSON.parse(environment.PULUMI_CONFIG ?? "{}");
    const value = new Map(Object.entries(settings ?? {})).get(name);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
