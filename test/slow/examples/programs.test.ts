import { execFile } from "node:child_process";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

const root = resolve(__dirname, "../../..");

/**
 * Six deployments, half of them with a type check of the program. Nothing here waits for a time.
 */
const limitMs = 1_200_000;

describe("kinds of programs, with the real engine", () => {
  test(
    "programs in every form of TypeScript and JavaScript deploy one stack in turn, each with an edit",
    async () => {
      const script = join(root, "scripts/suites/programs/sample.mjs");
      const { stdout } = await promisify(execFile)(process.execPath, [script], { cwd: root });
      expect(stdout.trim().split("\n")).toEqual([
        "typescript: deployed",
        "typescript-esm: deployed",
        "type-stripping: deployed",
        "prebuilt: deployed",
        "javascript-esm: deployed",
        "javascript: deployed",
        "drift seen, stack destroyed",
      ]);
    },
    limitMs,
  );
});
