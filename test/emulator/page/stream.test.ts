import { Watchers } from "../../../src/emulator/control/watchers.js";
import type { StreamSink } from "../../../src/emulator/http/exchange.js";
import type { Emulator } from "../../../src/emulator/index.js";
import { newEmulator, useEmulator } from "../../support/emulator.js";
import { call, json, refusal, signed } from "../calls.js";
import { archive, filled, nouns, secrets } from "./filled.js";

type Row = Readonly<Record<string, unknown>>;

interface Change {
  readonly now: string;
  readonly state: Readonly<Record<string, { readonly rows: readonly Row[]; readonly more: boolean }>>;
  readonly requests: { readonly count: number; readonly added: readonly Row[] };
}

/** Reads the stream of changes until a wanted change. */
async function watch(emulator: Emulator) {
  const response = await call(emulator, "GET", "/_emulator/events");
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const next = async (): Promise<Change> => {
    while (!text.includes("\n\n")) {
      text += (await reader?.read())?.value ?? "";
    }
    const [event = "", ...rest] = text.split("\n\n");
    text = rest.join("\n\n");
    return JSON.parse(event.replace(/^event: change\ndata: /, ""));
  };
  return {
    next,
    until: async (isWanted: (change: Change) => boolean): Promise<Change> => {
      for (;;) {
        const change = await next();
        if (isWanted(change)) {
          return change;
        }
      }
    },
    leave: () => reader?.cancel(),
  };
}

const kinds = [...nouns, "faults"].flatMap((kind) => (kind === "profiles" ? ["browsers", kind] : [kind]));

describe("emulator: its state over HTTP", () => {
  const emulator = useEmulator();

  test("the state over HTTP lists the objects of every kind, newest first", async () => {
    const { project, extension, pool, connection } = await filled(emulator);
    emulator.authConnections.startLogin(connection.id);
    emulator.browserPools.acquire(emulator.browserPools.fill(pool.id).id);
    const { now, ...state } = await json<Change["state"] & { now: string }>(
      call(emulator, "GET", "/_emulator/state"),
    );
    expect(Date.parse(now)).not.toBeNaN();
    expect(Object.keys(state)).toEqual(kinds);
    const rows = Object.fromEntries(Object.entries(state).map(([kind, { rows }]) => [kind, rows[0]]));
    expect(rows).toMatchObject({
      projects: { id: project.id, name: "Shop", limits: { maxConcurrentSessions: 5 } },
      apiKeys: { name: "Shop", maskedKey: "sk_of_...789", status: "valid", projectName: "Shop" },
      credentialProviders: { name: "vault", enabled: true, priority: 0 },
      extensions: { id: extension.id, name: "reader", checksum: extension.checksum },
      browserPools: { name: "crawlers", size: 3, availableCount: 2, acquiredCount: 1 },
      profiles: { name: "work" },
      proxies: { name: "office", config: { host: "proxy.example.com", has_password: true } },
      credentials: { name: "ada", valueNames: ["password"], hasTotpSecret: true },
      telemetryDestinations: { name: "logs", headerNames: ["X-Key"], consecutiveFailures: 0 },
      deployments: { name: "agent", status: "running", version: "latest", log: expect.any(Array) },
      authConnections: { domain: "example.com", login: { status: "IN_PROGRESS" } },
      browsers: { poolId: pool.id, clients: 0, extensions: [{ name: "reader", errors: [] }] },
      faults: { id: "fault-1", hits: 0, method: "POST", pathPattern: "^\\/none", action: "reset", times: 2 },
    });
    expect(rows.browserPools?.browsers).toMatchObject([
      { acquiredAt: expect.stringMatching(/^20.*Z$/) },
      { acquiredAt: null },
      { acquiredAt: null },
    ]);
  });

  test("the state over HTTP lists at most 200 objects of a kind, and reports whether more exist", async () => {
    for (let index = 0; index < 201; index += 1) {
      emulator.profiles.ensure(`profile-${index}`);
    }
    const { profiles } = await json<Change["state"]>(call(emulator, "GET", "/_emulator/state"));
    expect([profiles?.rows.length, profiles?.rows[0]?.name, profiles?.more]).toEqual([
      200,
      "profile-200",
      true,
    ]);
  });

  test("neither the state over HTTP nor the stream of changes contains a secret", async () => {
    await filled(emulator);
    const state = await (await call(emulator, "GET", "/_emulator/state")).text();
    const stream = await watch(emulator);
    const first = JSON.stringify(await stream.next());
    await stream.leave();
    for (const secret of [...Object.values(secrets), "sk_emulator"]) {
      expect([state.includes(secret), first.includes(secret)]).toEqual([false, false]);
    }
  });

  test("the emulator shows files, manifest and bytes of an extension's archive over HTTP", async () => {
    const { extension } = await filled(emulator);
    const path = `/_emulator/extensions/${extension.id}`;
    expect(await json(call(emulator, "GET", path))).toEqual({
      files: [
        { path: "manifest.json", sizeBytes: 57 },
        { path: "content.js", sizeBytes: 9 },
      ],
      manifest: { manifest_version: 3, name: "Example", version: "1.0.0" },
    });
    const bytes = await (await call(emulator, "GET", `${path}/archive`)).arrayBuffer();
    expect(Buffer.from(bytes).equals(archive)).toBe(true);
    emulator.extensions.putBytes(extension.id, Buffer.from("no zip"));
    expect(await refusal(await call(emulator, "GET", path))).toMatchObject({
      status: 400,
      message: "The file is not a zip archive.",
    });
    expect((await call(emulator, "GET", "/_emulator/extensions/none")).status).toBe(404);
  });
});

