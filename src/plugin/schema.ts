import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The Pulumi schema of this package, as JSON: what `npm run generate:schema` wrote. */
export function schemaText(): string {
  return readFileSync(join(__dirname, "../../schema.json"), "utf8");
}

/** The version of this package, without a leading "v". */
export function packageVersion(): string {
  return JSON.parse(readFileSync(join(__dirname, "../../package.json"), "utf8")).version;
}
