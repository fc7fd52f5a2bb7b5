import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import ignore from "ignore";
import { ArchiveError } from "../../errors.js";
import { quotePath } from "../../text/escape.js";
import { listed, sizeText } from "../../text/words.js";
import type { ExcludeMatcher } from "../rules/exclude.js";
import { largestFiles } from "../rules/refusals.js";
import { listFolder } from "./folder.js";
import type { AppSource, FolderSource } from "./location.js";

/** Folders of installed dependencies and of caches. The service installs the dependencies itself. */
const dependencyFolders = /(?:^|\/)(?:node_modules|\.venv|venv|__pycache__|\.pytest_cache|\.mypy_cache)$/;

/** Size of all files from which a warning names the largest, in bytes before compression. */
const largeBytesMin = 20 * 1024 * 1024;

/** Lists the code of an app: no dependencies, and nothing that Git ignores. */
export function listApp(source: FolderSource, app: AppSource, isExcluded: ExcludeMatcher) {
  const isIgnored = app.gitignore ? gitIgnored(source.absolutePath) : () => false;
  const isLeftOut = (path: string, isFolder: boolean) =>
    isExcluded(path, isFolder) || (isFolder && dependencyFolders.test(path)) || isIgnored(path, isFolder);
  return listFolder(source, isLeftOut, () => ' List files that the app does not need in "exclude".');
}

/**
 * Checks that the files of an app have the entrypoint, and a `package.json` or `pyproject.toml` at the root, as
 * published. Throws `ArchiveError`.
 */
export async function checkApp<File extends { readonly path: string; readonly sizeBytes: number }>(
  files: readonly File[],
  { entrypoint }: AppSource,
  { label, read }: { readonly label: string; readonly read: (file: File) => Promise<Uint8Array> },
) {
  const find = (path: string) => files.find((file) => file.path === path);
  const manifest = find("package.json") ?? find("pyproject.toml");
  if (manifest === undefined) {
    const why = `${label} ships no package.json or pyproject.toml at its top level, so the service cannot build the app.`;
    throw new ArchiveError("app_manifest_missing", `${why} Point "path" at the folder with that file.`);
  }
  if (find(entrypoint) === undefined) {
    const ending = entrypoint.replace(/^.*\//, "");
    const near = files
      .filter(({ path }) => `/${path}`.endsWith(`/${ending}`))
      .map(({ path }) => quotePath(path));
    const hint = near.length === 0 ? "" : ` There is ${listed(near)}.`;
    const why = `${label} ships no ${quotePath(entrypoint)}, the entrypoint.${hint}`;
    throw new ArchiveError(
      "app_entrypoint_missing",
      `${why} Check "entrypoint", "exclude" and what Git ignores.`,
    );
  }
  const isModule = /"type"\s*:\s*"module"/.test(Buffer.from(await read(manifest)).toString());
  const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const warnings = [
    manifest.path === "package.json" &&
      !isModule &&
      'package.json has no "type": "module", which the service asks for',
    bytes >= largeBytesMin && `the files have ${sizeText(bytes)}: ${largestFiles(files)}`,
  ];
  return { manifest: { name: "", version: "" }, warnings: warnings.filter((text) => text !== false) };
}

/**
 * Builds the judgement of the `.gitignore` files of a folder, and of the folders above up to the repository's. The
 * files above do not count for a folder that Git itself ignores, such as the result of a build.
 */
function gitIgnored(root: string): (path: string, isFolder: boolean) => boolean {
  const rules = new Map<string, ReturnType<typeof ignore>>();
  const rulesIn = (folder: string) => {
    // Git distinguishes the case of letters.
    const known = rules.get(folder) ?? ignore({ ignorecase: false }).add(textIn(join(folder, ".gitignore")));
    rules.set(folder, known);
    return known;
  };
  const isIgnored = (top: string, file: string, isFolder: boolean) => {
    let ignores = false;
    // From the top down: the nearest file decides.
    for (const folder of foldersBetween(top, dirname(file))) {
      const below = relative(folder, file).replaceAll(sep, "/") + (isFolder ? "/" : "");
      const { ignored, unignored } = rulesIn(folder).test(below);
      ignores = ignored || (ignores && !unignored);
    }
    return ignores;
  };
  const repository = repositoryOf(root) ?? root;
  const top = repository !== root && isIgnored(repository, root, true) ? root : repository;
  return (path, isFolder) => isIgnored(top, join(root, path), isFolder);
}

/** Folders from `top` to `folder`, the top first. */
function foldersBetween(top: string, folder: string): string[] {
  return folder === top || dirname(folder) === folder
    ? [folder]
    : [...foldersBetween(top, dirname(folder)), folder];
}

/** Nearest folder with `.git`, from a folder upwards; undefined outside of a repository. */
function repositoryOf(folder: string): string | undefined {
  const above = dirname(folder);
  return existsSync(join(folder, ".git")) ? folder : above === folder ? undefined : repositoryOf(above);
}

function textIn(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
