import { existsSync, mkdirSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { projectFolder } from "./project.mjs";

/**
 * Links the clone into its own node_modules. The examples have package.json files of their own, so
 * Node does not let them import the package of the clone by its name otherwise. "npm install"
 * removes the link; the next set-up restores it.
 */
export function linkOwnPackage() {
  const link = join(projectFolder, "node_modules", "pulumi-browser-infra");
  if (existsSync(link) && realpathSync(link) === realpathSync(projectFolder)) {
    return;
  }
  rmSync(link, { recursive: true, force: true });
  mkdirSync(join(projectFolder, "node_modules"), { recursive: true });
  try {
    symlinkSync("..", link, "dir");
  } catch (error) {
    // Several set-ups may run at once.
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EEXIST") {
      throw error;
    }
  }
}
