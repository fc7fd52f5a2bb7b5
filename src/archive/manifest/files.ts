import { posix } from "node:path";
import { quotePath } from "../../text/escape.js";
import { isJsonObject, type JsonObject, type ShippedFiles } from "./manifest.js";

/** A place in the manifest that names files. */
interface FileReference {
  /** Members from the top; `*` stands for every item of a list or member of an object. */
  readonly members: readonly string[];
  /** Values with a `*` are patterns, and name no one file. */
  readonly mayBePattern?: true;
  /** A folder is allowed. */
  readonly mayBeFolder?: true;
}

/**
 * The members of a manifest whose files the browser needs when it loads the extension, of versions
 * 2 and 3. Source: the browser's manifest reference.
 */
const fileReferences: readonly FileReference[] = [
  { members: ["icons", "*"] },
  { members: ["background", "service_worker"] },
  { members: ["background", "page"] },
  { members: ["background", "scripts", "*"] },
  { members: ["content_scripts", "*", "js", "*"] },
  { members: ["content_scripts", "*", "css", "*"] },
  ...["action", "browser_action", "page_action"].flatMap((action): FileReference[] => [
    { members: [action, "default_popup"] },
    { members: [action, "default_icon"] },
    { members: [action, "default_icon", "*"] },
  ]),
  { members: ["options_page"] },
  { members: ["options_ui", "page"] },
  { members: ["devtools_page"] },
  { members: ["side_panel", "default_path"] },
  { members: ["chrome_url_overrides", "*"] },
  { members: ["declarative_net_request", "rule_resources", "*", "path"] },
  { members: ["storage", "managed_schema"] },
  { members: ["sandbox", "pages", "*"], mayBePattern: true },
  // Version 2 lists paths, version 3 lists objects with them.
  { members: ["web_accessible_resources", "*"], mayBePattern: true, mayBeFolder: true },
  { members: ["web_accessible_resources", "*", "resources", "*"], mayBePattern: true, mayBeFolder: true },
];

/**
 * Most missing files that are looked into for a reason; beyond it they are only said to be missing.
 */
const reasonsMax = 10;

/** What is wrong with the files an extension's manifest asks for, each as part of a sentence. */
export function fileProblems(manifest: JsonObject, files: ShippedFiles): string[] {
  const folders = foldersOf(files.paths);
  const problems = new Set<string>();
  for (const { members, mayBePattern, mayBeFolder } of fileReferences) {
    for (const { value, where } of textsAt(manifest, members)) {
      if (value === "" || (mayBePattern && value.includes("*"))) {
        continue;
      }
      const ships = pathsMeant(value).some(
        (path) => files.paths.has(path) || (mayBeFolder && folders.has(path.replace(/\/$/, ""))),
      );
      if (!ships) {
        // The reason takes a look at every file, and a manifest may name tens of thousands that are
        // missing.
        problems.add(
          problems.size < reasonsMax ? missing(where, value, files) : `"${where}" names a missing file`,
        );
      }
    }
  }
  return [...problems, ...localeProblems(manifest, files, folders), ...policyProblems(manifest, files)];
}

function foldersOf(paths: ReadonlySet<string>): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let end = path.indexOf("/"); end !== -1; end = path.indexOf("/", end + 1)) {
      folders.add(path.slice(0, end));
    }
  }
  return folders;
}

/**
 * Every text at a place of the manifest, with the way to it for a message:
 * `content_scripts[0].js[1]`.
 */
function textsAt(
  value: unknown,
  members: readonly string[],
  where = "",
): readonly { value: string; where: string }[] {
  const [member, ...rest] = members;
  if (member === undefined) {
    return typeof value === "string" ? [{ value, where }] : [];
  }
  if (member === "*" && Array.isArray(value)) {
    return value.flatMap((item, index) => textsAt(item, rest, `${where}[${index}]`));
  }
  if (!isJsonObject(value)) {
    return [];
  }
  const names = member === "*" ? Object.keys(value) : Object.hasOwn(value, member) ? [member] : [];
  return names.flatMap((name) => textsAt(value[name], rest, where === "" ? name : `${where}.${name}`));
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
  return candidates.map((path) => posix.normalize(path.replace(/^\/+/, "")));
}

function missing(where: string, value: string, files: ShippedFiles): string {
  const subject = `"${where}" names ${quotePath(value)}, which`;
  const meant = pathsMeant(value);
  for (const path of meant) {
    const reason = files.whyLeftOut(path);
    if (reason !== undefined) {
      return `${subject} ${reason}`;
    }
  }
  const lowered = new Set(meant.map((path) => path.toLowerCase()));
  for (const shipped of files.paths) {
    if (lowered.has(shipped.toLowerCase())) {
      return `${subject} is written ${quotePath(shipped)} in the files`;
    }
  }
  return `${subject} does not exist`;
}

/** The browser refuses an extension whose `default_locale` and `_locales` do not go together. */
function localeProblems(
  { default_locale: locale }: JsonObject,
  files: ShippedFiles,
  folders: ReadonlySet<string>,
): string[] {
  if (locale === undefined) {
    return folders.has("_locales")
      ? ['there is a folder "_locales", so "default_locale" has to name one of its locales']
      : [];
  }
  if (typeof locale !== "string") {
    return ['"default_locale" has to be a text'];
  }
  const path = `_locales/${locale}/messages.json`;
  return files.paths.has(path) ? [] : [missing("default_locale", path, files)];
}

/**
 * In version 3, blocking requests is open only to extensions that a policy installs. The service
 * then asks for `update.xml` and a `.crx` beside the manifest.
 */
function policyProblems(manifest: JsonObject, files: ShippedFiles): string[] {
  const isPolicyOnly =
    manifest.manifest_version === 3 &&
    [manifest.permissions, manifest.optional_permissions].some(
      (permissions) => Array.isArray(permissions) && permissions.includes("webRequestBlocking"),
    );
  if (!isPolicyOnly) {
    return [];
  }
  const hasCrx = [...files.paths].some((path) => /^[^/]+\.crx$/i.test(path));
  const absent = [
    ...(files.paths.has("update.xml") ? [] : ['"update.xml"']),
    ...(hasCrx ? [] : ["the packed .crx"]),
  ];
  return absent.length === 0
    ? []
    : [
        `the permission "webRequestBlocking" is only for extensions that a policy installs, which need ${absent.join(" and ")} beside manifest.json`,
      ];
}
