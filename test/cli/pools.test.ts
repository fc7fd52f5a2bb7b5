import { type Emulator, startEmulator } from "../../src/emulator/index.js";
import { type Play, play } from "./played-terminal.js";

describe("browser-infra pools", () => {
  let emulator: Emulator;
  beforeAll(async () => {
    emulator = await startEmulator({
      now: () => new Date("2026-11-21T10:00:00Z"),
      seed: {
        projects: [{ id: "staging", name: "Staging" }],
        browserPools: [
          { id: "one", name: "agents", size: 12 },
          { id: "two", name: "nightly", size: 3, filled: false },
          { id: "other", name: "agents", size: 1, project: "Staging" },
        ],
      },
    });
    emulator.browserPools.acquire("one");
    emulator.browserPools.create({ id: "nameless", size: 1 });
    emulator.browserPools.create({
      id: "full",
      name: "evil",
      size: 2,
      profile: { name: "shopper\u001b[31m" },
      proxyId: "prx_1",
      startUrl: "https://example.com/",
      chromePolicy: { BookmarkBarEnabled: false, ShowHomeButton: true },
      viewport: { width: 1280, height: 800 },
      headless: true,
      telemetry: { enabled: true },
    });
  });
  afterAll(() => emulator.close());

  const pools = (args: string, options?: Play) => play(emulator, ["pools", ...args.split(" ")], options);

  test("list shows the pools of the project, newest first, with how many browsers are ready", async () => {
    expect(await pools("list")).toEqual({
      exitCode: 0,
      out: [
        "ID        NAME     SIZE  READY  LEASED  EXTENSIONS  CREATED\n",
        "full      evil        2      0       0           0  2026-11-21\n",
        "nameless  (none)      1      0       0           0  2026-11-21\n",
        "two       nightly     3      0       0           0  2026-11-21\n",
        "one       agents     12     11       1           0  2026-11-21\n",
      ].join(""),
      err: "",
    });
    const staging = await pools("list --project Staging --json");
    expect(JSON.parse(staging.out)).toMatchObject([{ id: "other", name: "agents", availableCount: 1 }]);
  });

  test("a narrow terminal leaves out what tells the least", async () => {
    const { out } = await pools("list", { terminal: 44, env: { NO_COLOR: "1" } });
    expect(out.split("\n")[0]?.trimEnd()).toBe("ID        NAME     SIZE  READY  LEASED");
  });

  test.each([
    ["--query IGHT", ["two"]],
    ["--name agents", ["one"]],
    ["--name Agents", []],
    ["--limit 2", ["full", "nameless"]],
    ["--offset 3", ["one"]],
  ])("list %s", async (filter, ids) => {
    const { out } = await pools(`list --json ${filter}`);
    expect((JSON.parse(out) as { id: string }[]).map(({ id }) => id)).toEqual(ids);
  });

  test("an empty list is reported on standard error", async () => {
    expect(await pools("list --query nothing")).toEqual({
      exitCode: 0,
      out: "",
      err: "No browser pools.\n",
    });
  });

  test("get shows every setting, and no character of it can steer a terminal", async () => {
    const { out } = await pools("get evil");
    const profileId = /PROFILE +shopper\\u001b\[31m \(id ([a-z0-9]{24})\)\n/.exec(out)?.[1] ?? "";
    expect(out.replace(profileId, "<id>")).toBe(
      [
        "ID                         full\n",
        "NAME                       evil\n",
        "SIZE                       2 browsers\n",
        "READY                      0\n",
        "LEASED                     0\n",
        "EXTENSIONS                 not set\n",
        "PROFILE                    shopper\\u001b[31m (id <id>)\n",
        "REFRESH ON PROFILE UPDATE  yes\n",
        "PROXY                      prx_1\n",
        "POLICIES                   BookmarkBarEnabled, ShowHomeButton\n",
        "VIEWPORT                   1280x800 at 60 Hz\n",
        "HEADLESS                   yes\n",
        "STEALTH                    no\n",
        "KIOSK MODE                 no\n",
        "START URL                  https://example.com/\n",
        "TIMEOUT                    10 min\n",
        "FILL RATE                  25 % in a minute\n",
        "TELEMETRY                  control, connection, system, captcha\n",
        "CREATED                    2026-11-21 10:00:00 UTC\n",
      ].join(""),
    );
  });

  test.each(["one", "agents"])("get finds %s", async (idOrName) => {
    expect((await pools(`get ${idOrName}`)).out).toContain("READY                      11\n");
    expect(JSON.parse((await pools(`get ${idOrName} --json`)).out)).toMatchObject({
      id: "one",
      acquiredCount: 1,
      viewport: null,
    });
  });

  test.each(["none", "Agents", "a/b"])("get of %j ends with exit code 3", async (name) => {
    const { exitCode, out, err } = await pools(`get ${name}`);
    expect([exitCode, out]).toEqual([3, ""]);
    expect(err).toContain(`error: There is no browser pool with the name "${name}".`);
  });

  test("delete asks first, and a pool whose browsers are leased stays", async () => {
    const declined = await pools("delete two", { terminal: 80, answer: "n\n" });
    expect(declined.err).toContain('Delete browser pool "nightly" (id two, 3 browsers)?');
    expect(await pools("delete two")).toMatchObject({ exitCode: 2, out: "" });
    const leased = await pools("delete one --yes");
    expect(leased).toMatchObject({ exitCode: 1, out: "" });
    expect(leased.err).toContain("Release the browsers that are leased");
    expect(emulator.browserPools.list().map(({ id }) => id)).toEqual(expect.arrayContaining(["one", "two"]));
    expect((await pools("delete nightly --yes")).out).toBe(
      'Deleted browser pool "nightly" (id two, 3 browsers).\n',
    );
    expect((await pools("delete nameless --yes")).out).toContain("nameless (no name, 1 browser)");
    expect(await pools("delete two --yes")).toMatchObject({ exitCode: 3 });
  });
});
