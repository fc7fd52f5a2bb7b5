import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { logInAt } from "../demo/log-in.mjs";
import { generateSdks } from "../sdks/sdks.mjs";
import { packPackage } from "../setup/npm.mjs";
import { runCommand } from "../setup/process/run-command.mjs";
import { findOnPath, withFirstOnPath } from "../setup/process/search-path.mjs";
import { projectFolder } from "../setup/project.mjs";
import { attempt, chosen, inTwoLanes } from "./cases.mjs";
import { newcomersEnvironment } from "./init.mjs";
import { versions } from "./programs/rows.mjs";
import { installTool } from "./programs/tools.mjs";

/** Examples without a program. The README of the container needs Docker, and the package from npm's registry. */
const others = ["emulator-container", "policies"];

const exampleSecondsMax = 600;

/**
 * Extracts each example with a program from the packed package, and runs the commands of the README
 * exactly as written, in an empty home. Only the tarball gives the package its name. Then a preview
 * must be empty and a destroy must succeed. Needs the registries of npm, Python and Go, and gets
 * pnpm from npm's. Rejects with `CommandFailed` or `SetUpError` if no case can be tried.
 *
 * @param {import("./cases.mjs").Place} place
 */
export async function testExamples({ tools, env: isolated, only }) {
  const all = readdirSync(join(projectFolder, "examples")).filter((name) => !others.includes(name));
  const examples = chosen(all, only);
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "browser-infra-examples-"));
  try {
    // The package contains the SDKs.
    await generateSdks(tools);
    const tarball = await packPackage(folder, isolated);
    await runCommand(
      findOnPath("tar") ?? "tar",
      ["-xzf", tarball, "--strip-components=1", "package/examples"],
      { cwd: folder, env: isolated, secondsMax: 60 },
    );
    // The README of the monorepo uses pnpm.
    const pnpm = await installTool("pnpm", versions.pnpm, isolated);
    const env = withFirstOnPath(newcomersEnvironment(isolated), join(pnpm, "..", ".bin"));
    return await inTwoLanes(examples, (example) => {
      const program = join(folder, "examples", example);
      useInstead(program, tarball);
      return attempt(example, () => runReadme(program, env));
    });
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
 * Runs the commands of an example's README in a separate home, plays the person, and checks the
 * effects of the commands. Rejects with `CommandFailed` if a command fails.
 *
 * @param {string} program
 * @param {NodeJS.ProcessEnv} env
 */
async function runReadme(program, env) {
  const readme = readFileSync(join(program, "README.md"), "utf8");
  const [, commands = "exit 1"] = /```sh\n([\s\S]*?)```/.exec(readme) ?? [];
  const options = / --cwd \S+/.exec(commands)?.[0] ?? "";
  const script = [
    commands,
    // "--config" writes to the stack's configuration, so these commands use the same settings.
    `pulumi preview --expect-no-changes${options}`,
    `pulumi destroy --yes${options}`,
  ];
  const home = `${program}-home`;
  mkdirSync(home);
  const run = { cwd: program, env: { ...env, HOME: home, PULUMI_HOME: join(home, ".pulumi") } };
  const person = new Person(run);
  try {
    await runBash(script.join("\n"), {
      ...run,
      onLine: (line) => person.reads(line),
      secondsMax: exampleSecondsMax,
    });
    await person.done;
  } finally {
    person.stopEmulators();
    // Beside the next example: all at once at the end would take a minute.
    await Promise.all([program, home].map((path) => rm(path, { recursive: true, force: true })));
  }
}

/**
 * @param {string} script
 * @param {import("../setup/process/run-command.mjs").RunOptions} options
 */
function runBash(script, options) {
  return runCommand(findOnPath("bash") ?? "bash", ["-ec", script], options);
}

/**
 * Person who reads the output of the commands, and follows the instructions in a second terminal.
 */
class Person {
  /** Lines that connect a second shell to the emulator. */
  #settings = "";
  /** @type {number[]} */
  #emulators = [];
  #run;
  #hasLoggedIn = false;
  /** Rejects when a requested action failed. @type {Promise<unknown>} */
  done = Promise.resolve();

  /** @param {{ cwd: string, env: NodeJS.ProcessEnv }} run */
  constructor(run) {
    this.#run = run;
  }

  /** @param {string} line */
  reads(line) {
    if (/^ {2}export BROWSER_INFRA_/.test(line)) {
      this.#settings += `${line}\n`;
    }
    const [, pid] = /To stop the emulator: kill (\d+)$/.exec(line) ?? [];
    if (pid !== undefined) {
      this.#emulators.push(Number(pid));
    }
    const [, command] = /start one: (npx browser-infra login start(?: [\w-]+)+)/.exec(line) ?? [];
    const [, address] = /open (http\S+\/login\/\S+) - /.exec(line) ?? [];
    if (!this.#hasLoggedIn && (command ?? address) !== undefined) {
      this.#hasLoggedIn = true;
      this.done =
        address === undefined ? runBash(`${this.#settings}${command}`, this.#run) : logInAt(address);
      // Without the action, the deployment fails and reports the reason.
      this.done.catch(() => {});
    }
  }

  stopEmulators() {
    for (const pid of this.#emulators) {
      process.kill(pid);
    }
  }
}
