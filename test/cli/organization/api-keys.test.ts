import { useEmulator } from "../../support/emulator.js";
import { play } from "../played-terminal.js";

const secret = "sk_0123456789abcdefghij";

describe("browser-infra api-keys", () => {
  const emulator = useEmulator({
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
        {
          id: "key-scoped",
          name: "scoped",
          policy: {
            statements: [
              { action: "profiles:read", resource: "projects/live/*", conditions: { a: "\u001b" } },
            ],
            version: 2,
          },
        },
        { id: "key-old", name: "ci", key: "sk_old_0123456789abcdef", expiresAt: "2026-01-01T00:00:00Z" },
      ],
    },
  });

  const apiKeys = (...args: string[]) => play(emulator, ["api-keys", ...args]);

  test("api-keys list omits deleted keys, unless --status includes deleted keys", async () => {
    emulator.apiKeyRecords.remove("key-old");
    const ids = async (...args: string[]) =>
      (JSON.parse((await apiKeys("list", "--json", ...args)).out) as { id: string }[]).map(({ id }) => id);
    expect(await ids("--name", "ci")).toEqual(["key-ci"]);
    expect(await ids("--name", "ci", "--status", "all")).toEqual(["key-old", "key-ci"]);
    expect((await apiKeys("list", "--status", "deleted")).out).toContain("deleted\n");
  });

  test("api-keys get reports that a key never expires, and with --json prints the complete record", async () => {
    expect((await apiKeys("get", "key-ci")).out).toContain("EXPIRES     never\n");
    expect(JSON.parse((await apiKeys("get", "key-live", "--json")).out)).toMatchObject({
      id: "key-live",
      projectName: "Live",
      expiresAt: "2099-01-31T00:00:00.000Z",
      deletedAt: null,
      createdBy: { name: expect.anything() },
    });
  });

  test("api-keys list and get show the policy of a key with limited rights", async () => {
    expect((await apiKeys("list", "--name", "scoped")).out).toMatch(/scoped .*by policy/);
    expect((await apiKeys("get", "key-scoped")).out).toMatch(
      /^POLICY +profiles:read on projects\/live\/\* with {"conditions":{"a":"\\u001b"}} with {"version":2}$/m,
    );
    expect((await apiKeys("get", "key-ci")).out).not.toContain("POLICY");
    const rotated = JSON.parse((await apiKeys("rotate", "key-scoped", "--yes", "--json")).out);
    expect(rotated.policy.statements).toHaveLength(1);
  });

  test("api-keys get finds a deleted key only with --deleted, and refuses a secret in place of the id", async () => {
    emulator.apiKeyRecords.remove("key-old");
    expect(await apiKeys("get", "key-old")).toMatchObject({ exitCode: 3, out: "" });
    const { exitCode, out } = await apiKeys("get", "key-old", "--deleted");
    expect(exitCode).toBe(0);
    expect(out).toMatch(/^DELETED +2026-/m);
    const secretly = await apiKeys("get", secret);
    expect(secretly).toMatchObject({ exitCode: 2, out: "" });
    expect(secretly.err).not.toContain(secret);
  });

  test.each([
    ["the secret key", secret, "is a secret key"],
    ["a short secret key", "sk_short", "is a secret key"],
    ["a name", "my key", "contains whitespace: it is a name"],
    ["the masked key", "sk_0123...ghij", "is a masked key"],
  ])(
    "api-keys rename refuses %s in place of the id before any request, and does not print the value",
    async (_what, id, reason) => {
      const { exitCode, out, err } = await apiKeys("rename", id, "new");
      expect([exitCode, out, emulator.requests.length]).toEqual([2, "", 0]);
      expect(err).toContain(reason);
      expect(err).not.toContain(id);
    },
  );

  /** The status of a request with a key. */
  const statusWith = async (key: string) =>
    (await fetch(`${emulator.url}/org/api_keys`, { headers: { authorization: `Bearer ${key}` } })).status;

  test("api-keys create prints the key once, with project and expiry, and warns that the key is not shown again", async () => {
    const created = await apiKeys("create", "agents", "--project", "Live", "--expires-in-days", "30");
    expect(created).toMatchObject({ exitCode: 0, err: "The key is not shown again. Save it now.\n" });
    const [, id = "", key = ""] = /^ID +(\S+)$[\s\S]*^KEY +(\S+)$/m.exec(created.out) ?? [];
    expect(created.out).toMatch(/^NAME +agents$/m);
    expect(created.out).toMatch(/^PROJECT +Live$/m);
    expect(created.out).toMatch(/^EXPIRES +2026-12-21 10:00:00 UTC$/m);
    expect(await statusWith(key)).toBe(200);
    expect((await apiKeys("get", id)).out).not.toContain(key);
    const whole = JSON.parse((await apiKeys("create", "agents", "--json")).out) as { key: string };
    expect(whole).toMatchObject({ name: "agents", projectId: null, expiresAt: null });
    expect(await statusWith(whole.key)).toBe(200);
  });

  test.each([
    [["create", "x", "--expires-in-days", "0"], "at least 1"],
    [["create", "x", "--expires-in-days", "9999"], "from 1 to 3650"],
    [["create", secret], "is a secret key"],
    [["rotate", "key-live", "--yes", "--keep-old-days", "-1"], "at least 0"],
    [["rotate", "key-live", "--yes", "--expires-in-days", "3", "--keep-old-days", "4"], "would outlive"],
    [["delete", secret, "--yes"], "is a secret key"],
  ])("api-keys with the arguments %j is refused before any change", async (args, reason) => {
    const { exitCode, out, err } = await apiKeys(...args);
    expect([exitCode, out]).toEqual([2, ""]);
    expect(err).toContain(reason);
    expect(err).not.toContain(secret);
    expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  test("api-keys create in a project that does not exist ends with exit code 1 and creates nothing", async () => {
    expect(await apiKeys("create", "x", "--project", "None")).toMatchObject({ exitCode: 1, out: "" });
    expect(emulator.apiKeyRecords.list()).toHaveLength(4);
  });

  test("api-keys create ends with exit code 5 when the response is lost, and names the remedy", async () => {
    emulator.faults.add({ method: "POST", at: "after-commit", action: "reset" });
    const { exitCode, out, err } = await apiKeys("create", "x");
    expect([exitCode, out]).toEqual([5, ""]);
    expect(err).toContain("A key with this name may exist, but its secret is lost.");
  });

  test("api-keys rotate ends the old key no later than a short-lived new key", async () => {
    const args = ["api-keys", "rotate", "key-live", "--expires-in-days", "3"];
    const { exitCode, err } = await play(emulator, args, { terminal: 80, answer: "y" });
    expect(err).toContain("The old key stops working in 3 days, if not before.");
    expect(exitCode).toBe(0);
  });

  test("api-keys rotate asks for confirmation, prints the new key, and ends the old key as announced", async () => {
    const rotate = (options: string[], answer: string) =>
      play(emulator, ["api-keys", "rotate", "key-live", ...options], { terminal: 80, answer });
    const declined = await rotate([], "n");
    expect(declined).toMatchObject({ exitCode: 4, out: "" });
    expect(declined.err).toBe(
      'Rotate API key "live" (id key-live, sk_liv...def)? The old key stops working in 7 days, if not before. [y/N] Nothing was rotated.\n',
    );
    expect(emulator.apiKeyRecords.list()).toHaveLength(4);
    const { exitCode, out } = await rotate(["--keep-old-days", "0", "--json"], "y");
    expect(exitCode).toBe(0);
    const { key } = JSON.parse(out) as { key: string };
    expect(await Promise.all([key, "sk_live_0123456789abcdef"].map(statusWith))).toEqual([200, 401]);
    expect(await apiKeys("rotate", "key-live")).toMatchObject({ exitCode: 2, out: "" });
    expect(await apiKeys("rotate", "key-none", "--yes")).toMatchObject({ exitCode: 3, out: "" });
  });

  test("api-keys delete makes a key invalid, and refuses to delete the key of the command itself", async () => {
    expect(await statusWith("sk_live_0123456789abcdef")).toBe(200);
    expect(await apiKeys("delete", "key-live", "--yes")).toMatchObject({ exitCode: 0, err: "" });
    expect(await statusWith("sk_live_0123456789abcdef")).toBe(401);
    const own = await apiKeys("delete", "key-ci", "--yes");
    expect(own.exitCode).toBe(1);
    expect(own.err).toContain("cannot_delete_current_key");
  });
});
