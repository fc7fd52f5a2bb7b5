import { type Emulator, startEmulator } from "../../src/emulator/index.js";
import { play } from "./played-terminal.js";

const secret = "sk_0123456789abcdefghij";

describe("browser-infra keys", () => {
  let emulator: Emulator;
  beforeEach(async () => {
    emulator = await startEmulator({
      now: () => new Date("2026-11-21T10:00:00Z"),
      apiKeys: [secret],
      seed: {
        projects: [{ id: "live", name: "Live" }],
        apiKeys: [
          { id: "key-ci", name: "ci", key: secret },
          {
            id: "key-live",
            name: "live",
            key: "sk_live_0123456789abcdef",
            project: "Live",
            expiresAt: "2099-01-31T00:00:00Z",
          },
          { id: "key-old", name: "ci", key: "sk_old_0123456789abcdef", expiresAt: "2026-01-01T00:00:00Z" },
        ],
      },
    });
  });
  afterEach(() => emulator.close());

  const keys = (...args: string[]) => play(emulator, ["keys", ...args]);

  test("list shows the keys, masked, and which of them have expired", async () => {
    expect(await keys("list")).toEqual({
      exitCode: 0,
      out: [
        "ID        NAME  KEY           PROJECT  CREATED     EXPIRES\n",
        "key-old   ci    sk_ol...ef    all      2026-11-21  expired\n",
        "key-live  live  sk_liv...def  Live     2026-11-21  2099-01-31\n",
        "key-ci    ci    sk_01...ij    all      2026-11-21  never\n",
      ].join(""),
      err: "",
    });
  });

  test("list takes name, query and status, and --json gives whole records", async () => {
    emulator.apiKeyRecords.remove("key-old");
    const ids = async (...args: string[]) =>
      (JSON.parse((await keys("list", "--json", ...args)).out) as { id: string }[]).map(({ id }) => id);
    expect(await ids("--name", "ci")).toEqual(["key-ci"]);
    expect(await ids("--name", "ci", "--status", "all")).toEqual(["key-old", "key-ci"]);
    expect(await ids("--query", "LIV")).toEqual(["key-live"]);
    expect(await ids("--limit", "1")).toEqual(["key-live"]);
    const deleted = await keys("list", "--status", "deleted");
    expect(deleted.out).toContain("deleted\n");
    const [record] = JSON.parse((await keys("list", "--json", "--name", "live")).out) as unknown[];
    expect(record).toMatchObject({
      projectName: "Live",
      deletedAt: null,
      createdBy: { name: expect.anything() },
    });
  });

  test("rename says the former name, so that it can be undone", async () => {
    expect(await keys("rename", "key-ci", "ci\u001b 2")).toEqual({
      exitCode: 0,
      out: 'Renamed the API key key-ci from "ci" to "ci\\u{1b} 2".\n',
      err: "",
    });
    expect(emulator.apiKeyRecords.list().find(({ id }) => id === "key-ci")?.name).toBe("ci\u001b 2");
    const { out } = await keys("rename", "key-ci", "ci", "--json");
    expect(JSON.parse(out)).toMatchObject({ id: "key-ci", name: "ci", previousName: "ci\u001b 2" });
  });

  test.each([
    ["the secret", secret, "is a secret key"],
    ["a secret of a short kind", "sk_short", "is a secret key"],
    ["a name", "my key", "contains whitespace: it is a name"],
    ["the masked form", "sk_0123...ghij", "is a masked key"],
  ])(
    "rename with %s for the id is refused before any request, and the value is not shown",
    async (_what, id, reason) => {
      const { exitCode, out, err } = await keys("rename", id, "new");
      expect([exitCode, out, emulator.requests.length]).toEqual([2, "", 0]);
      expect(err).toContain(reason);
      expect(err).not.toContain(id);
    },
  );

  test("rename refuses a name that is empty, too long or a secret", async () => {
    for (const name of ["", "x".repeat(256), secret]) {
      const { exitCode, err } = await keys("rename", "key-live", name);
      expect(exitCode).toBe(2);
      expect(err).not.toContain(secret);
    }
    expect(emulator.requests.every(({ method }) => method === "GET")).toBe(true);
  });

  test("rename of a key that does not exist ends with exit code 3", async () => {
    const { exitCode, err } = await keys("rename", "key-none", "new");
    expect(exitCode).toBe(3);
    expect(err).toContain('error: Reading the API key "key-none" failed: 404 not_found');
  });

  test("a rename whose answers are all lost ends with exit code 5", async () => {
    emulator.faults.add({
      method: "PATCH",
      at: "after-commit",
      times: Number.POSITIVE_INFINITY,
      action: "reset",
    });
    const { exitCode, err } = await keys("rename", "key-ci", "new");
    expect(exitCode).toBe(5);
    expect(err).toContain("either its former name or the new one");
  });

  test("a status that does not exist is wrong usage", async () => {
    expect(await keys("list", "--status", "gone")).toMatchObject({ exitCode: 2, out: "" });
  });
});
