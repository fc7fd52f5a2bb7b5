import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** The files below a folder, at any depth, each with the folder before it. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((file) => join(folder, file))
    .filter((file) => statSync(file).isFile());
}
