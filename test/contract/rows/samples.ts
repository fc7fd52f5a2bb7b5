import type { ResourceKind } from "../../../src/bridges/kinds.js";
import type { Emulator } from "../../../src/emulator/index.js";
import type { Properties } from "../../bridges/wire-messages.js";

/** State of a resource. */
interface InState {
  readonly id: string;
  readonly outputs: Properties;
}

/** Objects and settings in the service by id, as lines with all values that a program decides. */
export type Contents = Readonly<Record<string, string>>;

/**
 * Evidence by which the provider recognizes an object as the result of an interrupted creation: a one-time name;
 * name and contents; every setting shown, and the time of the creation; the same without a login. Borrowed
 * settings have no object of their own.
 */
export type Evidence = "one-time name" | "identity" | "time" | "no login" | "borrowed";

/** Objects that an operator makes beside an interrupted creation of `first`. */
export interface Strangers {
  readonly evidence: Evidence;
  /** Kind of the objects. Default: the kind of the sample. */
  readonly kind?: ResourceKind;
  /** Inputs of an object as declared, or of a neighbour of borrowed settings. Default: `first`. */
  readonly same?: Properties;
  /** Inputs with the name of `first` and other settings. Undefined: the service shows nothing but the name. */
  readonly differing?: Properties;
  /** Uses the object outside of the program, as its owner does. */
  readonly use?: (emulator: Emulator, id: string) => void;
}

/** Inputs and checks of a kind of resource for the contract suite. */
export interface Sample {
  readonly kind: ResourceKind;
  /** Inputs with a fixed name. These and all further inputs differ in the service's contents. */
  readonly first: Properties;
  /** Inputs that change `first` in place. Undefined if nothing can be changed in place. */
  readonly changed?: Properties;
  /** Inputs for a later deployment. */
  readonly third: Properties;
  /** Inputs that replace `first`. */
  readonly moved?: Properties;
  /** Inputs without a name. */
  readonly automatic?: Properties;
  /** Inputs that replace `automatic`. */
  readonly automaticMoved?: Properties;
  /** Inputs that change `first` in place, by a creation in the service. */
  readonly rotated?: Properties;
  /** Strangers: objects of others with the name of `first`. */
  readonly strangers: Strangers;
  /** Methods of the writes. */
  readonly methods: Readonly<Record<"create" | "change" | "remove", "POST" | "PATCH" | "DELETE">>;
  /** Whether the class sets the option `deleteBeforeReplace`. */
  readonly deletesFirst: (properties: Properties) => boolean;
  /** Further inputs that an input needs. */
  readonly needs?: Readonly<Record<string, Properties>>;
  /** Result of a move to a new logical name without an alias. */
  readonly withoutAlias: "advice" | "reused" | "created again";
  /** Contents of the service without a program. Default: none. */
  readonly before?: Contents;
  /** Text of a run that created an object without a response. Undefined: the object is not created. */
  readonly lostCreation?: string;
  /** Text that reports a previous value in a run. Default: a command. */
  readonly reportedAs?: (id: string) => string;
  /** Contents of this kind in the service, except objects that no program of the suite manages. */
  readonly found: (emulator: Emulator) => Contents;
  /** Required contents of the service for a resource in the state. */
  readonly declared: (properties: Properties, inState: InState, logicalName: string) => Contents;
  /** Changes the object outside of the program. */
  readonly drift: (emulator: Emulator, id: string) => void;
  /** Deletes the object outside of the program. Undefined if nothing can delete the object. */
  readonly remove?: (emulator: Emulator, id: string) => void;
  /** Whether a forced replacement is a question: the engine tells nothing that proves the old object. */
  readonly refusesForce?: true;
  /** Whether the class refuses a lookup by id. */
  readonly cannotBeLookedUp?: boolean;
  readonly cannotBeImported?: boolean;
  /** Whether the service hides values, so that the deployment after an import sends them again. */
  readonly hidesValues?: boolean;
}

/** Ids of objects from before any program. */
const home = "home";
const limited = ["limited-1", "limited-2"] as const;
const named = ["named-1", "named-2"] as const;
const limitsBefore = { maxConcurrentSessions: 3, maxConcurrentInvocations: null };
const defaultBefore = 50;
const neighbourKey = "key-of-the-neighbour";

