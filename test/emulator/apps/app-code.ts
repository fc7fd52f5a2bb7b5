import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { storedZip } from "../../support/stored-zip.js";

/** Files of a small app with an action, by path. A different `text` gives different bytes. */
export function appFiles(appName = "agent", text = ""): Readonly<Record<string, string>> {
  return {
    "package.json": JSON.stringify({ name: "of-the-manifest", type: "module" }),
    "src/app.ts": `const app = kernel.app("${appName}");\napp.action("browse", () => {});\n// ${text}\n`,
  };
}

/** Archive of a small app. */
export function appZip(appName?: string, text?: string) {
  const files = Object.entries(appFiles(appName, text));
  return storedZip(files.map(([name, contents]) => ({ name, contents })));
}

/** Writes the files of a small app into a new folder. Arguments as of {@link appFiles}. */
export function writeApp(folder: string, appName?: string, text?: string): void {
  for (const [path, contents] of Object.entries(appFiles(appName, text))) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), contents);
  }
}
