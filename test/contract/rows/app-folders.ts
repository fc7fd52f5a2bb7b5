import { join } from "node:path";
import { packApp } from "../../../src/archive/index.js";
import { writeApp } from "../../emulator/apps/app-code.js";
import { appFolders, checksums } from "./samples.js";

/** Writes the folders with the code of apps below a folder, and notes the checksums. */
export async function writeAppFolders(folder: string): Promise<void> {
  for (const path of appFolders) {
    writeApp(join(folder, path), "agent", path);
    const app = { entrypoint: "src/app.ts", gitignore: true };
    checksums.set(path, (await packApp(join(folder, path), { app })).checksum);
  }
}
