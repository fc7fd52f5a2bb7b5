import type { BrowserInfraClient } from "../../../src/client/index.js";
import { answer, type Script, type SeenRequest } from "../fault-server.js";
import {
  collect,
  connectionId,
  discovering,
  frame,
  success,
  wireConnection,
  wireRecord,
} from "../logins/login-server.js";
import { wireExtension } from "../test-client.js";
import {
  wireApiKey,
  wireAppVersion,
  wireBrowserPool,
  wireCredential,
  wireCredentialProvider,
  wireDeployment,
  wireProfile,
  wireProject,
  wireProxy,
  wireTelemetryDestination,
} from "../wire-records.js";

/** Answer of an honest service. */
export interface HonestAnswer {
  readonly status: number;
  readonly contentType: string;
  /** Records in the body, as JSON or an event stream. */
  readonly records?: object | readonly object[];
  /** Body without a record. */
  readonly bytes?: Buffer;
}

/** Operation of the client. */
export interface Operation {
  readonly name: string;
  /**
   * Present for a write, which must never count as done without proof. A `once` write is sent a
   * single time, a `set` may be sent again. `advice` is part of the message for a write in doubt.
   */
  readonly write?: readonly [policy: "once" | "set", advice: string];
  /**
   * Whether the operation requests one record by id, so that a different record must be wrong.
   * Default: false.
   */
  readonly knowsId?: boolean;
  /** Whether the value proves that a write is done, if the response contains no id as proof. */
  readonly isProof?: (value: unknown) => boolean;
  /** Part of the value that must be right. Default: the whole value. */
  readonly essence?: (value: unknown) => unknown;
  readonly answer: (request: SeenRequest) => HonestAnswer;
  /** Runs the operation. Waits up to `timeoutMs` for the end of a login. */
  readonly run: (client: BrowserInfraClient, timeoutMs: number) => Promise<unknown>;
}

const record =
  (records: object | readonly object[], status = 200) =>
  () => ({
    status,
    contentType: "application/json",
    records,
  });

/** Final status of a login, from the stream or the record. */
const endOf = (value: unknown) => {
  const last: unknown = Array.isArray(value) ? value.at(-1) : value;
  return (last as { readonly flowStatus?: string } | undefined)?.flowStatus;
};

/** Whether limits are valid: a response does not contain the owner of the limits. */
const areLimits = (value: unknown) =>
  Object.values(value as object).every((cap) => cap === null || Number.isSafeInteger(cap));

/**
 * Whether the value can be an archive: only the checksum in the record identifies the right
 * archive.
 */
const isArchive = (value: unknown) => value instanceof Uint8Array && value.byteLength > 0;

const archive = Buffer.from("PK\u0003\u0004 an archive");
const { id: extensionId, name } = wireExtension;

/** End of a login: in the stream, and in the record of the connection. */
const login = (request: SeenRequest): HonestAnswer =>
  request.target.endsWith("/events")
    ? { status: 200, contentType: "text/event-stream", records: [discovering, success] }
    : record(wireRecord("SUCCESS", "COMPLETED", { status: "AUTHENTICATED" }))();

/** Limits of following a login: one reconnect, and an early lookup of the record. */
const patience = (timeoutMs: number) => ({ timeoutMs, maxReconnects: 1, recheckMs: 500 });

const authContext = {
  authentication: { method: "api_key", source: "api_key", credential_id: wireApiKey.id },
  authorization: {
    credential_scope: { project_id: null },
    effective_scope: { project_id: wireProject.id },
  },
  organization: { id: "org_1" },
  principal: { id: wireApiKey.id, type: "api_key" },
};

const wireEntitlements = {
  plan: { id: "HOBBYIST", effective_id: "START_UP", is_trialing: true },
  features: { profiles: { enabled: true } },
  limits: { max_concurrent_browsers: 10 },
};

const keyPolicy = { statements: [{ action: "profiles:read", resource: "projects/p1/*" }] };

const rotatedId = "ckk0000000000000000000ef";
const newApiKey = { ...wireApiKey, key: "sk_live_0123456789" };

const { chrome_policy: _policy, telemetry: _telemetry, ...poolConfig } = wireBrowserPool.browser_pool_config;
/** Pool without the two settings in which every name has a meaning. */
const wirePool = { ...wireBrowserPool, browser_pool_config: poolConfig };

