import type { Faults } from "../http/faults.js";
import type { EmulatedCredential } from "../logins/credentials/store.js";
import type { EmulatedObjects, Stores } from "../seed/kinds.js";
import { pageOf } from "../storage/table.js";

/** Most records of a kind, and most browsers of a pool: the page shows no more. */
export const shownMax = 200;

/**
 * Returns the present contents of the emulator, by kind and the newest first, without secrets: a
 * key is masked, and a credential has only the names of the values. `more`: whether there are more
 * than 200 records.
 */
export function stateOf(stores: Stores, objects: EmulatedObjects, faults: Faults, now: Date) {
  const shown = <Item, Row>(all: readonly Item[], row: (item: Item) => Row) => {
    const { rows, more } = pageOf(all, { limit: shownMax, offset: 0 });
    return { rows: rows.map(row), more };
  };
  const { projects, apiKeys, extensions, profiles, proxies, credentials, browserPools, logins } = stores;
  const { credentialProviders } = stores;
  return {
    projects: shown(projects.list(), (project) => project),
    apiKeys: shown(apiKeys.list(), (key) => {
      const isExpired = key.expiresAt !== null && key.expiresAt <= now.toISOString();
      return { ...key, status: key.deletedAt !== null ? "deleted" : isExpired ? "expired" : "valid" };
    }),
    credentialProviders: shown(credentialProviders.select(), ({ token: _secret, ...provider }) => provider),
    extensions: shown(extensions.select(), (extension) => extension),
    browserPools: shown(browserPools.pools.select(), ({ id }) => {
      const browsers = objects.browserPools.browsers(id).slice(0, shownMax);
      const shownBrowsers = browsers.map(({ sessionId, lease }) => ({
        sessionId,
        acquiredAt: lease && new Date(lease.acquiredMs).toISOString(),
      }));
      return { ...objects.browserPools.get(id), browsers: shownBrowsers };
    }),
    browsers: shown(objects.browsers.list(), (browser) => browser),
    profiles: shown(profiles.select(), (profile) => profile),
    proxies: shown(proxies.select(), (proxy) => proxy),
    credentials: shown(credentials.select(), withoutSecrets),
    telemetryDestinations: shown(stores.telemetryDestinations.select(), ({ headers, ...destination }) => ({
      ...destination,
      headerNames: Object.keys(headers),
    })),
    authConnections: shown(logins.connections.select(), ({ id }) => objects.authConnections.get(id)),
    deployments: shown(stores.deployments.select(), (deployment) => {
      const { entrypoint, version, checksum, createdAt, statusReason, id } = deployment;
      const log = stores.deployments
        .events(deployment)
        .flatMap(({ event }) => ("message" in event ? [event.message] : []));
      const name = stores.deployments.appNames(deployment).join(", ") || entrypoint;
      return {
        id,
        name,
        status: stores.deployments.status(deployment),
        ...{ version, checksum, createdAt, statusReason, log },
      };
    }),
    faults: { rows: faults.list(), more: false },
  };
}

function withoutSecrets({ fields, totp, ...credential }: EmulatedCredential) {
  return { ...credential, valueNames: Object.keys(fields), hasTotpSecret: totp !== null };
}
