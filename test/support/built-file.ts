import { existsSync } from "node:fs";
import { resolve } from "node:path";

/**
 * Path of a file that the build makes, such as `dist/cli/main.js`. Throws when it is missing, so
 * that a test says so and does not wait for a process that cannot start.
 */
export function builtFile(path: string): string {
  const file = resolve(__dirname, "../..", path);
  if (!existsSync(file)) {
    throw new Error(`${path} is missing, which this test runs. Run "npm run build" first.`);
  }
  return file;
}
