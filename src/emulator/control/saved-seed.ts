import type { Seed } from "../seed/file.js";
import type { Stores } from "../seed/kinds.js";
import { type EmulatorSeed, entryShape } from "../seed/schema.js";
import { withValues } from "../storage/members.js";
import type { stateOf } from "./state.js";

/** State of an emulator as a seed, without secrets. */
export interface SavedSeed {
  readonly seed: EmulatorSeed;
  /** Sentences about the secrets and files that the seed lacks, and about objects changed for a seed. */
  readonly missing: readonly string[];
}

/** Placeholder of a secret value. */
const placeholder = "replace-me";

/** Placeholders of secret values, by name. */
const placeholdersOf = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, placeholder]));

// biome-ignore lint/suspicious/noExplicitAny: a record of any kind, in the form of the state.
type Row = Readonly<Record<string, any>>;

/** Name of a profile in a seed, where every profile has a name. */
const profileName = ({ name, id }: Row): string => name ?? `profile-${id}`;

/**
 * Converts a state to a seed. An entry has the members of a record that the schema of the seed names;
 * kinds with members of another form are listed here.
 */
export function savedSeed(state: ReturnType<typeof stateOf>, seed: Seed, stores: Stores): SavedSeed {
  const { projects, organization, extensions, profiles, proxies, apiKeys } = stores;
  const { defaultProject } = projects;
  const missing: string[] = [];
  const lacks = (thing: string, { name, id }: Row, what: string) =>
    missing.push(`${thing} "${name ?? id}": ${what}`);
  /** Members in another form, by kind; undefined for a record without an entry. */
  const special: Readonly<Record<string, (row: Row) => Row | undefined>> = {
    projects: ({ id }) => (id === defaultProject.id ? undefined : {}),
    apiKeys: (row) => {
      if (row.deletedAt !== null || apiKeys.isGiven(row.id)) {
        return undefined;
      }
      if (row.projectId !== null && row.projectName === null) {
        lacks("API key", row, "is not in the seed, because the project of the key is deleted.");
        return undefined;
      }
      lacks("API key", row, "gets a new secret that is shown nowhere; add the old secret as key.");
      // A key without a project is a key of the organization.
      return { project: row.projectName };
    },
    extensions: (row) => {
      const archive = `${row.name ?? row.id}.zip`;
      lacks("Extension", row, `save the archive as ${archive}, beside the seed.`);
      return { archive, legacy: row.checksum === null };
    },
    profiles: (row) => {
      if (row.name === null) {
        lacks("Profile", row, "has no name, so the seed gives a name.");
      }
      return { name: profileName(row) };
    },
    proxies: (row) => {
      const { has_password: hasPassword, has_ca_bundle: hasBundle, ...config } = row.config ?? {};
      if (hasPassword) {
        lacks("Proxy", row, "add the password to config.");
      }
      if (hasBundle) {
        lacks("Proxy", row, "add the ca_bundle to config.");
      }
      return { config };
    },
    credentialProviders: (row) => {
      lacks("Credential provider", row, `the token is ${placeholder}.`);
      return { token: placeholder };
    },
    credentials: (row) => {
      lacks("Credential", row, `each of the values is ${placeholder}.`);
      if (row.hasTotpSecret) {
        lacks("Credential", row, "the secret of the one-time codes is not in the seed.");
      }
      return { values: placeholdersOf(row.valueNames) };
    },
    telemetryDestinations: (row) => {
      if (row.headerNames.length > 0) {
        lacks("Telemetry destination", row, `each of the values of the headers is ${placeholder}.`);
      }
      return { headers: placeholdersOf(row.headerNames) };
    },
    browserPools: (row) => {
      if (row.name === null) {
        lacks("Browser pool", row, "has no name, so the seed gives a name.");
      }
      const names = row.extensionIds.map((id: string) => extensions.find(id)?.name);
      if (names.includes(null)) {
        lacks("Browser pool", row, "the extensions without a name are not in the seed of the pool.");
      }
      const [profile, proxy] = [profiles.find(row.profileId ?? ""), proxies.find(row.proxyId ?? "")];
      const allRoutes: readonly Row[] = row.network?.proxy_routes ?? [];
      const routes = allRoutes.filter(({ proxy: { id } }) => proxies.find(id));
      const isComplete = (row.profileId === null || profile) && (row.proxyId === null || proxy);
      if (!isComplete || routes.length < allRoutes.length || names.includes(undefined)) {
        lacks("Browser pool", row, "the deleted objects are not in the seed of the pool.");
      }
      return {
        name: row.name ?? `pool-${row.id}`,
        profile: profile && profileName(profile),
        refreshOnProfileUpdate: row.refreshOnProfileUpdate && profile !== undefined,
        proxyId: proxy?.id,
        network: row.network?.proxy_routes ? { ...row.network, proxy_routes: routes } : row.network,
        extensions: names.filter((name: unknown) => typeof name === "string"),
        telemetry: row.telemetry?.browser,
        filled: row.availableCount + row.acquiredCount >= row.size,
      };
    },
    authConnections: (row) => {
      if (row.scenario === null) {
        lacks("Auth connection", row, "the scenario of the connection itself is not in the seed.");
      }
      if (row.credential?.provider !== undefined) {
        lacks("Auth connection", row, "the item of the credential provider is not in the seed.");
      }
      return { credential: row.credential?.name };
    },
    faults: ({ action }) => (action === "call" ? undefined : {}),
  };
  const saved = Object.entries(state).map(([kind, { rows }]) => {
    const members = Object.keys(entryShape(kind).shape);
    const entries = (rows as readonly Row[]).toReversed().flatMap((row) => {
      const own = (special[kind] ?? (() => ({})))(row);
      const project = row.projectId === defaultProject.id ? undefined : projects.byId(row.projectId)?.name;
      const given = { ...row, project, ...own };
      return own ? [withValues(Object.fromEntries(members.map((name) => [name, given[name as never]])))] : [];
    });
    return [kind, entries] as const;
  });
  const { id, name, limits } = defaultProject;
  const { loginScenarios, contents } = seed;
  const entries = {
    organization: organization.limits(),
    defaultProject: { id, name, limits },
    ...Object.fromEntries(saved.filter(([, entries]) => entries.length > 0)),
    ...(Object.keys(loginScenarios).length > 0 && { loginScenarios }),
    ...withValues({
      defaultLoginScenario: contents.defaultLoginScenario,
      vaultItems: contents.vaultItems,
    }),
  };
  return { seed: entries as unknown as EmulatorSeed, missing };
}
