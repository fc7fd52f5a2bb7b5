import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Emulator, EmulatorSeed } from "../../src/emulator/index.js";
import type { Controls } from "../../src/emulator/objects/controls.js";
import { kindsOf } from "../../src/emulator/seed/kinds.js";
import { newEmulator } from "../support/emulator.js";
import { extensionZip } from "../support/stored-zip.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { call, json } from "./calls.js";

type Row = Readonly<Record<string, unknown>>;

interface Saved {
  readonly seed: EmulatorSeed & Readonly<Record<string, unknown>>;
  readonly missing: readonly string[];
}

const time = "is a time: the objects of a seed are as old as the emulator";
const secret = "is a secret, and has a placeholder";
const running = "is of a deployment that serves an app: a seed creates no other";
const history = "has no request: the history is not in a seed";

/** Members of a record that no entry has, with the reason. Every other member is the same after a load. */
const unsaved: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  projects: { createdAt: time, updatedAt: time },
  apiKeys: {
    createdAt: time,
    maskedKey: "follows from the secret, which has no request",
    deletedAt: "is the mark of a deleted key, which a seed does not create",
  },
  credentialProviders: { createdAt: time, updatedAt: time, token: secret },
  telemetryDestinations: {
    ...{ createdAt: time, updatedAt: time, lastErrorAt: time, lastExportAt: time },
    ...{ consecutiveFailures: history, lastError: history, headers: secret },
  },
  extensions: { createdAt: time },
  profiles: { createdAt: time, updatedAt: time },
  proxies: { lastChecked: time },
  credentials: { createdAt: time, updatedAt: time, fields: secret, totp: secret },
  browserPools: { createdAt: time, buildingMs: time },
  authConnections: { lastCheckedAt: time },
  deployments: {
    ...{ createdAt: time, startedMs: time, builtMs: time, apps: "have ids of their own" },
    ...{ force: history, build: history, stepMs: history, lines: history },
    ...{ status: running, statusReason: running, stoppedMs: running },
  },
};

const otlp = { enabled: true, destination: { name: "whole" } };
const ofWhole = { id: "whole", project: "shop" };

