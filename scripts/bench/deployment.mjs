import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { offlinePulumi } from "../setup/pulumi-cli/pulumi-cli.mjs";
import { timed } from "./measure.mjs";

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
 * Deploys a program with the real CLI, and returns a function that runs further commands on the
 * stack. The programs are inside this clone, so "pulumi-browser-infra" is the built package.
 *
 * @param {Deployment} deployment
 * @param {import("./measure.mjs").Bench} bench
 * @param {Service} emulator
 * @returns {Promise<(...args: string[]) => Promise<{ ms: number }>>}
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
  /** @param {string[]} args */
  const run = (...args) =>
    timed([pulumi, "--non-interactive", "--color=never", ...args], { cwd: program, env: environment });
  await run("stack", "init", "bench");
  const { stdout } = await run("up", "--yes", "--skip-preview");
  if (!stdout.includes(`+ ${count + 1} created`)) {
    throw new Error(`The program ${name} deployed something else: ${stdout}`);
  }
  return async (...args) => {
    const { ms } = await run(...args);
    return { ms };
  };
}
