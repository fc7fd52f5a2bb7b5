/** @typedef {keyof typeof kinds} KindName */

/**
 * Files and start of a program.
 *
 * @typedef {object} Kind
 * @property {string} runtime the lines of Pulumi.yaml after the name of the project.
 * @property {Readonly<Record<string, string>>} files of the program, by path.
 * @property {Readonly<Record<string, unknown>>} [packageJson] members besides dependencies.
 * @property {readonly ("typescript" | "ts-node" | "tsx" | "@types/node")[]} [tools]
 * @property {boolean} [build] whether `tsc` runs before each deployment.
 * @property {"process" | "envVars"} [automation] an inline program, and the place of the settings.
 */

const typed = `import { Extension, getProjectOutput } from "pulumi-browser-infra";
import { isNotFound } from "pulumi-browser-infra/client";
import { defaultApiKey, type Emulator } from "pulumi-browser-infra/emulator";

const reader = new Extension("reader", { path: "./extension" });
export const extensionId = reader.id;
export const projectId = getProjectOutput({ name: "Default" }).id;
export const entries: string[] = [typeof isNotFound, typeof defaultApiKey];
export const emulators: Emulator[] = [];
`;

const commonJs = `const { Extension, getProjectOutput } = require("pulumi-browser-infra");
const { isNotFound } = require("pulumi-browser-infra/client");
const { defaultApiKey } = require("pulumi-browser-infra/emulator");

const reader = new Extension("reader", { path: "./extension" });
exports.extensionId = reader.id;
exports.projectId = getProjectOutput({ name: "Default" }).id;
exports.entries = [typeof isNotFound, typeof defaultApiKey];
`;

const ofLibrary = `const { declare, projectId } = require("@shop/browsers");

exports.extensionId = declare("./extension").id;
exports.projectId = projectId();
`;

/** The options in tsconfig.json of Pulumi's template "typescript". */
export const templateOptions = {
  strict: true,
  outDir: "bin",
  target: "es2020",
  module: "commonjs",
  moduleResolution: "node",
  sourceMap: true,
  experimentalDecorators: true,
  pretty: true,
  noFallthroughCasesInSwitch: true,
  noImplicitReturns: true,
  forceConsistentCasingInFileNames: true,
};
/** Same options for ES modules, as Node resolves them. */
export const nodenext = { ...templateOptions, module: "nodenext", moduleResolution: "nodenext" };

/** @param {object} compilerOptions */
const tsconfig = (compilerOptions) => JSON.stringify({ compilerOptions, files: ["index.ts"] }, undefined, 2);

const plainRuntime = "runtime: nodejs\n";
const withoutTypeScript = "runtime:\n  name: nodejs\n  options:\n    typescript: false\n";

/** @param {string} workspace expression for the options. */
const inline = (workspace) => `const { LocalWorkspace } = require("@pulumi/pulumi/automation");
const { Extension, getProjectOutput } = require("pulumi-browser-infra");

const program = async () => {
  const reader = new Extension("reader", { path: "./extension" });
  return { extensionId: reader.id, projectId: getProjectOutput({ name: "Default" }).id };
};

async function main([command]) {
  const stack = await LocalWorkspace.createOrSelectStack(
    { stackName: "dev", projectName: "shop", program },
    ${workspace},
  );
  const onOutput = console.log;
  if (command === "destroy") {
    await stack.destroy({ onOutput });
  } else if (command === "preview") {
    await stack.preview({ onOutput, refresh: true, expectNoChanges: true });
  } else {
    await stack.up({ onOutput, refresh: true });
  }
}
main(process.argv.slice(2)).catch((error) => {
  console.error(error.message);
  process.exit(1);
});
`;

const kinds = /** @satisfies {Record<string, Kind>} */ ({
  typescript: {
    runtime: plainRuntime,
    tools: ["typescript", "@types/node"],
    files: { "index.ts": typed, "tsconfig.json": tsconfig(templateOptions) },
  },
  "typescript-esm": {
    runtime: plainRuntime,
    packageJson: { type: "module" },
    tools: ["typescript", "ts-node", "@types/node"],
    files: { "index.ts": typed, "tsconfig.json": tsconfig(nodenext) },
  },
  javascript: {
    runtime: withoutTypeScript,
    files: { "index.js": commonJs },
  },
  "javascript-esm": {
    runtime: withoutTypeScript,
    packageJson: { type: "module" },
    files: {
      "index.js": typed
        .replace(", type Emulator", "")
        .replace(": string[]", "")
        .replace(/.*Emulator\[\].*\n/, ""),
    },
  },
  tsx: {
    runtime: `${withoutTypeScript}    nodeargs: "--import tsx"\n`,
    packageJson: { type: "module", main: "index.ts" },
    tools: ["tsx"],
    files: { "index.ts": typed },
  },
  "type-stripping": {
    runtime: withoutTypeScript,
    packageJson: { type: "module", main: "index.ts" },
    files: { "index.ts": typed },
  },
  prebuilt: {
    runtime: withoutTypeScript,
    packageJson: { main: "bin/index.js" },
    tools: ["typescript", "@types/node"],
    build: true,
    files: { "index.ts": typed, "tsconfig.json": tsconfig({ ...nodenext, skipLibCheck: true }) },
  },
  library: {
    runtime: withoutTypeScript,
    files: { "index.js": ofLibrary },
  },
  automation: {
    runtime: "runtime: nodejs\n",
    automation: "process",
    files: { "deploy.js": inline("{ workDir: __dirname }") },
  },
  "automation-env-vars": {
    runtime: "runtime: nodejs\n",
    automation: "envVars",
    files: { "deploy.js": inline("{ workDir: __dirname, envVars: JSON.parse(process.env.SHOP_SETTINGS) }") },
  },
  "automation-temporary": {
    runtime: "runtime: nodejs\n",
    automation: "process",
    files: { "deploy.js": inline("{}") },
  },
  "automation-no-main": {
    runtime: "runtime: nodejs\n",
    automation: "process",
    files: { "deploy.js": inline('{ projectSettings: { name: "shop", runtime: "nodejs" } }') },
  },
});

/**
 * @param {KindName} name
 * @returns {Kind}
 */
export function kindOf(name) {
  return kinds[name];
}

/** Library of a workspace. Only through this library does the program have the package. */
export const library = `const { Extension, getProjectOutput } = require("pulumi-browser-infra");

exports.declare = (path) => new Extension("reader", { path });
exports.projectId = () => getProjectOutput({ name: "Default" }).id;
`;
