import { join } from "node:path";
import { projectFolder } from "../setup/project.mjs";
import { benchDeployments } from "./deployment.mjs";
import { paired, spreadOf } from "./measure.mjs";
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
  const deployments = Object.fromEntries(
    Object.entries(programs).map(([name, program]) => [name, deploymentOf(program)]),
  );
  const rounds = bench.isQuick ? 2 : 11;
  const runs = await benchDeployments(bench, { title: "Preview", rounds }, deployments);
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
 * @param {Program} program
 * @returns {import("./deployment.mjs").Deployment & { command: string[] }}
 */
function deploymentOf({ count, through }) {
  const providers = [{ name: "browser-infra", path: join(projectFolder, "plugin") }];
  return {
    name: `${through}-${count}`,
    project: through === "plugin" ? { plugins: { providers } } : {},
    files: filesOf({ count, through }),
    count,
    command: ["preview", "--expect-no-changes"],
  };
}

/**
 * Files of a program, by path.
 *
 * @param {Program} program
 * @returns {Readonly<Record<string, string>>}
 */
function filesOf({ count, through }) {
  /** @type {Record<string, string>} */
  const files = {
    "index.js": `${imports[through]}
for (let index = 0; index < ${count}; index += 1) {
  new Extension("extension-" + index, { path: "./extensions/" + index });
}
`,
  };
  for (let index = 0; index < count; index += 1) {
    const at = `extensions/${index}`;
    const manifest = {
      manifest_version: 3,
      name: `Bench ${index}`,
      version: "1.0.0",
      background: { service_worker: "background.js" },
      content_scripts: [{ matches: ["https://example.com/*"], js: ["content.js"] }],
    };
    files[`${at}/manifest.json`] = JSON.stringify(manifest);
    files[`${at}/background.js`] =
      `// ${index}\n${"self.addEventListener('message', console.log);\n".repeat(200)}`;
    files[`${at}/content.js`] = `// ${index}\n${"document.title = document.title.trim();\n".repeat(500)}`;
  }
  return files;
}
