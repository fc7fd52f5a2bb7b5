import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { digestOfFiles } from "../setup/digest.mjs";
import { showProgress } from "../setup/process/progress.mjs";
import { runCommand } from "../setup/process/run-command.mjs";
import { requireOnPath } from "../setup/process/search-path.mjs";
import { cloneStateFolder, projectFolder } from "../setup/project.mjs";
import { generateSdks, sdkFolder } from "./sdks.mjs";

const folder = join(cloneStateFolder, "sdks");
const stamp = join(folder, "installed");
/** Files that determine the installed SDKs. */
const inputs = ["schema.json", "scripts/sdks", "scripts/setup/pulumi", "examples/quickstart-go"];
const secondsMax = 900;

/**
 * Generates the SDKs, which the tests pack, and installs the SDKs once for the tests of programs
 * in Python and Go. The folder then contains:
 *
 * - `venv`: a virtual environment of Python with the SDK.
 * - `go`: examples/quickstart-go with the SDK, compiled once to fill Go's build cache.
 *
 * Rejects with `CommandFailed`: no Python 3, no Go, no registry.
 *
 * @param {import("../setup.mjs").Tools} tools
 * @returns {Promise<string>} the folder.
 */
export async function installSdks(tools) {
  await generateSdks(tools);
  const wanted = `${digestOfFiles(projectFolder, inputs)} ${process.platform}-${process.arch}\n`;
  if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== wanted) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    await installForPython(tools.env);
    await installForGo(tools.env);
    writeFileSync(stamp, wanted);
  }
  return folder;
}

/** @param {NodeJS.ProcessEnv} env */
async function installForPython(env) {
  const python = requireOnPath("python3", env);
  const venv = join(folder, "venv");
  await showProgress(
    {
      what: "Installing Pulumi's SDK for Python and ours into a virtual environment",
      why: "the tests run a program in Python",
      usually: "10 to 30 s",
    },
    async (onLine) => {
      const run = { cwd: folder, env, onLine, secondsMax };
      await runCommand(python, ["-m", "venv", "--clear", venv], run);
      const install = ["-m", "pip", "--disable-pip-version-check", "install"];
      const pinned = ["--require-hashes", "-r", join(projectFolder, "scripts/sdks/requirements.txt")];
      await runCommand(join(venv, "bin", "python"), [...install, ...pinned], run);
      // The build uses the pinned packages of requirements.txt, and fetches nothing.
      const own = ["--no-deps", "--no-build-isolation", join(sdkFolder, "python")];
      await runCommand(join(venv, "bin", "python"), [...install, ...own], run);
    },
  );
}

/** @param {NodeJS.ProcessEnv} env */
async function installForGo(env) {
  const sdk = join(sdkFolder, "go");
  const go = requireOnPath("go", env);
  const program = join(folder, "go");
  await showProgress(
    {
      what: "Compiling a program in Go with our SDK and Pulumi's",
      why: "the tests run a program in Go",
      usually: "1 to 2 minutes the first time, seconds from Go's build cache",
    },
    async (onLine) => {
      cpSync(join(projectFolder, "examples", "quickstart-go"), program, { recursive: true });
      const module = /^module (\S+)$/m.exec(readFileSync(join(sdk, "go.mod"), "utf8"))?.[1] ?? "";
      // No C compiler needed. The tests do the same, and find the packages in the cache.
      const goEnv = { ...env, CGO_ENABLED: "0", GOWORK: "off", GOFLAGS: "" };
      const run = { cwd: program, env: goEnv, onLine, secondsMax };
      await runCommand(go, ["mod", "edit", `-replace=${module}=${sdk}`], run);
      await runCommand(go, ["mod", "tidy"], run);
      await runCommand(go, ["build", "."], run);
    },
  );
}