/** Pools without the names of unknown settings, because hostile responses add such names. */
function ofKnown(value: unknown): unknown {
  const withoutNames = (pool: object) => ({ ...pool, unknownSettings: [] });
  return Array.isArray(value) ? value.map(withoutNames) : withoutNames(value as object);
}

/** Destinations, plans and deployments without the name that a hostile response adds to every object. */
function ofGivenNames(value: unknown): unknown {
  const text = JSON.stringify(value)
    .replaceAll('"constructor":null,', "")
    .replace(/"constructor",|,"constructor"/g, "");
  return JSON.parse(text);
}

type Run = Operation["run"];

const deletion = (name: string, advice: string, run: Run): Operation => ({
  name,
  write: ["once", advice],
  answer: () => ({ status: 204, contentType: "", bytes: Buffer.alloc(0) }),
  run,
});

/** Reads a record by id. */
const read = (name: string, wire: object, run: Run): Operation => ({
  name,
  knowsId: true,
  answer: record(wire),
  run,
});

/** Gives a record its name. */
const rename = (name: string, wire: object, run: Run): Operation => ({
  name,
  knowsId: true,
  write: ["set", "has either the old name or the new name."],
  answer: record(wire),
  run,
});

/** Reads a list of one record. */
const list = (name: string, wire: object, run: Run): Operation => ({ name, answer: record([wire]), run });

