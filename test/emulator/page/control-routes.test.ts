import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { EmulatorSeed } from "../../../src/emulator/index.js";
import { authorityCertificate } from "../../support/certificates.js";
import { newEmulator } from "../../support/emulator.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { call, json, send, stored } from "../calls.js";
import { archive, filled, secrets } from "./filled.js";

interface Saved {
  readonly seed: EmulatorSeed;
  readonly missing: readonly string[];
}

type State = Readonly<Record<string, { readonly rows: readonly Readonly<Record<string, unknown>>[] }>>;

describe("emulator: the state as a seed", () => {
  test("a state saved as a seed, with the archives beside the file, starts an emulator with equal objects", async () => {
    const first = await newEmulator();
    const { project } = await filled(first);
    await stored(first, { name: "other", headers: { "x-kernel-project-id": project.id } });
    const { seed, missing } = await json<Saved>(call(first, "GET", "/_emulator/seed"));
    expect(missing).toEqual([
      'API key "Shop": gets a new secret that is shown nowhere; add the old secret as key.',
      'Credential provider "vault": the token is ops_replace-me.',
      'Telemetry destination "logs": each of the values of the headers is replace-me.',
      'Extension "reader": save the archive as reader.zip, beside the seed.',
      'Extension "other": save the archive as other.zip, beside the seed.',
      'Proxy "office": the password in config is replace-me.',
      'Credential "ada": each of the values is replace-me.',
      'Credential "ada": the secret of the one-time codes is REPLACEME.',
    ]);
    const text = JSON.stringify(seed);
    expect(Object.values(secrets).filter((secret) => text.includes(secret))).toEqual([]);
    const folder = temporaryFolder();
    for (const name of ["reader", "other"]) {
      writeFileSync(join(folder, `${name}.zip`), archive);
    }
    writeFileSync(join(folder, "seed.json"), text);
    const second = await newEmulator({ seed: join(folder, "seed.json") });
    const [before, after] = await Promise.all(
      [first, second].map((emulator) => json<State>(call(emulator, "GET", "/_emulator/state"))),
    );
    const comparable = (state: State | undefined) =>
      Object.entries({ ...state, now: { rows: [] } }).map(([kind, { rows }]) => [
        kind,
        rows
          .map(
            ({ name, domain, status, size, limits, type, valueNames, headerNames, path, pathPattern }) => ({
              ...{ name, domain, status, size, limits, type, valueNames, headerNames, path, pathPattern },
            }),
          )
          .sort((a, b) => String(a.name).localeCompare(String(b.name))),
      ]);
    expect(comparable(after)).toEqual(comparable(before));
  });

  test("a state with a profile and an extension without a name is saved as a seed that starts an emulator, and every omitted secret is listed", async () => {
    const first = await newEmulator();
    const profile = await json<{ id: string }>(send(first, "POST", "/profiles", {}), 201);
    const extension = await stored(first);
    const config = { host: "proxy.example", port: 3128, ca_bundle: authorityCertificate };
    first.proxies.create({ name: "office", type: "custom", config });
    const totp = { secret: secrets.totp, algorithm: "SHA1", digits: 6, period: 30 } as const;
    first.credentials.create({ name: "ada", domain: "example.com", fields: {}, totp });
    const extensions = [{ id: extension.id }];
    first.browserPools.create({ name: "crawlers", size: 1, profile: { id: profile.id }, extensions });
    const { seed, missing } = await json<Saved>(call(first, "GET", "/_emulator/seed"));
    expect(missing).toEqual([
      `Extension "${extension.id}": save the archive as ${extension.id}.zip, beside the seed.`,
      'Proxy "office": add the ca_bundle to config.',
      'Credential "ada": each of the values is replace-me.',
      'Credential "ada": the secret of the one-time codes is REPLACEME.',
    ]);
    const folder = temporaryFolder();
    writeFileSync(join(folder, `${extension.id}.zip`), archive);
    writeFileSync(join(folder, "seed.json"), JSON.stringify(seed));
    const second = await newEmulator({ seed: join(folder, "seed.json") });
    expect(second.profiles.list()).toMatchObject([{ id: profile.id, name: null }]);
    expect(second.browserPools.list()).toMatchObject([
      { profile: { id: profile.id }, extensionIds: [extension.id] },
    ]);
  });

  test("a pool whose profile and proxies were deleted is saved as a seed that starts an emulator", async () => {
    const first = await newEmulator();
    const profile = first.profiles.ensure("work");
    const [gone, kept] = [first.proxies.create({ type: "isp" }), first.proxies.create({ type: "isp" })];
    const routes = [gone, kept].map(({ id }, index) => ({ hosts: [`${index}.example.com`], proxy: { id } }));
    first.browserPools.create({
      ...{ name: "crawlers", size: 1, profile: { id: profile.id }, proxyId: gone.id },
      network: { proxy_routes: routes },
    });
    first.profiles.remove(profile.id);
    first.proxies.remove(gone.id);
    const { seed, missing } = await json<Saved>(call(first, "GET", "/_emulator/seed"));
    expect(missing).toEqual([
      'Browser pool "crawlers": the deleted objects to which it refers are not in the seed.',
    ]);
    const second = await newEmulator({ seed });
    expect(second.browserPools.list()).toMatchObject([
      { profile: null, proxyId: null, network: { proxy_routes: routes.slice(1) } },
    ]);
  });

  test("a saved seed confines a key to the project of the key, even to the default project, and lacks the keys of deleted projects", async () => {
    const first = await newEmulator();
    const project = first.createProject({ name: "Shop" });
    first.createApiKey({ name: "gone", projectId: project.id });
    const { projectId } = first.createApiKey({ name: "kept", projectId: first.projects.defaultProject.id });
    first.projects.remove(project.id);
    const { seed, missing } = await json<Saved>(call(first, "GET", "/_emulator/seed"));
    expect(missing).toEqual([
      'API key "gone": is not in the seed, because the project of the key is deleted.',
      'API key "kept": gets a new secret that is shown nowhere; add the old secret as key.',
    ]);
    const second = await newEmulator({ seed });
    const keys = second.apiKeyRecords.list().filter(({ name }) => name !== "Given at start");
    expect(keys).toMatchObject([{ name: "kept", projectId }]);
  });
});

