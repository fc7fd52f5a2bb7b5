import { ArchiveError } from "../../errors.js";
import { quotePath } from "../../text/escape.js";
import { listed } from "../../text/words.js";
import type { ManifestSummary } from "../contents.js";
import { checkBrowser } from "./browser.js";
import { checkFiles } from "./files.js";
import { Findings } from "./findings.js";
import { isVersion } from "./grammar/version.js";
import { checkIgnored } from "./ignored.js";
import { type FileSource, type JsonObject, readJsonObject, type ShippedFiles, valueText } from "./json.js";
import { checkLocales } from "./locales.js";
import { checkPolicy } from "./policy.js";
import { checkContents } from "./referenced-files.js";
import { References } from "./references.js";
import { checkShapes } from "./shapes.js";

/** Maximum number of problems in an error; the rest is counted. */
const problemsListedMax = 10;

/** Input of the check besides the list of files. */
interface ManifestSource<F> extends FileSource<F> {
  /** Label for messages: `Folder "./extension"`. */
  readonly label: string;
  /** Remedy for a missing manifest, as the beginning of a sentence. */
  readonly adviceWhenMissing: string;
}

export interface CheckedManifest {
  /** Name and version; undefined if either is invalid. */
  readonly summary: ManifestSummary | undefined;
  /** Reasons why Chromium does not load the extension, as sentences without a full stop. */
  readonly refusals: readonly string[];
  /** Gaps of an extension that loads, as sentences without a full stop. */
  readonly warnings: readonly string[];
}

/**
 * Checks an extension's manifest and the files in the manifest, as Chromium does on load. The tests
 * compare the checks with Chromium's verdicts. docs/browsers/archive.md lists the checks and the gaps.
 *
 * Throws `ArchiveError` `archive_manifest_missing`, or `archive_manifest_invalid` with all
 * problems.
 */
export async function checkManifest<F extends { readonly path: string; readonly sizeBytes: number }>(
  shipped: readonly F[],
  source: ManifestSource<F>,
): Promise<{ readonly manifest: ManifestSummary; readonly warnings: readonly string[] }> {
  const { label, adviceWhenMissing } = source;
  const checked = await readManifest(shipped, source);
  if (checked === undefined) {
    const paths = shipped.map(({ path }) => path);
    throw manifestMissingError(label, adviceWhenMissing, nearestManifest(paths));
  }
  const { summary, refusals, warnings } = checked;
  if (refusals.length > 0 || summary === undefined) {
    throw new ArchiveError("archive_manifest_invalid", `${label}: ${refusalText(checked)}`);
  }
  return { manifest: summary, warnings };
}

/** Message with the reasons why Chromium does not load an extension. */
export function refusalText({ refusals }: Pick<CheckedManifest, "refusals">): string {
  return `Chromium would not load this extension. ${listed(refusals, problemsListedMax, "; ")}.`;
}

/** Reads and checks a manifest. Returns undefined without a manifest. */
export async function readManifest<F extends { readonly path: string; readonly sizeBytes: number }>(
  shipped: readonly F[],
  source: FileSource<F>,
): Promise<CheckedManifest | undefined> {
  const byPath = new Map(shipped.map((file) => [file.path, file]));
  if (!byPath.has("manifest.json")) {
    return undefined;
  }
  const files: ShippedFiles = {
    ...source,
    sizes: new Map(shipped.map(({ path, sizeBytes }) => [path, sizeBytes])),
    read: (path) => source.read(byPath.get(path) as F),
  };
  const manifest = await readJsonObject(files, "manifest.json");
  if (typeof manifest === "string") {
    return { summary: undefined, refusals: [`manifest.json ${manifest}`], warnings: [] };
  }
  return runChecks(manifest, files);
}

async function runChecks(manifest: JsonObject, files: ShippedFiles): Promise<CheckedManifest> {
  const findings = new Findings();
  const { refusals, warnings } = findings;
  const references = new References(files);
  const { manifest_version: manifestVersion, version } = manifest;
  if (typeof manifestVersion !== "number" || manifestVersion < 2) {
    refusals.add(`"manifest_version" must be the number 2 or 3${valueText(manifestVersion)}`);
  }
  const name = await checkLocales(manifest, files, references, findings);
  if (!isVersion(version, 4)) {
    refusals.add(
      '"version" must be a string of one to four numbers below 4294967296 with dots between, the first without ' +
        `leading zeros, for instance "1.4.0"${valueText(version)}`,
    );
  }
  checkShapes(manifest, findings);
  checkFiles(manifest, files, references, findings);
  checkIgnored(manifest, findings);
  if (!files.isKnown) {
    await checkContents(manifest, files, references, findings);
  }
  await checkPolicy(manifest, files, findings);
  checkBrowser(manifest, files, findings);
  if (await isOnlyForChromium(files)) {
    warnings.add(
      "manifest.json has comments, a byte order mark or other spellings that Chromium reads and newer browsers of the service refuse. Write plain JSON",
    );
  }
  const summary = name === undefined || !isVersion(version, 4) ? undefined : { name, version };
  return { summary, refusals: [...refusals], warnings: [...warnings] };
}

/** Whether only Chromium's parser accepts the manifest. The service's image parses strictly. */
async function isOnlyForChromium(files: ShippedFiles): Promise<boolean> {
  const text = Buffer.from(await files.read("manifest.json")).toString();
  try {
    JSON.parse(text);
    return false;
  } catch {
    return true;
  }
}

/** Builds the error for an extension without a manifest. `nearest`: a subfolder with a manifest. */
export function manifestMissingError(
  label: string,
  advice: string,
  nearest: string | undefined,
): ArchiveError {
  const hint = nearest === undefined ? "" : `; the nearest manifest is in ${quotePath(nearest)}`;
  return new ArchiveError(
    "archive_manifest_missing",
    `${label} has no manifest.json at its top level. ${advice}${hint}.`,
  );
}

/** Returns the topmost folder with a manifest; of several, the first in sort order. */
function nearestManifest(paths: readonly string[]): string | undefined {
  const [nearest] = paths
    .filter((path) => path.endsWith("/manifest.json"))
    .sort((a, b) => a.split("/").length - b.split("/").length || (a < b ? -1 : 1));
  return nearest?.slice(0, -"manifest.json".length);
}
