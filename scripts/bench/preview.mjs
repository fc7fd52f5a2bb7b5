import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { startEmulator } from "../demo/emulator-process.mjs";
import { projectFolder } from "../setup/project.mjs";
import { offlinePulumi } from "../setup/pulumi-cli/pulumi-cli.mjs";
import { interleaved, paired, spreadOf, timed } from "./measure.mjs";
import { figure } from "./report.mjs";

/** @typedef {import("./measure.mjs").Figures} Figures */

/**
 * Program of the bench. `count`: declared extensions; `through`: the bridge; `mostMs`: the target,
 * in milliseconds beyond the empty program.
 *
 * @typedef {{ count: number, through: "nothing" | "dynamic" | "plugin", mostMs?: number }} Program
 */

const empty = "empty program";
/**
 * Programs by name in the table.
 *
 * @type {Readonly<Record<string, Program>>}
 */
const programs = {
  [empty]: { count: 0, through: "nothing" },
  "1 small extension": { count: 1, through: "dynamic" },
  "100 small extensions": { count: 100, through: "dynamic", mostMs: 1_000 },
  "1 small extension, plugin": { count: 1, through: "plugin", mostMs: 160 },
  "100 small extensions, plugin": { count: 100, through: "plugin" },
};

/**
 * Imports of a program. The programs are inside this clone, so "pulumi-browser-infra" is the built
 * package.
 */
const imports = {
  nothing: 'require("@pulumi/pulumi");',
  dynamic: 'const { Extension } = require("pulumi-browser-infra");',
  plugin: 'const { Extension } = require("pulumi-browser-infra/plugin");',
};

/** Reasons for missed targets, by bridge. */
const reasons = {
  nothing: "",
  dynamic:
    "the first dynamic resource starts Pulumi's provider process, which loads the SDK and the provider; each further one costs the engine's calls",
  plugin:
    "the plugin starts once for a preview, and what it shares with the engine and the SDK differs from run to run",
};

/**
 * Complete previews with the real CLI, of unchanged programs.
 *
 * @param {import("./measure.mjs").Bench} bench
 * @returns {Promise<import("./report.mjs").Row[]>}
 */
export async function benchPreviews(bench) {
  const emulator = await startEmulator(bench.node, join(bench.folder, "emulator"));
  /** @type {Record<string, () => Promise<Figures>>} */
  const candidates = {};
  /** @type {Readonly<Record<string, Figures[]>>} */
  let runs;
  try {
    for (const [name, program] of Object.entries(programs)) {
      bench.say(`Preview: deploying ${name}`);
      candidates[name] = await deployed(program, bench, emulator);
    }
    bench.say("Preview: unchanged programs");
    runs = await interleaved(bench.isQuick ? 2 : 11, candidates);
  } finally {
    await emulator.stop();
  }
  return Object.entries(programs).map(([name, { through, mostMs: most }]) => {
    const actual = paired(runs[name] ?? [], runs[empty] ?? [], "ms", (a, b) => a - b);
    const unit = "ms more";
    return {
      section: "A whole pulumi preview, nothing changed",
      name,
      unit: "ms",
      ...spreadOf(runs[name] ?? [], "ms"),
      ...(name !== empty && { beside: figure(actual, "ms more than empty") }),
      ...(most !== undefined && { target: { most, unit, actual, why: reasons[through] } }),
    };
  });
}

/**
 * Deploys a program, and returns a function that previews the program.
 *
 * @param {Program} program
 * @param {import("./measure.mjs").Bench} bench
 * @param {{ url: string, apiKey: string }} emulator
 * @returns {Promise<() => Promise<Figures>>}
 */
async function deployed({ count, through }, { env, pulumi, folder }, emulator) {
  const program = join(folder, `program-${through}-${count}`);
  writeProgram(program, { count, through });
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
    throw new Error(`The program with ${count} extensions deployed something else: ${stdout}`);
  }
  return async () => {
    const { ms } = await run("preview", "--expect-no-changes");
    return { ms };
  };
}

/**
 * @param {string} program folder.
 * @param {Program} options
 */
function writeProgram(program, { count, through }) {
  /**
   * @param {string} path
   * @param {string} text
   */
  const write = (path, text) => {
    mkdirSync(join(program, dirname(path)), { recursive: true });
    writeFileSync(join(program, path), text);
  };
  const providers = [{ name: "browser-infra", path: join(projectFolder, "plugin") }];
  const project = {
    name: "bench",
    main: "index.js",
    runtime: { name: "nodejs", options: { typescript: false } },
    ...(through === "plugin" && { plugins: { providers } }),
  };
  // JSON is YAML too.
  write("Pulumi.yaml", JSON.stringify(project));
  write(
    "index.js",
    `${imports[through]}
for (let index = 0; index < ${count}; index += 1) {
  new Extension("extension-" + index, { path: "./extensions/" + index });
}
`,
  );
  for (let index = 0; index < count; index += 1) {
    const at = `extensions/${index}`;
    const manifest = {
      manifest_version: 3,
      name: `Bench ${index}`,
      version: "1.0.0",
      background: { service_worker: "background.js" },
      content_scripts: [{ matches: ["https://example.com/*"], js: ["content.js"] }],
    };
    write(`${at}/manifest.json`, JSON.stringify(manifest));
    write(
      `${at}/background.js`,
      `// ${index}\n${"self.addEventListener('message', console.log);\n".repeat(200)}`,
    );
    write(`${at}/content.js`, `// ${index}\n${"document.title = document.title.trim();\n".repeat(500)}`);
  }
  for (const name of ["state", "home", "tmp"]) {
    mkdirSync(join(program, name), { recursive: true });
  }
}
