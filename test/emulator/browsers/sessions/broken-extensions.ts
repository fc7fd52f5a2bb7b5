import type { Emulator } from "../../../../src/emulator/index.js";
import { storedZip } from "../../../support/stored-zip.js";
import { stored } from "../../calls.js";

/** Extensions with errors that only a browser finds, by name. The emulator and Chromium accept each. */
const broken = {
  content: {
    manifest: { content_scripts: [{ matches: ["<all_urls>"], js: ["script.js"] }] },
    script: 'throw new Error("no cart on this page")',
  },
  worker: {
    manifest: { background: { service_worker: "script.js", type: "module" } },
    script: 'import "./missing.js"',
  },
  whole: { manifest: { background: { service_worker: "script.js" } }, script: "" },
};

/** Uploads the extensions `content`, `worker` and, without an error, `whole`. Returns the names. */
export async function uploadBroken(emulator: Emulator): Promise<readonly { readonly name: string }[]> {
  for (const [name, { manifest, script }] of Object.entries(broken)) {
    const contents = JSON.stringify({ manifest_version: 3, name, version: "1", ...manifest });
    const files = { "manifest.json": contents, "script.js": script };
    const bytes = storedZip(Object.entries(files).map(([path, text]) => ({ name: path, contents: text })));
    await stored(emulator, { name, bytes });
  }
  return Object.keys(broken).map((name) => ({ name }));
}
