import { readFileSync } from "node:fs";

/** This package's version, from its `package.json`. */
export function packageVersion(): string {
  // By the package's own name: the way up to the file differs between the build and the tests.
  const file = require.resolve("pulumi-browser-infra/package.json");
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}
