import { type BrowserInfraClient, ContractError } from "../../../src/client/index.js";
import { errorOf } from "../../support/error-of.js";
import { json, raw } from "../fault-server.js";
import { connectionId, wireRecord } from "../logins/login-server.js";
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

/** Operations of every noun of the client. */
interface Noun {
  list(): Promise<readonly { readonly id: string }[]>;
  delete(id: string): Promise<void>;
}

describe("ids in responses", () => {
  test.each<[string, object, (client: BrowserInfraClient) => Noun]>([
    ["extension", wireExtension, ({ extensions }) => extensions],
    ["project", wireProject, ({ projects }) => projects],
    ["browser pool", wireBrowserPool, ({ browserPools }) => browserPools],
    ["API key", wireApiKey, ({ apiKeys }) => apiKeys],
  ])("a response may have exactly the ids that a request path takes: %s", async (_noun, record, nounOf) => {
    const visible = Array.from({ length: 0x7f - 0x21 }, (_, at) => String.fromCharCode(0x21 + at));
    const lengths = [24, 64, 65, 255].map((length) => "x".repeat(length));
    const taken: unknown[] = [];
    let id: unknown;
    const { client } = await startBench([
      (socket, request) =>
        (request.method === "DELETE" ? raw("HTTP/1.1 204 Gone\r\n\r\n") : json(200, [{ ...record, id }]))(
          socket,
          request,
        ),
    ]);
    const noun = nounOf(client);
    for (id of [...visible, ...visible.map((each) => `a${each}`), ...lengths, "sk_1234"]) {
      const [inAnswer, inPath] = await Promise.allSettled([noun.list(), noun.delete(id as string)]);
      expect({ id, status: inAnswer.status }).toEqual({ id, status: inPath.status });
      if (inPath.status === "fulfilled") {
        taken.push(id);
      }
    }
    expect(taken).toContain("a-");
    expect(taken).not.toContain("a/");
    for (id of badIds) {
      expect(await errorOf(noun.list())).toBeInstanceOf(ContractError);
    }
  });
});

describe("members that only inform", () => {
  test.each([...times, ...bad].map((value) => [JSON.stringify(value), value]))(
    "informative members that are %s read as null, and the row stays in the list",
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

  test("unreadable informative members of an auth connection read as null, and the connection is read", async () => {
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

  test("unreadable informative members do not put a successful rename or upload in doubt", async () => {
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
  test.each(["2026-12-31T23:59:60Z", "2026-11-21T10:00:00,123Z", "2026-11-21T10:00:00+02"])(
    "expiresAt of an API key accepts %s as a time",
    async (expires_at) => {
      const { client } = await startBench([json(200, { ...wireApiKey, expires_at })]);
      expect((await client.apiKeys.get(wireApiKey.id)).expiresAt).toBe(expires_at);
    },
  );
});
