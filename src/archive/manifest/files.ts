import { quotePath } from "../../text/escape.js";
import type { Findings } from "./findings.js";
import { isUsedByContentScripts } from "./ignored.js";
import { isNonEmptyString, type JsonObject, type ShippedFiles } from "./json.js";
import { valuesAt } from "./places.js";
import { isInExtension, type References } from "./references.js";

/** Places of a manifest that contain file references. */
interface FilePlaces {
  /** Whether Chromium refuses the extension without the file. Otherwise: a warning. */
  readonly isRequired: boolean;
  /** Whether a reference may be percent-encoded, as for pages. */
  readonly isEncoded: boolean;
  /** Whether Chromium looks up a reference on load. Default: all references. */
  readonly isLookedUp?: (reference: string) => boolean;
  /** Whether Chromium uses a file at all. Default: all files. */
  readonly isUsed?: (reference: string, where: string) => boolean;
  readonly places: readonly string[];
}

/** Chromium looks up only icons of these types. */
const isImage = (path: string) => /\.(?:a?png|jpe?g|jfif|gif|bmp|ico|webp|avif|svg)$/i.test(path);

/** Chromium looks up only scripts with a plain path. */
const isPlainPath = (path: string) =>
  /^\/?[^/\s\\:](?:[^\\:]*[^/\s\\:])?$/.test(path) && !path.split("/").includes("..");

const icons = { isRequired: true, isEncoded: false, isLookedUp: isImage };
const pages = { isRequired: true, isEncoded: true, isLookedUp: isInExtension };
const used = { isRequired: false, isEncoded: true };

const everyVersion: readonly FilePlaces[] = [
  { ...icons, places: ["icons.*"] },
  {
    isRequired: true,
    isEncoded: false,
    isLookedUp: isPlainPath,
    isUsed: isUsedByContentScripts,
    places: ["content_scripts.*.js.*", "content_scripts.*.css.*"],
  },
  {
    ...pages,
    places: [
      "options_ui.page",
      "chrome_url_overrides.newtab",
      "chrome_url_overrides.bookmarks",
      "chrome_url_overrides.history",
      "theme.images.+",
    ],
  },
  {
    ...used,
    places: [
      "action.default_popup",
      "devtools_page",
      "sandbox.pages.*",
      "web_accessible_resources.*",
      "web_accessible_resources.*.resources.*",
    ],
  },
];

const fromVersion3: readonly FilePlaces[] = [
  { ...icons, places: ["action.default_icon", "action.default_icon.*"] },
  { ...pages, places: ["background.service_worker", "side_panel.default_path"] },
];

const inVersion2: readonly FilePlaces[] = [
  {
    ...icons,
    places: ["browser_action", "page_action"].flatMap((action) => [
      `${action}.default_icon`,
      `${action}.default_icon.*`,
    ]),
  },
  { ...pages, places: ["background.page", "background.scripts.*"] },
  { ...used, places: ["browser_action.default_popup", "page_action.default_popup"] },
];

/** Maximum missing files with a reason. Further missing files are reported without a reason. */
const reasonsMax = 10;

/** Reports missing files of a manifest. A file excluded by `exclude` counts only if required. */
export function checkFiles(
  manifest: JsonObject,
  files: ShippedFiles,
  references: References,
  findings: Findings,
): void {
  const groups = [...everyVersion, ...(manifest.manifest_version === 2 ? inVersion2 : fromVersion3)];
  // `options_ui.page` takes precedence.
  const hasOptionsUi = valuesAt(manifest, "options_ui.page").some(({ value }) => isNonEmptyString(value));
  if (!hasOptionsUi) {
    groups.push({ ...pages, places: ["options_page"] });
  }
  for (const { places, isRequired, isEncoded, isLookedUp = () => true, isUsed = () => true } of groups) {
    for (const { value: reference, where } of places.flatMap((place) => valuesAt(manifest, place))) {
      if (!isNonEmptyString(reference)) {
        continue;
      }
      if (!isUsed(reference, where)) {
        continue;
      }
      const refuses = isRequired && isLookedUp(reference);
      const found = refuses ? findings.refusals : findings.warnings;
      if (!references.exists(reference, isEncoded)) {
        // A reference with "*" is a pattern, which may match no file.
        if (refuses || !(reference.includes("*") || references.isExcluded(reference))) {
          // Finding a reason reads all paths, and a manifest may name tens of thousands.
          found.add(
            found.size < reasonsMax
              ? references.missingProblem(where, reference)
              : `${quotePath(where)} names a missing file`,
          );
        }
      } else if (
        refuses &&
        isLookedUp === isImage &&
        files.sizes.get(references.fileOf(reference, isEncoded) ?? "") === 0
      ) {
        found.add(`${quotePath(where)} names ${quotePath(reference)}, which is empty`);
      }
    }
  }
}
