import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { generateSdks } from "../sdks/sdks.mjs";
import { npmInstall, packPackage } from "../setup/npm.mjs";
import { runCommand } from "../setup/process/run-command.mjs";
import { findOnPath } from "../setup/process/search-path.mjs";
import { offlinePulumi } from "../setup/pulumi-cli/pulumi-cli.mjs";
import { attempt, chosen, inTwoLanes } from "./cases.mjs";

const languages = ["typescript", "javascript", "yaml", "python", "go"];
const subjects = ["extension", "environment", "component", "login"];
const secondsMax = 600;

/**
 * Output of `browser-infra init` of the packed package, in every language and with everything that
 * can be declared: written, installed and deployed by `--up` in an empty home outside of the clone.
 * Then a preview must be empty and a destroy must succeed. Needs the registries of npm, Python and
 * Go. Rejects with `CommandFailed` or `SetUpError` if no case can be tried.
 *
 * @param {import("./cases.mjs").Place} place
 */
export async function testInit({ tools, env: isolated, only }) {
  const all = languages.flatMap((language) => subjects.map((subject) => `${language}-${subject}`));
  const names = chosen(all, only);
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "browser-infra-init-"));
  try {
    // The package contains the SDKs.
    await generateSdks(tools);
    const tarball = await packPackage(folder, isolated);
    await npmInstall([tarball], { folder, env: isolated });
    const env = newcomersEnvironment(isolated);
    return await inTwoLanes(names, (name) => attempt(name, () => liveWith(name, folder, env)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Writes, deploys, previews and destroys a program, and stops the program's emulator.
 *
 * @param {string} name
 * @param {string} folder where the package is installed.
 * @param {NodeJS.ProcessEnv} env
 */
async function liveWith(name, folder, env) {
  const [language = "", subject = ""] = name.split("-");
  const home = join(folder, name);
  const program = join(home, "demo");
  mkdirSync(home);
  const run = {
    cwd: home,
    env: { ...env, HOME: home, PULUMI_HOME: join(home, ".pulumi") },
    secondsMax,
  };
  const command = join(folder, "node_modules", ".bin", "browser-infra");
  const options = ["--language", language, "--declare", subject, "--up"];
  const printed = await runCommand(command, ["init", "demo", ...options], run);
  try {
    const script =
      "set -e; . ./local.env.sh; pulumi preview --expect-no-changes; pulumi destroy --yes; pulumi stack rm --yes dev";
    await runCommand(findOnPath("bash") ?? "bash", ["-c", script], { ...run, cwd: program });
  } finally {
    process.kill(Number(/^ {2}kill (\d+) /m.exec(printed)?.[1]));
  }
  rmSync(home, { recursive: true, force: true });
}

/**
 * Environment of a newcomer with an empty home: only the caches of the package managers, and the
 * access to the registries, are this machine's.
 *
 * @param {NodeJS.ProcessEnv} env
 */
export function newcomersEnvironment(env) {
  const npmSettings = join(homedir(), ".npmrc");
  const goNames = ["GOCACHE", "GOENV", "GOMODCACHE"];
  const ofGo = JSON.parse(execFileSync("go", ["env", "-json", ...goNames], { encoding: "utf8", env }));
  return {
    ...offlinePulumi,
    npm_config_cache: join(homedir(), ".npm"),
    ...(existsSync(npmSettings) && { npm_config_userconfig: npmSettings }),
    PIP_CACHE_DIR: join(homedir(), ".cache", "pip"),
    CGO_ENABLED: "0",
    ...ofGo,
    ...env,
  };
}
