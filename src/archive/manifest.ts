import { ArchiveError } from "../errors.js";
import type { ManifestSummary } from "./contents.js";
import { parseLenientJson } from "./lenient-json.js";
import { filesNamedIn, isRecord } from "./manifest-files.js";

/** Most problems that one error lists. */
const problemsListedMax = 10;

/** The files of an extension, as the checks of its manifest see them. */
export interface ExtensionFiles {
  readonly paths: ReadonlySet<string>;
  /** Contents of a file that is in `paths`. */
  read(path: string): Promise<Uint8Array>;
  /** What the files are called in messages: the folder or the archive as the user typed it. */
  readonly source: string;
}

/**
 * Checks the manifest as the browser would on loading the extension, so that a mistake shows in a preview and not in a browser
 * of somebody else: it has to be there, name its version rightly and name no file that is missing. Several problems are
 * reported together. Source of the rules: the browsers' documentation of manifest.json.
 */
export async function checkManifest(files: ExtensionFiles): Promise<ManifestSummary> {
  const manifest = await readManifest(files);
  const problems: string[] = [];
  const version = manifest.manifest_version;
  if (version !== 2 && version !== 3) {
    problems.push('"manifest_version" has to be 2 or 3');
  }
  if (!isExtensionVersion(manifest.version)) {
    problems.push('"version" has to be one to four numbers from 0 to 65535 with dots between, like "1.0.3"');
  }
  const name = await nameOf(manifest, files, problems);
  for (const { path, member } of filesNamedIn(manifest)) {
    if (!files.paths.has(path)) {
      problems.push(`"${member}" names "${path}", which is not in the archive`);
    }
  }
  if (
    version === 3 &&
    Array.isArray(manifest.permissions) &&
    manifest.permissions.includes("webRequestBlocking")
  ) {
    const has = (pattern: RegExp) => [...files.paths].some((path) => pattern.test(path));
    if (!has(/^update\.xml$/) || !has(/^[^/]+\.crx$/)) {
      problems.push(
        'the permission "webRequestBlocking" is for extensions installed by policy, and the service wants their update.xml and .crx beside the manifest',
      );
    }
  }
  if (problems.length > 0) {
    throw invalid(files.source, problems);
  }
  return { name, version: manifest.version as string };
}

async function readManifest(files: ExtensionFiles): Promise<Record<string, unknown>> {
  if (!files.paths.has("manifest.json")) {
    const below = [...files.paths].filter((path) => path.endsWith("/manifest.json"));
    const [nearest] = below.sort((a, b) => a.split("/").length - b.split("/").length);
    const hint =
      nearest === undefined ? "" : ` The nearest one is in "${nearest.slice(0, -"/manifest.json".length)}".`;
    throw new ArchiveError(
      "archive_no_manifest",
      `${files.source} has no manifest.json at its top level. Point "path" at the unpacked extension itself.${hint}`,
    );
  }
  const manifest = parseLenientJson(await files.read("manifest.json"));
  if (!isRecord(manifest)) {
    throw invalid(files.source, ["it is not a JSON object"]);
  }
  return manifest;
}

async function nameOf(
  manifest: Record<string, unknown>,
  files: ExtensionFiles,
  problems: string[],
): Promise<string> {
  const { name } = manifest;
  if (typeof name !== "string" || name.trim() === "") {
    problems.push('"name" has to be a text that is not empty');
    return "";
  }
  const [, key] = /^__MSG_(\w+)__$/.exec(name) ?? [];
  if (key === undefined) {
    return name;
  }
  const locale = manifest.default_locale;
  const messagesPath = `_locales/${locale}/messages.json`;
  if (typeof locale !== "string" || !files.paths.has(messagesPath)) {
    problems.push(`"name" is localized, but there is no "${messagesPath}" for "default_locale"`);
    return "";
  }
  const messages = parseLenientJson(await files.read(messagesPath));
  // Keys of messages are compared without regard to case.
  const entry = isRecord(messages)
    ? Object.entries(messages).find(([candidate]) => candidate.toLowerCase() === key.toLowerCase())?.[1]
    : undefined;
  if (!isRecord(entry) || typeof entry.message !== "string" || entry.message.trim() === "") {
    problems.push(`"name" is the message "${key}", which "${messagesPath}" does not have`);
    return "";
  }
  return entry.message;
}

function isExtensionVersion(version: unknown): boolean {
  if (typeof version !== "string") {
    return false;
  }
  const numbers = version.split(".");
  return (
    numbers.length <= 4 &&
    numbers.every((number) => /^(0|[1-9]\d{0,4})$/.test(number) && Number(number) <= 65_535)
  );
}

function invalid(source: string, problems: readonly string[]): ArchiveError {
  const more = problems.length > problemsListedMax ? `; and ${problems.length - problemsListedMax} more` : "";
  return new ArchiveError(
    "archive_manifest_invalid",
    `The manifest.json of ${source} has mistakes: ${problems.slice(0, problemsListedMax).join("; ")}${more}. Mend them, and run this again.`,
  );
}
