import { InputError } from "../errors.js";
import { EmulatedBrowserPools } from "./browsers/browser-pools/controls.js";
import { BrowserPoolService } from "./browsers/browser-pools/service.js";
import { type EmulatedExtension, ExtensionStore, unknownExtension } from "./browsers/extensions/store.js";
import { type EmulatedProfile, ProfileStore, profileExists } from "./browsers/profiles/store.js";
import {
  type EmulatedProxy,
  type ProxyStatus,
  ProxyStore,
  type ProxyToCreate,
} from "./browsers/proxies/store.js";
import type { FaultRule } from "./http/fault-action.js";
import { faultRule } from "./http/fault-shape.js";
import { type FaultHandle, Faults } from "./http/faults.js";
import { RateLimit } from "./http/rate-limit.js";
import { type RecordedRequest, RequestLog } from "./http/request-log.js";
import { EmulatedAuthConnections } from "./logins/controls.js";
import {
  CredentialStore,
  type CredentialToCreate,
  type EmulatedCredential,
} from "./logins/credentials/credentials/store.js";
import { scenariosOf } from "./logins/scenarios/scenarios.js";
import { LoginService } from "./logins/service.js";
import { baseUrl, type EmulatorOptions, readOptions } from "./options.js";
import type { EmulatedApiKeyPolicy } from "./organization/api-keys/policy.js";
import type { EmulatedApiKey, EmulatedApiKeyRecord } from "./organization/api-keys/record.js";
import { ApiKeyStore, type NewApiKey } from "./organization/api-keys/store.js";
import { type OrganizationLimits, OrganizationStore } from "./organization/projects/organization.js";
import {
  type EmulatedProject,
  type LimitChanges,
  type NewProject,
  ProjectStore,
} from "./organization/projects/store.js";
import { applySeed, atSeed, type Stores } from "./seed/apply.js";
import { readSeed } from "./seed/file.js";
import { startServer } from "./server.js";
import { type EmulatedClock, MovableClock } from "./storage/clock.js";
import { type Database, openDatabase, storageError, storageProblem } from "./storage/database.js";
import { refuse } from "./storage/ids-and-names.js";