/** Objects of every kind: `plain` with defaults, others with every member set. */
const contents = (archives: string): EmulatorSeed => ({
  organization: {
    ...{ id: "org", maxConcurrentSessions: 7, defaultProjectMaxConcurrentSessions: 6 },
    ...{ maxAuthConnections: 9, minHealthCheckIntervalSeconds: 301 },
  },
  defaultProject: { id: "main", name: "Main", limits: { maxConcurrentSessions: 3 } },
  projects: [
    { id: "shop", name: "Shop" },
    { id: "plain", name: "Plain" },
    {
      ...{ id: "whole", name: "a/b", status: "archived" },
      limits: { maxConcurrentSessions: 5, maxConcurrentInvocations: 4, maxPooledSessions: 3 },
    },
  ],
  apiKeys: [
    { id: "plain", name: "plain" },
    {
      ...{ ...ofWhole, name: "whole", key: "sk_whole", expiresAt: "2030-01-01T00:00:00.000Z" },
      policy: { statements: [{ action: "browsers:create", resource: "projects/shop/*" }] },
      createdBy: { id: "ann", email: "ann@example.com", name: "Ann" },
    },
  ],
  credentialProviders: [
    { id: "plain", name: "plain", token: "none" },
    { id: "whole", name: "whole", token: "ops_1", cacheTtlSeconds: 5, enabled: false, priority: 2 },
  ],
  vaultItems: [{ path: "Work/Shop", urls: ["shop.example.com"] }],
  telemetryDestinations: [
    { id: "plain", name: "plain", endpoint: "https://plain.example.com" },
    {
      ...{ id: "whole", name: "whole", endpoint: "https://otlp.example.com", description: "All of it" },
      headers: { "X-Key": "secret-1" },
    },
  ],
  extensions: [
    { id: "plain", archive: join(archives, "other.zip") },
    { ...ofWhole, name: "reader", archive: join(archives, "reader.zip"), legacy: true },
    { id: "twin", name: "Reader", archive: join(archives, "other.zip") },
  ],
  profiles: [{ id: "plain" }, { ...ofWhole, name: "whole" }],
  proxies: [
    { id: "plain", type: "residential" },
    { id: "isp", type: "isp", config: { country: "DE" } },
    {
      ...{ ...ofWhole, name: "whole", type: "custom", protocol: "http", bypassHosts: ["a.example"] },
      config: { host: "proxy.example.com", port: 3128, username: "ada", password: "secret-2" },
      status: "unavailable",
    },
  ],
  credentials: [
    { id: "plain", name: "plain", domain: "example.org", values: {} },
    {
      ...{ ...ofWhole, name: "whole", domain: "example.com", values: { password: "secret-3" } },
      ssoProvider: "google",
      totp: { secret: "JBSWY3DPEHPK3PXP", algorithm: "SHA256", digits: 8, period: 60 },
    },
  ],
  browserPools: [
    { id: "plain", size: 1 },
    {
      ...{ ...ofWhole, name: "whole", size: 2, filled: false, fillRatePerMinute: 1, timeoutSeconds: 60 },
      ...{ stealth: true, headless: true, kioskMode: true, profile: { name: "whole" } },
      ...{ refreshOnProfileUpdate: true, extensions: [{ id: "whole" }], proxyId: "whole" },
      ...{ startUrl: "https://www.example.com/", chromePolicy: { BookmarkBarEnabled: false } },
      viewport: { width: 800, height: 600, refresh_rate: 30 },
      telemetry: {
        browser: {
          control: { enabled: true, cdp: { excluded_methods: ["Page.navigate"] } },
          ...{ page: { enabled: true }, system: { enabled: false } },
        },
        export: { otlp },
        storage: { enabled: false },
      },
      ...{ region: "eu-west", memory: "2GiB" },
      network: {
        ...{ allowed_hosts: ["*.example.com"], private_hosts: ["10.0.0.1"] },
        proxy_routes: [{ hosts: ["a.example.com"], proxy: { id: "whole" } }],
      },
    },
    { id: "by-id", size: 1, profile: { id: "plain" }, extensions: [{ name: "Reader" }, { id: "plain" }] },
  ],
  loginScenarios: { short: { title: "x", start: "end", steps: { end: { step: "END", status: "SUCCESS" } } } },
  defaultLoginScenario: "short",
  deployments: [
    { id: "plain", appName: "plain" },
    {
      ...{ ...ofWhole, appName: "whole", version: "v2", entrypoint: "src/app.py", checksum: "2".repeat(64) },
      ...{ actions: ["run"], envVarNames: ["MODE"] },
    },
  ],
  authConnections: [
    { id: "plain", domain: "example.com", profileName: "main" },
    {
      ...{ ...ofWhole, domain: "example.org", profileName: "whole", status: "AUTHENTICATED" },
      ...{ hasStoredCredentials: true, loginUrl: "https://example.org/in", allowedDomains: ["a.example"] },
      ...{ credential: { name: "whole" }, healthCheckInterval: 400, healthChecks: false, autoReauth: false },
      ...{ saveCredentials: false, recordSession: true },
      browser: {
        ...{ stealth: false, region: "us-west", proxy: { id: "whole" } },
        telemetry: { browser: { page: { enabled: true } }, export: { otlp }, storage: { enabled: false } },
      },
      scenario: { title: "own", start: "end", steps: { end: { step: "END", status: "CANCELED" } } },
    },
    {
      ...{
        id: "provided",
        domain: "example.net",
        profileName: "main",
        scenario: "captcha",
        hasLoggedIn: true,
      },
      credential: { provider: "whole", path: "Work/Shop" },
      browser: { proxy: { mode: "direct" } },
    },
  ],
  faults: [
    { method: "GET", path: "/org", nth: 2, times: "always", at: "before-commit", action: "reset" },
    { pathPattern: "^/x", at: "while-answering", afterEvents: 2, action: { truncateAfterBytes: 3 } },
  ],
});

/** Records of every kind by id, with the settings as members of the records. */
function recordsOf(emulator: Emulator): Readonly<Record<string, Readonly<Record<string, Row>>>> {
  return Object.fromEntries(
    Object.entries(kindsOf(emulator)).map(([kind, controls]) => {
      const records = (controls as Controls<never>).records() as readonly (Row & { readonly id: string })[];
      return [kind, Object.fromEntries(records.map((record) => [record.id, flat(record)]))];
    }),
  );
}

