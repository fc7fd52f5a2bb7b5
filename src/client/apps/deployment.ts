import { z } from "zod";
import type { Open } from "../open-enum.js";
import type {
  EventSchemas,
  StreamErrorEvent,
  StreamHeartbeatEvent,
} from "../operations/following/stream-events.js";
import { type SettingProblem, settingProblems } from "../options.js";
import { dateTime, ifReadable, orNull, record, recordId } from "../schema.js";
import { type AppVersion, appVersionShape } from "./app.js";

/** Code of an app to deploy. */
export interface NewDeployment {
  /** The zip archive of the code, sent byte for byte: 1 byte to 64 MiB. Must not change meanwhile. */
  readonly archive: Uint8Array;
  /** Path of the entrypoint in the archive, with `/` between names: `src/app.ts`. */
  readonly entrypoint: string;
  /** Label of the version. Default: `latest`. */
  readonly version?: string | undefined;
  /**
   * Whether the deployment may take the place of a deployment with the same app and version. Default:
   * false.
   */
  readonly force?: boolean | undefined;
  /** Environment variables of the app. Secret: the service shows the names alone. */
  readonly envVars?: Readonly<Record<string, string>> | undefined;
}

/** A build of an app's code. The service does not report the app here; `AppVersion` names the deployment. */
export interface Deployment {
  /** Unique id; treat it as opaque. */
  readonly id: string;
  /** Status of the build: `running` is the good end. */
  readonly status: Open<"queued" | "in_progress" | "running" | "failed" | "stopped">;
  /** Reason of the status, in the words of the service, if given. */
  readonly statusReason: string | null;
  /** Region of the service, such as `aws.us-east-1a`. */
  readonly region: string;
  /** Path of the entrypoint in the archive. */
  readonly entrypoint: string | null;
  /** Names of the environment variables. The service shows no values. */
  readonly envVarNames: readonly string[];
  /** `file` or `github`, if reported. */
  readonly sourceType: string | null;
  /** SHA-256 of the uploaded archive, 64 lowercase hexadecimal digits; no value for old deployments. */
  readonly checksum: string | null;
  /** Creation time, as an ISO 8601 date-time, if readable. */
  readonly createdAt: string | null;
  /** Time of the last change, as an ISO 8601 date-time, if readable. */
  readonly updatedAt: string | null;
}

/** Lines of the build, or of the running app. */
export interface DeploymentLogEvent {
  readonly event: "log";
  /** Time of the lines, as an ISO 8601 date-time, if readable. */
  readonly timestamp: string | null;
  /** One or several lines, at most 64 KiB. */
  readonly message: string;
}

export interface DeploymentStateEvent {
  readonly event: "deployment_state";
  /** The stream, or the record, read when the stream may have missed a state. */
  readonly origin: "stream" | "record";
  /** Time of the service's report, as an ISO 8601 date-time, if readable. */
  readonly timestamp: string | null;
  readonly deployment: Deployment;
}

/** A version of an app that a build has found in the code. */
export interface AppVersionEvent extends Omit<AppVersion, "deploymentId"> {
  readonly event: "app_version_summary";
  /** Time of the service's report, as an ISO 8601 date-time, if readable. */
  readonly timestamp: string | null;
}

/** Event of a followed deployment; `event` distinguishes the kinds. */
export type DeploymentEvent =
  | DeploymentLogEvent
  | DeploymentStateEvent
  | AppVersionEvent
  | StreamErrorEvent
  | StreamHeartbeatEvent;

/** Names that the service sets itself, and silently replaces. */
const reservedNames: readonly string[] = ["KERNEL_API_KEY", "ENTRYPOINT_RELPATH"];

/** Problem of the name of a variable, as the end of a sentence. @internal */
export function envVarNameProblem(name: string): string | undefined {
  return reservedNames.includes(name)
    ? `must not have ${name}, which the service sets itself`
    : /^[^\s"=[\]\\\p{Cc}]{1,255}$/u.test(name)
      ? undefined
      : "has a name that no variable can have. Names have 1 to 255 characters, without spaces, quotes, = and brackets";
}

/** Problem of a label of a version, as the end of a sentence. The service accepts any string. @internal */
export function versionProblem(version: string): string | undefined {
  return version.trim() === "" || version.length > 255 || /\p{Cc}/u.test(version)
    ? "must have 1 to 255 characters, without control characters"
    : undefined;
}

/** Problem of the path of an entrypoint, as the end of a sentence. @internal */
export function entrypointProblem(entrypoint: string): string | undefined {
  return /^(?!\/)[^\\\p{Cc}]{1,255}$/u.test(entrypoint) &&
    entrypoint.split("/").every((part) => !["", ".", ".."].includes(part))
    ? undefined
    : 'must be the path of a file in the archive, such as "app.ts" or "src/app.ts", with "/" between names';
}

/** Reports all problems of a new deployment, without values. @internal */
export function deploymentProblems({
  entrypoint,
  version,
  envVars = {},
}: Omit<NewDeployment, "archive">): readonly SettingProblem[] {
  return settingProblems([
    ["entrypoint", entrypointProblem(entrypoint)],
    ["version", version !== undefined && versionProblem(version)],
    ...Object.keys(envVars).map((name) => ["envVars", envVarNameProblem(name)] as const),
  ]);
}

const text = orNull(z.string());

/** A deployment. @internal */
export const deploymentSchema: z.ZodType<Deployment> = record({
  id: recordId,
  status: z.string().min(1),
  status_reason: text,
  region: z.string(),
  entrypoint_rel_path: text,
  env_vars: orNull(z.record(z.string(), z.unknown())),
  source_type: text,
  source_checksum: orNull(z.string().regex(/^[0-9a-f]{64}$/, "64 lowercase hexadecimal digits")),
  created_at: ifReadable(dateTime),
  updated_at: ifReadable(dateTime),
}).transform(({ entrypointRelPath, envVars, sourceChecksum, ...deployment }) => ({
  ...deployment,
  entrypoint: entrypointRelPath,
  envVarNames: Object.keys(envVars ?? {}).sort(),
  checksum: sourceChecksum,
}));

const timestamp = ifReadable(dateTime);

/** Schemas of the events of a deployment, besides errors and heartbeats. @internal */
export const deploymentEventSchemas: EventSchemas<
  DeploymentLogEvent | DeploymentStateEvent | AppVersionEvent
> = {
  log: z.object({ event: z.literal("log"), timestamp, message: z.string() }),
  deployment_state: z
    .object({ event: z.literal("deployment_state"), timestamp, deployment: deploymentSchema })
    .transform((event) => ({ ...event, origin: "stream" as const })),
  app_version_summary: record({ event: z.literal("app_version_summary"), timestamp, ...appVersionShape }),
};
