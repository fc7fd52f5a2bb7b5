import { storedZip } from "./stored-zip.js";

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