/** Running emulator, with controls for tests that need no client. */
export class Emulator {
  /** Base URL, without a slash at the end. */
  readonly url: string;
  /** Organization-wide keys given at the start. */
  readonly apiKeys: readonly string[];
  /** Clock of all reported times. Keys expire by the clock, and a test can move the clock. */
  readonly clock: EmulatedClock;
  /** The projects. Methods throw `InputError` for an unknown id or a bad value. */
  readonly projects = {
    /** Every project, including archived projects, newest first. */
    list: (): readonly EmulatedProject[] => this.#stores.projects.all(),
    /** Renames a project. */
    rename: (id: string, name: string): EmulatedProject => this.#stores.projects.rename(id, name),
    /** Activates an archived project. */
    activate: (id: string): EmulatedProject =>
      this.#stores.projects.update(id, { status: "active" }) as EmulatedProject,
    /** Sets limits; null removes a limit of the project. Omitted limits are unchanged. */
    setLimits: (id: string, limits: LimitChanges): EmulatedProject =>
      this.#stores.projects.setLimits(id, limits),
    /**
     * Deletes a project with all contents, unless the project is the last active project. The API
     * keys of the project remain and get 404 `project_not_found`.
     */
    remove: (id: string): void =>
      this.#parts.database.atomically(() => removeWithResources(id, this.#stores)),
  };
  /** The organization. */
  readonly organization = {
    /** Limits of the organization. */
    limits: (): OrganizationLimits => this.#stores.organization.limits,
    /**
     * Sets the limit of projects without their own limit; null removes the limit. No check is made.
     */
    setDefaultProjectLimit: (limit: number | null): void =>
      this.#stores.organization.setDefaultProjectLimit(limit),
  };
  /** The API keys. Methods throw `InputError` for an unknown or deleted id or a bad value. */
  readonly apiKeyRecords = {
    /** Every record, including records of deleted keys, newest first. */
    list: (): readonly EmulatedApiKeyRecord[] => this.#stores.apiKeys.all(),
    /** Renames a key. The name is stored unchanged; a request would trim the name. */
    rename: (id: string, name: string): EmulatedApiKeyRecord => this.#stores.apiKeys.rename(id, name),
    /** Sets the expiry of a key, also in the past; null for never. */
    setExpiry: (id: string, expiresAt: Date | string | null): EmulatedApiKeyRecord =>
      this.#stores.apiKeys.setExpiry(id, expiresAt),
    /** Sets the policy of a key; null allows everything. Requests cannot change a policy. */
    setPolicy: (id: string, policy: EmulatedApiKeyPolicy | null): EmulatedApiKeyRecord =>
      this.#stores.apiKeys.setPolicy(id, policy),
    /** Deletes a key. The record remains, marked as deleted. */
    remove: (id: string): void => this.#stores.apiKeys.remove(id),
  };
  /** The extensions. Default of `projectId`: the default project. */
  readonly extensions = {
    /** Every extension of a project, newest first. */
    list: (projectId?: string): readonly EmulatedExtension[] =>
      this.#stores.extensions.all(this.#stores.projects.idOf(projectId)),
    /**
     * Replaces bytes, size and checksum, like a repacking by the service. Bytes are not checked.
     */
    putBytes: (id: string, bytes: Uint8Array): EmulatedExtension =>
      this.#stores.extensions.replaceBytes(id, bytes),
    /** Deletes an extension. */
    remove: (idOrName: string, projectId?: string): void => {
      const { projects, extensions } = this.#stores;
      const extension = extensions.findIn(projects.idOf(projectId), idOrName);
      extensions.remove((extension ?? refuse(unknownExtension("idOrName", idOrName))).id);
    },
    /** Removes the checksum: the record then looks older than the service's checksums. */
    forgetChecksum: (id: string): EmulatedExtension => this.#stores.extensions.forgetChecksum(id),
  };
  /** The profiles. Methods throw `InputError` for an unknown id or a bad value. */
  readonly profiles = {
    /** Every profile of a project, by default of the default project, newest first. */
    list: (projectId?: string): readonly EmulatedProfile[] =>
      this.#stores.profiles.all(this.#stores.projects.idOf(projectId)),
    /** Returns the profile of a project with a name. Creates a missing profile. */
    ensure: (name: string, projectId?: string): EmulatedProfile =>
      this.#stores.profiles.ensure(this.#stores.projects.idOf(projectId), name),
    /** Renames a profile. */
    rename: (id: string, name: string): EmulatedProfile => {
      const { profiles } = this.#stores;
      return profiles.rename(profiles.require(id), name) ?? refuse(profileExists(name));
    },
    /** Deletes a profile. Pools and auth connections that refer to the profile are unchanged. */
    remove: (id: string): void => this.#stores.profiles.remove(this.#stores.profiles.require(id).id),
  };
  /** The credentials, with their secrets. Methods throw `InputError` for an unknown id. */
  readonly credentials = {
    /** Every credential of a project, by default of the default project, newest first. */
    list: (projectId?: string): readonly EmulatedCredential[] =>
      this.#stores.credentials.all(this.#stores.projects.idOf(projectId)),
    /** Creates a credential, by default in the default project. The name must be free. */
    create: ({ projectId, ...credential }: NewEmulatedCredential): EmulatedCredential =>
      this.#stores.credentials.create({ ...credential, projectId: this.#stores.projects.idOf(projectId) }),
    /** Sets values of a credential, like a login that stores the entered values. */
    setFields: (id: string, fields: Readonly<Record<string, string>>): void =>
      void this.#stores.credentials.update(this.#stores.credentials.require(id), { fields }),
    /** Deletes a credential. Auth connections with the credential have none from then on. */
    remove: (id: string): void => this.#stores.credentials.remove(this.#stores.credentials.require(id).id),
  };
  /** The proxies. Methods throw `InputError` for an unknown id or a bad value. */
  readonly proxies = {
    /** Every proxy of a project, by default of the default project, newest first. */
    list: (projectId?: string): readonly EmulatedProxy[] =>
      this.#stores.proxies.all(this.#stores.projects.idOf(projectId)),
    /** Creates a proxy, by default in the default project. */
    create: ({ projectId, ...proxy }: NewEmulatedProxy): EmulatedProxy =>
      this.#stores.proxies.create({ ...proxy, projectId: this.#stores.projects.idOf(projectId) }),
    /** Renames a proxy. */
    rename: (id: string, name: string): EmulatedProxy => this.#stores.proxies.rename(id, name),
    /** Sets the result of a health check. Later checks keep the result. */
    setStatus: (id: string, status: ProxyStatus): EmulatedProxy => this.#stores.proxies.setStatus(id, status),
    /** Deletes a proxy. Pools and auth connections that refer to the proxy are unchanged. */
    remove: (id: string): void => this.#stores.proxies.remove(this.#stores.proxies.require(id).id),
  };
  /** The browser pools and their browsers. */
  readonly browserPools: EmulatedBrowserPools;
  /** The auth connections and their logins. */
  readonly authConnections: EmulatedAuthConnections;
  /** Fault rules, applied to requests. */
  readonly faults = {
    /** Activates a rule. Throws `InputError` `fault_invalid` for a malformed rule. */
    add: (rule: FaultRule): FaultHandle => this.#parts.faults.add(rule),
    /** Removes every rule. */
    clear: (): void => this.#parts.faults.clear(),
  };
  readonly #parts: EmulatorParts;
  #lastDefaultProject: EmulatedProject | undefined;
  #closed: Promise<void> | undefined;

