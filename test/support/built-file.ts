import { existsSync } from "node:fs";
import { resolve } from "node:path";

/**
 * Path of a file of the build, such as `dist/cli/main.js`. Throws if the file is missing, so that a
 * test fails at once and does not wait for a process that cannot start.
 */
export function builtFile(path: string): string {
  const file = resolve(__dirname, "../..", path);
  if (!existsSync(file)) {
    throw new Error(`${path} is missing, which this test runs. Run "npm run build" first.`);
  }
  return file;
}
