import { ArchiveError } from "../../errors.js";
import { quotePath } from "../../text/escape.js";
import { listed } from "../../text/words.js";
import type { ManifestSummary } from "../contents.js";
import { fileProblems } from "./files.js";
import { got, readJsonObject, type ShippedFiles } from "./json.js";
import { resolveName } from "./name.js";

/** Most problems one error lists; the rest is counted. */
const problemsListedMax = 10;

/**
 * Checks an extension's manifest the way a browser does on load: it parses, has a known
 * `manifest_version`, a name and a version, and every file it names ships. Unknown members are
 * ignored.
 *
 * Throws `ArchiveError` `archive_manifest_invalid` that lists everything found.
 */
export async function checkManifest(files: ShippedFiles): Promise<ManifestSummary> {
  const manifest = await readJsonObject(files, "manifest.json");
  if (typeof manifest === "string") {
    throw new ArchiveError("archive_manifest_invalid", `${files.label}: manifest.json ${manifest}.`);
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
      `${files.label}: manifest.json would not load. ${listed(problems, problemsListedMax, "; ")}.`,
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