/** Every operation of the client. */
export const operations: readonly Operation[] = [
  {
    name: "extensions.upload",
    write: ["once", "List the extensions and compare names"],
    answer: record(wireExtension, 201),
    run: ({ extensions }) => extensions.upload({ archive, name }),
  },
  deletion("extensions.delete", "Read the extension; if it still exists", ({ extensions }) =>
    extensions.delete(extensionId),
  ),
  {
    name: "extensions.download",
    essence: isArchive,
    answer: () => ({ status: 200, contentType: "application/octet-stream", bytes: archive }),
    run: ({ extensions }) => extensions.download(extensionId),
  },
  read("extensions.get", wireExtension, ({ extensions }) => extensions.get(extensionId)),
  list("extensions.getByName", wireExtension, ({ extensions }) => extensions.getByName(name)),
  list("extensions.list", wireExtension, ({ extensions }) => extensions.list()),
  {
    name: "browserPools.create",
    write: ["once", "List the browser pools and compare names"],
    essence: ofKnown,
    answer: record(wirePool, 201),
    run: ({ browserPools }) => browserPools.create({ name: wireBrowserPool.name, size: 5 }),
  },
  {
    ...read("browserPools.get", wirePool, ({ browserPools }) => browserPools.get(wireBrowserPool.id)),
    essence: ofKnown,
  },
  {
    ...list("browserPools.getByName", wirePool, ({ browserPools }) =>
      browserPools.getByName(wireBrowserPool.name),
    ),
    essence: ofKnown,
  },
  { ...list("browserPools.list", wirePool, ({ browserPools }) => browserPools.list()), essence: ofKnown },
  {
    name: "browserPools.update",
    knowsId: true,
    write: ["set", "The browser pool has either the old settings or the new settings."],
    essence: ofKnown,
    answer: record(wirePool),
    run: ({ browserPools }) => browserPools.update(wireBrowserPool.id, { size: 5 }),
  },
  deletion("browserPools.delete", "Read the browser pool; if it still exists", ({ browserPools }) =>
    browserPools.delete(wireBrowserPool.id),
  ),
  {
    name: "profiles.create",
    write: ["once", "List the profiles and compare names"],
    answer: record(wireProfile, 201),
    run: ({ profiles }) => profiles.create({ name: wireProfile.name }),
  },
  read("profiles.get", wireProfile, ({ profiles }) => profiles.get(wireProfile.id)),
  list("profiles.list", wireProfile, ({ profiles }) => profiles.list()),
  rename("profiles.rename", wireProfile, ({ profiles }) => profiles.rename(wireProfile.id, wireProfile.name)),
  deletion("profiles.delete", "Read the profile; if it still exists", ({ profiles }) =>
    profiles.delete(wireProfile.id),
  ),
  {
    name: "credentials.create",
    write: ["once", "List the credentials and compare names"],
    answer: record(wireCredential, 201),
    run: ({ credentials }) =>
      credentials.create({ name: "shop", domain: "shop.example", values: { password: "correct horse" } }),
  },
  read("credentials.get", wireCredential, ({ credentials }) => credentials.get(wireCredential.id)),
  list("credentials.list", wireCredential, ({ credentials }) => credentials.list()),
  {
    name: "credentials.update",
    knowsId: true,
    write: ["set", "has either the old settings or the new settings."],
    answer: record(wireCredential),
    run: ({ credentials }) => credentials.update(wireCredential.id, { ssoProvider: "google" }),
  },
  deletion("credentials.delete", "Read the credential; if it still exists", ({ credentials }) =>
    credentials.delete(wireCredential.id),
  ),
  {
    name: "telemetryDestinations.create",
    write: ["once", "List the telemetry destinations and compare names"],
    essence: ofGivenNames,
    answer: record(wireTelemetryDestination, 201),
    run: ({ telemetryDestinations }) =>
      telemetryDestinations.create({ name: "logs", endpoint: "https://otlp.example.com" }),
  },
  {
    ...read("telemetryDestinations.get", wireTelemetryDestination, ({ telemetryDestinations }) =>
      telemetryDestinations.get(wireTelemetryDestination.id),
    ),
    essence: ofGivenNames,
  },
  {
    ...list("telemetryDestinations.list", wireTelemetryDestination, ({ telemetryDestinations }) =>
      telemetryDestinations.list(),
    ),
    essence: ofGivenNames,
  },
  {
    name: "telemetryDestinations.update",
    knowsId: true,
    essence: ofGivenNames,
    write: ["set", "has either the old settings or the new settings."],
    answer: record(wireTelemetryDestination),
    run: ({ telemetryDestinations }) =>
      telemetryDestinations.update(wireTelemetryDestination.id, { headers: { "X-Tenant": null } }),
  },
  deletion(
    "telemetryDestinations.delete",
    "Read the telemetry destination; if it still exists",
    ({ telemetryDestinations }) => telemetryDestinations.delete(wireTelemetryDestination.id),
  ),
  {
    name: "credentialProviders.create",
    write: ["once", "List the credential providers and compare names"],
    answer: record(wireCredentialProvider, 201),
    run: ({ credentialProviders }) => credentialProviders.create({ name: "vault", token: "ops_correct" }),
  },
  read("credentialProviders.get", wireCredentialProvider, ({ credentialProviders }) =>
    credentialProviders.get(wireCredentialProvider.id),
  ),
  list("credentialProviders.list", wireCredentialProvider, ({ credentialProviders }) =>
    credentialProviders.list(),
  ),
  {
    name: "credentialProviders.update",
    knowsId: true,
    write: ["set", "has either the old settings or the new settings."],
    answer: record(wireCredentialProvider),
    run: ({ credentialProviders }) =>
      credentialProviders.update(wireCredentialProvider.id, { enabled: true, priority: 0 }),
  },
  deletion(
    "credentialProviders.delete",
    "Read the credential provider; if it still exists",
    ({ credentialProviders }) => credentialProviders.delete(wireCredentialProvider.id),
  ),
  {
    name: "credentialProviders.test",
    // A test changes nothing, and its response contains no id.
    essence: (value) => (value as { readonly success: boolean }).success,
    answer: record({ success: true, vaults: [{ id: "v1", name: "Work" }] }),
    run: ({ credentialProviders }) => credentialProviders.test(wireCredentialProvider.id),
  },
  {
    name: "credentialProviders.items",
    // The service may omit the list, so an empty object is an empty list.
    essence: (value) => (value as readonly { path: string }[]).filter(({ path }) => path !== "Work/Shop"),
    answer: record({
      items: [{ id: "i1", path: "Work/Shop", title: "Shop", vault_id: "v1", vault_name: "Work" }],
    }),
    run: ({ credentialProviders }) => credentialProviders.items(wireCredentialProvider.id),
  },
  {
    name: "deployments.create",
    write: ["once", "List the deployments and compare checksums"],
    // A deployment has no name: the checksum is the proof.
    isProof: (value) => (value as { checksum: string }).checksum === wireDeployment.source_checksum,
    answer: record(wireDeployment, 201),
    run: ({ deployments }) => deployments.create({ archive, entrypoint: "src/app.ts" }),
  },
  {
    ...read("deployments.get", wireDeployment, ({ deployments }) => deployments.get(wireDeployment.id)),
    essence: ofGivenNames,
  },
  {
    ...list("deployments.list", wireDeployment, ({ deployments }) => deployments.list()),
    essence: ofGivenNames,
  },
  deletion("deployments.delete", "Read the deployment; if it still exists", ({ deployments }) =>
    deployments.delete(wireDeployment.id),
  ),
  {
    name: "deployments.follow",
    essence: (value) => (value as { deployment: { status: string } }[]).at(-1)?.deployment.status,
    answer: ({ target }) =>
      target.includes("/events")
        ? {
            status: 200,
            contentType: "text/event-stream",
            records: [
              { event: "deployment_state", timestamp: wireDeployment.created_at, deployment: wireDeployment },
            ],
          }
        : record(wireDeployment)(),
    run: ({ deployments }, timeoutMs) => collect(deployments.follow(wireDeployment.id, patience(timeoutMs))),
  },
  list("apps.list", wireAppVersion, ({ apps }) => apps.list()),
  list("apps.find", wireAppVersion, ({ apps }) => apps.find("agent", "latest")),
  {
    name: "proxies.create",
    write: ["once", "List the proxies and compare names"],
    answer: record(wireProxy, 201),
    run: ({ proxies }) =>
      proxies.create({ name: "exit", type: "custom", config: { host: "proxy.example", port: 3128 } }),
  },
  read("proxies.get", wireProxy, ({ proxies }) => proxies.get(wireProxy.id)),
  list("proxies.list", wireProxy, ({ proxies }) => proxies.list()),
  rename("proxies.rename", wireProxy, ({ proxies }) => proxies.rename(wireProxy.id, wireProxy.name)),
  deletion("proxies.delete", "Read the proxy; if it still exists", ({ proxies }) =>
    proxies.delete(wireProxy.id),
  ),
  {
    name: "projects.get",
    knowsId: true,
    answer: ({ target }) => record(target.includes(wireProject.id) ? wireProject : [wireProject])(),
    run: ({ projects }) => projects.get(wireProject.id),
  },
  list("projects.getByName", wireProject, ({ projects }) => projects.getByName(wireProject.name)),
  list("projects.list", wireProject, ({ projects }) => projects.list()),
  {
    name: "projects.limits",
    essence: areLimits,
    answer: record({ max_concurrent_sessions: 7, max_concurrent_invocations: null, max_pooled_sessions: 3 }),
    run: ({ projects }) => projects.limits(wireProject.id),
  },
  {
    name: "projects.create",
    write: ["once", "Look for a project with this name"],
    answer: record(wireProject, 201),
    run: ({ projects }) => projects.create(wireProject.name),
  },
  {
    name: "projects.update",
    knowsId: true,
    write: ["set", "The project has either the old settings or the new settings."],
    answer: record(wireProject),
    run: ({ projects }) => projects.update(wireProject.id, { name: wireProject.name }),
  },
  deletion("projects.delete", "Read the project; if it still exists", ({ projects }) =>
    projects.delete(wireProject.id),
  ),
  {
    name: "projects.setLimits",
    write: ["set", "The project has either the old limits or the new limits."],
    isProof: (value) => (value as { readonly maxConcurrentSessions?: unknown }).maxConcurrentSessions === 7,
    answer: record({ max_concurrent_sessions: 7, max_concurrent_invocations: null, max_pooled_sessions: 3 }),
    run: ({ projects }) => projects.setLimits(wireProject.id, { maxConcurrentSessions: 7 }),
  },
  {
    name: "organization.setLimits",
    write: ["set", "The organization has either the old limits or the new limits."],
    isProof: (value) =>
      (value as { readonly defaultProjectMaxConcurrentSessions?: unknown })
        .defaultProjectMaxConcurrentSessions === 7,
    answer: record({ max_concurrent_sessions: 100, default_project_max_concurrent_sessions: 7 }),
    run: ({ organization }) => organization.setLimits({ defaultProjectMaxConcurrentSessions: 7 }),
  },
  {
    name: "organization.limits",
    essence: areLimits,
    answer: record({ max_concurrent_sessions: 7, default_project_max_concurrent_sessions: null }),
    run: ({ organization }) => organization.limits(),
  },
  {
    name: "organization.entitlements",
    essence: ofGivenNames,
    answer: record(wireEntitlements),
    run: ({ organization }) => organization.entitlements(),
  },
  read("apiKeys.get", wireApiKey, ({ apiKeys }) => apiKeys.get(wireApiKey.id)),
  list("apiKeys.list", wireApiKey, ({ apiKeys }) => apiKeys.list()),
  {
    name: "apiKeys.rename",
    knowsId: true,
    write: ["set", "The API key has either the old name or the new name."],
    answer: record(wireApiKey),
    run: ({ apiKeys }) => apiKeys.rename(wireApiKey.id, wireApiKey.name),
  },
  {
    name: "apiKeys.changePolicy",
    knowsId: true,
    // The service may add members to a policy.
    essence: (value) => ({ ...(value as object), policy: undefined }),
    write: ["set", "The API key has either the old policy or the new policy."],
    answer: record({ ...wireApiKey, policy: keyPolicy }),
    run: ({ apiKeys }) => apiKeys.changePolicy(wireApiKey.id, keyPolicy),
  },
  {
    name: "apiKeys.create",
    write: ["once", "A key with this name may exist, but its secret is lost."],
    answer: record(newApiKey, 201),
    run: ({ apiKeys }) => apiKeys.create({ name: newApiKey.name }),
  },
  {
    name: "apiKeys.rotate",
    write: ["once", "A new key with the same name may exist"],
    // The client cannot know the id of the new key, and perhaps not the name.
    isProof: (value) => {
      const { id, key } = value as { readonly id: string; readonly key?: unknown };
      return id !== rotatedId && key === newApiKey.key;
    },
    answer: record(newApiKey, 201),
    run: ({ apiKeys }) => apiKeys.rotate(rotatedId),
  },
  deletion("apiKeys.delete", "Read the API key; if it still exists", ({ apiKeys }) =>
    apiKeys.delete(wireApiKey.id),
  ),
  read("authConnections.get", wireRecord("IN_PROGRESS", "DISCOVERING"), ({ authConnections }) =>
    authConnections.get(connectionId),
  ),
  {
    name: "authConnections.create",
    write: ["once", "List the auth connections of that domain and profile"],
    // A project has a single connection for a domain and profile, whatever the id.
    isProof: (value) => {
      const { domain, profileName } = value as { readonly domain: string; readonly profileName: string };
      return domain === "example.com" && profileName === "work";
    },
    answer: record(wireConnection, 201),
    run: ({ authConnections }) => authConnections.create({ domain: "example.com", profileName: "work" }),
  },
  {
    name: "authConnections.update",
    knowsId: true,
    write: ["set", "The auth connection has either the old settings or the new settings."],
    answer: record(wireConnection),
    run: ({ authConnections }) => authConnections.update(connectionId, { recordSession: true }),
  },
  deletion("authConnections.delete", "Read the auth connection; if it still exists", ({ authConnections }) =>
    authConnections.delete(connectionId),
  ),
  {
    name: "authConnections.startLogin",
    knowsId: true,
    write: ["once", "Read the auth connection to see whether a login is in progress."],
    answer: record({ id: connectionId, hosted_url: "https://auth.example.com/x" }),
    run: ({ authConnections }) => authConnections.startLogin(connectionId),
  },
  {
    name: "authConnections.follow",
    essence: endOf,
    answer: login,
    run: ({ authConnections }, timeoutMs) =>
      collect(authConnections.follow(connectionId, patience(timeoutMs))),
  },
  {
    name: "authConnections.waitForLogin",
    essence: endOf,
    answer: login,
    run: ({ authConnections }, timeoutMs) => authConnections.waitForLogin(connectionId, patience(timeoutMs)),
  },
  {
    name: "authConnections.waitForAuthentication",
    essence: endOf,
    answer: login,
    run: ({ authConnections }, timeoutMs) =>
      authConnections.waitForAuthentication(connectionId, patience(timeoutMs)),
  },
  { name: "authContext", answer: record(authContext), run: (client) => client.authContext() },
];

/** Answers as an honest service does. */
export const honestly =
  ({ answer: honest }: Operation): Script =>
  (socket, request) => {
    const { status, contentType } = honest(request);
    answer(status, bodyOf(honest(request)), { "content-type": contentType })(socket, request);
  };

/** The body of an honest answer. */
export function bodyOf({ contentType, records, bytes }: HonestAnswer): Buffer {
  if (records === undefined) {
    return bytes ?? Buffer.alloc(0);
  }
  return Buffer.from(
    contentType === "text/event-stream"
      ? (records as readonly object[]).map(frame).join("")
      : JSON.stringify(records),
  );
}
