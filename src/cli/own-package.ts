import { readFileSync } from "node:fs";
import { dirname } from "node:path";

/** This package as it is installed: where, and in which version. */
export interface OwnPackage {
  readonly folder: string;
  readonly version: string;
}

/** This package. Its `package.json` is found by name, wherever this file is built to. */
export function ownPackage(): OwnPackage {
  const file = require.resolve("pulumi-browser-infra/package.json");
  const { version } = JSON.parse(readFileSync(file, "utf8")) as { version: string };
  return { folder: dirname(file), version };
}
