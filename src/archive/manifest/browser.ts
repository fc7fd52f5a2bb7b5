import { quotePath } from "../../text/escape.js";
import type { Findings } from "./findings.js";
import { isJsonObject, type JsonObject, type ShippedFiles } from "./json.js";

/** Version of the Chromium with which the tests compare the checks. */
const checkedChromium = 156;

/** Adds warnings about parts that load, but work only in a different browser or version. */
export function checkBrowser(manifest: JsonObject, { sizes }: ShippedFiles, { warnings }: Findings): void {
  const { manifest_version: version, background, minimum_chrome_version: minimum } = manifest;
  if (version === 2) {
    warnings.add('"manifest_version" is 2: Chromium 139 and newer do not load the extension');
  } else if (typeof version === "number" && version > 3) {
    warnings.add(
      `"manifest_version" is ${version}, and Chromium ${checkedChromium} treats the manifest as version 3`,
    );
  }
  if (typeof minimum === "string" && Number.parseInt(minimum, 10) > checkedChromium) {
    warnings.add(
      `"minimum_chrome_version" is later than ${checkedChromium}, and an older browser does not load the extension`,
    );
  }
  if (version !== 2) {
    const pages = ["scripts", "page"].filter(
      (name) => isJsonObject(background) && Object.hasOwn(background, name),
    );
    if (pages.length > 0 && !(isJsonObject(background) && Object.hasOwn(background, "service_worker"))) {
      warnings.add(
        `"background.${pages[0]}" is for other browsers. Chromium runs "background.service_worker"`,
      );
    }
    const actions = ["browser_action", "page_action"].filter((name) => Object.hasOwn(manifest, name));
    if (actions.length > 0 && !Object.hasOwn(manifest, "action")) {
      warnings.add(`"${actions[0]}" is for version 2. In version 3, Chromium reads "action"`);
    }
  }
  const reserved = [...new Set([...sizes.keys()].map((path) => path.split("/")[0] ?? ""))].filter(
    (name) =>
      name.startsWith("_") && !["_locales", "_platform_specific", "__MACOSX", "_metadata"].includes(name),
  );
  if (reserved.length > 0) {
    warnings.add(
      `${quotePath(reserved[0] ?? "")} begins with "_": Chromium reserves such names at the top level and may refuse the extension`,
    );
  }
}