/** Resource of a different kind in every program of the suite. */
export const neighbour = {
  type: "ApiKeyName",
  properties: { keyId: neighbourKey, name: "CI" },
  options: { deleteBeforeReplace: true },
} as const;

/** Versions in the manifests of extensions, by folder. */
export const extensionFolders = { one: "1.0.1", two: "1.0.2", three: "1.0.3" } as const;

/** Creates the objects from before any program. */
export function furnish(emulator: Emulator): void {
  emulator.createProject({ id: home, name: home });
  for (const id of limited) {
    emulator.createProject({ id, name: id, limits: limitsBefore });
  }
  emulator.organization.setDefaultProjectLimit(defaultBefore);
  for (const id of [...named, neighbourKey]) {
    emulator.createApiKey({ id, name: `${id} before` });
  }
}

/** Restores the settings that programs changed. */
export function restoreBorrowed(emulator: Emulator): void {
  for (const id of limited) {
    emulator.projects.setLimits(id, limitsBefore);
  }
  emulator.organization.setDefaultProjectLimit(defaultBefore);
  for (const id of [...named, neighbourKey]) {
    emulator.apiKeyRecords.rename(id, `${id} before`);
  }
}

/** Objects of a kind in both projects. */
function inProjects<T>(emulator: Emulator, list: (projectId: string) => readonly T[]): readonly T[] {
  return [emulator.defaultProject.id, home].flatMap(list);
}

const extensionsIn = (emulator: Emulator) => inProjects(emulator, (id) => emulator.extensions.list(id));
const poolsIn = (emulator: Emulator) => inProjects(emulator, (id) => emulator.browserPools.list(id));
const proxiesIn = (emulator: Emulator) => inProjects(emulator, (id) => emulator.proxies.list(id));
const profilesIn = (emulator: Emulator) => inProjects(emulator, (id) => emulator.profiles.list(id));

function credentialsIn({ credentials, defaultProject }: Emulator) {
  return [defaultProject.id, home].flatMap((projectId) => credentials.list(projectId));
}

function connectionsIn({ authConnections, defaultProject }: Emulator) {
  return [defaultProject.id, home].flatMap((projectId) => authConnections.list(projectId));
}

/** Expected name of a resource. */
function nameOf({ name }: Properties, logicalName: string): string {
  return typeof name === "string" ? name : `${logicalName}-<7 digits>`;
}

/** Name without the digits of an automatic name. */
function withoutDigits(name: string | null | undefined): string {
  return name?.replace(/-[0-9a-f]{7}$/, "-<7 digits>") ?? "no name";
}

const placeOf = ({ projectId }: Properties | { readonly projectId?: string | null }) =>
  projectId === home ? "at home" : "in the project of the settings";

/** Text of a run that found the object of a creation without a response. */
const lostCreation = "The response to the creation was lost, but it succeeded: ";

const owned = { create: "POST", change: "PATCH", remove: "DELETE" } as const;
const borrowed = { create: "PATCH", change: "PATCH", remove: "PATCH" } as const;

const Project: Sample = {
  kind: "Project",
  first: { name: "shop" },
  changed: { name: "store" },
  third: { name: "third" },
  automatic: {},
  strangers: { evidence: "time" },
  methods: owned,
  deletesFirst: () => true,
  lostCreation,
  withoutAlias: "advice",
  found: ({ projects, defaultProject }) => {
    const others: readonly string[] = [defaultProject.id, home, ...limited];
    const added = projects.list().filter(({ id }) => !others.includes(id));
    return Object.fromEntries(added.map(({ id, name, status }) => [id, `${withoutDigits(name)} ${status}`]));
  },
  declared: (properties, { id }, logicalName) => ({ [id]: `${nameOf(properties, logicalName)} active` }),
  drift: ({ projects }, id) => void projects.rename(id, "renamed outside"),
  remove: ({ projects }, id) => projects.remove(id),
};

