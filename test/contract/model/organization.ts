import type {
  EmulatedApiKeyRecord,
  EmulatedAuthConnection,
  EmulatedBrowserPool,
  EmulatedCredential,
  EmulatedCredentialProvider,
  EmulatedProfile,
  EmulatedProject,
  EmulatedProxy,
  EmulatedTelemetryDestination,
  Emulator,
} from "../../../src/emulator/index.js";

/** Declaration of a project. */
interface DeclaredProject {
  /** Fixed name; undefined: automatic name. */
  readonly name?: string | undefined;
}

/** Declaration of the limits of a separate, existing project. */
interface DeclaredLimits {
  readonly sessions: number;
  /** Undefined: cap not managed. A YAML program cannot declare the absence of a cap. */
  readonly invocations?: number | undefined;
}

/** Declaration of an API key with a secret. */
interface DeclaredApiKey {
  readonly name?: string | undefined;
  /** A new number rotates the key. */
  readonly round: number;
}

/** Declaration of a browser pool. */
interface DeclaredPool {
  readonly name?: string | undefined;
  readonly size: number;
}

/** Declaration of a proxy. */
interface DeclaredProxy {
  readonly name?: string | undefined;
  /** A new country replaces the proxy. */
  readonly country: string;
}

/** Declaration of a credential. */
interface DeclaredCredential {
  readonly name?: string | undefined;
  readonly password: string;
}

/** Declaration of a telemetry destination. */
interface DeclaredDestination {
  readonly name?: string | undefined;
  readonly key: string;
}

/** Declaration of a credential provider. */
interface DeclaredProvider {
  readonly name?: string | undefined;
  readonly token: string;
  readonly priority: number;
}

/** Declaration of an auth connection. The logical name determines the domain. */
interface DeclaredConnection {
  /** A new profile name replaces the connection. */
  readonly profileName: string;
  /** Seconds. */
  readonly healthCheckInterval: number;
}

/** Declarations of a resource, by kind. */
export interface OrganizationKinds {
  readonly projects: DeclaredProject;
  readonly limits: DeclaredLimits;
  readonly apiKeys: DeclaredApiKey;
  readonly pools: DeclaredPool;
  readonly profiles: { readonly name?: string | undefined };
  readonly proxies: DeclaredProxy;
  readonly credentials: DeclaredCredential;
  readonly destinations: DeclaredDestination;
  readonly providers: DeclaredProvider;
  readonly connections: DeclaredConnection;
}

/** Declared resources, except extensions, by kind and logical name. */
export type OrganizationProgram = {
  readonly [K in keyof OrganizationKinds]?: Readonly<Record<string, OrganizationKinds[K]>>;
};

/** Resource as registered by a program. */
interface RegisteredResource {
  readonly type: keyof typeof optionsOfClasses;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly options: { readonly deleteBeforeReplace?: boolean };
}

/** Resource in the state. */
interface StoredResource {
  readonly id?: string | undefined;
  readonly outputs?: Readonly<Record<string, unknown>> | undefined;
}
type State = (logicalName: string) => StoredResource;

/** Contents of the service, as lines, so that a test shows all differences at once. */
export interface OrganizationContents {
  readonly projects: readonly string[];
  /** Caps of the existing projects, by the logical name of the limits. */
  readonly limits: Readonly<Record<string, readonly (number | null)[]>>;
  /** Caps that the state would restore. */
  readonly previousLimits: Readonly<Record<string, unknown>>;
  /** Working keys, including keys in a grace period. */
  readonly apiKeys: readonly string[];
  readonly pools: readonly string[];
  readonly profiles: readonly string[];
  readonly proxies: readonly string[];
  readonly credentials: readonly string[];
  readonly destinations: readonly string[];
  readonly providers: readonly string[];
  readonly connections: readonly string[];
}

/** Options set by the classes in TypeScript. */
const optionsOfClasses = {
  Project: { deleteBeforeReplace: true },
  ProjectLimits: { deleteBeforeReplace: true },
  ApiKey: {},
  BrowserPool: { deleteBeforeReplace: true },
  Profile: { deleteBeforeReplace: true },
  Proxy: {},
  Credential: { deleteBeforeReplace: true },
  TelemetryDestination: { deleteBeforeReplace: true },
  CredentialProvider: { deleteBeforeReplace: true },
  AuthConnection: { deleteBeforeReplace: true },
} as const;

/** Profiles that auth connections of programs log in to. */
export const profileNames = ["buyer", "seller", "guest"] as const;

/** Domain of a credential or a connection. */
function domainOf(logicalName: string): string {
  return `${logicalName}.example`;
}

/** Endpoint of every telemetry destination. */
const endpoint = "https://otlp.example.com";

