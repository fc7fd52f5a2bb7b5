import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packPackage } from "../setup/npm.mjs";
import { runCommand } from "../setup/process/run-command.mjs";
import { findOnPath, withFirstOnPath } from "../setup/process/search-path.mjs";
import { projectFolder } from "../setup/project.mjs";
import { offlinePulumi } from "../setup/pulumi-cli/pulumi-cli.mjs";
import { attempt, chosen } from "./cases.mjs";
import { versions } from "./programs/rows.mjs";
import { installTool } from "./programs/tools.mjs";

/** The suite `init` runs those that `browser-infra init` copies. A container needs Docker. */
const isTestedElsewhere = /^(quickstart|whole-environment|login-gate)|^emulator-container$/;

const exampleSecondsMax = 600;

/**
 * Takes each other example out of the packed package, installs that package there, and runs the
 * commands of its README exactly as written, against the emulator. Then a preview must be empty and a
 * destroy must succeed. Needs npm's registry, and gets pnpm from there. Rejects with `CommandFailed`
 * or `SetUpError` when it cannot try anything.
 *
 * @param {import("./cases.mjs").Place} place
 */
export async function testExamples({ env: isolated, only }) {
  const all = readdirSync(join(projectFolder, "examples")).filter((name) => !isTestedElsewhere.test(name));
  const examples = chosen(all, only);
  const folder = mkdtempSync(join(tmpdir(), "browser-infra-examples-"));
  try {
    const tarball = await packPackage(folder, isolated);
    await runCommand(
      findOnPath("tar") ?? "tar",
      ["-xzf", tarball, "--strip-components=1", "package/examples"],
      { cwd: folder, env: isolated, secondsMax: 60 },
    );
    // The README of the monorepo uses pnpm.
    const pnpm = await installTool("pnpm", versions.pnpm, isolated);
    const env = withFirstOnPath(isolated, join(pnpm, "..", ".bin"));
    const results = [];
    for (const example of examples) {
      const program = join(folder, "examples", example);
      useInstead(program, tarball);
      results.push(await attempt(example, () => runReadme(program, env)));
    }
    return results;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Names the tarball in place of the published package.
 *
 * @param {string} program
 * @param {string} tarball
 */
function useInstead(program, tarball) {
  for (const file of readdirSync(program, { recursive: true, encoding: "utf8" })) {
    const path = join(program, file);
    if (file.endsWith("package.json")) {
      const text = readFileSync(path, "utf8");
      writeFileSync(path, text.replace(/("pulumi-browser-infra": ")[^"]+/, `$1file:${tarball}`));
    }
  }
}

/**
 * Runs the commands of an example's README, and looks whether they did what they say. Rejects with
 * `CommandFailed` if one of them fails.
 *
 * @param {string} program
 * @param {NodeJS.ProcessEnv} env
 */
async function runReadme(program, env) {
  const readme = readFileSync(join(program, "README.md"), "utf8");
  const [, commands = "exit 1"] = /```sh\n([\s\S]*?)```/.exec(readme) ?? [];
  const options = / --cwd \S+/.exec(commands)?.[0] ?? "";
  const script = [
    // Each background job leads a process group of its own, and the emulators end with theirs.
    "set -em",
    `trap 'code=$?; for job in $(jobs -p); do kill -- -$job; done; exit $code' EXIT`,
    commands,
    // "--config" writes to the stack's configuration, so these commands know its settings too.
    `pulumi preview --expect-no-changes${options}`,
    `pulumi destroy${options}`,
  ];
  mkdirSync(join(program, ".state"));
  await runCommand(findOnPath("bash") ?? "bash", ["-c", script.join("\n")], {
    cwd: program,
    env: {
      ...env,
      PULUMI_HOME: join(program, ".pulumi-home"),
      PULUMI_BACKEND_URL: `file://${join(program, ".state")}`,
      PULUMI_CONFIG_PASSPHRASE: "",
      ...offlinePulumi,
      PULUMI_SKIP_CONFIRMATIONS: "true",
    },
    secondsMax: exampleSecondsMax,
  });
}
