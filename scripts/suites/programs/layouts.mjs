import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { npmInstall, npmNoise, requireNpm } from "../../setup/npm.mjs";
import { runCommand } from "../../setup/process/run-command.mjs";
import { cloneStateFolder, projectFolder } from "../../setup/project.mjs";
import { kindOf, library } from "./kinds.mjs";
import { versions } from "./rows.mjs";
import { installTool } from "./tools.mjs";

/** @typedef {keyof typeof layouts} LayoutName */

const ours = "pulumi-browser-infra";

/**
 * Package manager and place of a program's installation.
 *
 * @typedef {object} Layout
 * @property {"npm" | "pnpm" | "yarn"} manager
 * @property {readonly string[]} [args] of the command `install`.
 * @property {Readonly<Record<string, string>>} [files] settings, at the top of the workspace.
 */

const packages = 'packages:\n  - "packages/*"\n';
/** @param {string} linker */
const yarnSettings = (linker) => ({
  "yarn.lock": "",
  ".yarnrc.yml": `nodeLinker: ${linker}\nenableTelemetry: false\nenableImmutableInstalls: false\n`,
});

const layouts = /** @satisfies {Record<string, Layout>} */ ({
  npm: { manager: "npm" },
  "npm-nested": {
    manager: "npm",
    args: ["--install-strategy=nested"],
  },
  pnpm: { manager: "pnpm", files: { "pnpm-workspace.yaml": packages } },
  "pnpm-unhoisted": {
    manager: "pnpm",
    files: { "pnpm-workspace.yaml": `${packages}hoist: false\n` },
  },
  "pnpm-virtual-store": {
    manager: "pnpm",
    files: { "pnpm-workspace.yaml": `${packages}hoist: false\nvirtualStoreDir: .store\n` },
  },
  yarn: { manager: "yarn", files: yarnSettings("node-modules") },
  "yarn-pnp": { manager: "yarn", files: yarnSettings("pnp") },
});

/**
 * Writes the program of a row and installs the packages.
 *
 * @param {import("./rows.mjs").Row} row
 * @param {object} place
 * @param {string} place.folder an empty folder.
 * @param {string} place.tarball of the package.
 * @param {NodeJS.ProcessEnv} place.env with the row's Node first on PATH.
 * @returns {Promise<string>} the program's folder.
 */
export async function installProgram(row, { folder, tarball, env }) {
  const kind = kindOf(row.kind);
  /** @type {Layout} */
  const layout = layouts[row.layout];
  const isWorkspace = row.kind === "library";
  const top = isWorkspace ? folder : join(folder, "program");
  const program = isWorkspace ? join(folder, "packages", "program") : top;
  mkdirSync(top, { recursive: true });
  writeFiles(top, layout.files ?? {});
  copyFileSync(tarball, join(top, "package.tgz"));
  writeFiles(program, { ...kind.files, "Pulumi.yaml": pulumiYaml(kind) });

  const sdk = { "@pulumi/pulumi": row.sdk ?? newestSdk() };
  const linked = { "@shop/browsers": layout.manager === "npm" ? "*" : "workspace:*" };
  const tools = (kind.tools ?? []).map((tool) => [tool, versionOf(tool, row)]);
  writePackage(program, {
    name: "program",
    private: true,
    ...kind.packageJson,
    dependencies: { ...sdk, ...(isWorkspace ? linked : { [ours]: "file:package.tgz" }) },
    devDependencies: Object.fromEntries(tools),
  });
  if (isWorkspace) {
    const browsers = join(folder, "packages", "browsers");
    writeFiles(browsers, { "index.js": library });
    writePackage(browsers, {
      name: "@shop/browsers",
      version: "1.0.0",
      main: "index.js",
      dependencies: { [ours]: "file:../../package.tgz" },
      peerDependencies: sdk,
    });
    writePackage(folder, { name: "shop", private: true, workspaces: ["packages/*"] });
  }
  await install(layout, { folder: top, env });
  return program;
}

/**
 * The contents of Pulumi.yaml.
 *
 * @param {import("./kinds.mjs").Kind} kind
 */
export function pulumiYaml({ runtime }) {
  return `name: shop\n${runtime}`;
}

/**
 * @param {Layout} layout
 * @param {{ folder: string, env: NodeJS.ProcessEnv }} place
 */
async function install({ manager, args = [] }, { folder, env }) {
  const options = { cwd: folder, env, noise: npmNoise, secondsMax: 300 };
  if (manager === "npm") {
    await npmInstall(args, { folder, env });
    return;
  }
  const registry = (await runCommand(requireNpm(), ["config", "get", "registry"], options)).trim();
  if (manager === "pnpm") {
    const pnpm = await installTool("pnpm", versions.pnpm, env);
    const quiet = ["--ignore-scripts", "--no-frozen-lockfile"];
    await runCommand(join(pnpm, "bin", "pnpm.cjs"), ["install", ...quiet, ...args], {
      ...options,
      env: { ...env, CI: "true", npm_config_registry: registry },
    });
    return;
  }
  const yarn = await installTool("@yarnpkg/cli-dist", versions.yarn, env);
  await runCommand(
    process.execPath,
    [join(yarn, "bin", "yarn.js"), "install", "--mode=skip-build", ...args],
    {
      ...options,
      env: {
        ...env,
        YARN_NPM_REGISTRY_SERVER: registry,
        // A parallel program may use the network at the same time.
        YARN_HTTP_RETRY: "10",
        YARN_GLOBAL_FOLDER: join(cloneStateFolder, "programs-yarn"),
        ...(registry.startsWith("http:") && { YARN_UNSAFE_HTTP_WHITELIST: new URL(registry).hostname }),
      },
    },
  );
}

/** Version of the SDK in the tests. */
export function newestSdk() {
  /** @type {{ devDependencies: Record<string, string> }} */
  const { devDependencies } = JSON.parse(readFileSync(join(projectFolder, "package.json"), "utf8"));
  return devDependencies["@pulumi/pulumi"] ?? "latest";
}

/**
 * @param {"typescript" | "ts-node" | "tsx" | "@types/node"} tool
 * @param {import("./rows.mjs").Row} row
 */
function versionOf(tool, { typescript = versions.typescript }) {
  const known = {
    typescript,
    "ts-node": versions.tsNode,
    tsx: versions.tsx,
    "@types/node": versions.nodeTypes,
  };
  return known[tool];
}

/**
 * @param {string} folder
 * @param {object} content
 */
function writePackage(folder, content) {
  writeFiles(folder, { "package.json": JSON.stringify(content, undefined, 2) });
}

/**
 * @param {string} folder
 * @param {Readonly<Record<string, string>>} files
 */
export function writeFiles(folder, files) {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
}