/** Limits of a project before any program sets limits. */
const originalLimits = { maxConcurrentSessions: 3, maxConcurrentInvocations: null };

/** Declared resources, except extensions, and the resulting contents of the service. */
export class Organization {
  readonly #emulator: Emulator;
  /** Projects whose limits a program has declared, by the logical name of the limits. */
  readonly #limited = new Map<string, string>();
  /** Ids of API keys that no ApiKey of a program created. */
  readonly #otherKeys: Set<string>;
  /** Ids of objects of others. */
  readonly #others = new Set<string>();

  constructor(emulator: Emulator) {
    this.#emulator = emulator;
    this.#otherKeys = new Set(emulator.apiKeyRecords.list().map(({ id }) => id));
  }

  /** Creates an API key outside of the program. Returns the id. */
  createApiKey(name: string): string {
    const { id } = this.#emulator.createApiKey({ name });
    this.#otherKeys.add(id);
    return id;
  }

  /** Ids of the projects whose limits a program has declared. */
  get limitedProjects(): readonly string[] {
    return [...this.#limited.values()];
  }

  /** Leaves an object of others out of the contents. */
  ignore(id: string): void {
    this.#others.add(id);
  }

  /** Resources of a program. The first declaration of limits creates the project. */
  resources(program: OrganizationProgram): Record<string, RegisteredResource> {
    const { projects = {}, limits = {}, apiKeys = {}, pools = {}, profiles = {} } = program;
    const { proxies = {}, credentials = {}, connections = {} } = program;
    const { destinations = {}, providers = {} } = program;
    const registered = (type: RegisteredResource["type"], properties: RegisteredResource["properties"]) => {
      const given = Object.entries(properties).filter(([, value]) => value !== undefined);
      return { type, properties: Object.fromEntries(given), options: optionsOfClasses[type] };
    };
    return {
      ...mapped(projects, ({ name }) => registered("Project", { name })),
      ...mapped(limits, ({ sessions, invocations }, logicalName) =>
        registered("ProjectLimits", {
          projectId: this.#limitedProject(logicalName),
          maxConcurrentSessions: sessions,
          maxConcurrentInvocations: invocations,
        }),
      ),
      ...mapped(apiKeys, ({ name, round }) => registered("ApiKey", { name, triggers: [round] })),
      ...mapped(pools, ({ name, size }) => registered("BrowserPool", { name, size })),
      ...mapped(profiles, ({ name }) => registered("Profile", { name })),
      ...mapped(proxies, ({ name, country }) =>
        registered("Proxy", { name, type: "isp", config: { country } }),
      ),
      ...mapped(credentials, ({ name, password }, logicalName) =>
        registered("Credential", { name, domain: domainOf(logicalName), values: { password } }),
      ),
      ...mapped(destinations, ({ name, key }) =>
        registered("TelemetryDestination", { name, endpoint, headers: { "X-Key": key } }),
      ),
      ...mapped(providers, (declared) => registered("CredentialProvider", { ...declared })),
      ...mapped(connections, (declared, logicalName) =>
        registered("AuthConnection", { domain: domainOf(logicalName), ...declared }),
      ),
    };
  }

  /**
   * Expected contents of the service, from the program and the state. `gone`: ids of objects
   * deleted since, outside of the program.
   */
  declared(program: OrganizationProgram, inState: State, gone: readonly string[] = []): OrganizationContents {
    const { projects = {}, limits = {}, apiKeys = {}, pools = {}, profiles = {} } = program;
    const { proxies = {}, credentials = {}, connections = {} } = program;
    const { destinations = {}, providers = {} } = program;
    const called = (logicalName: string, name: string | undefined, id = inState(logicalName).id) => {
      return `${name ?? `${logicalName}-<7 digits>`} ${id}`;
    };
    const lines = <D>(all: Readonly<Record<string, D>>, make: (name: string, each: D) => readonly string[]) =>
      Object.entries(all)
        .flatMap(([name, each]) => make(name, each))
        .filter((line) => !gone.some((id) => line.includes(id)))
        .sort();
    return {
      projects: lines(projects, (logicalName, { name }) => [`${called(logicalName, name)} active`]),
      limits: Object.fromEntries(
        [...this.#limited.keys()].map((logicalName) => {
          const { sessions, invocations } = limits[logicalName] ?? {};
          return [logicalName, [sessions ?? originalLimits.maxConcurrentSessions, invocations ?? null]];
        }),
      ),
      previousLimits: mapped(limits, ({ invocations }) => ({
        maxConcurrentSessions: originalLimits.maxConcurrentSessions,
        ...(invocations === undefined ? {} : { uncapped: ["maxConcurrentInvocations"] }),
      })),
      apiKeys: lines(apiKeys, (logicalName, { name }) => {
        const { keyId, previousKeys = [] } = inState(logicalName).outputs as StoredKey;
        return [called(logicalName, name, keyId), ...previousKeys.map(({ id }) => `in its grace: ${id}`)];
      }),
      pools: lines(pools, (logicalName, { name, size }) => [`${called(logicalName, name)} of ${size}`]),
      profiles: lines(profiles, (logicalName, { name }) => [called(logicalName, name)]),
      proxies: lines(proxies, (logicalName, { name, country }) => [
        `${called(logicalName, name)} in ${country}`,
      ]),
      credentials: lines(credentials, (logicalName, { name, password }) => [
        `${called(logicalName, name)} with ${password}`,
      ]),
      destinations: lines(destinations, (logicalName, { name, key }) => [
        `${called(logicalName, name)} with ${key}`,
      ]),
      providers: lines(providers, (logicalName, { name, token, priority }) => [
        `${called(logicalName, name)} with ${token} at ${priority}`,
      ]),
      connections: lines(connections, (logicalName, { profileName, healthCheckInterval }) => [
        `${called(logicalName, `${domainOf(logicalName)}/${profileName}`)} every ${healthCheckInterval} s`,
      ]),
    };
  }

