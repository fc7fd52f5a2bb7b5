import { mkdirSync, mkdtempSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { transformFileSync } from "@swc/core";

const root = resolve(__dirname, "../..");
const source = join(root, "src");

/**
 * Transpiles folders or files of `src` ("src/cli", "src/errors.ts"), so that a separate process can run them, and returns the folder they
 * are in, with the same tree below it as `src`. It lies inside the repository, so that `require` finds node_modules and the
 * package itself. The caller removes it.
 */
export function transpileSources(folders: readonly string[]): string {
  mkdirSync(join(root, ".tools"), { recursive: true });
  const out = mkdtempSync(join(root, ".tools", "transpiled-"));
  for (const folder of folders) {
    const path = join(root, folder);
    const files = statSync(path).isDirectory()
      ? readdirSync(path, { recursive: true, encoding: "utf8" }).map((name) => join(path, name))
      : [path];
    for (const file of files.filter((name) => name.endsWith(".ts"))) {
      const { code } = transformFileSync(file, {
        swcrc: false,
        jsc: { parser: { syntax: "typescript" }, target: "es2023" },
        module: { type: "commonjs" },
      });
      const target = join(out, relative(source, file).replace(/\.ts$/, ".js"));
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, code);
    }
  }
  return out;
}