function flat({ settings, browser, ...record }: Row): Row {
  return { ...record, ...(settings ? flat(settings as Row) : (browser as Row)) };
}

/** Starts an emulator with a saved seed and the archives of the emulator that saved the seed. */
async function loaded(saved: Saved, from: Emulator): Promise<Emulator> {
  const folder = temporaryFolder();
  for (const { id, archive } of saved.seed.extensions ?? []) {
    const response = await call(from, "GET", `/_emulator/extensions/${id}/archive`);
    writeFileSync(join(folder, archive), Buffer.from(await response.arrayBuffer()));
  }
  writeFileSync(join(folder, "seed.json"), JSON.stringify(saved.seed));
  return newEmulator({ seed: join(folder, "seed.json") });
}

const save = (emulator: Emulator) => json<Saved>(call(emulator, "GET", "/_emulator/seed"));

describe("emulator: a saved seed", () => {
  async function savedTwice() {
    const folder = temporaryFolder();
    for (const name of ["reader", "other"]) {
      writeFileSync(join(folder, `${name}.zip`), extensionZip(name));
    }
    const first = await newEmulator({ seed: contents(folder) });
    const saved = await save(first);
    const second = await loaded(saved, first);
    return { first, saved, second, again: await save(second) };
  }

  test("an emulator with every member of every kind is saved, loaded and saved again as the same seed", async () => {
    const { saved, again } = await savedTwice();
    expect(again).toEqual(saved);
    expect(JSON.stringify(saved)).not.toContain("secret-");
  });

  test("every member of every kind is the same after a load of a saved seed, but for the members with a reason", async () => {
    const { first, second } = await savedTwice();
    const [before, after] = [recordsOf(first), recordsOf(second)];
    expect(Object.keys(unsaved).sort()).toEqual(Object.keys(before).sort());
    for (const [kind, records] of Object.entries(before)) {
      const reasons = unsaved[kind] ?? {};
      const saved = (record: Row) => Object.entries(record).filter(([member]) => !(member in reasons));
      const members = [...new Set(Object.values(records).flatMap((record) => Object.keys(record)))];
      expect(Object.keys(reasons).filter((member) => !members.includes(member))).toEqual([]);
      const isSet = (member: string) =>
        Object.values(records).some(
          (record) => JSON.stringify(record[member]) !== JSON.stringify(records.plain?.[member]),
        );
      // A new member fails here until an object above has a value, and below until an entry has the member.
      expect([kind, members.filter((member) => !(member in reasons) && !isSet(member))]).toEqual([kind, []]);
      const comparable = (all: Readonly<Record<string, Row>> = {}) =>
        Object.entries(all).map(([id, record]) => [kind, id, Object.fromEntries(saved(record))]);
      expect(comparable(after[kind])).toEqual(comparable(records));
    }
  });

  test("a connection whose provider, proxy and destination were deleted is saved as a seed that starts an emulator", async () => {
    const { first } = await savedTwice();
    const { credentialProviders, proxies, telemetryDestinations } = first;
    for (const controls of [credentialProviders, proxies, telemetryDestinations]) {
      controls.remove("whole");
    }
    const saved = await save(first);
    const lack = "the deleted objects to which it refers are not in the seed.";
    expect(saved.missing.filter((sentence) => sentence.endsWith(lack))).toEqual(
      ['Browser pool "whole"', 'Auth connection "whole"', 'Auth connection "provided"'].map(
        (object) => `${object}: ${lack}`,
      ),
    );
    const second = await loaded(saved, first);
    expect(second.authConnections.get("provided").credential).toBeNull();
    expect(second.authConnections.get("whole").browser).not.toHaveProperty("proxy");
    expect(second.browserPools.get("whole").telemetry).toMatchObject({ destinationId: null, isStored: true });
  });

  test("a saved seed names the login in progress and the faults of a program, which it lacks", async () => {
    const emulator = await newEmulator({
      seed: { authConnections: [{ id: "one", domain: "a.example", profileName: "x", startLogin: true }] },
    });
    emulator.faults.add({ at: "before-commit", action: { call: () => {} } });
    const { seed, missing } = await save(emulator);
    expect(missing).toEqual([
      'Auth connection "one": the login in progress is not in the seed.',
      'Fault "fault-1": is not in the seed, because a function of the program is the action.',
    ]);
    expect(seed).not.toHaveProperty("faults");
  });
});