describe("emulator: its stream of changes", () => {
  const emulator = useEmulator();

  test("the stream of changes begins with the whole state, then sends changes that a program makes without a request", async () => {
    await filled(emulator);
    const stream = await watch(emulator);
    expect(Object.keys((await stream.next()).state)).toEqual(kinds);
    emulator.profiles.ensure("other");
    const { state } = await stream.until(({ state }) => Object.keys(state).length > 0);
    expect(Object.keys(state)).toEqual(["profiles"]);
    expect(state.profiles?.rows.map(({ name }) => name)).toEqual(["other", "work"]);
    await stream.leave();
  });

  test("the stream of changes has every request once, and an empty list after the requests are forgotten", async () => {
    const stream = await watch(emulator);
    await stream.next();
    await call(emulator, "GET", "/extensions");
    await fetch(`${emulator.url}/profiles`);
    const { added } = (await stream.until(({ requests }) => requests.count === 2)).requests;
    const apiKeyId = emulator.apiKeyRecords.list()[0]?.id;
    expect(added.slice(-2)).toMatchObject([
      { method: "GET", path: "/extensions", status: 200, apiKeyId },
      { method: "GET", path: "/profiles", status: 401, apiKeyId: null },
    ]);
    await call(emulator, "DELETE", "/_emulator/requests");
    expect((await stream.until(({ requests }) => requests.count === 0)).requests.added).toEqual([]);
    await stream.leave();
  });

  test("the stream of changes has changes by time alone: a filling pool, an expired key, an expired login", async () => {
    const { connection } = await filled(emulator);
    emulator.authConnections.startLogin(connection.id);
    const stream = await watch(emulator);
    await stream.next();
    emulator.clock.advance(2 * 86_400_000);
    const seen: Record<string, unknown> = {};
    await stream.until(({ state }) => Object.keys(Object.assign(seen, state)).length >= 3);
    expect(seen).toMatchObject({
      apiKeys: { rows: [{ name: "Shop", status: "expired" }, { status: "valid" }] },
      browserPools: { rows: [{ availableCount: 3 }] },
      authConnections: { rows: [{ login: { status: "EXPIRED" } }] },
    });
    await stream.leave();
  });

  test("the stream of changes has the number of hits of a fault", async () => {
    emulator.faults.add({ path: "/extensions", at: "before-reading", action: { delayMs: 0 } });
    const times = Number.POSITIVE_INFINITY;
    emulator.faults.add({ path: "/none", at: "before-commit", times, action: { call: () => {} } });
    const stream = await watch(emulator);
    await stream.next();
    await call(emulator, "GET", "/extensions");
    const { state } = await stream.until(({ state }) => "faults" in state);
    expect(state.faults?.rows).toMatchObject([
      { id: "fault-1", hits: 1, path: "/extensions" },
      { id: "fault-2", hits: 0, times: "always", action: "call" },
    ]);
    await stream.leave();
  });
});

