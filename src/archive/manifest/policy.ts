import type { Findings } from "./findings.js";
import type { JsonObject, ShippedFiles } from "./json.js";

/** Largest `update.xml` read, in bytes. Real files have a few hundred. */
const updateBytesMax = 64 * 1024;

/**
 * Checks the requirements of an installation by policy. The service installs by policy if the
 * extension requests `webRequest`, and has `update.xml` with the extension's id and a `.crx` next
 * to the manifest. Without these files, the extension is loaded normally, and in version 3 the
 * browser does not let the extension block requests. An `update.xml` without an id is refused.
 * Source: the service's public image.
 */
export async function checkPolicy(
  manifest: JsonObject,
  files: ShippedFiles,
  { refusals, warnings }: Findings,
): Promise<void> {
  const permissions = Array.isArray(manifest.permissions) ? manifest.permissions : [];
  const blocks = permissions.includes("webRequestBlocking");
  if (!blocks && !permissions.includes("webRequest")) {
    return;
  }
  const updateBytes = files.sizes.get("update.xml");
  const hasCrx = [...files.sizes.keys()].some((path) => /^[^/]+\.crx$/.test(path));
  if (updateBytes !== undefined) {
    const text = updateBytes > updateBytesMax ? "" : Buffer.from(await files.read("update.xml")).toString();
    if (!/<app\s[^<>]*\bappid\s*=\s*["'][a-p]{32}["']/.test(text)) {
      refusals.add('"update.xml" names no extension: add an "app" with an "appid" of 32 letters from a to p');
    }
  }
  if (blocks && manifest.manifest_version !== 2 && !(updateBytes !== undefined && hasCrx)) {
    const absent = [updateBytes === undefined ? '"update.xml"' : "", hasCrx ? "" : "the packed .crx"];
    warnings.add(
      `"webRequestBlocking" has no effect: only an extension installed by a policy may block requests, and a policy needs ${absent.filter(Boolean).join(" and ")} next to manifest.json`,
    );
  }
}
