import { ArchiveError } from "../../errors.js";
import { quotePath } from "../../text/escape.js";
import { listed } from "../../text/words.js";
import type { ManifestSummary } from "../contents.js";
import { fileProblems } from "./files.js";
import { got, readJsonObject, type ShippedFiles } from "./json.js";
import { resolveName } from "./name.js";

/** Most problems one error lists; the rest is counted. */
const problemsListedMax = 10;

/** What the check needs besides the list of files. */
interface ManifestSource<F> extends Pick<ShippedFiles, "label" | "whyLeftOut"> {
  readonly read: (file: F) => Promise<Uint8Array>;
  /** What to do when there is no manifest at the top level. */
  readonly adviceWhenMissing: string;
}

/**
 * Checks an extension's manifest the way a browser does on load: it parses, has a known
 * `manifest_version`, a name and a version, and every file it names ships. Unknown members are
 * ignored.
 *
 * Throws `ArchiveError` `archive_manifest_missing`, or `archive_manifest_invalid` that lists
 * everything found.
 */
export async function checkManifest<F extends { readonly path: string; readonly sizeBytes: number }>(
  shipped: readonly F[],
  { label, read, whyLeftOut, adviceWhenMissing }: ManifestSource<F>,
): Promise<ManifestSummary> {
  const byPath = new Map(shipped.map((file) => [file.path, file]));
  if (!byPath.has("manifest.json")) {
    throw manifestMissing(label, adviceWhenMissing, nearestManifest([...byPath.keys()]));
  }
  const files: ShippedFiles = {
    label,
    sizes: new Map(shipped.map(({ path, sizeBytes }) => [path, sizeBytes])),
    read: (path) => read(byPath.get(path) as F),
    whyLeftOut,
  };
  const manifest = await readJsonObject(files, "manifest.json");
  if (typeof manifest === "string") {
    throw new ArchiveError("archive_manifest_invalid", `${label}: manifest.json ${manifest}.`);
  }
  const { manifest_version: manifestVersion, version } = manifest;
  const problems: string[] = [];
  if (manifestVersion !== 2 && manifestVersion !== 3) {
    problems.push(`"manifest_version" must be the number 2 or 3${got(manifestVersion)}`);
  }
  const name = await resolveName(manifest, files);
  if ("problem" in name) {
    problems.push(name.problem);
  }
  if (!isVersion(version)) {
    problems.push(
      '"version" must be a string of one to four numbers from 0 to 65535 with dots between and no leading zeros, ' +
        `for instance "1.4.0"${got(version)}`,
    );
  }
  problems.push(...fileProblems(manifest, files));
  if (problems.length > 0 || "problem" in name || !isVersion(version)) {
    throw new ArchiveError(
      "archive_manifest_invalid",
      `${label}: manifest.json would not load. ${listed(problems, problemsListedMax, "; ")}.`,
    );
  }
  return { name: name.name, version };
}

function isVersion(version: unknown): version is string {
  return (
    typeof version === "string" &&
    /^(?:0|[1-9]\d{0,4})(?:\.(?:0|[1-9]\d{0,4})){0,3}$/.test(version) &&
    version.split(".").every((number) => Number(number) <= 65_535)
  );
}

/** The error of an extension without a manifest. `nearest` is a folder below that has one. */
export function manifestMissing(label: string, advice: string, nearest: string | undefined): ArchiveError {
  const hint = nearest === undefined ? "" : `; the nearest manifest is in ${quotePath(nearest)}`;
  return new ArchiveError(
    "archive_manifest_missing",
    `${label} has no manifest.json at its top level. ${advice}${hint}.`,
  );
}

/** The folder with a manifest that has the fewest folders above it, and then sorts first. */
function nearestManifest(paths: readonly string[]): string | undefined {
  const [nearest] = paths
    .filter((path) => path.endsWith("/manifest.json"))
    .sort((a, b) => a.split("/").length - b.split("/").length || (a < b ? -1 : 1));
  return nearest?.slice(0, -"manifest.json".length);
}
