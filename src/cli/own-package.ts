import { readFileSync } from "node:fs";
import { dirname } from "node:path";

/** This package as it is installed. It is found by its name, wherever this file is built to. */
export function ownPackage(): { readonly folder: string; readonly version: string } {
  const file = require.resolve("pulumi-browser-infra/package.json");
  return { folder: dirname(file), version: JSON.parse(readFileSync(file, "utf8")).version };
}
