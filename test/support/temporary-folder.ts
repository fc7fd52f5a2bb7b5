import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const made: string[] = [];

afterAll(() => {
  for (const folder of made.splice(0)) {
    rmSync(folder, { recursive: true, force: true });
  }
});

/**
 * A new empty folder, removed after the last test of the file. `parent`: the folder it is in, made
 * when missing; by default that of the system for temporary files. Its path has no symbolic links.
 */
export function temporaryFolder(parent = tmpdir()): string {
  mkdirSync(parent, { recursive: true });
  const folder = realpathSync(mkdtempSync(join(parent, "browser-infra-test-")));
  made.push(folder);
  return folder;
}