const ProjectLimits: Sample = {
  kind: "ProjectLimits",
  first: { projectId: limited[0], maxConcurrentSessions: 9 },
  changed: { projectId: limited[0], maxConcurrentSessions: 20, maxConcurrentInvocations: 7 },
  third: { projectId: limited[0], maxConcurrentSessions: 5 },
  moved: { projectId: limited[1], maxConcurrentSessions: 9 },
  strangers: { evidence: "borrowed", kind: "Project", same: { name: `${limited[0]} of others` } },
  methods: borrowed,
  deletesFirst: () => true,
  withoutAlias: "reused",
  before: Object.fromEntries(limited.map((id) => [id, "3 and null"])),
  reportedAs: () => "maxConcurrentSessions 3",
  found: ({ projects }) =>
    Object.fromEntries(
      projects
        .list()
        .filter(({ id }) => limited.some((each) => each === id))
        .map(({ id, limits: { maxConcurrentSessions, maxConcurrentInvocations } }) => {
          return [id, `${maxConcurrentSessions} and ${maxConcurrentInvocations}`];
        }),
    ),
  declared: ({ maxConcurrentSessions, maxConcurrentInvocations = null }, { id }) => ({
    [id]: `${maxConcurrentSessions} and ${maxConcurrentInvocations}`,
  }),
  drift: ({ projects }, id) => void projects.setLimits(id, { maxConcurrentSessions: 11 }),
  remove: ({ projects }, id) => projects.remove(id),
};

const OrganizationLimits: Sample = {
  kind: "OrganizationLimits",
  first: { defaultProjectMaxConcurrentSessions: 40 },
  changed: { defaultProjectMaxConcurrentSessions: 45 },
  third: { defaultProjectMaxConcurrentSessions: 35 },
  strangers: { evidence: "borrowed", kind: "Project", same: { name: "of others" } },
  methods: borrowed,
  deletesFirst: () => true,
  withoutAlias: "reused",
  before: { organization: String(defaultBefore) },
  reportedAs: () => `defaultProjectMaxConcurrentSessions ${defaultBefore}`,
  found: ({ organization }) => ({
    organization: String(organization.limits().defaultProjectMaxConcurrentSessions),
  }),
  declared: ({ defaultProjectMaxConcurrentSessions }) => ({
    organization: String(defaultProjectMaxConcurrentSessions),
  }),
  drift: ({ organization }) => organization.setDefaultProjectLimit(42),
};

const ApiKeyName: Sample = {
  kind: "ApiKeyName",
  first: { keyId: named[0], name: "release" },
  changed: { keyId: named[0], name: "staging" },
  third: { keyId: named[0], name: "nightly" },
  moved: { keyId: named[1], name: "release" },
  strangers: { evidence: "borrowed", kind: "ApiKey", same: { name: "release" } },
  methods: borrowed,
  deletesFirst: () => true,
  withoutAlias: "reused",
  before: Object.fromEntries(named.map((id) => [id, `${id} before`])),
  reportedAs: (id) => `${id} before`,
  found: ({ apiKeyRecords }) =>
    Object.fromEntries(
      apiKeyRecords
        .list()
        .filter(({ id, deletedAt }) => deletedAt === null && named.some((each) => each === id))
        .map(({ id, name }) => [id, name]),
    ),
  declared: ({ name }, { id }) => ({ [id]: String(name) }),
  drift: ({ apiKeyRecords }, id) => void apiKeyRecords.rename(id, "renamed outside"),
  remove: ({ apiKeyRecords }, id) => apiKeyRecords.remove(id),
};

/** Policy of an API key. */
const readsAtHome = { statements: [{ action: "profiles:read", resource: `projects/${home}/*` }] };
const reachOf = (policy: unknown) => `with ${JSON.stringify(policy ?? "every permission")}`;

const ApiKey: Sample = {
  kind: "ApiKey",
  first: { name: "agents", triggers: [1] },
  changed: { name: "agents", triggers: [1], policy: readsAtHome },
  third: { name: "third", triggers: [1], policy: readsAtHome },
  moved: { name: "agents", triggers: [1], projectId: home },
  automatic: { triggers: [1] },
  rotated: { name: "agents", triggers: [2] },
  strangers: { evidence: "one-time name", differing: { name: "agents", policy: readsAtHome } },
  methods: owned,
  deletesFirst: () => false,
  lostCreation: `The response with API key "agents" was lost, and with it the key's secret. The provider now creates a new key.`,
  withoutAlias: "created again",
  found: ({ apiKeyRecords, apiKeys }) => {
    const given = apiKeyRecords.list().slice(-apiKeys.length);
    const others: readonly string[] = [...given.map(({ id }) => id), ...named, neighbourKey];
    return Object.fromEntries(
      apiKeyRecords
        .list()
        .filter(({ id, deletedAt }) => deletedAt === null && !others.includes(id))
        .map((key) => {
          const { id, name, expiresAt, policy } = key;
          const text = `${withoutDigits(name)} ${placeOf(key)} ${reachOf(policy)}`;
          return [id, expiresAt === null ? text : "in its grace"];
        }),
    );
  },
  declared: (properties, { id, outputs }, logicalName) => {
    const { keyId = id, previousKeys } = outputs;
    const previous = (previousKeys ?? []) as readonly { readonly id: string }[];
    return {
      [String(keyId)]:
        `${nameOf(properties, logicalName)} ${placeOf(properties)} ${reachOf(properties.policy)}`,
      ...Object.fromEntries(previous.map((key) => [key.id, "in its grace"])),
    };
  },
  drift: ({ apiKeyRecords }, id) => void apiKeyRecords.rename(id, "renamed outside"),
  remove: ({ apiKeyRecords }, id) => apiKeyRecords.remove(id),
  cannotBeImported: true,
};

