import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Files below a folder at any depth, as paths that start with `folder`. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((file) => join(folder, file))
    .filter((file) => statSync(file).isFile());
}
