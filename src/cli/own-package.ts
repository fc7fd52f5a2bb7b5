import { readFileSync } from "node:fs";
import { dirname } from "node:path";

/** Folder and version of this package, found by name: this file's path depends on the build. */
export function ownPackage(): { readonly folder: string; readonly version: string } {
  const file = require.resolve("pulumi-browser-infra/package.json");
  return { folder: dirname(file), version: JSON.parse(readFileSync(file, "utf8")).version };
}
