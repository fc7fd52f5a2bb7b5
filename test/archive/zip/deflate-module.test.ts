import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { testWhereAvailable } from "../../support/where-available.js";

const repository = join(__dirname, "../../..");
const committed = join(repository, "src/archive/zip/deflate-module.ts");

/**
 * File generated from the sources of libdeflate, or the reason why generation is impossible here.
 */
function generated(): { file: string } | { reason: string } {
  const file = join(temporaryFolder(), "deflate-module.ts");
  try {
    execFileSync(process.execPath, ["scripts/deflate/generate.mjs", file], {
      cwd: repository,
      stdio: "pipe",
      timeout: 400_000,
    });
    return { file };
  } catch (error) {
    const { status, stderr } = error as { status: number | null; stderr: Buffer };
    const unavailable = 69;
    if (status !== unavailable) {
      throw new Error(`generating the module failed: ${stderr}`);
    }
    return { reason: stderr.toString().trim() };
  }
}

// Generated while the tests are collected, because only then a test can be marked as to do.
const outcome = generated();
const title = "the compressor's committed module equals a module generated from the sources, byte for byte";

describe("archive: the compressor's module", () => {
  testWhereAvailable(title, "reason" in outcome ? outcome.reason : undefined, () => {
    const file = "file" in outcome ? outcome.file : "";
    expect(readFileSync(file).equals(readFileSync(committed))).toBe(true);
  });
});
