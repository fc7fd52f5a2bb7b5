import { type BrowserInfraClient, ContractError, OutcomeUnknownError } from "../../../src/client/index.js";
import { errorOf } from "../../support/error-of.js";
import { json, raw } from "../fault-server.js";
import { connectionId, wireRecord } from "../login/login-server.js";
import { closeBenches, startBench, wireExtension } from "../test-client.js";
import { wireApiKey, wireBrowserPool, wireProject } from "../wire-records.js";

afterEach(closeBenches);

const badIds: readonly unknown[] = [
  "",
  "a b",
  "a\nb",
  "\u001b[2J\u001b[31mckx",
  "ckx\u0007",
  "ckx\u009b31m",
  "ckx\u202e",
  "ckx\u200b",
  "ckｘ",
  "é",
  "x".repeat(256),
  "a/b",
  "a\\b",
  "a?b",
  "a#b",
  "a%2fb",
  "..",
  7,
  null,
  {},
];

const bad: readonly unknown[] = ["\u001b[31mred", 7, {}, [], true, ""];
const times: readonly unknown[] = ["yesterday", "2026-11-21 (\u001b[31m)", 1_795_000_000, {}, ""];

/** What every noun of the client can do. */
interface Noun {
  list(): Promise<readonly { readonly id: string }[]>;
  delete(id: string): Promise<void>;
}

describe("ids in answers", () => {
  test.each(badIds.map((id) => [JSON.stringify(id), id]))("%s is no id, in no answer", async (_text, id) => {
    const record = json(200, { ...wireExtension, id });
    const { client } = await startBench([record]);
    const error = await errorOf(client.extensions.get("ad-blocker"));
    expect(error).toBeInstanceOf(ContractError);
    expect(error.message).toContain('"id" should be');
    for (const [answer, call] of [
      [[{ ...wireExtension, id }], (its: typeof client) => its.extensions.list()],
      [[{ ...wireProject, id }], (its: typeof client) => its.projects.list()],
      [[{ ...wireApiKey, id }], (its: typeof client) => its.apiKeys.list()],
      [{ ...wireRecord(null, null), id }, (its: typeof client) => its.authConnections.get(connectionId)],
    ] as const) {
      const bench = await startBench([json(200, answer)]);
      expect(await errorOf(call(bench.client))).toBeInstanceOf(ContractError);
    }
  });

  test.each(["\u001b[2Jx", "a/b"])("a write confirmed with the id %j is in doubt", async (id) => {
    for (const [answer, call] of [
      [wireExtension, (its) => its.extensions.upload({ archive: Buffer.from("zip") })],
      [wireProject, (its) => its.projects.create(wireProject.name)],
      [wireBrowserPool, (its) => its.browserPools.create({ size: 5 })],
      [{ ...wireApiKey, key: "sk_live_0123456789" }, (its) => its.apiKeys.create({ name: wireApiKey.name })],
      [wireApiKey, (its) => its.apiKeys.rename(wireApiKey.id, "x")],
    ] as [object, (its: BrowserInfraClient) => Promise<unknown>][]) {
      const { client } = await startBench([json(201, { ...answer, id })]);
      const error = await errorOf(call(client));
      expect(error).toBeInstanceOf(OutcomeUnknownError);
      expect((error.cause as Error).message).toContain('"id" should be');
    }
  });

  test.each<[string, object, (client: BrowserInfraClient) => Noun]>([
    ["extension", wireExtension, ({ extensions }) => extensions],
    ["project", wireProject, ({ projects }) => projects],
    ["browser pool", wireBrowserPool, ({ browserPools }) => browserPools],
    ["API key", wireApiKey, ({ apiKeys }) => apiKeys],
  ])("an answer has exactly the ids that a path takes: %s", async (_noun, record, nounOf) => {
    const visible = Array.from({ length: 0x7f - 0x21 }, (_, at) => String.fromCharCode(0x21 + at));
    const lengths = [24, 64, 65, 255].map((length) => "x".repeat(length));
    const taken: string[] = [];
    for (const id of [...visible, ...visible.map((character) => `a${character}`), ...lengths, "sk_1234"]) {
      const { client } = await startBench([
        (socket, request) =>
          (request.method === "DELETE" ? raw("HTTP/1.1 204 Gone\r\n\r\n") : json(200, [{ ...record, id }]))(
            socket,
            request,
          ),
      ]);
      const noun = nounOf(client);
      const [inAnswer, inPath] = await Promise.allSettled([noun.list(), noun.delete(id)]);
      expect({ id, status: inAnswer.status }).toEqual({ id, status: inPath.status });
      if (inPath.status === "fulfilled") {
        taken.push(id);
      }
    }
    expect(taken).toContain("a-");
    expect(taken).not.toContain("a/");
  });
});