const BrowserPool: Sample = {
  kind: "BrowserPool",
  first: { name: "crew", size: 1 },
  changed: { name: "crew", size: 3 },
  needs: { telemetryDestinationId: { telemetry: {} } },
  third: { name: "team", size: 2 },
  moved: { name: "crew", size: 1, projectId: home },
  automatic: { size: 1 },
  strangers: { evidence: "time", differing: { name: "crew", size: 9 } },
  methods: owned,
  deletesFirst: () => true,
  lostCreation,
  withoutAlias: "advice",
  found: (emulator) =>
    Object.fromEntries(
      poolsIn(emulator).map((pool) => {
        return [pool.id, `${withoutDigits(pool.name)} of ${pool.size} ${placeOf(pool)}`];
      }),
    ),
  declared: (properties, { id }, logicalName) => ({
    [id]: `${nameOf(properties, logicalName)} of ${properties.size} ${placeOf(properties)}`,
  }),
  drift: ({ browserPools }, id) => void browserPools.update(id, { size: 4 }),
  remove: ({ browserPools }, id) => browserPools.remove(id),
};

const AuthConnection: Sample = {
  kind: "AuthConnection",
  first: { domain: "shop.example", profileName: "buyer", recordSession: false },
  changed: { domain: "shop.example", profileName: "buyer", recordSession: true },
  third: { domain: "shop.example", profileName: "seller" },
  moved: { domain: "shop.example", profileName: "buyer", recordSession: false, projectId: home },
  strangers: {
    evidence: "no login",
    differing: { domain: "shop.example", profileName: "buyer", recordSession: true },
    use: ({ authConnections }, id) => void authConnections.recordHealthCheck(id, "AUTHENTICATED"),
  },
  methods: owned,
  deletesFirst: () => true,
  lostCreation,
  withoutAlias: "advice",
  found: (emulator) =>
    Object.fromEntries(
      connectionsIn(emulator).map((connection) => {
        const { id, domain, profileName, recordSession } = connection;
        return [id, `${domain} ${profileName} ${recordSession} ${placeOf(connection)}`];
      }),
    ),
  declared: (properties, { id }) => {
    const { domain, profileName, recordSession = false } = properties;
    return { [id]: `${domain} ${profileName} ${recordSession} ${placeOf(properties)}` };
  },
  drift: ({ authConnections }, id) => void authConnections.update(id, { recordSession: true }),
  remove: ({ authConnections }, id) => authConnections.remove(id),
};

const Credential: Sample = {
  kind: "Credential",
  first: { name: "shop", domain: "shop.example", values: { password: "one" } },
  changed: { name: "shop", domain: "shop.example", values: { password: "two", pin: "1" } },
  third: { name: "third", domain: "shop.example", values: { password: "three" } },
  moved: { name: "shop", domain: "shop.example", values: { password: "one" }, projectId: home },
  automatic: { domain: "shop.example", values: { password: "one" } },
  strangers: {
    evidence: "time",
    differing: { name: "shop", domain: "other.example", values: { password: "one" } },
  },
  methods: owned,
  deletesFirst: () => true,
  lostCreation,
  withoutAlias: "advice",
  found: (emulator) =>
    Object.fromEntries(
      credentialsIn(emulator).map((credential) => {
        const { id, name, fields } = credential;
        return [id, `${withoutDigits(name)} ${JSON.stringify(fields)} ${placeOf(credential)}`];
      }),
    ),
  declared: (properties, { id }, logicalName) => ({
    [id]: `${nameOf(properties, logicalName)} ${JSON.stringify(properties.values)} ${placeOf(properties)}`,
  }),
  drift: ({ credentials }, id) => credentials.setFields(id, {}),
  remove: ({ credentials }, id) => credentials.remove(id),
  hidesValues: true,
};