describe("emulator: watchers of the state", () => {
  let looks: number;
  let pieces: string[];
  let hasRoom: boolean;
  let value: number;
  const sink: StreamSink = { send: (piece) => pieces.push(piece) > 0 && hasRoom, end: () => {} };
  const watchers = () =>
    new Watchers({
      version: () => `${value}`,
      state: () => {
        looks += 1;
        return { things: value };
      },
      requests: () => [],
      now: () => new Date(0),
    });

  beforeEach(() => {
    jest.useFakeTimers();
    [looks, pieces, hasRoom, value] = [0, [], true, 0];
  });
  afterEach(() => jest.useRealTimers());

  test("the state is not polled without watchers, and about once a second while nothing changes", () => {
    const all = watchers();
    jest.advanceTimersByTime(60_000);
    const [one, other] = [all.add(), all.add()];
    expect([looks, jest.getTimerCount()]).toEqual([0, 0]);
    one.onOpen(sink);
    other.onOpen(sink);
    jest.advanceTimersByTime(10_000);
    expect(looks).toBeLessThanOrEqual(12);
    one.onClose();
    other.onClose();
    expect(jest.getTimerCount()).toBe(0);
  });

  test("a watcher of the state gets at most four messages a second, however much changes", () => {
    const one = watchers().add();
    one.onOpen(sink);
    for (let ms = 0; ms < 1000; ms += 1) {
      value += 1;
      jest.advanceTimersByTime(1);
    }
    expect(pieces.length).toBeLessThanOrEqual(5);
    expect(pieces.at(-1)).toContain(`"things":${value}`);
    one.onClose();
  });

  test("a watcher that reads slowly misses messages, and then gets the changed state", () => {
    const one = watchers().add();
    hasRoom = false;
    one.onOpen(sink);
    value = 1;
    jest.advanceTimersByTime(5000);
    expect(pieces).toHaveLength(1);
    value = 2;
    one.onDrain();
    jest.advanceTimersByTime(250);
    expect(pieces).toHaveLength(2);
    expect(pieces[1]).toContain('"state":{"things":2}');
    one.onClose();
  });
});

describe("emulator: access to the state", () => {
  const paths = [
    "/_emulator/state",
    "/_emulator/events",
    "/_emulator/browsers",
    "/_emulator/extensions/x/archive",
  ];

  test("the emulator's state needs an organization-wide key, and pages of other origins get 403", async () => {
    const emulator = await newEmulator({ apiKeys: ["sk_of_my_own"] });
    const { key } = emulator.createApiKey({ projectId: emulator.defaultProject.id });
    for (const path of paths) {
      const statusWith = async (headers: Record<string, string>) =>
        (await fetch(emulator.url + path, { headers })).status;
      expect(await statusWith({})).toBe(401);
      expect(await statusWith({ authorization: "Bearer sk_emulator" })).toBe(401);
      expect(await statusWith({ authorization: `Bearer ${key}` })).toBe(403);
      const foreign = signed(emulator, { origin: "http://localhost:3000" });
      expect(await statusWith(foreign)).toBe(403);
    }
  });

  test("the emulator's page contains no key, is not logged, and is exempt from faults", async () => {
    const emulator = await newEmulator({ apiKeys: ["sk_of_my_own"], requestsPerSecond: 0.001 });
    emulator.faults.add({ at: "before-reading", times: 9, action: "close" });
    const page = await fetch(`${emulator.url}/`);
    const html = await page.text();
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(page.headers.get("content-security-policy")).toMatch(/^default-src 'none'; script-src 'self'; /);
    expect(html).not.toMatch(/sk_|<style|<script(?! src)|\son\w+=|https?:/);
    const loaded = [...html.matchAll(/(?:src|href)="(\/[^"]*)"/g)].map(([, path]) => path ?? "");
    const views = ["activity", "objects", "browsers", "faults", "kinds", "parts", "forms", "control"];
    const imported = ["elements", ...views.map((name) => `views/${name}`)].map(
      (name) => `/_emulator/assets/${name}.mjs`,
    );
    for (const path of [...loaded, ...imported]) {
      const text = await (await fetch(emulator.url + path)).text();
      expect(text).not.toMatch(
        /sk_of_my_own|innerHTML|insertAdjacentHTML|eval\(|https?:\/\/[\w[]|url\(|@import/,
      );
    }
    expect(emulator.requests).toEqual([]);
    const framed = {
      "sec-fetch-site": "cross-site",
      "sec-fetch-mode": "navigate",
      "sec-fetch-dest": "iframe",
    };
    expect((await fetch(`${emulator.url}/`, { headers: framed })).status).toBe(403);
    expect((await fetch(`${emulator.url}/`, { method: "POST" }).catch(() => undefined))?.status).not.toBe(
      200,
    );
  });
});
