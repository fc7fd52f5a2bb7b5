import { checkApiKey, checkProjectId, parseBaseUrl } from "../config.js";
import { isLoopbackHost } from "../text/base-url.js";
import { Redaction } from "../text/redact.js";
import { AppOperations } from "./apps/apps.js";
import { DeploymentOperations } from "./apps/deployments.js";
import { BrowserPoolOperations } from "./browsers/browser-pools.js";
import { ExtensionOperations } from "./browsers/extensions.js";
import { ProfileOperations } from "./browsers/profiles.js";
import { ProxyOperations } from "./browsers/proxies.js";
import type { Origins } from "./http/api-error.js";
import type { CallOptions } from "./http/call.js";
import { commandOfProcess } from "./http/command.js";
import { Connections } from "./http/connections/connections.js";
import { type Deadlines, defaultDeadlines } from "./http/connections/deadline.js";
import { type Environment, proxyFor } from "./http/connections/proxy.js";
import { defaultMaxPages } from "./http/paging.js";
import { readRecord } from "./http/record-calls.js";
import { defaultRetry, type RetryOptions } from "./http/retry/options.js";
import { gateOf, type OnRateLimitWait } from "./http/retry/rate-gate.js";
import { ServiceClock } from "./http/service-clock.js";
import { Transport } from "./http/transport.js";
import { AuthConnectionOperations } from "./logins/auth-connections.js";
import { CredentialOperations } from "./logins/credentials.js";
import { nearNameAdvice } from "./operations/near-names.js";
import { withDefaults } from "./options.js";
import { type AuthContext, authContextSchema } from "./organization/api-key.js";
import { ApiKeyOperations } from "./organization/api-keys.js";
import { explainedRefusal } from "./organization/closed-project.js";
import { CredentialProviderOperations } from "./organization/credential-providers.js";
import { OrganizationOperations } from "./organization/organization.js";
import { findProject, isProjectRefusal } from "./organization/project-refusal.js";
import { ProjectOperations } from "./organization/projects.js";
import { TelemetryDestinationOperations } from "./organization/telemetry-destinations.js";

/** Options of a client. The result of `resolveSettings` fits unchanged. */
export interface ClientOptions {
  /** API key: 1 to 4096 printable ASCII characters without spaces, sent as a bearer token. */
  readonly apiKey: string;
  /** Base URL: https, or http to the local machine. A path prefix is kept. No default. */
  readonly baseUrl: string;
  /** Project to act in. Default: the key's own project, or the organization's default project. */
  readonly projectId?: string | undefined;
  /** Sources of the settings, for errors: `environment variable BROWSER_INFRA_API_KEY`. */
  readonly origins?: Origins | undefined;
  /** Time limits. Omitted limits keep the default. */
  readonly deadlines?: Partial<Deadlines> | undefined;
  /** Retry options. Omitted options keep the default. */
  readonly retry?: Partial<RetryOptions> | undefined;
  /** Maximum number of pages read for a list; a longer list throws `ContractError`. Default 1000. */
  readonly maxPages?: number | undefined;
  /**
   * Environment with `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, also in lower case. A base URL of
   * the local machine is never reached through a proxy. Default `process.env`.
   */
  readonly environment?: Environment | undefined;
  /**
   * Receives warnings, such as the id of an unreadable row that a list omits. Default: Node's
   * `process.emitWarning`, which prints warnings on standard error.
   */
  readonly onWarning?: ((message: string) => void) | undefined;
  /** Secrets that the clients of a process hide together. Default: separate. @internal */
  readonly redaction?: Redaction | undefined;
}

/**
 * Typed client of the browser infrastructure service. Reads are retried. Writes are sent once,
 * except writes of an absolute value and writes refused by a rate limit. Redirects are never
 * followed, every wait and every body has a limit, and no error contains the API key.
 *
 * ```ts
 * import { readFile } from "node:fs/promises";
 * import { BrowserInfraClient } from "pulumi-browser-infra/client";
 *
 * const apiKey = process.env.BROWSER_INFRA_API_KEY ?? "";
 * const client = new BrowserInfraClient({ apiKey, baseUrl: "https://api.example.com" });
 * const archive = await readFile("ad-blocker.zip");
 * const extension = await client.extensions.upload({ archive, name: "ad-blocker" });
 * await client.close();
 * ```
 */
export class BrowserInfraClient {
  /** The extensions of the client's project. */
  readonly extensions: ExtensionOperations;
  /** The browser pools of the client's project. */
  readonly browserPools: BrowserPoolOperations;
  /** The browser profiles of the client's project. */
  readonly profiles: ProfileOperations;
  /** The credentials that the service stores for the client's project. */
  readonly credentials: CredentialOperations;
  /** The proxies of the client's project. */
  readonly proxies: ProxyOperations;
  /** The projects of the organization and their limits. */
  readonly projects: ProjectOperations;
  readonly organization: OrganizationOperations;
  readonly telemetryDestinations: TelemetryDestinationOperations;
  /** The API keys that the client's key has access to. */
  readonly apiKeys: ApiKeyOperations;
  readonly credentialProviders: CredentialProviderOperations;
  /** The auth connections of the client's project, with logins. */
  readonly authConnections: AuthConnectionOperations;
  /** The builds of apps in the client's project. */
  readonly deployments: DeploymentOperations;
  /** The app versions that the client's project serves. */
  readonly apps: AppOperations;
  readonly #options: ClientOptions;
  readonly #transport: Transport;

