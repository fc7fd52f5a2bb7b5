import { DeploymentService } from "./apps/service.js";
import { BrowserPoolService } from "./browsers/browser-pools/service.js";
import { SessionService } from "./browsers/sessions/service.js";
import type { Controlled } from "./control/routes.js";
import type { FaultRule } from "./http/fault-action.js";
import { faultRule } from "./http/fault-shape.js";
import { type FaultHandle, Faults } from "./http/faults.js";
import { RateLimit } from "./http/rate-limit.js";
import { type RecordedRequest, RequestLog } from "./http/request-log.js";
import { scenariosOf } from "./logins/scenarios/scenarios.js";
import { LoginService } from "./logins/service.js";
import type { EmulatedApiKey } from "./organization/api-keys/record.js";
import { EmulatedApiKeys, type NewApiKey } from "./organization/api-keys/store.js";
import type { NewProject } from "./organization/projects/entry.js";
import { EmulatedOrganization } from "./organization/projects/organization.js";
import { type EmulatedProject, EmulatedProjects } from "./organization/projects/store.js";
import { applySeed, createFromSeed } from "./seed/apply.js";
import { readSeed } from "./seed/file.js";
import { EmulatedObjects, openTables, type Stores } from "./seed/kinds.js";
import { baseUrl, type EmulatorOptions, readOptions, refuseKnownKey } from "./seed/options.js";
import { startServer } from "./server.js";
import { type EmulatedClock, MovableClock } from "./storage/clock.js";
import { openDatabase, storageError, storageProblem } from "./storage/database.js";

/** Running emulator, with controls for tests that need no client. */
export class Emulator extends EmulatedObjects {
  /** Organization-wide keys given at the start. */
  readonly apiKeys: readonly string[];
  /** Clock of all reported times. Keys expire by the clock, and a test can move the clock. */
  readonly clock: EmulatedClock;
  /** Fault rules, applied to requests. */
  readonly faults = {
    /** Activates a rule. Throws `InputError` `fault_invalid` for a malformed rule. */
    add: (rule: FaultRule): FaultHandle => this.#parts.faults.add(rule),
    /** Removes every rule. */
    clear: (): void => this.#parts.faults.clear(),
  };
  readonly #parts: EmulatorParts;
  #server: Awaited<ReturnType<typeof startServer>> | undefined;
  #closed: Promise<void> | undefined;

  /** @internal */
  constructor(parts: EmulatorParts) {
    super(parts.stores);
    this.#parts = parts;
    this.apiKeys = parts.apiKeys;
    this.clock = parts.clock;
  }

  /** Base URL, without a slash at the end. */
  get url(): string {
    return this.#parts.stores.logins.origin;
  }

  /** Path of the Chromium or Chrome that sessions start; undefined if no browser is started. */
  get browser(): string | undefined {
    return this.#parts.stores.sessions.running?.executable;
  }

  /** Project of requests without a named project. */
  get defaultProject(): EmulatedProject {
    return this.projects.defaultProject;
  }

  /** Copy of the last 10,000 requests, oldest first, without control requests, queries, headers and bodies. */
  get requests(): readonly RecordedRequest[] {
    return this.#parts.log.snapshot();
  }

  /** Creates a project. Throws `InputError` if a property is malformed, or if id or name exist. */
  createProject(project: NewProject): EmulatedProject {
    return this.projects.createFrom(project);
  }

  /** Archives a project: its requests get 404 `project_not_found`. Throws `InputError`. */
  archiveProject(id: string): void {
    this.projects.update(id, { status: "archived" });
  }

  /**
   * Creates an API key of one project or, without `projectId`, of the whole organization. The key
   * survives a restart on the same data folder. Throws `InputError`.
   */
  createApiKey(apiKey: NewApiKey = {}): EmulatedApiKey {
    return this.apiKeyRecords.create(apiKey);
  }

  /**
   * Returns to the state of the start: drops every object, fault and request, and applies the seed
   * again, with its faults. The clock follows the option `now` again. Objects in the data folder are
   * deleted, too.
   */
  reset(): void {
    this.#parts.reset();
  }

