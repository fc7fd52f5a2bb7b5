import { spawn } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { CommandFailed, runCommand } from "../setup/process/run-command.mjs";
import { findOnPath } from "../setup/process/search-path.mjs";
import { SetUpError } from "../setup/set-up-error.mjs";
import { nodeFor, ownPlatform, platforms } from "./nodes.mjs";

/** Name of the executable that Pulumi's engine expects in an unpacked archive. */
const name = "pulumi-resource-browser-infra";

const makingSecondsMax = 300;
const startSecondsMax = 60;

/**
 * Makes the plugin a single executable: Node with the bundle inside (a "single executable
 * application").
 *
 * @param {string} platform a key of `platforms`.
 * @param {{ bundle: string, folder: string, env: NodeJS.ProcessEnv }} options `bundle`: path of
 *   bundle.cjs; `folder`: folder of the result.
 * @returns {Promise<{ path: string, file: string, nodeLicence: string, lacks: string[] }>} `file`:
 *   name in the archive; `lacks`: steps that this machine could not do, in words.
 */
export async function makeExecutable(platform, { bundle, folder, env }) {
  const target = await nodeFor(platform, env);
  const maker = await nodeFor(ownPlatform, env);
  const file = platforms[platform]?.os === "windows" ? `${name}.exe` : name;
  const path = join(folder, file);
  const settings = join(folder, "executable.json");
  writeFileSync(
    settings,
    JSON.stringify({
      main: bundle,
      output: path,
      executable: target.binary,
      disableExperimentalSEAWarning: true,
      // V8's code for a different processor is useless, and V8 refuses to start with such code.
      useCodeCache: platform === ownPlatform,
    }),
  );
  await run(maker.binary, ["--build-sea", settings], { folder, env });
  chmodSync(path, 0o755);

  const lacks = [];
  if (platform.startsWith("darwin")) {
    const codesign = findOnPath("codesign", env);
    if (codesign === undefined) {
      lacks.push("not signed, and macOS refuses to run it: there is no codesign on this machine");
    } else {
      // Without a certificate: macOS requires a signature, but no name in the signature.
      await run(codesign, ["--force", "--sign", "-", path], { folder, env });
    }
  }
  if (platform === ownPlatform) {
    await requireStart(path, env);
  } else {
    lacks.push(`not started: this machine is ${ownPlatform}`);
  }
  // npm's package for Windows has no licence file, and the licence is the same.
  return { path, file, nodeLicence: maker.licence, lacks };
}

/**
 * @param {string} program
 * @param {string[]} args
 * @param {{ folder: string, env: NodeJS.ProcessEnv }} options
 */
async function run(program, args, { folder, env }) {
  try {
    await runCommand(program, args, { cwd: folder, env, secondsMax: makingSecondsMax });
  } catch (error) {
    if (!(error instanceof CommandFailed)) {
      throw error;
    }
    throw new SetUpError(`Making the executable failed: ${error.message}.\n${error.lines.join("\n")}`);
  }
}

/**
 * Starts the plugin and waits for the line with the port.
 *
 * @param {string} path
 * @param {NodeJS.ProcessEnv} env
 */
async function requireStart(path, env) {
  // The argument is the address of an engine. This engine never answers.
  const child = spawn(path, ["127.0.0.1:1"], { env, stdio: ["ignore", "pipe", "inherit"] });
  const timer = setTimeout(() => child.kill("SIGKILL"), startSecondsMax * 1000);
  /** @type {Promise<number | null>} */
  const ended = new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", resolve);
  });
  let first = "";
  for await (const line of createInterface({ input: child.stdout })) {
    first ||= line;
    child.kill("SIGKILL");
  }
  await ended;
  clearTimeout(timer);
  if (!/^\d+$/.test(first)) {
    throw new SetUpError(`${path} does not start: it printed "${first}" in place of its port.`);
  }
}
