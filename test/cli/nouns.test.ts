import { sha256Of } from "../../src/archive/index.js";
import { stored } from "../emulator/calls.js";
import { useEmulator } from "../support/emulator.js";
import { extensionZip } from "../support/stored-zip.js";
import { type Play, play } from "./played-terminal.js";

const secret = "sk_0123456789abcdefghij";
const bytes = extensionZip("blocker");
const [size, checksum] = [`${bytes.length} bytes`, sha256Of(bytes)];

/** Output of a noun for the records that the emulator starts with. */
interface Told {
  readonly list: readonly string[];
  /** Arguments of `get`: the id and, if names are unique, the name. */
  readonly idOrName: readonly string[];
  /** First lines of the output of `get`. */
  readonly get: readonly string[];
  /** Errors, by argument that finds nothing. */
  readonly missing: Readonly<Record<string, string>>;
  /** Ids or names found, by filter of `list`. */
  readonly filters: Readonly<Record<string, readonly string[]>>;
  readonly inProject: boolean;
  /** Sentence part for the record, if deletion exists. */
  readonly subject?: string;
}

const nouns: Readonly<Record<string, Told>> = {
  extensions: {
    list: [
      "ID    NAME      SIZE       CHECKSUM      UPLOADED",
      `<id>  (none)    <size>  ${checksum.slice(0, 12)}  2026-11-21`,
      `<id>  blocker   <size>  ${checksum.slice(0, 12)}  2026-11-21`,
    ],
    idOrName: ["<id>", "blocker"],
    get: [
      "ID         <id>",
      "NAME       blocker",
      "SIZE       <size>",
      `CHECKSUM   ${checksum}`,
      "UPLOADED   2026-11-21 10:00:00 UTC",
      "LAST USED  unknown",
    ],
    missing: { none: 'Reading the extension "none" failed: 404 not_found' },
    filters: { "--name blocker": ["blocker"], "--query LOCK": ["blocker"], "--offset 1": ["blocker"] },
    inProject: true,
    subject: 'extension "blocker" (id <id>, <size>, uploaded 2026-11-21)',
  },
  pools: {
    list: [
      "ID   NAME     SIZE  READY  LEASED  EXTENSIONS  CREATED",
      "two  nightly     3      1       0           0  2026-11-21",
      "one  agents     12     12       0           0  2026-11-21",
    ],
    idOrName: ["one", "agents"],
    get: [
      "ID                         one",
      "NAME                       agents",
      "SIZE                       12 browsers",
      "READY                      12",
      "LEASED                     0",
      "EXTENSIONS                 not set",
    ],
    missing: Object.fromEntries(
      ["none", "Agents", "a/b"].map((name) => [name, `There is no browser pool with the name "${name}".`]),
    ),
    filters: {
      "--query IGHT": ["two"],
      "--name agents": ["one"],
      "--name Agents": [],
      "--limit 1": ["two"],
      "--offset 1": ["one"],
    },
    inProject: true,
    subject: 'browser pool "agents" (id one, 12 browsers)',
  },
  profiles: {
    list: [
      "ID      NAME     CREATED     LAST USED",
      "mailer  mailer   2026-11-21  unknown",
      "buyer   buyer    2026-11-21  unknown",
    ],
    idOrName: ["buyer"],
    get: ["ID         buyer", "NAME       buyer", "CREATED    2026-11-21 10:00:00 UTC", "LAST USED  unknown"],
    missing: Object.fromEntries(
      ["none", "Buyer", "a/b"].map((name) => [name, `There is no profile with the name "${name}".`]),
    ),
    filters: {
      "--query UYE": ["buyer"],
      "--name buyer": ["buyer"],
      "--name Buyer": [],
      "--limit 1": ["mailer"],
      "--offset 1": ["buyer"],
    },
    inProject: true,
    subject: 'profile "buyer" (id buyer)',
  },
  proxies: {
    list: ["ID    NAME  TYPE    STATUS", "home  exit  isp     available", "own   own   custom  available"],
    idOrName: ["own"],
    get: [
      "ID            own",
      "NAME          own",
      "TYPE          custom",
      "STATUS        available",
      "PROTOCOL      https",
      "BYPASS HOSTS  none",
      "CONFIG        host proxy.example, port 3128, hasPassword",
      "ADDRESS       unknown",
      "LAST CHECKED  unknown",
    ],
    missing: Object.fromEntries(
      ["none", "Own"].map((name) => [name, `There is no proxy with the name "${name}".`]),
    ),
    filters: {
      "--query PROXY.ex": ["own"],
      "--name exit": ["home"],
      "--name Exit": [],
      "--limit 1": ["home"],
      "--offset 1": ["own"],
    },
    inProject: true,
    subject: 'proxy "own" (id own, custom)',
  },
  credentials: {
    list: [
      "ID     NAME   DOMAIN         SSO   CREATED",
      "mail   Mail   mail.example   none  2026-11-21",
      "store  store  store.example  none  2026-11-21",
    ],
    idOrName: ["store"],
    get: [
      "ID              store",
      "NAME            store",
      "DOMAIN          store.example",
      "SSO             none",
      "VALUES          username, password",
      "ONE-TIME CODES  no",
      "CREATED         2026-11-21 10:00:00 UTC",
      "CHANGED         2026-11-21 10:00:00 UTC",
    ],
    missing: Object.fromEntries(
      ["none", "Store"].map((name) => [name, `There is no credential with the name "${name}".`]),
    ),
    filters: {
      "--query IL.ex": ["mail"],
      "--name store": ["store"],
      "--name mail": [],
      "--domain store.example": ["store"],
      "--limit 1": ["mail"],
      "--offset 1": ["store"],
    },
    inProject: true,
    subject: 'credential "store" (id store, store.example)',
  },
  "telemetry-destinations": {
    list: [
      "ID    NAME  ENDPOINT                   FAILURES  LAST EXPORT",
      "logs  logs  https://otlp.example.com          0  unknown",
    ],
    idOrName: ["logs"],
    get: [
      "ID           logs",
      "NAME         logs",
      "ENDPOINT     https://otlp.example.com",
      "FAILURES     0",
      "DESCRIPTION  unknown",
      "HEADERS      X-Key, X-Tenant",
      "LAST EXPORT  unknown",
    ],
    missing: Object.fromEntries(
      ["none", "Logs"].map((name) => [name, `There is no telemetry destination with the name "${name}".`]),
    ),
    filters: { "--query OTLP.ex": ["logs"], "--name logs": ["logs"], "--name Logs": [], "--offset 1": [] },
    inProject: false,
    subject: 'telemetry destination "logs" (id logs)',
  },
  "credential-providers": {
    list: [
      "ID     NAME   TYPE         ENABLED  PRIORITY  CREATED",
      "spare  Spare  onepassword  no              5  2026-11-21",
      "vault  vault  onepassword  yes             0  2026-11-21",
    ],
    idOrName: ["vault"],
    get: [
      "ID        vault",
      "NAME      vault",
      "TYPE      onepassword",
      "ENABLED   yes",
      "PRIORITY  0",
      "CREATED   2026-11-21 10:00:00 UTC",
      "CHANGED   2026-11-21 10:00:00 UTC",
    ],
    missing: Object.fromEntries(
      ["none", "Vault"].map((name) => [name, `There is no credential provider with the name "${name}".`]),
    ),
    filters: {
      "--query PAR": ["spare"],
      "--name vault": ["vault"],
      "--name spare": [],
      "--limit 1": ["spare"],
      "--offset 1": ["vault"],
    },
    inProject: false,
    subject: 'credential provider "vault" (id vault)',
  },
  projects: {
    list: [
      "ID       NAME                      STATUS    CREATED",
      "evil     a\\u001b[31m\\u009b\\u202eb  active    2026-11-21",
      "live     本番                      active    2026-11-21",
      "trial    Trial                     archived  2026-11-21",
      "default  Default                   active    2026-11-21",
    ],
    idOrName: ["live", "本番"],
    get: [
      "ID       live",
      "NAME     本番",
      "STATUS   active",
      "CREATED  2026-11-21 10:00:00 UTC",
      "UPDATED  2026-11-21 10:00:00 UTC",
    ],
    missing: Object.fromEntries(
      ["none", "trial/none", "TRIAL "].map((name) => [name, "There is no project with the name"]),
    ),
    filters: {
      "--query ria": ["trial"],
      "--name Trial": ["trial"],
      "--name trial": [],
      "--status archived": ["trial"],
      "--status active --limit 2": ["evil", "live"],
      "--status active --offset 1 --limit 1": ["live"],
      "--offset 3": ["default"],
      "--offset 9": [],
    },
    inProject: false,
    subject: 'project "本番" (id live)',
  },
  "api-keys": {
    list: [
      "ID        NAME  KEY           PROJECT  CREATED     EXPIRES",
      "key-old   ci    sk_ol...ef    all      2026-11-21  expired",
      "key-live  live  sk_liv...def  本番     2026-11-21  2099-01-31",
      "key-ci    ci    sk_01...ij    all      2026-11-21  never",
    ],
    idOrName: ["key-old"],
    get: [
      "ID          key-old",
      "NAME        ci",
      "KEY         sk_ol...ef",
      "PROJECT     all",
      "CREATED     2026-11-21 10:00:00 UTC",
      "LAST USED   unknown",
      "CREATED BY  Emulator",
      "EXPIRES     2026-01-01 00:00:00 UTC (expired)",
    ],
    missing: { none: 'Reading the API key "none" failed: 404 not_found' },
    filters: {
      "--name ci": ["key-old", "key-ci"],
      "--query LIV": ["key-live"],
      "--status deleted": [],
      "--limit 1": ["key-old"],
      "--offset 2": ["key-ci"],
    },
    inProject: false,
    subject: 'API key "ci" (id key-old, sk_ol...ef)',
  },
  apps: {
    list: [
      "ID   APP           STATUS   CREATED",
      "two  shop@beta     running  2026-11-21",
      "one  agent@latest  running  2026-11-21",
    ],
    idOrName: ["one"],
    get: [
      "ID          one",
      "APP         agent@latest",
      "STATUS      running",
      "CREATED     2026-11-21 10:00:00 UTC",
      "REASON      unknown",
      "ENTRYPOINT  index.ts",
      `CHECKSUM    ${"0".repeat(64)}`,
      "VARIABLES   MODE, TOKEN",
    ],
    missing: { none: 'Reading the deployment "none" failed: 404 not_found' },
    filters: {
      "--app-name shop --app-version beta": ["two"],
      "--query agent": ["one"],
      "--limit 1": ["two"],
      "--offset 1": ["one"],
    },
    inProject: true,
    subject: 'app deployment "agent@latest" (id one)',
  },
  "auth-connections": {
    list: [
      "ID    PROFILE  DOMAIN        STATUS         LAST LOGIN",
      "bank  buyer    bank.example  AUTHENTICATED  none",
      "shop  buyer    shop.example  NEEDS_AUTH     IN_PROGRESS, DISCOVERING",
    ],
    idOrName: ["bank"],
    get: [
      "ID                          bank",
      "PROFILE                     buyer",
      "DOMAIN                      bank.example",
      "STATUS                      AUTHENTICATED",
      "LAST LOGIN                  none",
      "LAST CHECK                  unknown",
      "CAN LOG IN AGAIN BY ITSELF  no (no_credential)",
    ],
    missing: { none: 'Reading the auth connection "none" failed: 404 not_found' },
    filters: {
      "--profile-name buyer --domain shop.example": ["shop"],
      "--query bank": ["bank"],
      "--limit 1": ["bank"],
      "--offset 1": ["shop"],
    },
    inProject: true,
    subject: "auth connection bank (profile buyer at bank.example)",
  },
};