describe("emulator: a reset", () => {
  test("a reset restores the objects and faults of the seed, and drops requests and clock changes", async () => {
    const seed = {
      profiles: [{ name: "seeded" }],
      faults: [{ at: "before-reading", action: "reset", path: "/no" }],
    };
    const emulator = await newEmulator({ seed: seed as EmulatorSeed });
    await filled(emulator);
    await send(emulator, "PATCH", "/profiles/seeded", { name: "changed" });
    emulator.clock.advance(30 * 86_400_000);
    expect((await call(emulator, "POST", "/_emulator/reset")).status).toBe(204);
    const { now, ...state } = await json<State & { now: string }>(call(emulator, "GET", "/_emulator/state"));
    expect(Object.fromEntries(Object.entries(state).map(([kind, { rows }]) => [kind, rows.length]))).toEqual({
      ...{ projects: 1, apiKeys: 1, extensions: 0, browserPools: 0, browsers: 0, profiles: 1, proxies: 0 },
      ...{ credentialProviders: 0, telemetryDestinations: 0, credentials: 0 },
      ...{ authConnections: 0, deployments: 0, faults: 1 },
    });
    expect(state.profiles?.rows).toMatchObject([{ name: "seeded" }]);
    expect(Math.abs(Date.parse(now) - Date.now())).toBeLessThan(60_000);
    expect(emulator.requests).toEqual([]);
    expect(await json(call(emulator, "GET", "/profiles"))).toMatchObject([{ name: "seeded" }]);
  });

  test("a reset cancels a login in progress for every follower", async () => {
    const emulator = await newEmulator();
    const { connection } = await filled(emulator);
    emulator.authConnections.startLogin(connection.id);
    const stream = await call(emulator, "GET", `/auth/connections/${connection.id}/events`);
    emulator.reset();
    expect(await stream.text()).toContain('"flow_status":"CANCELED"');
  });

  test("a reset survives a restart on the same data folder", async () => {
    const dataDir = temporaryFolder();
    const first = await newEmulator({ dataDir });
    first.profiles.ensure("old");
    first.reset();
    await first.close();
    const second = await newEmulator({ dataDir });
    expect(second.profiles.list()).toEqual([]);
    expect(second.projects.list()).toHaveLength(1);
  });
});

describe("emulator: the service's operations as a control", () => {
  test("operations below /_emulator/service are not logged, are exempt from faults, and change the objects", async () => {
    const emulator = await newEmulator({ requestsPerSecond: 0.001 });
    const { pool } = await filled(emulator);
    emulator.faults.add({ at: "before-reading", times: 9, action: "close" });
    const path = `/_emulator/service/browser_pools/${pool.id}`;
    const changed = await json(send(emulator, "PATCH", path, { size: 2 }));
    expect(changed).toMatchObject({ name: "crawlers", browser_pool_config: { size: 2 } });
    expect(await json(call(emulator, "GET", path))).toEqual(changed);
    expect((await call(emulator, "DELETE", `${path}?x=1`)).status).toBe(400);
    expect((await call(emulator, "DELETE", path)).status).toBe(204);
    expect((await call(emulator, "GET", path)).status).toBe(404);
    expect(emulator.browserPools.list()).toEqual([]);
    expect(emulator.requests.filter(({ method }) => method !== "POST")).toEqual([]);
  });

  test("operations below /_emulator/service act in the header's project, and a control renames an extension", async () => {
    const emulator = await newEmulator();
    const { project, extension } = await filled(emulator);
    const header = { "x-kernel-project-id": project.id };
    await json(send(emulator, "POST", "/_emulator/service/profiles", { name: "there" }, header), 201);
    expect(emulator.profiles.list(project.id).map(({ name }) => name)).toEqual(["there"]);
    const path = `/_emulator/extensions/${extension.id}/rename`;
    expect((await send(emulator, "POST", path, { name: "renamed" })).status).toBe(204);
    expect(emulator.extensions.list().map(({ name }) => name)).toEqual(["renamed"]);
    expect((await send(emulator, "POST", path, { name: "a b" })).status).toBe(400);
  });
});
