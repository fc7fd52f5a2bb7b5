import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { programsFolder } from "./install-package.js";
import type { Stack } from "./stack.js";

/**
 * Imports existing objects: `browser-infra import` writes the file and prints the `pulumi` command.
 * `environment`: settings of the service.
 */
export async function importWithFile(
  stack: Stack,
  environment: NodeJS.ProcessEnv,
  what: "api-keys" | "extensions" | "pools" | "projects",
  ...ids: readonly string[]
): Promise<void> {
  const { stdout } = await promisify(execFile)(
    join(programsFolder, "node_modules", ".bin", "browser-infra"),
    ["import", what, ...ids, "--output", stack.path("import.json"), "--force"],
    { env: { ...process.env, ...environment } },
  );
  const [, args = ""] = /^ +pulumi (import --file .*)$/m.exec(stdout) ?? [];
  const options = args.replace(stack.path("import.json"), "import.json").split(" ");
  await stack.succeed(...options, "--yes", "--skip-preview");
}
