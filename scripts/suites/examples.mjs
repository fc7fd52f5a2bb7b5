import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateSdks } from "../sdks/sdks.mjs";
import { packPackage } from "../setup/npm.mjs";
import { runCommand } from "../setup/process/run-command.mjs";
import { findOnPath, withFirstOnPath } from "../setup/process/search-path.mjs";
import { projectFolder } from "../setup/project.mjs";
import { offlinePulumi } from "../setup/pulumi-cli/pulumi-cli.mjs";
import { attempt, chosen } from "./cases.mjs";
import { versions } from "./programs/rows.mjs";
import { installTool } from "./programs/tools.mjs";

const exampleSecondsMax = 600;

/**
 * Takes each example out of the packed package, installs that package there, and runs the commands
 * of its README exactly as written, against the emulator. Then a preview must be empty and a destroy
 * must succeed. Needs npm's registry, and gets pnpm from there. Rejects with `CommandFailed` or
 * `SetUpError` when it cannot try anything.
 *
 * @param {import("./cases.mjs").Place} place
 */
export async function testExamples({ tools, env: isolated, only }) {
  const all = readdirSync(join(projectFolder, "examples"));
  // The README of the emulator's container needs Docker.
  const examples = chosen(
    all.filter((example) => example !== "emulator-container"),
    only,
  );
  const folder = mkdtempSync(join(tmpdir(), "browser-infra-examples-"));
  try {
    // The package contains them.
    await generateSdks(tools);
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
    } else if (file.endsWith("seed.json")) {
      // A login that needs no person.
      const text = readFileSync(path, "utf8");
      writeFileSync(path, text.replace('"scenario": "password"', '"scenario": "reauthentication"'));
    }
  }
}

/** Starts the login of the first auth connection that some project gets: what a person would do. */
const startLogin = `
const { BrowserInfraClient } = require("pulumi-browser-infra/client");
const { BROWSER_INFRA_API_KEY: apiKey, BROWSER_INFRA_BASE_URL: baseUrl } = process.env;
const client = new BrowserInfraClient({ apiKey, baseUrl });
(async () => {
  for (;;) {
    for (const { id: projectId } of await client.projects.list()) {
      const { authConnections } = client.inProject(projectId);
      const [connection] = await authConnections.list();
      if (connection !== undefined) {
        return authConnections.startLogin(connection.id);
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
})().finally(() => client.close());
`;

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
    readme.includes("waits for the login")
      ? commands.replace("pulumi up", "node start-login.cjs &\npulumi up")
      : commands,
    // "--config" writes to the stack's configuration, so these commands know its settings too.
    `pulumi preview --expect-no-changes${options}`,
    `pulumi destroy${options}`,
  ];
  mkdirSync(join(program, ".state"));
  writeFileSync(join(program, "start-login.cjs"), startLogin);
  await runCommand(findOnPath("bash") ?? "bash", ["-c", script.join("\n")], {
    cwd: program,
    env: {
      // The published language host for Python does not read "virtualenv" in Pulumi.yaml.
      ...withFirstOnPath(env, join(program, "venv", "bin")),
      PULUMI_HOME: join(program, ".pulumi-home"),
      PULUMI_BACKEND_URL: `file://${join(program, ".state")}`,
      PULUMI_CONFIG_PASSPHRASE: "",
      ...offlinePulumi,
      PULUMI_SKIP_CONFIRMATIONS: "true",
    },
    secondsMax: exampleSecondsMax,
  });
}