  /** @internal */
  constructor(parts: EmulatorParts) {
    this.#parts = parts;
    this.url = this.#stores.logins.origin;
    this.apiKeys = parts.apiKeys;
    this.clock = parts.clock;
    this.browserPools = new EmulatedBrowserPools(this.#stores.browserPools, this.#stores.projects);
    this.authConnections = new EmulatedAuthConnections(this.#stores.logins, this.#stores.projects);
  }

  /** Project of requests without a named project. */
  get defaultProject(): EmulatedProject {
    return this.#lastDefaultProject ?? this.#stores.projects.defaultProject;
  }

  /** Copy of the last 10,000 requests, oldest first. Credentials and queries are not kept. */
  get requests(): readonly RecordedRequest[] {
    return this.#parts.log.snapshot();
  }

  /** Creates a project. Throws `InputError` if a property is malformed, or if id or name exist. */
  createProject(project: NewProject): EmulatedProject {
    return this.#stores.projects.create(project);
  }

  /**
   * Archives a project: requests for the project get 404 `project_not_found`. Throws `InputError`.
   */
  archiveProject(id: string): void {
    this.#stores.projects.update(id, { status: "archived" });
  }

  /**
   * Creates an API key of one project or, without `projectId`, of the whole organization. The key
   * survives a restart on the same data folder. Throws `InputError`.
   */
  createApiKey(apiKey: NewApiKey = {}): EmulatedApiKey {
    if (typeof apiKey.projectId === "string") {
      this.#stores.projects.require(apiKey.projectId);
    }
    return this.#stores.apiKeys.create(apiKey);
  }

  /**
   * Ends every connection and closes the data within a second. Later calls wait for the first call.
   */
  close(): Promise<void> {
    const { server, database } = this.#parts;
    this.#closed ??= server.close().finally(() => {
      this.#stores.logins.engine.stop();
      this.#lastDefaultProject = this.defaultProject;
      database.close();
    });
    return this.#closed;
  }

  get #stores(): Stores {
    return this.#parts.stores;
  }
}

/** Credential to create, in the default project unless `projectId` is given. */
export type NewEmulatedCredential = Omit<CredentialToCreate, "projectId"> & {
  readonly projectId?: string | undefined;
};

