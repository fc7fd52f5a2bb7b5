/** Deployments, as stored by the emulator, and the events of a build. */
import { anyText, exactly, filledText, flag, listOf } from "../http/shapes.js";

/** Form of an {@link EmulatedBuild}. @internal */
export const buildShape = exactly({
  fail: filledText.optional().describe("Reason with which the build fails. Default: the build succeeds."),
  endless: flag.optional().describe("Whether the build never ends. Default: false."),
  log: listOf(anyText).optional().describe("Lines of the build. Default: three lines."),
});

/** Build that is played for the next deployment. */
export interface EmulatedBuild {
  /** Reason with which the build fails. Default: the build succeeds. */
  readonly fail?: string | undefined;
  /** Whether the build never ends. Default: false. */
  readonly endless?: boolean | undefined;
  /** Lines of the build. Default: three lines. */
  readonly log?: readonly string[] | undefined;
}

export type EmulatedDeploymentStatus = "queued" | "in_progress" | "running" | "failed" | "stopped";

/** App that a build has found in the code. */
export interface EmulatedApp {
  /** Id of the app version. */
  readonly id: string;
  readonly name: string;
  readonly actions: readonly string[];
}

export interface EmulatedDeployment {
  readonly id: string;
  readonly projectId: string;
  /** Status as stored; see `shownStatus`. */
  readonly status: EmulatedDeploymentStatus;
  readonly statusReason: string | null;
  readonly entrypoint: string;
  readonly version: string;
  readonly force: boolean;
  /** The values are dropped. */
  readonly envVarNames: readonly string[];
  /** SHA-256 of the archive, 64 lowercase hex digits. */
  readonly checksum: string;
  readonly apps: readonly EmulatedApp[];
  readonly build: EmulatedBuild;
  /** Time of a step of the build, in milliseconds. */
  readonly stepMs: number;
  /** Lines of the running app. */
  readonly lines: readonly { readonly atMs: number; readonly message: string }[];
  readonly startedMs: number;
  /** End of the build; null for a build in progress. */
  readonly builtMs: number | null;
  /** Time of the stop; null unless stopped. */
  readonly stoppedMs: number | null;
  /** ISO 8601 date-time. */
  readonly createdAt: string;
}

/** The only region. */
export const region = "aws.us-east-1a";

/** Published: every name of a variable, with an empty value. */
const withoutValues = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, ""]));

const defaultLog = ["Reading the manifest", "Installing dependencies", "Starting the app"];

/** Lines of a build. */
function logOf({ build }: EmulatedDeployment): readonly string[] {
  return build.log ?? defaultLog;
}

/** Time at which a build ends by itself; undefined for a build that never ends. */
export function dueMs(deployment: EmulatedDeployment): number | undefined {
  const { startedMs, stepMs, build } = deployment;
  return build.endless === true ? undefined : startedMs + (logOf(deployment).length + 2) * stepMs;
}

/** Status as shown at a time: a build waits for one step, and then works until the end. */
export function shownStatus({ status, startedMs, stepMs }: EmulatedDeployment, nowMs: number) {
  return status === "queued" && nowMs >= startedMs + stepMs ? "in_progress" : status;
}

/** Converts a deployment for a response. */
export function deploymentOnWire(deployment: EmulatedDeployment, status: EmulatedDeploymentStatus) {
  const { id, statusReason, entrypoint, envVarNames, checksum, createdAt } = deployment;
  return {
    id,
    status,
    ...(statusReason === null || !["failed", "stopped"].includes(status)
      ? {}
      : { status_reason: statusReason }),
    region,
    entrypoint_rel_path: entrypoint,
    env_vars: withoutValues(envVarNames),
    source_type: "file",
    source_checksum: checksum,
    created_at: createdAt,
    updated_at: new Date(deployment.stoppedMs ?? deployment.builtMs ?? deployment.startedMs).toISOString(),
  };
}

/** Converts a version of an app for a response. */
export function versionOnWire({ id, envVarNames, version }: EmulatedDeployment, app: EmulatedApp) {
  return {
    ...{ id: app.id, app_name: app.name, version, deployment: id, region },
    env_vars: withoutValues(envVarNames),
    actions: app.actions.map((name) => ({ name, input_schema: null, output_schema: null })),
  };
}

/** Event of a stream, with its time. */
export interface TimedEvent {
  readonly atMs: number;
  readonly event: { readonly event: string };
}

/** All events until a time, oldest first. Later calls return the same events, and perhaps more. */
export function eventsOf(deployment: EmulatedDeployment, nowMs: number): readonly TimedEvent[] {
  const { startedMs, stepMs, status, builtMs, stoppedMs, apps, lines } = deployment;
  const timed = (atMs: number, event: string, members: object): TimedEvent => ({
    atMs,
    event: { event, ...{ timestamp: new Date(atMs).toISOString() }, ...members },
  });
  const state = (atMs: number, shown: EmulatedDeploymentStatus) =>
    timed(atMs, "deployment_state", { deployment: deploymentOnWire(deployment, shown) });
  const log = logOf(deployment).map((message, at) =>
    timed(startedMs + (at + 2) * stepMs, "log", { message: `${message}\n` }),
  );
  const cutMs = builtMs ?? stoppedMs ?? nowMs;
  const isServed = builtMs !== null && status !== "failed";
  const summaries = apps.map((app) => {
    const { deployment: _id, env_vars: _names, ...version } = versionOnWire(deployment, app);
    return timed(cutMs, "app_version_summary", version);
  });
  return [
    state(startedMs, "queued"),
    ...[state(startedMs + stepMs, "in_progress"), ...log].filter(({ atMs }) => atMs <= cutMs),
    ...(isServed ? [...summaries, state(cutMs, "running")] : []),
    ...(status === "failed" ? [state(cutMs, "failed")] : []),
    ...lines.map(({ atMs, message }) => timed(atMs, "log", { message: `${message}\n` })),
    ...(stoppedMs === null ? [] : [state(stoppedMs, "stopped")]),
  ].filter(({ atMs }) => atMs <= nowMs);
}