describe("members that only inform", () => {
  test.each([...times, ...bad].map((value) => [JSON.stringify(value), value]))(
    "that are %s have no value, and cost no row of a list",
    async (_text, value) => {
      const { client } = await startBench([
        json(200, [wireExtension, { ...wireExtension, id: "x2", created_at: value, last_used_at: value }]),
        json(200, [wireProject, { ...wireProject, id: "p2", created_at: value, updated_at: value }]),
        json(200, [
          wireApiKey,
          { ...wireApiKey, id: "k2", created_at: value, created_by: value, project_name: 7, masked_key: {} },
        ]),
      ]);
      const extensions = await client.extensions.list();
      expect(extensions).toHaveLength(2);
      expect(extensions[1]).toMatchObject({ id: "x2", createdAt: null, lastUsedAt: null });
      expect((await client.projects.list())[1]).toMatchObject({ id: "p2", createdAt: null, updatedAt: null });
      expect((await client.apiKeys.list())[1]).toMatchObject({
        id: "k2",
        createdAt: null,
        createdBy: null,
        projectName: null,
        maskedKey: null,
      });
    },
  );

  test("of an auth connection have no value, and the connection is read", async () => {
    const odd = {
      save_credentials: "yes",
      record_session: 1,
      allowed_domains: ["a.example", 7, null],
      login_url: {},
      credential: { name: 7, auto: "x", path: "p" },
      proxy_id: "\u001b[31m",
      health_checks: "on",
      health_check_interval: 1.5,
      last_auth_at: "2026-11-21T10:00:00,5+02",
      last_auth_check_at: "soon",
      can_reauth: "maybe",
      browser_session_id: "a b",
      flow_expires_at: "later",
      flow_step: 7,
      hosted_url: [],
    };
    const { client } = await startBench([json(200, wireRecord("IN_PROGRESS", null, odd))]);
    expect(await client.authConnections.get(connectionId)).toMatchObject({
      id: connectionId,
      status: "NEEDS_AUTH",
      flowStatus: "IN_PROGRESS",
      saveCredentials: null,
      recordSession: null,
      allowedDomains: ["a.example"],
      loginUrl: null,
      credential: { name: null, provider: null, path: "p", auto: null },
      proxyId: null,
      healthChecks: null,
      healthCheckInterval: null,
      lastAuthCheckAt: "2026-11-21T10:00:00,5+02",
      canReauth: null,
      browserSessionId: null,
      flowExpiresAt: null,
      flowStep: null,
      hostedUrl: null,
    });
  });

  test("cannot turn a rename or an upload that was done into one in doubt", async () => {
    const odd = {
      expires_at: "never",
      deleted_at: 0,
      created_by: null,
      created_at: "",
      project_id: "\u0000",
    };
    const keys = await startBench([json(200, { ...wireApiKey, ...odd, name: "x", masked_key: undefined })]);
    expect(await keys.client.apiKeys.rename(wireApiKey.id, "x")).toMatchObject({
      id: wireApiKey.id,
      name: "x",
      expiresAt: null,
      deletedAt: null,
      projectId: null,
    });
    const archive = Buffer.from("zip");
    const uploads = await startBench([
      json(201, { ...wireExtension, checksum: null, created_at: "?", last_used_at: 0 }),
    ]);
    expect(await uploads.client.extensions.upload({ archive })).toMatchObject({ id: wireExtension.id });
  });
});

describe("members that decide something", () => {
  test.each<[string, object, string]>([
    ["an expiry", { ...wireApiKey, expires_at: "\u001b[31mnever" }, '"expires_at" should be a date-time'],
    ["a deletion", { ...wireApiKey, deleted_at: 0 }, '"deleted_at" should be a string'],
    ["a project", { ...wireApiKey, project_id: "a b" }, '"project_id" should be visible ASCII characters'],
    ["a name", { ...wireApiKey, name: 7 }, '"name" should be a string'],
  ])("refuse an API key with %s that cannot be read", async (_what, record, expected) => {
    const { client } = await startBench([json(200, record)]);
    const error = await errorOf(client.apiKeys.get(wireApiKey.id));
    expect(error).toBeInstanceOf(ContractError);
    expect(error.message).toContain(expected);
  });

  test.each(["2026-12-31T23:59:60Z", "2026-11-21T10:00:00,123Z", "2026-11-21T10:00:00+02"])(
    "take %s as a time",
    async (expires_at) => {
      const { client } = await startBench([json(200, { ...wireApiKey, expires_at })]);
      expect((await client.apiKeys.get(wireApiKey.id)).expiresAt).toBe(expires_at);
    },
  );

  test.each(["max_concurrent_sessions", "max_concurrent_invocations", "max_pooled_sessions"])(
    "refuse limits whose %s cannot be read: no value would mean no cap",
    async (member) => {
      const { client } = await startBench([json(200, { [member]: "7" })]);
      expect(await errorOf(client.projects.limits(wireProject.id))).toBeInstanceOf(ContractError);
    },
  );
});
