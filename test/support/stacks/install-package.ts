import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(__dirname, "../../..");
const engineFolder = join(root, ".tools", "engine");

/** Folder whose node_modules contain the packed package, as in a user's program. */
export const programsFolder = join(engineFolder, "programs");

/**
 * jest's global set-up of the engine tests: packs the package with "npm pack" and installs the
 * tarball, so that the tests run the published files and never src. Installs again only when the
 * tarball or the version of a further dependency has changed.
 */
export default function installPackage(): void {
  mkdirSync(engineFolder, { recursive: true });
  const npm = (folder: string, ...args: string[]) =>
    execFileSync("npm", [...args, "--no-fund", "--no-audit", "--loglevel=error"], {
      cwd: folder,
      encoding: "utf8",
    });

  npm(root, "pack", "--ignore-scripts", "--pack-destination", engineFolder);
  const [tarball] = readdirSync(engineFolder).filter((file) => file.endsWith(".tgz"));
  if (tarball === undefined) {
    throw new Error('"npm pack" left no tarball.');
  }
  const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const manifest = JSON.stringify({
    private: true,
    dependencies: {
      "@pulumi/pulumi": devDependencies["@pulumi/pulumi"],
      "pulumi-browser-infra": "file:package.tgz",
      "ts-node": devDependencies["ts-node"],
      typescript: devDependencies.typescript,
    },
  });
  const packed = readFileSync(join(engineFolder, tarball));
  const stamp = createHash("sha256").update(packed).update(manifest).digest("hex");
  const stampFile = join(programsFolder, "installed");
  rmSync(join(engineFolder, tarball));
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp) {
    return;
  }
  const fresh = `${programsFolder}.new`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh);
  writeFileSync(join(fresh, "package.tgz"), packed);
  writeFileSync(join(fresh, "package.json"), manifest);
  npm(fresh, "install", "--ignore-scripts");
  writeFileSync(join(fresh, "installed"), stamp);
  rmSync(programsFolder, { recursive: true, force: true });
  renameSync(fresh, programsFolder);
}
