import { ExtensionStore } from "../browsers/extensions/store.js";
import { ProfileStore } from "../browsers/profiles/store.js";
import { ProxyStore } from "../browsers/proxies/store.js";
import { CredentialStore } from "../logins/credentials/store.js";
import { CredentialProviderStore } from "../organization/credential-providers/store.js";
import { TelemetryDestinationStore } from "../organization/telemetry-destinations/store.js";
import type { Database } from "../storage/database.js";

/** Opens the tables of the objects to which pools and connections refer. */
export function openTables(database: Database, now: () => Date) {
  return {
    database,
    now,
    extensions: new ExtensionStore(database, "extensions", now),
    profiles: new ProfileStore(database, "profiles", now),
    proxies: new ProxyStore(database, "proxies", now),
    credentials: new CredentialStore(database, "credentials", now),
    credentialProviders: new CredentialProviderStore(database, "credentialProviders", now),
    telemetryDestinations: new TelemetryDestinationStore(database, "telemetryDestinations", now),
  };
}

/** Database, clock, and the tables of the objects to which pools and connections refer. @internal */
export type Tables = ReturnType<typeof openTables>;
