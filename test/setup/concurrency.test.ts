import { existsSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { installPackages, TemporaryClone } from "./temporary-clone.js";

let clone: TemporaryClone;
beforeEach(() => {
  clone = new TemporaryClone();
});

describe("interrupted set-up", () => {
  test("ends its npm, releases its lock, and says so, on Ctrl-C", async () => {
    const { child, ended } = clone.start("setup.mjs", [], { FAKE_NPM: "hang" });
    const npm = await clone.hangingNpm();
    child.kill("SIGINT");
    const { code, stderr } = await ended;
    expect(code).toBe(130);
    expect(stderr).toContain("Interrupted. No unfinished files are left.");
    expect(isAlive(npm)).toBe(false);
    expect(clone.leftovers()).toEqual([]);
    expect((await clone.run("setup.mjs")).code).toBe(0);
    expect(existsSync(join(clone.folder, "node_modules", "half"))).toBe(false);
  });

  test("ends its npm when it is killed, and the next one removes what it left", async () => {
    const old = new TemporaryClone({ nodeMinimum: ">=99" });
    const { child, ended } = old.start("setup.mjs", [], { FAKE_NPM: "hang" });
    const npm = await old.hangingNpm();
    child.kill("SIGKILL");
    await ended;
    while (isAlive(npm)) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(old.leftovers().sort()).toEqual(["lock", expect.stringMatching(/^partial-/)]);

    const next = await old.run("setup.mjs", [], { FAKE_NPM: "fail" });
    expect(next.stderr).not.toContain("Waiting");
    expect(old.leftovers()).toEqual([]);
  });
});

describe("two set-ups at the same time", () => {
  test("do each step once: one waits for the other and says so", async () => {
    const results = await Promise.all([1, 2].map(() => clone.run("setup.mjs", [], { FAKE_NPM: "slow" })));
    expect(results.map(({ code }) => code)).toEqual([0, 0]);
    expect(results.map(({ stderr }) => stderr).join("")).toMatch(
      /Waiting for another set-up, because process \d+ on \S+ is setting up/,
    );
    expect(clone.takeCalls().filter((call) => call.startsWith("npm"))).toEqual([installPackages]);
    expect(clone.leftovers()).toEqual([]);
  });

  test("do not wait when the other has been silent for a minute, whatever process has its id now", async () => {
    const lock = join(clone.tools, "lock");
    mkdirSync(lock, { recursive: true });
    writeFileSync(join(lock, "holder"), JSON.stringify({ pid: process.pid, host: hostname() }));
    const twoMinutesAgo = Date.now() / 1000 - 120;
    utimesSync(join(lock, "holder"), twoMinutesAgo, twoMinutesAgo);
    const { code, stderr } = await clone.run("setup.mjs");
    expect(code).toBe(0);
    expect(stderr).not.toContain("Waiting");
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
