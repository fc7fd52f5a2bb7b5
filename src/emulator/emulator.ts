import { InputError } from "../errors.js";
import type { EmulatedApiKey, EmulatedApiKeyRecord } from "./api-keys/record.js";
import { ApiKeyStore, type NewApiKey } from "./api-keys/store.js";
import { type EmulatedBrowserPools, emulatedBrowserPools } from "./browser-pools/controls.js";
import { BrowserPoolService } from "./browser-pools/service.js";
import { type EmulatedExtension, ExtensionStore } from "./extensions/store.js";
import { faultRule } from "./http/fault-shape.js";
import { type FaultHandle, type FaultRule, Faults } from "./http/faults.js";
import { RateLimit } from "./http/rate-limit.js";
import { type RecordedRequest, RequestLog } from "./http/request-log.js";
import { type EmulatedAuthConnections, emulatedAuthConnections } from "./logins/controls.js";
import { Scenarios } from "./logins/scenarios/scenarios.js";
import { LoginService } from "./logins/service.js";
import { baseUrl, type EmulatorOptions, readOptions } from "./options.js";
import { OrganizationStore } from "./projects/organization.js";
import { type EmulatedProject, type LimitChanges, type NewProject, ProjectStore } from "./projects/store.js";
import { applySeed, atSeed, type Stores } from "./seed/apply.js";
import { readSeed } from "./seed/file.js";
import { startServer } from "./server.js";
import { type EmulatedClock, MovableClock } from "./storage/clock.js";
import { atomically, openDatabase, storageError, storageProblem } from "./storage/database.js";

/** A running emulator, and what a test can do to it without a client. */
export interface Emulator {
  /** Base URL, without a slash at the end. */
  readonly url: string;
  /** The organization-wide keys it was started with. */
  readonly apiKeys: readonly string[];
  /** The project of requests that name none. */
  readonly defaultProject: EmulatedProject;
  /** A copy of the last 10,000 requests, oldest first. Credentials and queries are not kept. */
  readonly requests: readonly RecordedRequest[];
  /** The clock of every time that it shows. Keys expire by it, and a test can move it. */
  readonly clock: EmulatedClock;
  /** Creates a project. Throws `InputError` when a property is malformed, or id or name exist. */
  createProject(project: NewProject): EmulatedProject;
  /** Archives a project: requests for it get 404 `project_not_found`. Throws `InputError`. */
  archiveProject(id: string): void;
  /** The projects. Each method throws `InputError` for an unknown id or a bad value. */
  readonly projects: {
    /** Every project, archived ones included, newest first. */
    list(): readonly EmulatedProject[];
    /** Renames a project. */
    rename(id: string, name: string): EmulatedProject;
    /** Activates an archived project. */
    activate(id: string): EmulatedProject;
    /** Sets limits; null for no limit of its own. Those that are not given stay. */
    setLimits(id: string, limits: LimitChanges): EmulatedProject;
    /**
     * Deletes a project with its extensions, browser pools and auth connections, unless it is the
     * last active one. Its keys stay and get 404 `project_not_found`.
     */
    remove(id: string): void;
  };
  /**
   * Creates an API key of one project or, without `projectId`, of the whole organization. It
   * survives a restart on the same data folder. Throws `InputError`.
   */
  createApiKey(apiKey?: NewApiKey): EmulatedApiKey;
  /** The API keys. Each method throws `InputError` for an unknown or deleted id or a bad value. */
  readonly apiKeyRecords: {
    /** Every record, including those of deleted keys, newest first. */
    list(): readonly EmulatedApiKeyRecord[];
    /** Renames a key. The name is stored as it is; a request would trim it. */
    rename(id: string, name: string): EmulatedApiKeyRecord;
    /** Sets when a key expires, also in the past; null for never. */
    setExpiry(id: string, expiresAt: Date | string | null): EmulatedApiKeyRecord;
    /** Deletes a key. Its record stays, marked as deleted. */
    remove(id: string): void;
  };
  /** The extensions. `projectId` is by default that of the default project. */
  readonly extensions: {
    /** Every extension of a project, newest first. */
    list(projectId?: string): readonly EmulatedExtension[];
    /** Replaces bytes, size and checksum, as if the service repacked it. Bytes are not checked. */
    putBytes(id: string, bytes: Uint8Array): EmulatedExtension;
    /** Deletes an extension. */
    remove(idOrName: string, projectId?: string): void;
    /** Removes the checksum: the record looks like one from before the service kept checksums. */
    forgetChecksum(id: string): EmulatedExtension;
    /** Sets when it was last used: a `Date` or an ISO 8601 date-time; null for never. */
    setLastUsed(id: string, lastUsedAt: Date | string | null): EmulatedExtension;
  };
  /** The browser pools and their browsers. */
  readonly browserPools: EmulatedBrowserPools;
  /** The auth connections and their logins. */
  readonly authConnections: EmulatedAuthConnections;
  /** Faults that strike requests. */
  readonly faults: {
    /** Activates a rule. Throws `InputError` `fault_invalid` when it is malformed. */
    add(rule: FaultRule): FaultHandle;
    /** Removes every rule. */
    clear(): void;
  };
  /** Ends every connection and closes the data within a second. Later calls wait for the first. */
  close(): Promise<void>;
}

