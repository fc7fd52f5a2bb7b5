import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { startEmulator } from "../demo/emulator-process.mjs";
import { offlinePulumi } from "../setup/pulumi-cli/pulumi-cli.mjs";
import { interleaved, timed } from "./measure.mjs";

/**
 * Address and API key of an emulator.
 *
 * @typedef {{ readonly url: string, readonly apiKey: string }} Service
 */

/**
 * A program in JavaScript. `project`: members of Pulumi.yaml besides name and runtime; `files`: by
 * path, with `index.js`; `count`: resources besides the stack.
 *
 * @typedef {object} Deployment
 * @property {string} name
 * @property {Readonly<Record<string, unknown>>} [project]
 * @property {Readonly<Record<string, string>>} files
 * @property {number} count
 */

/**
 * Deploys programs against an emulator, and measures a command on each in rounds.
 *
 * @template {string} Name
 * @param {import("./measure.mjs").Bench} bench
 * @param {{ title: string, rounds: number }} options `title`: of the part, for the progress.
 * @param {Readonly<Record<Name, Deployment & { command: readonly string[] }>>} deployments
 * @returns {Promise<Record<Name, import("./measure.mjs").Figures[]>>}
 */
export async function benchDeployments(bench, { title, rounds }, deployments) {
  const emulator = await startEmulator(bench.node, join(bench.folder, "emulator"));
  const candidates = /** @type {Record<Name, () => Promise<import("./measure.mjs").Figures>>} */ ({});
  try {
    for (const name of /** @type {Name[]} */ (Object.keys(deployments))) {
      bench.say(`${title}: deploying ${name}`);
      const run = await deploy(deployments[name], bench, emulator);
      candidates[name] = () => run(deployments[name].command);
    }
    bench.say(`${title}: unchanged programs`);
    return await interleaved(rounds, candidates);
  } finally {
    await emulator.stop();
  }
}

/**
 * Deploys a program with the real CLI, and returns a function that runs further commands on the
 * stack. The programs are inside this clone, so "pulumi-browser-infra" is the built package.
 *
 * @param {Deployment} deployment
 * @param {import("./measure.mjs").Bench} bench
 * @param {Service} emulator
 * @returns {Promise<(args: readonly string[], more?: NodeJS.ProcessEnv) => Promise<{ ms: number }>>} `more`: further variables.
 */
export async function deploy({ name, project, files, count }, { env, pulumi, folder }, emulator) {
  const program = join(folder, `program-${name}`);
  const runtime = { name: "nodejs", options: { typescript: false } };
  // JSON is YAML too.
  const projectFile = JSON.stringify({ name: "bench", main: "index.js", runtime, ...project });
  for (const [path, text] of Object.entries({ ...files, "Pulumi.yaml": projectFile })) {
    mkdirSync(join(program, dirname(path)), { recursive: true });
    writeFileSync(join(program, path), text);
  }
  for (const each of ["state", "home", "tmp"]) {
    mkdirSync(join(program, each), { recursive: true });
  }
  const environment = {
    PATH: env.PATH,
    HOME: join(program, "home"),
    TMPDIR: join(program, "tmp"),
    PULUMI_HOME: join(program, "home", ".pulumi"),
    PULUMI_BACKEND_URL: `file://${join(program, "state")}`,
    PULUMI_STACK: "bench",
    PULUMI_CONFIG_PASSPHRASE: "bench",
    ...offlinePulumi,
    BROWSER_INFRA_BASE_URL: emulator.url,
    BROWSER_INFRA_API_KEY: emulator.apiKey,
  };
  /**
   * @param {readonly string[]} args
   * @param {NodeJS.ProcessEnv} [more]
   */
  const run = (args, more) =>
    timed([pulumi, "--non-interactive", "--color=never", ...args], {
      cwd: program,
      env: { ...environment, ...more },
    });
  await run(["stack", "init", "bench"]);
  const { stdout } = await run(["up", "--yes", "--skip-preview"]);
  if (!stdout.includes(`+ ${count + 1} created`)) {
    throw new Error(`The program ${name} deployed something else: ${stdout}`);
  }
  return async (args, more) => {
    const { ms } = await run(args, more);
    return { ms };
  };
}
