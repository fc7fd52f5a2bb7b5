import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { startEmulator } from "../demo/emulator-process.mjs";
import { projectFolder } from "../setup/project.mjs";
import { offlinePulumi } from "../setup/pulumi-cli/pulumi-cli.mjs";
import { interleaved, paired, spreadOf, timed } from "./measure.mjs";

/** @typedef {import("./measure.mjs").Figures} Figures */
/** @typedef {import("./report.mjs").Row} Row */

/**
 * Program of the bench. `count`: declared extensions; `through`: the provider.
 *
 * @typedef {{ count: number, through: "nothing" | "dynamic" | "plugin" | "idle" }} Program
 */

/**
 * Programs by name in the table. A plugin that does nothing is the floor: the cost of the SDK and
 * the engine for the same program with any plugin.
 *
 * @type {Readonly<Record<string, Program>>}
 */
const programs = {
  "empty program": { count: 0, through: "nothing" },
  "1 small extension": { count: 1, through: "dynamic" },
  "10 small extensions": { count: 10, through: "dynamic" },
  "100 small extensions": { count: 100, through: "dynamic" },
  "1 small extension, plugin": { count: 1, through: "plugin" },
  "1 small extension, a plugin that does nothing": { count: 1, through: "idle" },
  "100 small extensions, plugin": { count: 100, through: "plugin" },
  "100 small extensions, a plugin that does nothing": { count: 100, through: "idle" },
};
/** Most time of a preview of 100 dynamic resources beyond the empty program. Milliseconds. */
const mostMs = 1_000;
/** Most time of one extension through the plugin beyond the empty program. Milliseconds. */
const mostPluginMs = 160;
/** Row whose target is a ratio to a plugin that does nothing. */
const sharePlugin = "100 small extensions, plugin";
/** Maximum of the row `sharePlugin`, as a share of a plugin without work. */
const mostShare = 1.15;

const here = dirname(fileURLToPath(import.meta.url));

/**
 * Complete previews with the real CLI, of unchanged programs.
 *
 * @param {import("./measure.mjs").Bench} bench
 * @returns {Promise<Row[]>}
 */
export async function benchPreviews({ node, env, pulumi, folder, isQuick, say }) {
  const emulator = await startEmulator(node, join(folder, "emulator"));
  try {
    /** @type {Record<string, () => Promise<Figures>>} */
    const candidates = {};
    for (const [name, program] of Object.entries(programs)) {
      say(`Preview: deploying ${name}`);
      candidates[name] = await deployed(program, { node, env, pulumi, folder, emulator });
    }
    say("Preview: unchanged programs");
    return rowsOf(await interleaved(isQuick ? 2 : 11, candidates));
  } finally {
    await emulator.stop();
  }
}

/**
 * Deploys a program, and returns a function that previews the program.
 *
 * @param {Program} program
 * @param {{ node: string, env: NodeJS.ProcessEnv, pulumi: string, folder: string, emulator: { url:
 *   string, apiKey: string } }} bench
 * @returns {Promise<() => Promise<Figures>>}
 */
async function deployed({ count, through }, { node, env, pulumi, folder, emulator }) {
  const program = join(folder, `program-${through}-${count}`);
  /**
   * @param {string} path
   * @param {string} text
   */
  const write = (path, text) => {
    mkdirSync(join(program, path, ".."), { recursive: true });
    writeFileSync(join(program, path), text);
  };
  const idle = join(program, "idle");
  const plugins = { plugin: join(projectFolder, "plugin"), idle };
  const project = {
    name: "bench",
    main: "index.js",
    runtime: { name: "nodejs", options: { typescript: false } },
    ...((through === "plugin" || through === "idle") && {
      plugins: { providers: [{ name: "browser-infra", path: plugins[through] }] },
    }),
  };
  // JSON is YAML too.
  write("Pulumi.yaml", JSON.stringify(project));
  write(
    "index.js",
    `${imports[through]}for (let index = 0; index < ${count}; index += 1) {
  new Extension("extension-" + index, { path: "./extensions/" + index });
}
`,
  );
  if (through === "idle") {
    const script = join(here, "plugin", "idle-plugin.cjs");
    const command = "pulumi-resource-browser-infra";
    write(join("idle", command), `#!/bin/sh\nexec "${node}" "${script}" "$@"\n`);
    chmodSync(join(idle, command), 0o755);
  }
  for (let index = 0; index < count; index += 1) {
    const at = `extensions/${index}`;
    write(
      `${at}/manifest.json`,
      JSON.stringify({
        manifest_version: 3,
        name: `Bench ${index}`,
        version: "1.0.0",
        background: { service_worker: "background.js" },
        content_scripts: [{ matches: ["https://example.com/*"], js: ["content.js"] }],
      }),
    );
    write(
      `${at}/background.js`,
      `// ${index}\n${"self.addEventListener('message', console.log);\n".repeat(200)}`,
    );
    write(`${at}/content.js`, `// ${index}\n${"document.title = document.title.trim();\n".repeat(500)}`);
  }
  for (const name of ["state", "home", "tmp"]) {
    mkdirSync(join(program, name), { recursive: true });
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
    throw new Error(`The program with ${count} extensions deployed something else: ${stdout}`);
  }
  return async () => {
    const { ms } = await run("preview", "--expect-no-changes");
    return { ms };
  };
}

/** Program text for every plugin. */
const inPlugin = 'const { Extension } = require("pulumi-browser-infra/plugin");\n';

/**
 * Imports of a program. Inside this clone, so "pulumi-browser-infra" is the built package. The
 * empty program only has the imports common to all programs.
 *
 * @type {Readonly<Record<Program["through"], string>>}
 */
const imports = {
  nothing: 'require("@pulumi/pulumi");\n',
  dynamic: 'const { Extension } = require("pulumi-browser-infra");\n',
  plugin: inPlugin,
  idle: inPlugin,
};

/**
 * @param {Readonly<Record<string, Figures[]>>} runs
 * @returns {Row[]}
 */
function rowsOf(runs) {
  const empty = runs["empty program"] ?? [];
  /**
   * Time of each run beyond the empty program of the same round.
   *
   * @param {string} name
   */
  const beyondEmpty = (name) =>
    (runs[name] ?? []).map(({ ms = Number.NaN }, round) => ({ ms: ms - (empty[round]?.ms ?? Number.NaN) }));
  /** @param {string} name */
  const more = (name) => spreadOf(beyondEmpty(name), "ms").median;
  const share = paired(
    beyondEmpty(sharePlugin),
    beyondEmpty("100 small extensions, a plugin that does nothing"),
    "ms",
    (a, b) => a / b,
  ).median;
  /** @type {Readonly<Record<string, import("./report.mjs").Target>>} */
  const targets = {
    "100 small extensions": {
      most: mostMs,
      unit: "ms more",
      actual: more("100 small extensions"),
      why: "preview",
    },
    "1 small extension, plugin": {
      most: mostPluginMs,
      unit: "ms more",
      actual: more("1 small extension, plugin"),
      why: "pluginPreview",
    },
    [sharePlugin]: {
      most: mostShare,
      unit: "× one that does nothing",
      actual: share,
      why: "pluginPreview",
    },
  };
  return Object.keys(programs).map((name) => {
    const target = targets[name];
    return {
      section: "A whole pulumi preview, nothing changed",
      name,
      unit: "ms",
      ...spreadOf(runs[name] ?? [], "ms"),
      ...(name !== "empty program" && { beside: { value: more(name), unit: "ms more than empty" } }),
      ...(target && { target }),
      ...(name === sharePlugin && { note: `${share.toFixed(2)} × one that does nothing` }),
    };
  });
}