const CredentialProvider: Sample = {
  kind: "CredentialProvider",
  first: { name: "vault", token: "ops_one", enabled: true },
  changed: { name: "safe", token: "ops_two", enabled: false, cacheTtlSeconds: 60, priority: 2 },
  third: { name: "third", token: "ops_three", enabled: false },
  automatic: { token: "ops_one", enabled: false },
  // A read shows neither the token nor the cache time, and a creation sends no further setting.
  strangers: { evidence: "time" },
  methods: owned,
  deletesFirst: () => true,
  lostCreation,
  withoutAlias: "advice",
  found: ({ credentialProviders }) =>
    Object.fromEntries(
      credentialProviders.list().map(({ id, name, token, enabled, cacheTtlSeconds }) => {
        return [id, `${withoutDigits(name)} ${token} ${enabled} ${cacheTtlSeconds}`];
      }),
    ),
  declared: (properties, { id }, logicalName) => {
    const { token, enabled, cacheTtlSeconds = 300 } = properties;
    return { [id]: `${nameOf(properties, logicalName)} ${token} ${enabled} ${cacheTtlSeconds}` };
  },
  drift: ({ credentialProviders }, id) => {
    const { enabled } = credentialProviders.list().find((each) => each.id === id) ?? {};
    credentialProviders.setEnabled(id, !enabled);
  },
  remove: ({ credentialProviders }, id) => credentialProviders.remove(id),
  hidesValues: true,
};

const Profile: Sample = {
  kind: "Profile",
  first: { name: "shopper" },
  changed: { name: "visitor" },
  third: { name: "third" },
  moved: { name: "shopper", projectId: home },
  automatic: {},
  strangers: { evidence: "time" },
  methods: owned,
  deletesFirst: () => true,
  lostCreation,
  withoutAlias: "advice",
  found: (emulator) =>
    Object.fromEntries(
      profilesIn(emulator).map((profile) => {
        return [profile.id, `${withoutDigits(profile.name)} ${placeOf(profile)}`];
      }),
    ),
  declared: (properties, { id }, logicalName) => ({
    [id]: `${nameOf(properties, logicalName)} ${placeOf(properties)}`,
  }),
  drift: ({ profiles }, id) => void profiles.rename(id, "renamed-outside"),
  remove: ({ profiles }, id) => profiles.remove(id),
};

// No password: an import cannot read a password, so the program would replace the imported proxy.
const custom = { type: "custom", config: { host: "proxy.example", port: 3128, username: "web" } };

const Proxy: Sample = {
  kind: "Proxy",
  first: { ...custom, name: "exit" },
  changed: { ...custom, name: "way-out" },
  third: { ...custom, name: "third" },
  moved: { name: "exit", type: "isp", config: { country: "DE" }, projectId: home },
  automatic: custom,
  automaticMoved: { type: "mobile" },
  strangers: {
    evidence: "one-time name",
    differing: { name: "exit", type: "isp", config: { country: "DE" } },
  },
  methods: owned,
  deletesFirst: () => false,
  lostCreation: 'The response with proxy "exit" was lost. The provider now creates a new proxy.',
  withoutAlias: "created again",
  found: (emulator) =>
    Object.fromEntries(
      proxiesIn(emulator).map((proxy) => [
        proxy.id,
        `${withoutDigits(proxy.name)} ${proxy.type} ${placeOf(proxy)}`,
      ]),
    ),
  declared: (properties, { id }, logicalName) => ({
    [id]: `${nameOf(properties, logicalName)} ${properties.type} ${placeOf(properties)}`,
  }),
  drift: ({ proxies }, id) => void proxies.rename(id, "renamed outside"),
  remove: ({ proxies }, id) => proxies.remove(id),
};

const endpoint = "https://otlp.example.com";