describe("browser-infra list, get, rename and delete of every noun", () => {
  const emulator = useEmulator({
    now: () => new Date("2026-11-21T10:00:00Z"),
    apiKeys: [secret],
    seed: {
      defaultProject: { id: "default", name: "Default" },
      projects: [
        { id: "trial", name: "Trial", status: "archived" },
        { id: "live", name: "本番" },
        { id: "evil", name: "a\u001b[31m\u009b\u202eb" },
      ],
      apiKeys: [
        { id: "key-ci", name: "ci", key: secret },
        {
          id: "key-live",
          name: "live",
          key: "sk_live_0123456789abcdef",
          project: "本番",
          expiresAt: "2099-01-31T00:00:00Z",
        },
        { id: "key-old", name: "ci", key: "sk_old_0123456789abcdef", expiresAt: "2026-01-01T00:00:00Z" },
      ],
      profiles: [
        { id: "buyer", name: "buyer" },
        { id: "mailer", name: "mailer" },
      ],
      credentials: [
        {
          id: "store",
          name: "store",
          domain: "store.example",
          values: { username: "ada", password: "secret" },
        },
        { id: "mail", name: "Mail", domain: "mail.example", values: {} },
        { id: "far", name: "store", domain: "store.example", values: {}, project: "evil" },
      ],
      telemetryDestinations: [
        {
          id: "logs",
          name: "logs",
          endpoint: "https://otlp.example.com",
          headers: { "x-key": "secret", "X-Tenant": "1" },
        },
      ],
      credentialProviders: [
        { id: "vault", name: "vault", token: "ops_correct" },
        { id: "spare", name: "Spare", token: "ops_spare", enabled: false, priority: 5 },
      ],
      proxies: [
        {
          id: "own",
          name: "own",
          type: "custom",
          config: { host: "proxy.example", port: 3128, password: "secret" },
        },
        { id: "home", name: "exit", type: "isp" },
        { id: "theirs", name: "exit", type: "isp", project: "evil" },
      ],
      browserPools: [
        { id: "one", name: "agents", size: 12 },
        { id: "two", name: "nightly", size: 3, filled: false },
        { id: "other", name: "agents", size: 1, project: "evil" },
      ],
      deployments: [
        { id: "one", appName: "agent", envVarNames: ["MODE", "TOKEN"] },
        { id: "two", appName: "shop", version: "beta" },
        { id: "elsewhere", project: "evil", appName: "other" },
      ],
      authConnections: [
        { id: "shop", domain: "shop.example", profileName: "buyer", startLogin: true },
        { id: "bank", domain: "bank.example", profileName: "buyer", status: "AUTHENTICATED" },
        { id: "mail", domain: "mail.example", profileName: "reader", project: "evil" },
      ],
    },
  });
  let extensionId: string;
  beforeEach(async () => {
    ({ id: extensionId } = await stored(emulator, { name: "blocker", bytes }));
    await stored(emulator, { bytes });
    await stored(emulator, { name: "other", headers: { "x-kernel-project-id": "evil" } });
  });

  const run = (args: readonly string[], options?: Play) =>
    play(
      emulator,
      args.map((arg) => arg.replace("<id>", extensionId)),
      options,
    );
  const sent = () => emulator.requests.length;
  const comparable = (text: string) =>
    text
      .replaceAll(/\b[a-z](?=[a-z]*\d)[a-z0-9]{23}\b/g, "<id>")
      .replaceAll(size, "<size>")
      .replaceAll(/ {2,}/g, "  ");
  const lines = (shown: readonly string[]) => comparable(shown.map((line) => `${line}\n`).join(""));
  const named = (out: string) =>
    (JSON.parse(out) as { id: string; name?: string }[]).map(({ id, name }) =>
      /^[a-z0-9]{24}$/.test(id) ? name : id,
    );

  describe.each(Object.entries(nouns))("%s", (group, told) => {
    const [idOrName = ""] = told.idOrName;

    test("list prints a table, and with --json an array of the records that get --json prints", async () => {
      const { exitCode, out, err } = await run([group, "list"]);
      expect([exitCode, comparable(out), err]).toEqual([0, lines(told.list), ""]);
      const json = await run([group, "list", "--json"]);
      const got = JSON.parse((await run([group, "get", idOrName, "--json"])).out);
      // A list of credentials does not have the names of their values.
      const listed = group === "credentials" ? { ...got, valueKeys: null } : got;
      expect([json.exitCode, json.err, JSON.parse(json.out)]).toEqual([
        0,
        "",
        expect.arrayContaining([listed]),
      ]);
      expect(json.out).not.toMatch(/[\p{Cc}\p{Cf}](?<!\n)/u);
    });

    test.each(Object.entries(told.filters))("list %s prints the matching records", async (filter, found) => {
      expect(named((await run([group, "list", "--json", ...filter.split(" ")])).out)).toEqual(found);
    });

    test("list without a match prints a note on standard error and ends with exit code 0", async () => {
      const { exitCode, out, err } = await run([group, "list", "--query", "nothing"]);
      const noun = told.subject?.split(/ (?="|bank)/)[0];
      expect([exitCode, out, err]).toEqual([0, "", `No ${noun === "proxy" ? "proxies" : `${noun}s`}.\n`]);
      const json = await run([group, "list", "--query", "nothing", "--json"]);
      expect(json).toEqual({ exitCode: 0, out: "[]\n", err: "" });
    });

    test.each(told.idOrName)("get finds the record %s", async (one) => {
      const { exitCode, out, err } = await run([group, "get", one]);
      const begin = lines(told.get);
      expect([exitCode, comparable(out).slice(0, begin.length), err]).toEqual([0, begin, ""]);
    });

    test.each(Object.entries(told.missing))(
      "get of %j, which does not exist, ends with exit code 3",
      async (one, reason) => {
        const { exitCode, out, err } = await run([group, "get", one]);
        expect([exitCode, out]).toEqual([3, ""]);
        expect(err).toContain(`error: ${reason}`);
      },
    );

    test("list takes --project only if the records belong to a project", async () => {
      const { exitCode, out, err } = await run([group, "list", "--json", "--project", "evil"]);
      if (told.inProject) {
        expect([exitCode, JSON.parse(out).length]).toEqual([0, 1]);
      } else {
        expect([exitCode, err]).toEqual([2, expect.stringContaining("unknown option '--project'")]);
      }
    });
  });

  describe.each(Object.entries(nouns).filter(([, { subject }]) => subject))("%s delete", (group, told) => {
    const { subject = "", idOrName: ways } = told;
    const [idOrName = "", name = idOrName] = ways;

    test("delete asks in a terminal, and deletes the record by id only after yes", async () => {
      // The last answer ends the input, and with the input the line.
      for (const answer of [{ answer: "" }, { answer: "n" }, { answer: "yesterday" }, {}]) {
        const declined = await run([group, "delete", name], { terminal: 80, ...answer });
        expect([declined.exitCode, declined.out]).toEqual([4, ""]);
        expect(comparable(declined.err).replace("] \n", "] ")).toBe(
          `Delete ${subject}? [y/N] Nothing was deleted.\n`,
        );
      }
      expect(emulator.requests.filter(({ method }) => method === "DELETE")).toEqual([]);
      const whole = JSON.parse((await run([group, "get", idOrName, "--json"])).out);
      const deleted = await run([group, "delete", name, "--json"], { terminal: 80, answer: " Yes " });
      expect([deleted.exitCode, JSON.parse(deleted.out)]).toEqual([0, whole]);
      const path = new RegExp(`/${whole.id}$`);
      expect(emulator.requests.at(-1)).toMatchObject({ method: "DELETE", path: expect.stringMatching(path) });
      expect(await run([group, "delete", idOrName, "--yes"])).toMatchObject({ exitCode: 3, out: "" });
    });

    test("delete outside a terminal requires --yes, and sends nothing otherwise", async () => {
      const before = sent();
      const refused = await run([group, "delete", name]);
      expect(refused).toMatchObject({ exitCode: 2, out: "" });
      expect([refused.err, sent()]).toEqual([expect.stringContaining("Pass --yes"), before]);
      const { exitCode, out, err } = await run([group, "delete", name, "--yes"]);
      expect([exitCode, comparable(out), err]).toEqual([0, `Deleted ${subject}.\n`, ""]);
    });
  });

  test.each([
    ["list --limit 0", "whole number of at least 1"],
    ["list --limit x", "whole number of at least 1"],
    ["list --offset -1", "whole number of at least 0"],
    ["list --status gone", "Allowed choices are active, archived."],
    ["list --bogus", "unknown option '--bogus'"],
    ["get -dash", 'unknown option \'-dash\'\nPut "--" before a name or id that begins with "-".\n'],
    ["list extra", "too many arguments"],
    ["list --query ", '"query" must be a string of 1 to 255 characters'],
    ["get", "missing required argument"],
    ["gt", "Did you mean get?"],
  ])("projects %s is wrong usage: exit code 2, and nothing is sent", async (args, reason) => {
    const before = sent();
    const { exitCode, out, err } = await run(["projects", ...args.split(" ")]);
    expect([exitCode, out, sent()]).toEqual([2, "", before]);
    expect(err).toContain(reason);
  });

  test("pools delete deletes a pool without a name by its id, and prints that the pool has no name", async () => {
    emulator.browserPools.create({ id: "nameless", size: 1 });
    const { out } = await run(["pools", "delete", "nameless", "--yes"]);
    expect(out).toBe("Deleted browser pool nameless (no name, 1 browser).\n");
  });

  test("Ctrl+C at the confirmation of delete ends with exit code 130 and deletes nothing", async () => {
    const { exitCode, out, err } = await run(["pools", "delete", "one"], { terminal: 80, answer: "SIGINT" });
    expect([exitCode, out]).toEqual([130, ""]);
    expect(err).toMatch(/\[y\/N\] \n$/);
    expect(emulator.browserPools.list().map(({ id }) => id)).toContain("one");
  });

  describe.each([
    ["projects", "本番", "project live", "本番"],
    ["api-keys", "key-live", "API key key-live", "live"],
  ])("%s rename", (group, idOrName, subject, previousName) => {
    test("rename prints the previous name, so that the change can be undone", async () => {
      expect(await run([group, "rename", idOrName, "new\u202e 2"])).toEqual({
        exitCode: 0,
        out: `Renamed ${subject} from "${previousName}" to "new\\u202e 2".\n`,
        err: "",
      });
      const [, id = ""] = / (\S+)$/.exec(subject) ?? [];
      const record = JSON.parse((await run([group, "rename", id, previousName, "--json"])).out);
      expect(record).toMatchObject({ id, name: previousName, previousName: "new\u202e 2" });
    });

    test.each([[""], ["x".repeat(256)], [secret]])(
      "rename to %j is refused before any write, and a secret is not shown",
      async (name) => {
        const { exitCode, out, err } = await run([group, "rename", idOrName, name]);
        const writes = emulator.requests.filter(({ method }) => method !== "GET" && method !== "POST");
        expect([exitCode, out, writes]).toEqual([2, "", []]);
        expect(err).not.toContain(secret);
      },
    );

    test("rename of a record that does not exist ends with exit code 3", async () => {
      expect(await run([group, "rename", "none", "new"])).toMatchObject({ exitCode: 3, out: "" });
    });

    test("rename ends with exit code 5 when every response is lost", async () => {
      const times = Number.POSITIVE_INFINITY;
      emulator.faults.add({ method: "PATCH", at: "after-commit", times, action: "reset" });
      const { exitCode, err } = await run([group, "rename", idOrName, "new"]);
      expect([exitCode, err]).toEqual([5, expect.stringMatching(/either the old \w+ or the new \w+/)]);
    });
  });
});