  /**
   * Throws `ConfigError` for a malformed setting, `InputError` for a limit that is not a positive
   * number, and `LocalError` `runtime_unsupported` in Bun.
   */
  constructor(options: ClientOptions);
  /** For `inProject`. @internal */
  constructor(options: ClientOptions, transport: Transport);
  constructor(options: ClientOptions, transport = transportOf(options)) {
    this.#options = options;
    this.#transport = transport;
    this.extensions = new ExtensionOperations(transport);
    this.browserPools = new BrowserPoolOperations(transport);
    this.profiles = new ProfileOperations(transport);
    this.credentials = new CredentialOperations(transport);
    this.proxies = new ProxyOperations(transport);
    this.projects = new ProjectOperations(transport);
    this.organization = new OrganizationOperations(transport);
    this.telemetryDestinations = new TelemetryDestinationOperations(transport);
    this.apiKeys = new ApiKeyOperations(transport);
    this.credentialProviders = new CredentialProviderOperations(transport);
    this.authConnections = new AuthConnectionOperations(transport);
    this.deployments = new DeploymentOperations(transport);
    this.apps = new AppOperations(transport);
  }

  /**
   * Returns a client for a different project; undefined: requests name no project. The clients
   * share connections and retry budget, and closing either client closes both. `origin`: source of
   * the id, for errors. Throws `ConfigError` for a malformed id.
   */
  inProject(projectId: string | undefined, origin?: string): BrowserInfraClient {
    return new BrowserInfraClient(this.#options, this.#transport.inProject(projectId, origin));
  }

  /**
   * Returns a client that shares everything, and tells `onWait` of each request that the account's rate
   * limit holds back for more than 10 s. @internal
   */
  tellingWaits(onWait: OnRateLimitWait): BrowserInfraClient {
    return new BrowserInfraClient(this.#options, this.#transport.tellingWaits(onWait));
  }

  /**
   * Reads the identity and the reach of the client's key (`GET /auth/context`), with retries.
   * Throws `ApiError`: older versions of the service answer 404, with any code.
   */
  authContext(options: CallOptions = {}): Promise<AuthContext> {
    return readRecord(this.#transport, {
      path: "/auth/context",
      operation: this.#transport.projectId
        ? `Checking the project "${this.#transport.projectId}" of the API key`
        : "Reading the identity of the API key",
      notFoundAdvice: "This version of the service does not support GET /auth/context.",
      schema: authContextSchema,
      signal: options.signal,
    });
  }

  /**
   * Adds to a refusal because of a project whether the project is archived or gone, and the project that a
   * misspelled id may mean, by reads of the projects. Returns all other errors, and the refusal itself if the
   * reads tell nothing. @internal
   */
  async explainRefusal(error: unknown, options: CallOptions = {}): Promise<unknown> {
    if (!isProjectRefusal(error) || error.request.projectId === undefined) {
      return error;
    }
    const { projectId } = error.request;
    const { projects } = this.inProject(undefined);
    const found = await findProject(projectId, projects, options).catch(() => undefined);
    const explained = found === undefined ? error : explainedRefusal(error, projectId, found);
    const near =
      found === undefined || found.status === "gone"
        ? await nearNameAdvice("project", projectId, projects, options)
        : "";
    return near === "" ? explained : explained.withAdvice(near);
  }

  /** Time of the service, in milliseconds since 1970. Undefined before the first response. @internal */
  serviceTime(): number | undefined {
    return this.#transport.serviceTime();
  }

  /**
   * Ends event streams, waits for requests in progress and closes every connection. Idle
   * connections do not keep a process alive, so a script may skip the call.
   */
  async close(): Promise<void> {
    await this.#transport.close();
  }
}

function transportOf(options: ClientOptions): Transport {
  const { origins = {}, projectId, environment = process.env, redaction = new Redaction() } = options;
  const apiKey = checkApiKey(options.apiKey, origins.apiKey);
  redaction.hide([apiKey]);
  const baseUrl = parseBaseUrl(options.baseUrl, origins.baseUrl);
  const deadlines = withDefaults("deadlines", defaultDeadlines, options.deadlines);
  const retry = withDefaults("retry", defaultRetry, options.retry);
  const { maxPages } = withDefaults("", { maxPages: defaultMaxPages }, { maxPages: options.maxPages });
  return new Transport({
    connections: new Connections(deadlines.connectMs, proxyFor(baseUrl, environment)),
    deadlines,
    retry,
    gate: gateOf(retry.clock, baseUrl, apiKey),
    maxPages,
    baseUrl,
    headers: { authorization: `Bearer ${apiKey}`, "user-agent": userAgentFor(baseUrl) },
    projectId: projectId === undefined ? undefined : checkProjectId(projectId, origins.projectId),
    apiKey,
    redaction,
    warn: options.onWarning ?? ((message) => process.emitWarning(message, "BrowserInfraWarning")),
    origins,
    serviceClock: new ServiceClock(),
  });
}

// Read at run time: `package.json` is the only source of the version. The path fits src and dist.
const { version } = require("../../package.json") as { version: string };
const userAgent = `pulumi-browser-infra/${version} node/${process.versions.node.split(".", 1)[0]}`;

/** Names the command to an emulator on this machine, whose page shows runs. The service learns no command. */
function userAgentFor(baseUrl: string): string {
  const command = isLoopbackHost(new URL(baseUrl).hostname) ? commandOfProcess() : undefined;
  return command === undefined ? userAgent : `${userAgent} (${command})`;
}
