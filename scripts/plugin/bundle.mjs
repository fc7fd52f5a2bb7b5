/**
 * `node scripts/plugin/bundle.mjs <folder>`: makes the folder `plugin` of the npm package. The
 * build runs it. docs/decisions/plugin-forms.md says why it is made this way.
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

/** How src reads a file of the package. From src it has the same path as from dist. */
const fileRead = /readFileSync\(join\(__dirname, "([^"]+)"\), "utf8"\)/g;

/**
 * Replaces the reading of a file by its contents, so that the bundle needs no file beside it.
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
      // A file with a name that the bundler sets knows what to do without its folder.
      const problem = /\b__dirname\b/.test(contents) && !/^declare const bundled/m.test(contents);
      const text = `${relative(projectFolder, path)} looks for a file in a way that scripts/plugin/bundle.mjs cannot inline.`;
      return problem ? { errors: [{ text }] } : { contents, loader: "ts" };
    });
  },
};

/**
 * Leaves out zod's messages in other languages, a tenth of the bundle. Nothing of ours names them.
 *
 * @type {import("esbuild").Plugin}
 */
const localesLeftOut = {
  name: "locales-left-out",
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]zod[/\\]v4[/\\]locales[/\\]index\.js$/ }, () => ({ contents: "export {};" }));
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
 * One file of JavaScript with everything that `entry` loads, except Node's own modules. Names stay,
 * so that a stack trace can be read.
 *
 * @param {string} entry
 * @param {{ target?: string, define?: Record<string, string> }} [options]
 * @returns {Promise<{ code: string, files: string[] }>} `files`: paths of what is in it, below the
 *   top folder of the clone.
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
    // Node prints the whole line of code before the stack of an error that nothing catches.
    lineLimit: 120,
    legalComments: "none",
    metafile: true,
    write: false,
    // gRPC loads it for a service about its channels, which the plugin does not offer.
    external: ["@grpc/proto-loader"],
    plugins: [filesInlined, localesLeftOut],
    logLevel: "silent",
  }).catch((error) => {
    // Its message names each place; its stack is esbuild's.
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
    // cmd.exe misreads some lines that end without a carriage return.
    writeFileSync(join(folder, name), name.endsWith(".cmd") ? text.replace(/\r?\n/g, "\r\n") : text);
    chmodSync(join(folder, name), 0o755);
  }
});
