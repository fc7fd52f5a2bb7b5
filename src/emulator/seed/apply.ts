import { InputError } from "../../errors.js";
import { createPool } from "../browsers/browser-pools/controls.js";
import type { BrowserPoolService } from "../browsers/browser-pools/service.js";
import { type ExtensionStore, sha256 } from "../browsers/extensions/store.js";
import type { ProfileStore } from "../browsers/profiles/store.js";
import type { ProxyStore } from "../browsers/proxies/store.js";
import type { CredentialStore } from "../logins/credentials/credentials/store.js";
import type { LoginService } from "../logins/service.js";
import type { ApiKeyStore } from "../organization/api-keys/store.js";
import type { OrganizationStore } from "../organization/projects/organization.js";
import type { ProjectStore } from "../organization/projects/store.js";
import { foldedName, refuse } from "../storage/ids-and-names.js";
import { type Seed, seedError } from "./file.js";

/** Data of an emulator: filled by a seed, used by the routes. */
export interface Stores {
  readonly organization: OrganizationStore;
  readonly projects: ProjectStore;
  readonly apiKeys: ApiKeyStore;
  readonly extensions: ExtensionStore;
  readonly profiles: ProfileStore;
  readonly proxies: ProxyStore;
  readonly credentials: CredentialStore;
  readonly browserPools: BrowserPoolService;
  readonly logins: LoginService;
}

/**
 * Creates the objects that a seed names and the database lacks, in the order of the file. Existing
 * objects are unchanged. Deleted objects are created again, except a key with an id, because the
 * record still exists. Existing records are looked up first: two equal entries create two records,
 * or are refused where only one record is possible.
 *
 * Throws `ConfigError` `emulator_seed_invalid`. The caller rolls back the objects created until
 * then.
 */
export function applySeed(seed: Seed, stores: Stores): void {
  stores.organization.ensure(seed.contents.organization ?? {});
  const projectId = createProjects(seed, stores);
  createApiKeys(seed, stores, projectId);
  createExtensions(seed, stores, projectId);
  createProfiles(seed, stores, projectId);
  createProxies(seed, stores, projectId);
  createCredentials(seed, stores, projectId);
  createBrowserPools(seed, stores, projectId);
  createAuthConnections(seed, stores, projectId);
}

/**
 * Finds the id of the project that the entry at `place` refers to. Default: the default project.
 */
type ProjectLookup = (reference: string | undefined, place: string) => string;

function createProjects(seed: Seed, { projects }: Stores): ProjectLookup {
  const { title, contents } = seed;
  // The seed's name for a project stays a valid reference after the project is renamed.
  const references = new Map<string, string>();
  const { defaultProject = {} } = contents;
  atSeed(seed, "defaultProject", () => projects.ensureDefault(defaultProject));
  if (defaultProject.name !== undefined) {
    references.set(defaultProject.name, projects.defaultProject.id);
  }
  const existing = projects.all();
  for (const [index, project] of (contents.projects ?? []).entries()) {
    const known = existing.find(({ id, name }) =>
      project.id === undefined ? foldedName(name) === foldedName(project.name) : id === project.id,
    );
    const { id } = known ?? atSeed(seed, `projects[${index}]`, () => projects.create(project));
    references.set(project.name, id);
  }
  return (reference, place) => {
    if (reference === undefined) {
      return projects.defaultProject.id;
    }
    const problem = `${place} names no project: no project has the id or the name "${reference}"`;
    return (projects.find(references.get(reference) ?? reference) ?? refuse(seedError(title, problem))).id;
  };
}

function createApiKeys(seed: Seed, { apiKeys }: Stores, idOf: ProjectLookup): void {
  const entries = seed.contents.apiKeys ?? [];
  const existing = apiKeys.all();
  const existingKeys = new Set(entries.flatMap(({ key }) => (key && apiKeys.has(key) ? [key] : [])));
  for (const [index, { project, ...apiKey }] of entries.entries()) {
    const projectId = project === undefined ? null : idOf(project, `apiKeys[${index}].project`);
    const isKnown =
      apiKey.id === undefined && apiKey.key !== undefined
        ? existingKeys.has(apiKey.key)
        : existing.some(({ id, name, ...each }) =>
            apiKey.id === undefined
              ? name === apiKey.name && each.projectId === projectId && each.deletedAt === null
              : id === apiKey.id,
          );
    if (!isKnown) {
      atSeed(seed, `apiKeys[${index}]`, () => apiKeys.create({ ...apiKey, projectId }));
    }
  }
}

