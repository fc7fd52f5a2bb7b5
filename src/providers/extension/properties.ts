import { isAbsolute, relative } from "node:path";
import type { Extension } from "../../client/index.js";
import { extensionNameProblem } from "../../client/names.js";
import { autoName } from "../auto-name.js";
import { marks } from "../core/marks.js";
import { type CheckFailure, undeclaredInputs } from "../lifecycle.js";
import {
  type DeclaredOf,
  isPropertyMap,
  type MaybeUnknown,
  Properties,
  type PropertiesOf,
  type PropertyMap,
  t,
} from "../properties.js";

/** The inputs of an Extension, as `check` returns them. */
export const extensionInputs = new Properties({
  path: { ...t.string, isRequired: true, isInternal: true },
  /** What is adopted without a name keeps the one that it has. */
  name: { ...t.string, replaces: true, isFromService: true },
  projectId: { ...t.string, replaces: true },
  exclude: { ...t.listOf(t.string), isInternal: true },
  /** Id or name of an extension to adopt. */
  adopt: { ...t.string, isInternal: true },
  checksum: { ...t.string, isFilledIn: true },
  sizeBytes: { ...t.integer, isFilledIn: true },
  fileCount: { ...t.integer, isFilledIn: true },
  manifest: { ...t.object({ name: t.string, version: t.string }), isFilledIn: true },
  /** A short digest of each file. */
  files: { ...t.mapOf(t.string), isFilledIn: true },
  /** Set by the service. An input only in an import file. */
  createdAt: { ...t.string, isFilledIn: true, isFromService: true },
});
export type ExtensionInputs = PropertiesOf<typeof extensionInputs>;
export type DeclaredExtension = DeclaredOf<typeof extensionInputs>;

/** What the state keeps of an Extension. */
export const extensionState = new Properties({
  ...extensionInputs.types,
  ...marks,
});
export type ExtensionState = PropertiesOf<typeof extensionState>;

/** Inputs that identify an extension. The service cannot change it, so changing one replaces it. */
export const identifyingInputs = ["checksum", "name", "projectId"] as const;

/** What `check` wants to find again in its next call. */
export const extensionMemo = new Properties({
  /** The project came from the settings. */
  projectDefaulted: t.boolean,
  /** What the folder packed to. */
  archive: t.object({ format: t.number, contentDigest: t.string, checksum: t.string, sizeBytes: t.number }),
  /** Checksum of an adopted extension, which keeps its name as long as this is its content. */
  adoptedChecksum: t.string,
  /** The automatic name, and what it was made from. */
  autoName: t.object({ name: t.string, checksum: t.string, projectId: t.string }),
});
export type ExtensionMemo = PropertiesOf<typeof extensionMemo>;

/** Whether the name is the one that `check` made, and not the program's. */
export function hasAutoName({ name }: DeclaredExtension, { autoName }: ExtensionMemo): boolean {
  return autoName !== undefined && autoName.name === name;
}

/** The name under which the archive is uploaded. What is adopted under its own has none here. */
export function nameToUpload(
  { name, checksum, projectId }: ExtensionInputs,
  urn: string | undefined,
): string {
  return name ?? autoName(urn ?? "", checksum, projectId);
}

/** What the service says of an extension. If it has no checksum on record, the known one stays. */
export function liveProperties(extension: Extension, known: ExtensionState) {
  return {
    name: extension.name ?? known.name,
    checksum: extension.checksum ?? known.checksum,
    sizeBytes: extension.sizeBytes,
    createdAt: extension.createdAt ?? undefined,
  };
}

const pathOfAsset =
  '"path" must be a string such as "./extension", the folder itself and not a FileArchive or another asset: the provider packs it.';

/** Reads what the program gave and validates each input, so that all faults are shown at once. */
export function parseExtensionInputs(
  news: PropertyMap,
  programFolder: string,
): { declaration: DeclaredExtension; failures: CheckFailure[] } {
  const failures = undeclaredInputs(news, extensionInputs, "An Extension");
  const fail = (property: string, reason: string) => {
    failures.push({ property, reason });
  };
  const declaration = extensionInputs.readDeclared(news);
  const { path, name, exclude } = declaration;

  // An import file gives the contents instead of a folder.
  if (news.path === undefined && news.checksum === undefined) {
    fail("path", 'An Extension needs "path": the folder of the unpacked extension, or a ready .zip file.');
  }
  for (const property of ["path", "name", "projectId", "adopt"] as const) {
    const value = declaration[property];
    if (news[property] !== undefined && (value === undefined || isBlank(value))) {
      const isAsset = property === "path" && isPropertyMap(news.path);
      fail(property, isAsset ? pathOfAsset : `"${property}" must be a non-empty string.`);
    }
  }
  if (news.exclude !== undefined && exclude === undefined) {
    fail("exclude", '"exclude" must be a list of glob patterns, for instance ["tests/**"].');
  }
  if (typeof name === "string" && !isBlank(name)) {
    const problem = extensionNameProblem(name);
    if (problem !== undefined) {
      fail("name", `The extension's "name" ${problem}.`);
    }
  }
  if (typeof path !== "string" || !isAbsolute(path)) {
    return { declaration, failures };
  }
  // Two machines then agree on the state.
  const fromProgram = relative(programFolder, path) || ".";
  if (isAbsolute(fromProgram)) {
    fail(
      "path",
      'The folder is on a different drive from the program. Move it to the same drive, so that "path" can be relative to the program.',
    );
  }
  return { declaration: { ...declaration, path: fromProgram.replaceAll("\\", "/") }, failures };
}

function isBlank(value: MaybeUnknown<string>): boolean {
  return typeof value === "string" && value.trim() === "";
}