  /** Contents of the service, except objects from before the program. */
  found({ limits = {} }: OrganizationProgram, inState: State): OrganizationContents {
    const { projects, apiKeys, pools, profiles, proxies, credentials, connections } = this.#added();
    const { destinations, providers } = this.#added();
    const all = this.#emulator.projects.list();
    return {
      projects: projects.map(({ id, name, status }) => `${withoutDigits(name)} ${id} ${status}`).sort(),
      limits: Object.fromEntries(
        [...this.#limited].map(([logicalName, projectId]) => {
          return [logicalName, capsOf(all.find(({ id }) => id === projectId)?.limits)];
        }),
      ),
      previousLimits: mapped(limits, (_, logicalName) => inState(logicalName).outputs?.previous),
      apiKeys: apiKeys
        .map(({ id, name, expiresAt }) => {
          // No program of these tests declares a lifetime, so only a rotation sets an expiry.
          return expiresAt === null ? `${withoutDigits(name)} ${id}` : `in its grace: ${id}`;
        })
        .sort(),
      pools: pools.map(({ id, name, size }) => `${withoutDigits(name)} ${id} of ${size}`).sort(),
      profiles: profiles.map(({ id, name }) => `${withoutDigits(name)} ${id}`).sort(),
      proxies: proxies
        .map(({ id, name, config }) => `${withoutDigits(name)} ${id} in ${config?.country}`)
        .sort(),
      credentials: credentials
        .map(({ id, name, fields }) => `${withoutDigits(name)} ${id} with ${Object.values(fields)}`)
        .sort(),
      destinations: destinations
        .map(({ id, name, headers }) => `${withoutDigits(name)} ${id} with ${Object.values(headers)}`)
        .sort(),
      providers: providers
        .map(({ id, name, token, priority }) => `${withoutDigits(name)} ${id} with ${token} at ${priority}`)
        .sort(),
      connections: connections
        .map(({ id, domain, profileName, healthCheckInterval }) => {
          return `${domain}/${profileName} ${id} every ${healthCheckInterval} s`;
        })
        .sort(),
    };
  }

  /** Whether the service contains an object with a name of the resource, or changed limits. */
  holdsAnythingOf(logicalName: string): boolean {
    const { connections, ...named } = this.#added();
    const limited = this.#emulator.projects.list().find(({ id }) => id === this.#limited.get(logicalName));
    return (
      Object.values(named).some((all: readonly { readonly name: string | null }[]) =>
        all.some(({ name }) => name?.startsWith(`${logicalName}-`)),
      ) ||
      connections.some(({ domain }) => domain === domainOf(logicalName)) ||
      (limited !== undefined && String(capsOf(limited.limits)) !== String(capsOf(originalLimits)))
    );
  }

  /**
   * Whether an object waits for the next deployment: for a name after a failed rename, or for
   * deletion after a lost response, because a namesake exists.
   */
  isUnsettled(): boolean {
    const { apiKeys, proxies } = this.#added();
    const names = [...apiKeys.filter(({ expiresAt }) => expiresAt === null), ...proxies].map(
      ({ name }) => name ?? "",
    );
    return names.some((name) => /-[0-9a-f]{16}$/.test(name)) || new Set(names).size < names.length;
  }

  /** Deletes the object with an id, if any, outside of the program. */
  deleteOutside(id: string | undefined): void {
    this.#delete(({ id: each }) => each === id);
  }

  /** Restores the original limits of a project, outside of the program. */
  restoreLimits(id: string): void {
    this.#emulator.projects.setLimits(id, originalLimits);
  }

  /** Deletes all new objects, and restores the original limits of all projects. */
  reset(): void {
    this.#delete(() => true);
    this.#others.clear();
    for (const id of this.#limited.values()) {
      this.#emulator.projects.setLimits(id, originalLimits);
    }
  }

  /** Keys that the service refuses, as `<logical name>: <status>`. `secrets`: by logical name. */
  async refusedKeys(secrets: Readonly<Record<string, string>>): Promise<readonly string[]> {
    const answers = await Promise.all(
      Object.entries(secrets).map(async ([logicalName, key]) => {
        const headers = { authorization: `Bearer ${key}` };
        const { status } = await fetch(`${this.#emulator.url}/org/api_keys`, { headers });
        return status === 200 ? [] : [`${logicalName}: ${status}`];
      }),
    );
    return answers.flat();
  }

  #limitedProject(logicalName: string): string {
    const known = this.#limited.get(logicalName);
    const project = { name: `limited by ${logicalName}`, limits: originalLimits };
    const id = known ?? this.#emulator.createProject(project).id;
    this.#limited.set(logicalName, id);
    return id;
  }

  /** Objects that did not exist before the program, without the objects of others. */
  #added(): Added {
    const isOwn = ({ id }: { readonly id: string }) => !this.#others.has(id);
    const all = Object.entries(this.#withOthers());
    const own = all.map(([kind, each]) => [kind, each.filter(isOwn)] as const);
    return Object.fromEntries(own) as unknown as Added;
  }

  /** Objects that did not exist before the program. */
  #withOthers(): Added {
    const { projects, apiKeyRecords, browserPools, authConnections, defaultProject } = this.#emulator;
    const others = new Set([defaultProject.id, ...this.#limited.values()]);
    // A connection creates a profile, which stays.
    const ofLogins: readonly string[] = profileNames;
    return {
      projects: projects.list().filter(({ id }) => !others.has(id)),
      apiKeys: apiKeyRecords
        .list()
        .filter(({ id, deletedAt }) => deletedAt === null && !this.#otherKeys.has(id)),
      pools: browserPools.list(),
      profiles: this.#emulator.profiles.list().filter(({ name }) => !ofLogins.includes(name ?? "")),
      proxies: this.#emulator.proxies.list(),
      credentials: this.#emulator.credentials.list(),
      destinations: this.#emulator.telemetryDestinations.list(),
      providers: this.#emulator.credentialProviders.list(),
      connections: authConnections.list(),
    };
  }

  /** Deletes the matching objects among those that did not exist before the program, also objects of others. */
  #delete(isMeant: (each: { readonly id: string }) => boolean): void {
    const { projects, apiKeyRecords, browserPools, authConnections, profiles, proxies, credentials } =
      this.#emulator;
    const added = this.#withOthers();
    const controls: { readonly [K in keyof Added]: { remove(id: string): void } } = {
      projects,
      apiKeys: apiKeyRecords,
      pools: browserPools,
      connections: authConnections,
      profiles,
      proxies,
      credentials,
      destinations: this.#emulator.telemetryDestinations,
      providers: this.#emulator.credentialProviders,
    };
    for (const kind of Object.keys(controls) as (keyof Added)[]) {
      for (const { id } of added[kind].filter(isMeant)) {
        controls[kind].remove(id);
      }
    }
  }
}

