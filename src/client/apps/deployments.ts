import { InputError } from "../../errors.js";
import type { UploadOptions } from "../browsers/extensions.js";
import { checkArchive, multipartBody } from "../http/multipart.js";
import { checkFilter, type Listing, type PagedOptions } from "../operations/list.js";
import { RecordOperations } from "../operations/records.js";
import { checkSettings } from "../options.js";
import {
  type Deployment,
  type DeploymentEvent,
  deploymentProblems,
  deploymentSchema,
  type NewDeployment,
} from "./deployment.js";
import { type DeploymentFollowOptions, DeploymentStream } from "./follow.js";

/** Largest archive, in bytes. The service publishes no limit. */
const deploymentArchiveBytesMax = 67_108_864;

export interface DeploymentListOptions extends PagedOptions {
  /** Only deployments of the named app. */
  readonly appName?: string | undefined;
  /** Only deployments with the label. Needs `appName`. */
  readonly appVersion?: string | undefined;
}

/**
 * The deployments of a project (`/deployments`). Reads are retried; `create` and `delete` only while a rate
 * limit refuses the request. `delete` stops a running deployment; nothing blocks a deletion.
 *
 * Source: the service's published description.
 */
export class DeploymentOperations extends RecordOperations<Deployment, DeploymentListOptions> {
  /**
   * Uploads an archive and begins a build (`POST /deployments`). Sent once, and again only while a rate limit
   * refuses the request. `follow` reports the build. No error contains a value of `envVars`, except values of
   * fewer than 6 characters.
   *
   * Throws `InputError` before any request; `ApiError` when the service refused, so that nothing was created;
   * `ConnectionError` when nothing was sent; `OutcomeUnknownError` when the deployment may exist: look for
   * the checksum.
   */
  async create(deployment: NewDeployment, options: UploadOptions = {}): Promise<Deployment> {
    const { archive, entrypoint, version, force, envVars = {} } = deployment;
    checkArchive(archive, deploymentArchiveBytesMax);
    checkSettings("deployment", deploymentProblems(deployment));
    const variables = Object.entries(envVars).map(([name, value]) => [`env_vars[${name}]`, value]);
    return this.createNamed(undefined, {}, options, {
      operation: `Deploying the app with the entrypoint "${entrypoint}"`,
      unknownOutcomeAdvice: "List the deployments and compare checksums and times before deploying again.",
      conflictAdvice:
        'A deployment with this app and version exists: choose another version, or set "force".',
      body: multipartBody({
        archive,
        filename: "app.zip",
        fields: {
          version,
          force: force === undefined ? undefined : String(force),
          entrypoint_rel_path: entrypoint,
          ...Object.fromEntries(variables),
        },
        secrets: Object.values(envVars),
        onProgress: options.onProgress,
      }),
      wrongIf: [
        (made) => made.entrypoint !== null && made.entrypoint !== entrypoint,
        "it describes another deployment",
      ],
    });
  }

  /**
   * Follows a build (`GET /deployments/{id}/events`) and returns the events in order. Ends only after a final
   * state (`running`, `failed`, `stopped`), whatever the stream does. A stream that closes, breaks, falls
   * silent, is refused for now (429, 5xx) or sends only unreadable events is reopened after a pause, and the
   * record is read meanwhile. Lines that a new stream repeats are left out, as far as known.
   *
   * Throws `InputError` at once; then, from the iteration, `ApiError` for a permanent refusal, `BuildError`
   * `build_timed_out` or `build_stream_error`, `CanceledError`, and the error of the last try when
   * reopening does not help. A failed build is no error here.
   */
  follow(id: string, options: DeploymentFollowOptions = {}): AsyncIterableIterator<DeploymentEvent> {
    const { signal: _signal, ...request } = this.request(id, {});
    const record = { ...request, operation: `Reading the deployment "${id}"` };
    return new DeploymentStream(this.transport, id, record, options);
  }

  /** @internal */
  protected override listing({ appName, appVersion }: DeploymentListOptions): Listing<Deployment> {
    checkFilter("appName", appName);
    checkFilter("appVersion", appVersion);
    if (appVersion !== undefined && appName === undefined) {
      throw new InputError("filter_invalid", "appVersion", '"appVersion" needs "appName".');
    }
    return {
      path: "/deployments",
      noun: "deployment",
      schema: deploymentSchema,
      parameters: { app_name: appName, app_version: appVersion },
    };
  }
}
