import { checkApiKey, checkProjectId, parseBaseUrl } from "../config.js";
import type { Origins } from "./http/api-error.js";
import { Connections } from "./http/connections.js";
import { type CallOptions, type Deadlines, defaultDeadlines } from "./http/exchange.js";
import { pagesMaxDefault } from "./http/paging.js";
import { defaultRetry, type RetryOptions } from "./http/retry.js";
import { Transport } from "./http/transport.js";
import { ApiKeyOperations } from "./operations/api-keys.js";
import { AuthConnectionOperations } from "./operations/auth-connections.js";
import { readAuthContext } from "./operations/auth-context.js";
import { ExtensionOperations } from "./operations/extensions.js";
import { ProjectOperations } from "./operations/projects.js";
import { withDefaults } from "./options.js";
import { textCleaner } from "./service-text.js";
import type { AuthContext } from "./types.js";

/** What a client is made of. The result of `resolveSettings` fits as it is. */
export interface ClientOptions {
  /** API key: 1 to 4096 printable ASCII characters without spaces. Sent as a bearer token, held in private. */
  readonly apiKey: string;
  /** Base URL: https, or http to this machine; a path prefix is kept. There is no default. */
  readonly baseUrl: string;
  /** Project to act in. Default: the key's own project, or the organization's default project. */
  readonly projectId?: string | undefined;
  /** Where the settings came from, named in the advice of errors: `environment variable BROWSER_INFRA_API_KEY`. */
  readonly origins?: Origins | undefined;
  /** Time limits; what is left out keeps its default. */
  readonly deadlines?: Partial<Deadlines> | undefined;
  /** How reads and renames are repeated; what is left out keeps its default. */
  readonly retry?: Partial<RetryOptions> | undefined;
  /** Pages walked at most by one list. Default 1000. */
  readonly pagesMax?: number | undefined;
}

/**
 * A typed client of the browser infrastructure service. Reads are repeated after passing faults, writes are sent exactly once
 * unless they set an absolute value, redirects are never followed, every wait and every body has a limit, and the API key appears in no error.
 *
 * ```ts
 * const client = new BrowserInfraClient({ apiKey, baseUrl: "https://api.example.com" });
 * const extension = await client.extensions.upload({ archive, name: "ad-blocker" });
 * await client.close();
 * ```
 */
export class BrowserInfraClient {
  /** The extensions of the client's project. */
  readonly extensions: ExtensionOperations;
  /** The projects of the organization and their limits. */
  readonly projects: ProjectOperations;
  /** The API keys that this client's key may see. */
  readonly apiKeys: ApiKeyOperations;
  /** The auth connections of the client's project, and the logins they go through. */
  readonly authConnections: AuthConnectionOperations;
  readonly #options: ClientOptions;
  readonly #connections: Connections;
  readonly #transport: Transport;

  /** Throws `ConfigError` for a malformed key, base URL or project id, `InputError` for a limit that is not a positive number. */
  constructor(options: ClientOptions) {
    const { origins = {} } = options;
    const apiKey = checkApiKey(options.apiKey, origins.apiKey);
    const baseUrl = parseBaseUrl(options.baseUrl, origins.baseUrl);
    const deadlines = withDefaults("deadlines", defaultDeadlines, options.deadlines);
    const retry = withDefaults("retry", defaultRetry, options.retry);
    const { pagesMax } = withDefaults("", { pagesMax: pagesMaxDefault }, { pagesMax: options.pagesMax });
    const headers = {
      authorization: `Bearer ${apiKey}`,
      "user-agent": userAgent,
      ...projectHeaders(options.projectId, origins.projectId),
    };
    this.#options = options;
    this.#connections = connectionsToShare.get(options) ?? new Connections(deadlines.connectMs);
    const clean = textCleaner(apiKey);
    const transport = new Transport({
      connections: this.#connections,
      deadlines,
      retry,
      baseUrl,
      headers,
      apiKey,
      clean,
      origins,
    });
    this.#transport = transport;
    this.extensions = new ExtensionOperations(transport, pagesMax);
    this.projects = new ProjectOperations(transport, pagesMax);
    this.apiKeys = new ApiKeyOperations(transport, pagesMax, apiKey);
    this.authConnections = new AuthConnectionOperations(transport, retry);
  }

  /**
   * The same client in another project, or, with undefined, in none by name. It shares connections and retry budget; closing either
   * closes both. Throws `ConfigError` for a malformed id.
   */
  inProject(projectId: string | undefined): BrowserInfraClient {
    const { projectId: _former, ...origins } = this.#options.origins ?? {};
    const options: ClientOptions = { ...this.#options, projectId, origins };
    connectionsToShare.set(options, this.#connections);
    return new BrowserInfraClient(options);
  }

  /**
   * Who the service takes this client for, and what it may reach (`GET /auth/context`), in the client's project. Repeated after passing faults.
   * Throws `ApiError`; services of generations before this operation answer 404, with whatever code.
   */
  authContext(options: CallOptions = {}): Promise<AuthContext> {
    return readAuthContext(this.#transport, options);
  }

  /** Ends event streams, waits for requests under way and closes every connection. Idle connections do not keep a process alive, so a script may leave this out. */
  async close(): Promise<void> {
    await this.#connections.close();
  }
}

/** Connections for a client about to be made by `inProject`: a way in that the public constructor does not show. */
const connectionsToShare = new WeakMap<ClientOptions, Connections>();

/** The service reads one of two spellings of the project header, depending on its generation; both name the same project. */
function projectHeaders(projectId: string | undefined, origin: string | undefined): Record<string, string> {
  if (projectId === undefined) {
    return {};
  }
  const id = checkProjectId(projectId, origin);
  return { "x-kernel-project-id": id, "x-kernel-project": id };
}

// Read at run time, so that the version has one source; the path is the same from src and from dist.
const { version } = require("../../package.json") as { version: string };
const userAgent = `pulumi-browser-infra/${version} node/${process.versions.node.split(".", 1)[0]}`;
