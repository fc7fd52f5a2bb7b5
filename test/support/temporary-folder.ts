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
 * Path, without symbolic links, of a new empty folder, removed after the last test of the file.
 * `parent`: parent folder, created if missing. Default: the system's folder for temporary files.
 */
export function temporaryFolder(parent = tmpdir()): string {
  mkdirSync(parent, { recursive: true });
  const folder = realpathSync(mkdtempSync(join(parent, "browser-infra-test-")));
  made.push(folder);
  return folder;
}
