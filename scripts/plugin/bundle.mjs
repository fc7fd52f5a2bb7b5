/**
 * `node scripts/plugin/bundle.mjs <folder>`: makes the folder `plugin` of the npm package. Run by
 * the build. Reasons: docs/decisions/bridges/plugin-forms.md.
 */
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { build } from "esbuild";
import { projectFolder, readPackageJson } from "../setup/project.mjs";
import { messageOf, runMain, SetUpError } from "../setup/set-up-error.mjs";
import { noticesOf } from "./notices.mjs";

const source = join(projectFolder, "src");
const wrapper = join(projectFolder, "scripts", "plugin", "wrapper");
const packageJson = join(projectFolder, "package.json");
const minimum = readPackageJson().engines.node.replace(/^\D+/, "");

/**
 * Executable that the Pulumi CLI starts for the path of the folder, as in `pulumi package add
 * <folder>`: a path gives the plugin no name. Source: `packageinstallation.go` of the CLI.
 */
const folderCommand = "pulumi-resource-";

/** Code with which src reads a file of the package. The path is the same from src and from dist. */
const fileRead = /readFileSync\(join\(__dirname, "([^"]+)"\), "utf8"\)/g;

/**
 * Replaces the reading of a file by the contents, so that the bundle needs no file beside it.
 *
 * @type {import("esbuild").Plugin}
 */
const filesInlined = {
  name: "files-inlined",
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const contents = readFileSync(path, "utf8").replace(fileRead, (_call, file) =>
        JSON.stringify(contentsOf(join(dirname(path), file))),
      );
      // A file with a name that the bundler sets works without its folder.
      const problem = /\b__dirname\b/.test(contents) && !/^declare const bundled/m.test(contents);
      const text = `${relative(projectFolder, path)} looks for a file in a way that scripts/plugin/bundle.mjs cannot inline.`;
      return problem ? { errors: [{ text }] } : { contents, loader: "ts" };
    });
  },
};

/**
 * Drops zod's messages in other languages, a tenth of the bundle. Our code never uses these
 * messages.
 *
 * @type {import("esbuild").Plugin}
 */
const localesLeftOut = {
  name: "locales-left-out",
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]zod[/\\]v4[/\\]locales[/\\]index\.js$/ }, () => ({ contents: "export {};" }));
  },
};

/**
 * Leaves out the parts of Pulumi's SDK that a component needs not, and with them the TypeScript
 * compiler: three quarters of the SDK.
 *
 * @type {import("esbuild").Plugin}
 */
const sdkOfComponents = {
  name: "sdk-of-components",
  setup({ onResolve, onLoad }) {
    const namespace = "sdk-of-components";
    onResolve({ filter: /^@pulumi\/pulumi$/ }, () => ({ path: "index.js", namespace }));
    onLoad({ filter: /^/, namespace }, () => ({
      contents: `export * from "@pulumi/pulumi/config.js";
        export * from "@pulumi/pulumi/invoke.js";
        export * from "@pulumi/pulumi/output.js";
        export * from "@pulumi/pulumi/resource.js";
        export * from "@pulumi/pulumi/metadata.js";
        export * as log from "@pulumi/pulumi/log/index.js";
        import * as invoke from "@pulumi/pulumi/runtime/invoke.js";
        import * as rpc from "@pulumi/pulumi/runtime/rpc.js";
        import * as settings from "@pulumi/pulumi/runtime/settings.js";
        export const runtime = { ...invoke, ...rpc, ...settings };`,
      resolveDir: projectFolder,
    }));
  },
};

/** @param {string} file */
function contentsOf(file) {
  const text = readFileSync(file, "utf8");
  if (file !== packageJson) {
    return text;
  }
  const { name, version, engines } = JSON.parse(text);
  return JSON.stringify({ name, version, engines });
}

/**
 * Bundles everything that `entry` loads into one file of JavaScript, except Node's own modules.
 * Keeps names, so that stack traces are readable.
 *
 * @param {string} entry
 * @param {{ target?: string, define?: Record<string, string> }} [options]
 * @returns {Promise<{ code: string, files: string[] }>} `files`: paths of the bundled files, below
 *   the top folder of the clone.
 */
async function bundle(entry, { target = `node${minimum}`, define = {} } = {}) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: projectFolder,
    entryPoints: [entry],
    bundle: true,
    platform: "node",
    format: "cjs",
    target,
    define,
    minifySyntax: true,
    minifyWhitespace: true,
    // Node prints the whole line of code before the stack of an uncaught error.
    lineLimit: 120,
    legalComments: "none",
    metafile: true,
    write: false,
    // gRPC loads the first for a service about its channels, and the SDK the second for a server of its
    // own. The plugin has neither.
    external: ["@grpc/proto-loader", "source-map-support"],
    plugins: [filesInlined, localesLeftOut, sdkOfComponents],
    logLevel: "silent",
  }).catch((error) => {
    // The message names each place; the stack is esbuild's.
    throw new SetUpError(messageOf(error));
  });
  return { code: outputFiles[0]?.text ?? "", files: Object.keys(metafile.inputs) };
}

await runMain(async () => {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) {
    throw new SetUpError("Name the folder to write: node scripts/plugin/bundle.mjs plugin");
  }
  const worker = await bundle(join(source, "archive", "zip", "pack-worker.ts"));
  const [plugin, start] = await Promise.all([
    bundle(join(source, "bridges", "plugin", "main.ts"), {
      define: { bundledPackWorker: JSON.stringify(worker.code) },
    }),
    bundle(join(wrapper, "plugin.cjs"), { target: "node12" }),
  ]);
  const { version } = JSON.parse(readFileSync(packageJson, "utf8"));
  const head = `// pulumi-browser-infra ${version}. NOTICES.txt has the licences of what is in this file.\n`;

  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "bundle.cjs"), head + plugin.code);
  writeFileSync(join(folder, "plugin.cjs"), start.code);
  writeFileSync(join(folder, "NOTICES.txt"), noticesOf([plugin, worker].flatMap(({ files }) => files)));
  for (const name of readdirSync(wrapper).filter((file) => !file.endsWith(".cjs"))) {
    const text = readFileSync(join(wrapper, name), "utf8").replaceAll("@node@", minimum);
    for (const file of name.includes(".") ? [name] : [name, folderCommand]) {
      // cmd.exe misreads some lines that end without a carriage return.
      writeFileSync(join(folder, file), name.endsWith(".cmd") ? text.replace(/\r?\n/g, "\r\n") : text);
      chmodSync(join(folder, file), 0o755);
    }
  }
});