/** Objects that did not exist before a program, by kind. */
type Added = {
  readonly projects: readonly EmulatedProject[];
  readonly apiKeys: readonly EmulatedApiKeyRecord[];
  readonly pools: readonly EmulatedBrowserPool[];
  readonly profiles: readonly EmulatedProfile[];
  readonly proxies: readonly EmulatedProxy[];
  readonly credentials: readonly EmulatedCredential[];
  readonly destinations: readonly EmulatedTelemetryDestination[];
  readonly providers: readonly EmulatedCredentialProvider[];
  readonly connections: readonly EmulatedAuthConnection[];
};

/** Outputs of an ApiKey that list the working keys. */
interface StoredKey {
  readonly keyId?: string;
  readonly previousKeys?: readonly { readonly id: string }[];
}

/** Results of `make` for all entries, by the same names. */
function mapped<From, To>(
  all: Readonly<Record<string, From>>,
  make: (each: From, name: string) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(all).map(([name, each]) => [name, make(each, name)]));
}

/** Name without the digits of an automatic name, which a test cannot predict. */
function withoutDigits(name: string | null | undefined): string {
  return name?.replace(/-[0-9a-f]{7}$/, "-<7 digits>") ?? "no name";
}

function capsOf(limits: Partial<EmulatedProject["limits"]> = {}): readonly (number | null)[] {
  const { maxConcurrentSessions = null, maxConcurrentInvocations = null } = limits;
  return [maxConcurrentSessions, maxConcurrentInvocations];
}