/**
 * Starts an emulator of the service: a real HTTP server over its own database.
 *
 * Throws `ConfigError` for a bad option or seed, and `LocalError` `emulator_port_unavailable`,
 * `emulator_data_in_use` or `emulator_data_unusable` when it cannot start.
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const {
    host,
    port,
    dataDir,
    seed: seedSource,
    now: baseNow,
    allowRemote,
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
    const apiKeys = new ApiKeyStore(database, now);
    const extensions = new ExtensionStore(database, now);
    const browserPools = new BrowserPoolService({ database, extensions, now, speed: pace.speed });
    const scenarios = new Scenarios(seed.loginScenarios, seed.contents.defaultLoginScenario);
    const logins = new LoginService({ database, now, ...pace, scenarios });
    const stores: Stores = { organization, projects, apiKeys, extensions, browserPools, logins };
    const faults = new Faults();
    const log = new RequestLog();
    const rateLimit = requestsPerSecond === undefined ? undefined : new RateLimit(requestsPerSecond);
    atomically(database, () => {
      applySeed(seed, stores);
      // After the seed, which may define such a key in more detail.
      apiKeys.setGiven(givenKeys);
    });
    for (const [index, rule] of (seed.contents.faults ?? []).entries()) {
      atSeed(seed, `faults[${index}]`, () => faults.add(faultRule(rule)));
    }
    const parts = { stores, faults, log, clock, allowRemote, rateLimit, onRequest };
    const server = await startServer(parts, host, port);
    logins.origin = baseUrl(host, server.port);
    logins.engine.run();

    let lastDefaultProject: EmulatedProject | undefined;
    let closed: Promise<void> | undefined;
    return {
      url: logins.origin,
      apiKeys: givenKeys,
      get defaultProject() {
        return lastDefaultProject ?? projects.defaultProject;
      },
      get requests() {
        return log.snapshot();
      },
      clock,
      createProject: (project) => projects.create(project),
      archiveProject: (id) => {
        projects.update(id, { status: "archived" });
      },
      projects: {
        list: () => projects.all(),
        rename: (id, name) => projects.rename(id, name),
        activate: (id) => projects.update(id, { status: "active" }) as EmulatedProject,
        setLimits: (id, limits) => projects.setLimits(id, limits),
        remove: (id) => atomically(database, () => removeWithResources(id, stores)),
      },
      createApiKey: (apiKey = {}) => {
        if (typeof apiKey.projectId === "string") {
          projects.require(apiKey.projectId);
        }
        return apiKeys.create(apiKey);
      },
      apiKeyRecords: {
        list: () => apiKeys.all(),
        rename: (id, name) => apiKeys.rename(id, name),
        setExpiry: (id, expiresAt) => apiKeys.setExpiry(id, expiresAt),
        remove: (id) => apiKeys.remove(id),
      },
      extensions: {
        list: (projectId = projects.defaultProject.id) => extensions.all(projects.require(projectId).id),
        putBytes: (id, bytes) => extensions.replaceBytes(id, bytes) ?? unknownExtension("id", id),
        remove: (idOrName, projectId = projects.defaultProject.id) => {
          const extension = extensions.findIn(projects.require(projectId).id, idOrName);
          extensions.remove((extension ?? unknownExtension("idOrName", idOrName)).id);
        },
        forgetChecksum: (id) => extensions.forgetChecksum(id) ?? unknownExtension("id", id),
        setLastUsed: (id, lastUsedAt) => extensions.setLastUsed(id, lastUsedAt) ?? unknownExtension("id", id),
      },
      browserPools: emulatedBrowserPools(browserPools, projects),
      authConnections: emulatedAuthConnections(logins, projects),
      faults: { add: (rule) => faults.add(rule), clear: () => faults.clear() },
      close: () => {
        closed ??= server.close().finally(() => {
          logins.engine.stop();
          lastDefaultProject = projects.defaultProject;
          database.close();
        });
        return closed;
      },
    };
  } catch (error) {
    database.close();
    const isStorage = dataDir !== undefined && storageProblem(error) !== undefined;
    throw isStorage ? storageError(error, dataDir) : error;
  }
}

function removeWithResources(
  projectId: string,
  { projects, extensions, browserPools, logins }: Stores,
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
  projects.remove(projectId);
}

function unknownExtension(property: string, idOrName: string): never {
  throw new InputError(
    "extension_unknown",
    property,
    `The emulator has no extension "${idOrName}" there. List the extensions to see the existing ones.`,
  );
}