  /**
   * Ends every connection and closes the data within a second. Running browsers take up to three seconds
   * more. Later calls wait for the first call.
   */
  close(): Promise<void> {
    const closed = this.#server?.close() ?? Promise.resolve();
    const { logins, database, sessions } = this.#parts.stores;
    this.#closed ??= closed.finally(async () => {
      await sessions.running?.close();
      logins.engine.stop();
      database.close();
    });
    return this.#closed;
  }

  /** Begins to listen, and lets logins continue. @internal */
  async listen(server: Parameters<typeof startServer>[0], host: string, port: number): Promise<void> {
    const { logins } = this.#parts.stores;
    this.#server = await startServer(server, host, port);
    logins.origin = baseUrl(host, this.#server.port);
    logins.engine.run();
  }
}

interface EmulatorParts extends Omit<Controlled, "objects" | "seed"> {
  readonly apiKeys: readonly string[];
}

/**
 * Starts an emulator of the service: a real HTTP server over its own database.
 *
 * Throws `ConfigError` for a bad option or seed, and `LocalError` `emulator_port_unavailable`,
 * `emulator_data_in_use` or `emulator_data_unusable` if the emulator cannot start.
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const settings = readOptions(options);
  const { dataDir, apiKeys: givenKeys, speed, requestsPerSecond } = settings;
  const clock = new MovableClock(settings.now);
  const now = () => clock.now();
  const seed = await readSeed(settings.seed);
  const database = openDatabase(dataDir);
  let sessions: SessionService | undefined;
  try {
    const organization = new EmulatedOrganization(database);
    const projects = new EmulatedProjects(database, now);
    const apiKeys = new EmulatedApiKeys(database, projects, now);
    const tables = openTables(database, now);
    const browserPools = new BrowserPoolService({ ...tables, speed });
    sessions = new SessionService({ ...tables, ...settings, organization, pools: browserPools });
    const { running } = sessions;
    const scenarios = scenariosOf(seed.loginScenarios, seed.contents.defaultLoginScenario);
    const { heartbeatIntervalMs } = settings;
    const logins = new LoginService({ ...tables, speed, heartbeatIntervalMs, scenarios });
    const builds = new DeploymentService(tables.deployments, speed, heartbeatIntervalMs);
    const services = { browserPools, sessions, logins, builds };
    const stores: Stores = { ...tables, organization, projects, apiKeys, ...services };
    const faults = new Faults();
    const log = new RequestLog();
    const reset = () => {
      for (const connection of logins.connections.select()) {
        logins.remove(connection);
      }
      builds.nextBuilds.length = 0;
      faults.clear();
      log.clear();
      clock.set(null);
      setUp(() => database.clear());
      void running?.endOrphans();
    };
    const emulator = new Emulator({ stores, faults, log, clock, apiKeys: givenKeys, reset });
    const setUp = (prepare = () => {}) => {
      database.atomically(() => {
        prepare();
        applySeed(seed, emulator, stores);
        // After the seed, which may define such a key in more detail.
        apiKeys.setGiven(givenKeys);
        refuseKnownKey((key) => apiKeys.authenticate(key) !== undefined, settings.allowRemote);
      });
      for (const [index, rule] of (seed.contents.faults ?? []).entries()) {
        createFromSeed(seed, `faults[${index}]`, () => faults.add(faultRule(rule)));
      }
    };
    setUp();
    sessions.endAll();
    clock.onMove = () => {
      logins.engine.wake();
      void sessions?.sweep();
    };
    const rateLimit = requestsPerSecond === undefined ? undefined : new RateLimit(requestsPerSecond);
    const parts = { stores, objects: emulator, faults, log, clock, rateLimit, reset, seed };
    await emulator.listen({ ...settings, ...parts }, settings.host, settings.port);
    return emulator;
  } catch (error) {
    await sessions?.running?.close();
    database.close();
    const isStorage = dataDir !== undefined && storageProblem(error) !== undefined;
    throw isStorage ? storageError(error, dataDir) : error;
  }
}