function createExtensions(seed: Seed, { projects, extensions }: Stores, idOf: ProjectLookup): void {
  const existing = projects.all().flatMap(({ id }) => extensions.all(id));
  const entries = seed.contents.extensions ?? [];
  for (const [index, { name = null, project, legacy = false }] of entries.entries()) {
    const bytes = seed.archives[index] as Buffer;
    const projectId = idOf(project, `extensions[${index}].project`);
    const isKnown = existing.some(
      (each) =>
        each.projectId === projectId &&
        (name === null
          ? each.name === null && each.checksum === sha256(bytes)
          : each.name !== null && foldedName(each.name) === foldedName(name)),
    );
    if (isKnown) {
      continue;
    }
    const extension =
      extensions.insert(projectId, name, bytes) ??
      refuse(seedError(seed.title, `extensions[${index}].name "${name}" is a duplicate in its project`));
    if (legacy) {
      extensions.forgetChecksum(extension.id);
    }
  }
}

function createProfiles(seed: Seed, { profiles }: Stores, idOf: ProjectLookup): void {
  for (const [index, { id, project, name }] of (seed.contents.profiles ?? []).entries()) {
    const projectId = idOf(project, `profiles[${index}].project`);
    const known = id === undefined ? profiles.holder(projectId, name) : profiles.find(id);
    if (known === undefined) {
      atSeed(seed, `profiles[${index}]`, () => profiles.create({ id, projectId, name }));
    }
  }
}

function createProxies(seed: Seed, { proxies }: Stores, idOf: ProjectLookup): void {
  for (const [index, { project, ...proxy }] of (seed.contents.proxies ?? []).entries()) {
    const projectId = idOf(project, `proxies[${index}].project`);
    if (proxies.find(proxy.id) === undefined) {
      atSeed(seed, `proxies[${index}]`, () => proxies.create({ ...proxy, projectId }));
    }
  }
}

function createCredentials(seed: Seed, { credentials }: Stores, idOf: ProjectLookup): void {
  for (const [index, entry] of (seed.contents.credentials ?? []).entries()) {
    const { id, project, name, domain, values: fields } = entry;
    const projectId = idOf(project, `credentials[${index}].project`);
    const known = id === undefined ? credentials.holder(projectId, name) : credentials.find(id);
    if (known === undefined) {
      atSeed(seed, `credentials[${index}]`, () =>
        credentials.create({ id, projectId, name, domain, fields }),
      );
    }
  }
}

function createBrowserPools(seed: Seed, { profiles, browserPools }: Stores, idOf: ProjectLookup): void {
  const { pools } = browserPools;
  const entries = (seed.contents.browserPools ?? []).map((entry, index) => {
    const place = `browserPools[${index}]`;
    const projectId = idOf(entry.project, `${place}.project`);
    const known = entry.id === undefined ? pools.holder(projectId, entry.name) : pools.find(entry.id);
    return { entry, place, projectId, isKnown: known !== undefined };
  });
  for (const { entry, place, projectId, isKnown } of entries) {
    if (isKnown) {
      continue;
    }
    const { project, filled = true, profile, telemetry, ...more } = entry;
    atSeed(seed, place, () => {
      const pool = createPool(browserPools, {
        ...more,
        projectId,
        profile: profile === undefined ? undefined : { name: profiles.ensure(projectId, profile).name ?? "" },
        extensions: entry.extensions?.map((name) => ({ name })),
        telemetry: telemetry && { enabled: true, browser: telemetry },
      });
      if (filled) {
        browserPools.fill(pool);
      }
    });
  }
}

function createAuthConnections(seed: Seed, { logins }: Stores, idOf: ProjectLookup): void {
  const { contents } = seed;
  const { defaultLoginScenario } = contents;
  if (defaultLoginScenario !== undefined) {
    atSeed(seed, "defaultLoginScenario", () => logins.checkScenario(defaultLoginScenario));
  }
  const entries = (contents.authConnections ?? []).map((entry, index) => {
    const { id, project, domain, profileName } = entry;
    const place = `authConnections[${index}]`;
    const projectId = idOf(project, `${place}.project`);
    const known =
      id === undefined
        ? logins.connections.findTwin(projectId, domain, profileName)
        : logins.connections.find(id);
    return { entry, place, projectId, isKnown: known !== undefined };
  });
  for (const { entry, place, projectId, isKnown } of entries) {
    if (isKnown) {
      continue;
    }
    const { id, domain, profileName, scenario, status, credential, startLogin } = entry;
    atSeed(seed, place, () => {
      const settings = credential === undefined ? {} : { credential: { name: credential } };
      const made = logins.create({ id, projectId, domain, profileName, scenario, status, settings });
      if (startLogin === true) {
        logins.engine.start(made);
      }
    });
  }
}

/** Creates an object for an entry. If the creation fails, the error names the entry. */
export function atSeed<T>({ title }: Seed, place: string, make: () => T): T {
  try {
    return make();
  } catch (cause) {
    if (!(cause instanceof InputError)) {
      throw cause;
    }
    throw seedError(title, `${place}: ${cause.message.replace(/\.$/, "")}`, cause);
  }
}
