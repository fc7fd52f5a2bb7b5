import { quotePath } from "../../text/escape.js";
import { foldersAbove } from "../rules/entry-name.js";
import { isJsonObject, type JsonObject, type ShippedFiles } from "./json.js";

/**
 * The places of a manifest, of version 2 or 3, that name files the browser needs when it loads the
 * extension. `*` is every item of a list or member of an object. Source: the browser's
 * manifest reference.
 */
const filePlaces = [
  "icons.*",
  "background.service_worker",
  "background.page",
  "background.scripts.*",
  "content_scripts.*.js.*",
  "content_scripts.*.css.*",
  ...["action", "browser_action", "page_action"].flatMap((action) => [
    `${action}.default_popup`,
    `${action}.default_icon`,
    `${action}.default_icon.*`,
  ]),
  "options_page",
  "options_ui.page",
  "devtools_page",
  "side_panel.default_path",
  "chrome_url_overrides.*",
  "declarative_net_request.rule_resources.*.path",
  "storage.managed_schema",
];

/** Places whose values with a `*` are patterns, and name no one file. */
const patternPlaces = ["sandbox.pages.*"];

/** Such places that may name folders, too: lists of paths in version 2, of objects in version 3. */
const folderPlaces = ["web_accessible_resources.*", "web_accessible_resources.*.resources.*"];

/** Most missing files for which a reason is looked for. Others are only said to be missing. */
const reasonsMax = 10;

/** What is wrong with the files an extension's manifest asks for, each as part of a sentence. */
export function fileProblems(manifest: JsonObject, files: ShippedFiles): string[] {
  const folders = new Set([...files.sizes.keys()].flatMap(foldersAbove));
  const problems = new Set<string>();
  for (const place of [...filePlaces, ...patternPlaces, ...folderPlaces]) {
    const mayBeFolder = folderPlaces.includes(place);
    const mayBePattern = mayBeFolder || patternPlaces.includes(place);
    for (const { value, where } of stringsAt(manifest, place.split("."))) {
      const isOneFile = value !== "" && !(mayBePattern && value.includes("*"));
      const ships = (path: string) =>
        files.sizes.has(path) || (mayBeFolder && folders.has(path.replace(/\/$/, "")));
      if (isOneFile && !pathsMeant(value).some(ships)) {
        // The reason takes a look at every file, and a manifest may name tens of thousands.
        const isExplained = problems.size < reasonsMax;
        problems.add(isExplained ? missing(where, value, files) : `${quotePath(where)} names a missing file`);
      }
    }
  }
  return [...problems, ...localeProblems(manifest, files, folders), ...policyProblems(manifest, files)];
}

/** Every string at a place of the manifest, with the way to it: `content_scripts[0].js[1]`. */
function stringsAt(
  value: unknown,
  members: readonly string[],
  where = "",
): readonly { value: string; where: string }[] {
  const [member, ...rest] = members;
  if (member === undefined) {
    return typeof value === "string" ? [{ value, where }] : [];
  }
  if (member === "*" && Array.isArray(value)) {
    return value.flatMap((item, index) => stringsAt(item, rest, `${where}[${index}]`));
  }
  if (!isJsonObject(value)) {
    return [];
  }
  const names = member === "*" ? Object.keys(value) : Object.hasOwn(value, member) ? [member] : [];
  return names.flatMap((name) => stringsAt(value[name], rest, where === "" ? name : `${where}.${name}`));
}

/**
 * The paths that a reference may mean, likeliest first. A reference is a URL below the extension's
 * root: it may begin with a `/`, have a query or a fragment, and be percent-encoded.
 */
function pathsMeant(value: string): string[] {
  const withoutSuffix = value.replace(/[?#].*$/s, "");
  const candidates = [value, withoutSuffix];
  try {
    candidates.push(decodeURIComponent(withoutSuffix));
  } catch {
    // A lone "%" is part of the name, which is a candidate already.
  }
  return candidates.map(normalized);
}

/**
 * A path without a `/` in front and without the names `.` and `..`, as far as there is a folder to
 * leave. Node's own function takes minutes for "../" a few hundred thousand times.
 */
function normalized(path: string): string {
  const names: string[] = [];
  for (const name of path.split("/")) {
    if (name === ".." && names.length > 0 && names.at(-1) !== "..") {
      names.pop();
    } else if (name !== "" && name !== ".") {
      names.push(name);
    }
  }
  // The name of a folder keeps the slash at its end: no file is meant.
  return names.join("/") + (path.endsWith("/") ? "/" : "");
}

function missing(where: string, value: string, files: ShippedFiles): string {
  const subject = `${quotePath(where)} names ${quotePath(value)}, which`;
  const meant = pathsMeant(value);
  const reason = meant.map(files.whyLeftOut).find((why) => why !== undefined);
  if (reason !== undefined) {
    return `${subject} ${reason}`;
  }
  const lowered = new Set(meant.map((path) => path.toLowerCase()));
  const twin = [...files.sizes.keys()].find((path) => lowered.has(path.toLowerCase()));
  return twin === undefined
    ? `${subject} does not exist`
    : `${subject} is written ${quotePath(twin)} in the files`;
}

/** The browser refuses an extension whose `default_locale` and `_locales` do not go together. */
function localeProblems(
  { default_locale: locale }: JsonObject,
  files: ShippedFiles,
  folders: ReadonlySet<string>,
): string[] {
  if (locale === undefined) {
    return folders.has("_locales")
      ? ['there is a folder "_locales", so "default_locale" must name one of its locales']
      : [];
  }
  if (typeof locale !== "string") {
    return ['"default_locale" must be a string'];
  }
  const path = `_locales/${locale}/messages.json`;
  return files.sizes.has(path) ? [] : [missing("default_locale", path, files)];
}

/**
 * In version 3, only extensions that a policy installs may block requests. For these the service
 * requires `update.xml` and a `.crx` next to the manifest.
 */
function policyProblems(manifest: JsonObject, { sizes }: ShippedFiles): string[] {
  const isPolicyOnly =
    manifest.manifest_version === 3 &&
    [manifest.permissions, manifest.optional_permissions].some(
      (permissions) => Array.isArray(permissions) && permissions.includes("webRequestBlocking"),
    );
  const hasCrx = [...sizes.keys()].some((path) => /^[^/]+\.crx$/i.test(path));
  const absent = [sizes.has("update.xml") ? [] : '"update.xml"', hasCrx ? [] : "the packed .crx"].flat();
  if (!isPolicyOnly || absent.length === 0) {
    return [];
  }
  return [
    `the permission "webRequestBlocking" is only for extensions that a policy installs, which need ${absent.join(" and ")} next to manifest.json`,
  ];
}
