/** The npm package of the emulator alone: what its face and its command load from dist, and no more. */
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { build } from "esbuild";
import { writeEmulatorSchemas } from "../publish/emulator-schemas.mjs";
import { packPackage } from "../setup/npm.mjs";
import { withPartialFolder } from "../setup/process/partial-folder.mjs";
import { cloneStateFolder, projectFolder } from "../setup/project.mjs";

const name = "browser-infra-emulator";
const face = "dist/emulator/index.js";
const command = "dist/cli/commands/emulator-main.js";

/** Files of the package by their files in the clone, besides what is loaded. */
const others = {
  LICENSE: "LICENSE",
  "docs/emulator/alone.md": "README.md",
  "docs/emulator/emulator.md": "docs/emulator/emulator.md",
  "docs/emulator/guesses.md": "docs/emulator/guesses.md",
  "docs/emulator/emulator-seed.example.json": "docs/emulator/emulator-seed.example.json",
  "examples/emulator-container": "container",
  "scripts/plugin/emulator-without-stacks.mjs": "dist/emulator/pages/views/stacks.mjs",
};

/**
 * Makes the tarball. Needs dist. Rejects with `CommandFailed`.
 *
 * @param {string} out folder of the tarball.
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string>} path of the tarball.
 */
export async function packageEmulator(out, env) {
  const { files, packages } = await reach();
  return withPartialFolder(cloneStateFolder, async (work) => {
    const folder = join(work, name);
    const copies = ["dist/emulator", ...files, ...files.map((file) => file.replace(/js$/, "d.ts"))];
    const places = { ...Object.fromEntries(copies.map((file) => [file, file])), ...others };
    for (const [from, to] of Object.entries(places)) {
      cpSync(join(projectFolder, from), join(folder, to), { recursive: true });
    }
    for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
      if (/\.(js|mjs|ts|md)$/.test(file)) {
        writeFileSync(join(folder, file), adapted(file, readFileSync(join(folder, file), "utf8")));
      }
    }
    chmodSync(join(folder, command), 0o755);
    writeEmulatorSchemas(join(folder, "docs/emulator"));
    writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest(packages), null, 2)}\n`);
    const packed = join(work, "packed");
    mkdirSync(packed);
    const tarball = await packPackage(packed, env, folder);
    cpSync(tarball, join(out, basename(tarball)));
    return join(out, basename(tarball));
  });
}

/** Files of dist that the face and the command load, and the packages. */
async function reach() {
  const { metafile } = await build({
    absWorkingDir: projectFolder,
    entryPoints: [face, command],
    bundle: true,
    platform: "node",
    packages: "external",
    metafile: true,
    write: false,
    outdir: "unused",
  });
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
  const external = imports.filter(({ external, path }) => external && !path.startsWith("node:"));
  return {
    files: Object.keys(metafile.inputs),
    packages: new Set(external.map(({ path }) => /^(@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path)),
  };
}

/** Contents of package.json. @param {ReadonlySet<string>} packages */
function manifest(packages) {
  const of = JSON.parse(readFileSync(join(projectFolder, "package.json"), "utf8"));
  const { version, homepage, bugs, license, repository, type, engines } = of;
  const types = `./${face.replace(/js$/, "d.ts")}`;
  return {
    name,
    version,
    description:
      "A browser infrastructure service, offline: a server with a database, a page, faults and a clock.",
    keywords: ["browser", "browser-pool", "emulator", "offline", "testing"],
    ...{ homepage, bugs, license, repository, type, engines },
    ...{ main: `./${face}`, types },
    exports: { ".": { types, default: `./${face}` }, "./package.json": "./package.json" },
    bin: { [name]: `./${command}` },
    dependencies: Object.fromEntries(Object.entries(of.dependencies).filter(([each]) => packages.has(each))),
  };
}

/**
 * Text with the names of this package, and with links that lead out of the package to the repository.
 *
 * @param {string} file
 * @param {string} text
 */
function adapted(file, text) {
  const named = text
    .replaceAll("browser-infra emulator", name)
    .replace(/(?<!\/)\bpulumi-browser-infra(\/emulator)?\b/g, name);
  if (!file.endsWith(".md")) {
    return named;
  }
  const { homepage } = JSON.parse(readFileSync(join(projectFolder, "package.json"), "utf8"));
  const source = new URL(homepage.replace(/#.*/, "/blob/main/docs/emulator/")).href;
  /** @type {Readonly<Record<string, string>>} */
  const kept = others;
  return named.replace(/\]\((?!https:|#)([^)#]+)/g, (_link, target) => {
    const here = kept[`docs/emulator/${target}`];
    return `](${here === undefined ? new URL(target, source).href : relative(dirname(file), here)}`;
  });
}
