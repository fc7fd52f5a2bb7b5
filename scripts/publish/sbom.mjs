/**
 * `node scripts/publish/sbom.mjs`: prints the packages that a user installs with this package, as
 * CycloneDX: the dependencies, and the packages in the bundle of the plugin. In the clone itself,
 * `npm sbom --omit dev` would drop a dependency that is also a development dependency, such as zod.
 * npm therefore reads a copy of the lock file without the rest. The peer, @pulumi/pulumi, is the
 * user's own. Needs the build.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectFolder } from "../setup/project.mjs";

const { devDependencies: _dev, peerDependencies: _peer, ...manifest } = readJson("package.json");
const lock = readJson("package-lock.json");
const packages = Object.entries(lock.packages)
  .filter(([path, { dev, devOptional }]) => path !== "" && !dev && !devOptional)
  .map(([path, { peer: _ofAnother, ...entry }]) => [path, entry]);
const { name, version, license } = manifest;
const dependencies = { ...manifest.dependencies };
for (const bundled of bundledPackages()) {
  const { version: its, resolved, integrity, license: itsLicense } = lock.packages[`node_modules/${bundled}`];
  // Dependencies of a bundled package are listed separately, if bundled too.
  packages.push([`node_modules/${bundled}`, { version: its, resolved, integrity, license: itsLicense }]);
  dependencies[bundled] = its;
}

const temporary = mkdtempSync(join(tmpdir(), "browser-infra-sbom-"));
// npm names the component after the folder.
const folder = join(temporary, name);
try {
  mkdirSync(folder);
  writeJson("package.json", { ...manifest, dependencies });
  writeJson("package-lock.json", {
    ...lock,
    packages: { "": { name, version, license, dependencies }, ...Object.fromEntries(packages) },
  });
  const args = ["sbom", "--package-lock-only", "--sbom-format=cyclonedx", "--loglevel=error"];
  process.stdout.write(execFileSync("npm", args, { cwd: folder }));
} finally {
  rmSync(temporary, { recursive: true, force: true });
}

/**
 * Names of npm's packages that the notices of the bundle list, and that a user does not install
 * anyway.
 */
function bundledPackages() {
  const notices = readFileSync(join(projectFolder, "plugin", "NOTICES.txt"), "utf8");
  const names = [...notices.matchAll(/^=+\n(\S+) \S+ \(.+\)\n=+$/gm)].map(([, bundled = ""]) => bundled);
  const listed = new Set(packages.map(([path]) => path));
  const paths = Object.keys(lock.packages);
  return names.filter((each) => {
    const path = `node_modules/${each}`;
    return paths.includes(path) && !listed.has(path);
  });
}

/** @param {string} file */
function readJson(file) {
  return JSON.parse(readFileSync(join(projectFolder, file), "utf8"));
}

/**
 * @param {string} file
 * @param {unknown} value
 */
function writeJson(file, value) {
  writeFileSync(join(folder, file), JSON.stringify(value));
}
