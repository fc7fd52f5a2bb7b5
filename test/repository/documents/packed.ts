import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./pages.js";

/** Members of package.json that the tests of published files read. */
export const manifest: {
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly scripts: Readonly<Record<string, string>>;
  readonly homepage: string;
  readonly repository: { readonly url: string };
  readonly bugs: { readonly url: string };
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
} = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** Report of `npm pack`. */
export interface Pack {
  /** Bytes of the tarball. */
  readonly size: number;
  /** Bytes of all files. */
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

let pack: Pack | undefined;

/** Report of `npm pack --dry-run`. npm runs once per test file. */
export function packed(): Pack {
  pack ??= JSON.parse(
    execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts", "--loglevel=error"], {
      cwd: root,
      encoding: "utf8",
    }),
  )[0] as Pack;
  return pack;
}

/** Paths of the files in the packed package. */
export function packedFiles(): string[] {
  return packed().files.map(({ path }) => path);
}
