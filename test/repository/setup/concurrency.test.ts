import { existsSync } from "node:fs";
import { join } from "node:path";
import { TemporaryClone } from "./temporary-clone.js";

let clone: TemporaryClone;
beforeEach(() => {
  clone = new TemporaryClone();
});

describe("a set-up that was killed while npm worked", () => {
  test("has changed nothing, and the next one removes what it left and sets up", async () => {
    const { child, ended } = clone.start("setup.mjs", [], { FAKE_NPM: "hang" });
    const npm = await clone.hangingNpm();
    try {
      child.kill("SIGKILL");
      await ended;
      expect(existsSync(join(clone.folder, "node_modules"))).toBe(false);
      expect(clone.leftovers()).toEqual([expect.stringMatching(/^partial-/)]);
      // The npm is still at work in the folder of the killed set-up.
      expect((await clone.run("setup.mjs")).code).toBe(0);
      expect(clone.leftovers()).toEqual([]);
      expect(existsSync(join(clone.folder, "node_modules", "half"))).toBe(false);
    } finally {
      process.kill(npm, "SIGKILL");
    }
  });
});

describe("two set-ups at the same time", () => {
  test("both succeed, and leave one complete result and nothing unfinished", async () => {
    const results = await Promise.all([1, 2].map(() => clone.run("setup.mjs", [], { FAKE_NPM: "slow" })));
    expect(results.map(({ code, stderr }) => [code, code === 0 ? "" : stderr])).toEqual([
      [0, ""],
      [0, ""],
    ]);
    expect(clone.leftovers()).toEqual([]);
    expect(await clone.run("setup.mjs")).toMatchObject({ code: 0, stderr: "" });
  });
});