const TelemetryDestination: Sample = {
  kind: "TelemetryDestination",
  first: { name: "logs", endpoint, headers: { "X-Key": "one" } },
  changed: { name: "logs", endpoint, description: "All", headers: { "X-Key": "two", "X-Tenant": "1" } },
  third: { name: "third", endpoint, headers: { "X-Key": "three" } },
  automatic: { endpoint, headers: { "X-Key": "one" } },
  strangers: {
    evidence: "time",
    differing: { name: "logs", endpoint, description: "of others", headers: { "X-Key": "9" } },
  },
  methods: owned,
  deletesFirst: () => true,
  lostCreation,
  withoutAlias: "advice",
  found: ({ telemetryDestinations }) =>
    Object.fromEntries(
      telemetryDestinations.list().map(({ id, name, description, headers }) => {
        return [id, `${withoutDigits(name)} ${description} ${JSON.stringify(headers)}`];
      }),
    ),
  declared: (properties, { id }, logicalName) => {
    const { description = null, headers } = properties;
    return { [id]: `${nameOf(properties, logicalName)} ${description} ${JSON.stringify(headers)}` };
  },
  drift: ({ telemetryDestinations }, id) =>
    void telemetryDestinations.update(id, { headers: { "X-Key": null, "X-Other": "1" } }),
  remove: ({ telemetryDestinations }, id) => telemetryDestinations.remove(id),
  hidesValues: true,
};

/** Checksums of the archives of {@link extensionFolders}, by path, once packed. */
export const checksums = new Map<string, string>();

const Extension: Sample = {
  kind: "Extension",
  first: { path: "./one", name: "reader" },
  third: { path: "./three", name: "reader" },
  moved: { path: "./two", name: "reader" },
  automatic: { path: "./one" },
  automaticMoved: { path: "./two" },
  strangers: { evidence: "identity", differing: { path: "./two", name: "reader" } },
  methods: owned,
  deletesFirst: ({ name }) => name !== undefined,
  lostCreation,
  withoutAlias: "advice",
  found: (emulator) =>
    Object.fromEntries(
      extensionsIn(emulator).map((extension) => {
        const { id, name, checksum } = extension;
        return [id, `${withoutDigits(name)} ${checksum} ${placeOf(extension)}`];
      }),
    ),
  declared: (properties, { id }, logicalName) => ({
    [id]: `${nameOf(properties, logicalName)} ${checksums.get(String(properties.path))} ${placeOf(properties)}`,
  }),
  drift: ({ extensions }, id) => void extensions.putBytes(id, Buffer.from("other bytes")),
  remove: ({ extensions }, id) => extensions.remove(id),
};

/** Inputs of a deployment of the code in a folder of {@link appFolders}. */
const app = (name: string, more: Properties = {}) => ({
  ...{ path: `./app-${name}`, entrypoint: "src/app.ts", appName: "agent" },
  ...more,
});

const AppDeployment: Sample = {
  kind: "AppDeployment",
  first: app("one"),
  third: app("three"),
  moved: app("two"),
  strangers: { evidence: "time" },
  methods: owned,
  deletesFirst: () => false,
  lostCreation,
  withoutAlias: "advice",
  found: ({ deployments, projects }) =>
    Object.fromEntries(
      projects
        .list()
        .flatMap(({ id }) => deployments.list(id))
        .filter(({ status }) => status !== "stopped")
        .map((each) => [each.id, `${each.version} ${each.checksum} ${each.status} ${placeOf(each)}`]),
    ),
  declared: (properties, { id }) => {
    const { version = "latest", path } = properties;
    return { [id]: `${version} ${checksums.get(String(path))} running ${placeOf(properties)}` };
  },
  refusesForce: true,
  drift: ({ deployments }, id) => deployments.stop(id, "stopped by hand"),
  remove: ({ deployments }, id) => deployments.remove(id),
};

/** Folders with the code of an app, by path. */
export const appFolders = ["./app-one", "./app-two", "./app-three"];

/** Samples of all kinds of resource that write to the service. */
export const samples = {
  Project,
  ProjectLimits,
  OrganizationLimits,
  ApiKeyName,
  ApiKey,
  AppDeployment,
  BrowserPool,
  AuthConnection,
  Credential,
  CredentialProvider,
  Extension,
  Profile,
  Proxy,
  TelemetryDestination,
} as const satisfies Readonly<Record<Exclude<ResourceKind, "LoginFlow">, Sample>>;

/** Ids of the objects from before any program whose settings a program may borrow. */
export const borrowedIds = [...limited, ...named, neighbourKey];

export const kinds = Object.keys(samples) as readonly (keyof typeof samples)[];
