import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cloneStateFolder, projectFolder } from "../setup/project.mjs";

/**
 * End of the packages' history for tests, ISO 8601: the time of package-lock.json. Tests that
 * install packages as a user does get the newest versions of the given time, without later
 * publications. docs/maintainers/tests.md describes when to move the time.
 */
const lockedAt = "2026-11-26T12:00:00Z";

/**
 * Settings that make the package managers ignore versions newer than the lock: a time for npm, pnpm
 * and Yarn, and for pip the versions of scripts/sdks/requirements.txt. Go needs no setting, because
 * Go takes the versions in go.mod.
 *
 * @returns {Record<string, string>}
 */
export function settingsOfRegistries() {
  const minutes = String(Math.max(0, Math.ceil((Date.now() - Date.parse(lockedAt)) / 60_000)));
  const constraints = pipConstraints();
  return {
    npm_config_before: lockedAt,
    npm_config_minimum_release_age: minutes,
    YARN_NPM_MINIMAL_AGE_GATE: `${minutes}m`,
    PIP_CONSTRAINT: constraints,
    PIP_BUILD_CONSTRAINT: constraints,
  };
}

/** Writes the pinned versions without the hashes, because pip refuses a folder with hashes. */
function pipConstraints() {
  const pinned = readFileSync(join(projectFolder, "scripts/sdks/requirements.txt"), "utf8");
  const path = join(cloneStateFolder, "pip-constraints.txt");
  mkdirSync(cloneStateFolder, { recursive: true });
  writeFileSync(path, `${pinned.match(/^[\w.-]+==[^\s\\]+/gm)?.join("\n")}\n`);
  return path;
}
