import { EmulatedDeployments } from "../apps/controls.js";
import type { DeploymentService } from "../apps/service.js";
import { DeploymentStore } from "../apps/store.js";
import { EmulatedBrowserPools } from "../browsers/browser-pools/controls.js";
import type { BrowserPoolService } from "../browsers/browser-pools/service.js";
import { EmulatedExtensions } from "../browsers/extensions/controls.js";
import { ExtensionStore } from "../browsers/extensions/store.js";
import { EmulatedProfiles } from "../browsers/profiles/controls.js";
import { ProfileStore } from "../browsers/profiles/store.js";
import { EmulatedProxies } from "../browsers/proxies/controls.js";
import { ProxyStore } from "../browsers/proxies/store.js";
import { EmulatedBrowsers } from "../browsers/sessions/controls.js";
import type { SessionService } from "../browsers/sessions/service.js";
import { BrowserStore } from "../browsers/sessions/store.js";
import { EmulatedAuthConnections } from "../logins/auth-connections/controls.js";
import { EmulatedCredentials } from "../logins/credentials/controls.js";
import { CredentialStore } from "../logins/credentials/store.js";
import type { LoginService } from "../logins/service.js";
import type { EmulatedApiKeys } from "../organization/api-keys/store.js";
import { EmulatedCredentialProviders } from "../organization/credential-providers/controls.js";
import { CredentialProviderStore } from "../organization/credential-providers/store.js";
import type { EmulatedOrganization } from "../organization/projects/organization.js";
import type { EmulatedProjects } from "../organization/projects/store.js";
import { EmulatedTelemetryDestinations } from "../organization/telemetry-destinations/controls.js";
import { TelemetryDestinationStore } from "../organization/telemetry-destinations/store.js";
import type { Database } from "../storage/database.js";

/** Opens the tables of the objects to which pools and connections refer. @internal */
export function openTables(database: Database, now: () => Date) {
  return {
    database,
    now,
    extensions: new ExtensionStore(database, "extensions", now),
    profiles: new ProfileStore(database, "profiles", now),
    proxies: new ProxyStore(database, "proxies", now),
    browsers: new BrowserStore(database, "browsers", now),
    deployments: new DeploymentStore(database, "deployments", now),
    credentials: new CredentialStore(database, "credentials", now),
    credentialProviders: new CredentialProviderStore(database, "credentialProviders", now),
    telemetryDestinations: new TelemetryDestinationStore(database, "telemetryDestinations", now),
  };
}

/** Data of an emulator, as the routes use the data. @internal */
export interface Stores extends ReturnType<typeof openTables> {
  readonly organization: EmulatedOrganization;
  readonly projects: EmulatedProjects;
  readonly apiKeys: EmulatedApiKeys;
  readonly browserPools: BrowserPoolService;
  readonly sessions: SessionService;
  readonly logins: LoginService;
  readonly builds: DeploymentService;
}

/**
 * Objects of an emulator, with everything that a test can do to the objects without a client. A seed
 * and control requests call the same methods.
 */
export class EmulatedObjects {
  readonly projects: EmulatedProjects;
  readonly organization: EmulatedOrganization;
  readonly apiKeyRecords: EmulatedApiKeys;
  /** The credential providers, with their tokens. */
  readonly credentialProviders: EmulatedCredentialProviders;
  readonly extensions: EmulatedExtensions;
  readonly profiles: EmulatedProfiles;
  readonly proxies: EmulatedProxies;
  /** The credentials, with their secrets. */
  readonly credentials: EmulatedCredentials;
  /** The telemetry destinations, with their headers. */
  readonly telemetryDestinations: EmulatedTelemetryDestinations;
  readonly browserPools: EmulatedBrowserPools;
  /** The leased browsers, of pools and outside of pools. */
  readonly browsers: EmulatedBrowsers;
  /** The auth connections and their logins. */
  readonly authConnections: EmulatedAuthConnections;
  /** The deployments of apps, and the builds to play. */
  readonly deployments: EmulatedDeployments;

  /** @internal */
  constructor(stores: Stores) {
    const { projects } = stores;
    projects.removeContents = (id) => removeContents(id, stores);
    this.projects = projects;
    this.organization = stores.organization;
    this.apiKeyRecords = stores.apiKeys;
    this.credentialProviders = new EmulatedCredentialProviders(
      "credential_provider",
      stores.credentialProviders,
    );
    this.extensions = new EmulatedExtensions("extension", stores.extensions, projects);
    this.profiles = new EmulatedProfiles("profile", stores.profiles, projects);
    this.proxies = new EmulatedProxies("proxy", stores.proxies, projects);
    this.credentials = new EmulatedCredentials("credential", stores.credentials, projects);
    this.telemetryDestinations = new EmulatedTelemetryDestinations(
      "telemetry_destination",
      stores.telemetryDestinations,
    );
    this.browserPools = new EmulatedBrowserPools(stores.browserPools, stores, projects);
    this.browsers = new EmulatedBrowsers(stores.sessions, stores.extensions);
    this.authConnections = new EmulatedAuthConnections(stores.logins, stores, projects);
    this.deployments = new EmulatedDeployments(stores.builds, projects);
  }
}

/** Kinds of objects by their names in a seed, in the order of creation. @internal */
export function kindsOf({ apiKeyRecords: apiKeys, ...objects }: EmulatedObjects) {
  const { projects, extensions, profiles, proxies, credentials, browserPools, authConnections } = objects;
  const { credentialProviders, telemetryDestinations, deployments } = objects;
  return {
    ...{ projects, apiKeys, credentialProviders, telemetryDestinations },
    ...{ extensions, profiles, proxies, credentials },
    ...{ browserPools, authConnections, deployments },
  };
}

function removeContents(projectId: string, stores: Stores): void {
  const { extensions, profiles, proxies, credentials, browsers, browserPools, logins, deployments } = stores;
  for (const pool of browserPools.pools.all(projectId)) {
    browserPools.remove(pool);
  }
  for (const connection of logins.connections.all(projectId)) {
    logins.remove(connection);
  }
  for (const table of [browsers, extensions, profiles, proxies, credentials, deployments]) {
    for (const { id } of table.all(projectId)) {
      table.remove(id);
    }
  }
}
