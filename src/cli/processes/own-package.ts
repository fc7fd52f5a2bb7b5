import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Package of this file: the provider, or the emulator alone. */
export function ownPackage(): { readonly folder: string; readonly name: string; readonly version: string } {
  const folder = join(__dirname, "../../..");
  const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return { folder, name, version };
}