/** Proxy to create, in the default project unless `projectId` is given. */
export type NewEmulatedProxy = Omit<ProxyToCreate, "projectId"> & { readonly projectId?: string | undefined };

/** Parts of a running emulator. */
interface EmulatorParts {
  readonly stores: Stores;
  readonly database: Database;
  readonly faults: Faults;
  readonly log: RequestLog;
  readonly clock: EmulatedClock;
  readonly apiKeys: readonly string[];
  readonly server: { close(): Promise<void> };
}

/**
 * Starts an emulator of the service: a real HTTP server over its own database.
 *
 * Throws `ConfigError` for a bad option or seed, and `LocalError` `emulator_port_unavailable`,
 * `emulator_data_in_use` or `emulator_data_unusable` if the emulator cannot start.
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const {
    host,
    port,
    dataDir,
    seed: seedSource,
    now: baseNow,
    allowRemote,
    allowedOrigins,
    requestTimeoutMs,
    onRequest,
    ...given
  } = readOptions(options);
  const clock = new MovableClock(baseNow);
  const now = () => clock.now();
  const { apiKeys: givenKeys, requestsPerSecond, ...pace } = given;
  const seed = await readSeed(seedSource);
  const database = openDatabase(dataDir);
  try {
    const organization = new OrganizationStore(database);
    const projects = new ProjectStore(database, now);
    const apiKeys = new ApiKeyStore(database, projects, now);
    const extensions = new ExtensionStore(database, now);
    const profiles = new ProfileStore(database, now);
    const proxies = new ProxyStore(database, now);
    const credentials = new CredentialStore(database, now);
    const used = { extensions, profiles, proxies, credentials };
    const browserPools = new BrowserPoolService({ database, ...used, now, speed: pace.speed });
    const scenarios = scenariosOf(seed.loginScenarios, seed.contents.defaultLoginScenario);
    const logins = new LoginService({ database, ...used, now, ...pace, scenarios });
    const stores: Stores = { organization, projects, apiKeys, ...used, browserPools, logins };
    const faults = new Faults();
    const log = new RequestLog();
    const rateLimit = requestsPerSecond === undefined ? undefined : new RateLimit(requestsPerSecond);
    database.atomically(() => {
      applySeed(seed, stores);
      // After the seed, which may define such a key in more detail.
      apiKeys.setGiven(givenKeys);
    });
    for (const [index, rule] of (seed.contents.faults ?? []).entries()) {
      atSeed(seed, `faults[${index}]`, () => faults.add(faultRule(rule)));
    }
    const changed = database.prepare("SELECT total_changes() AS count");
    const changedRows = () => Number(changed.get()?.count);
    const watched = { stores, faults, log, clock, changedRows };
    const parts = { ...watched, allowRemote, allowedOrigins, requestTimeoutMs, rateLimit, onRequest };
    const server = await startServer(parts, host, port);
    logins.origin = baseUrl(host, server.port);
    logins.engine.run();
    clock.moved = () => logins.engine.wake();

    return new Emulator({ ...parts, database, apiKeys: givenKeys, server });
  } catch (error) {
    database.close();
    const isStorage = dataDir !== undefined && storageProblem(error) !== undefined;
    throw isStorage ? storageError(error, dataDir) : error;
  }
}

function removeWithResources(
  projectId: string,
  { projects, extensions, profiles, proxies, credentials, browserPools, logins }: Stores,
): void {
  projects.require(projectId);
  if (projects.isLastActive(projectId)) {
    throw new InputError(
      "project_last_active",
      "id",
      `The project "${projectId}" cannot be removed: no other project is active. Create another one first.`,
    );
  }
  for (const pool of browserPools.pools.all(projectId)) {
    browserPools.remove(pool);
  }
  for (const { id } of extensions.all(projectId)) {
    extensions.remove(id);
  }
  for (const connection of logins.connections.all(projectId)) {
    logins.remove(connection);
  }
  for (const table of [profiles, proxies, credentials]) {
    for (const { id } of table.all(projectId)) {
      table.remove(id);
    }
  }
  projects.remove(projectId);
}
