import { isDeepStrictEqual } from "node:util";
import { archiveFormat } from "../../../archive/index.js";
import type { Call } from "../../call.js";
import { projectOf } from "../../core/owned/checks.js";
import { summaryOf } from "../../inputs/archives.js";
import {
  type CheckFailure,
  type CheckRequest,
  type CheckResult,
  checkResult,
  failureOf,
} from "../../lifecycle.js";
import { inputFailures } from "../../messages/input-failures.js";
import { type PropertyMap, unknownValue } from "../../properties.js";
import { type PackedContents, packedContents } from "./contents.js";
import type { ExtensionProcess } from "./object.js";
import { previewFailures } from "./preview.js";
import {
  type DeclaredExtension,
  type ExtensionInputs,
  type ExtensionMemo,
  extensionInputs,
  extensionMemo,
  parseExtensionInputs,
} from "./properties.js";

/**
 * Validates the inputs of an Extension, packs the folder and hashes the archive, so that a preview
 * shows the new checksum and the changed files. Sends requests only in a preview, to refuse inputs
 * that the service would refuse.
 */
export async function checkExtension(
  request: CheckRequest,
  call: Call,
  process: ExtensionProcess,
): Promise<CheckResult> {
  const { olds, news, memo: oldMemo } = request;
  const { context } = call;
  const memo = oldMemo && extensionMemo.read(oldMemo);
  const oldInputs = olds && extensionInputs.read(olds);
  const parsed = parseExtensionInputs(news, context.programFolder);
  const { declaration } = parsed;
  const failures: CheckFailure[] = [];
  const projectId = await collectFailure(failures, async () =>
    projectOf(declaration.projectId, oldInputs, memo, call),
  );
  process.objects.run.note(context.urn, { isDeclared: true, isNew: olds === undefined });
  const apiKey = failures.length === 0 ? call.settings.apiKey : undefined;
  const find = (declared: PropertyMap) =>
    declared === news ? parsed.failures : parseExtensionInputs(declared, context.programFolder).failures;
  failures.unshift(...inputFailures(request, extensionInputs, apiKey, find));
  const rivals = failures.length > 0 ? [] : process.objects.finder.claim(declaration.name, projectId, call);
  const pinned = pinnedInputs(declaration, oldInputs);
  const { path, exclude, adopt } = declaration;
  if (pinned !== undefined && failures.length === 0) {
    const { name = pinned.name } = declaration;
    const inputs = extensionInputs.write({ ...pinned, path, exclude, adopt, projectId, name });
    const result = { inputs, failures: rivals, ...(oldMemo === undefined ? {} : { memo: oldMemo }) };
    return checkResult(request, result, (previewed) => previewFailures(previewed, call, process));
  }
  const packed =
    failures.length > 0
      ? undefined
      : await collectFailure(failures, () => packedContents(declaration, memo, process.archives, call));
  if (failures.length > 0) {
    return { inputs: {}, failures };
  }
  const keepsItsName = isAdopted(declaration, packed, oldInputs, memo);
  const hasAutoName = declaration.name === undefined && !keepsItsName;
  const auto = hasAutoName ? autoNameOf(packed, projectId, memo, context.urn, process) : undefined;
  const name = hasAutoName ? (auto?.name ?? unknownValue) : declaration.name;
  if (hasAutoName) {
    process.objects.finder.claim(name, projectId, call);
  }
  failures.push(...rivals);
  const inputs: DeclaredExtension = { path, exclude, adopt, projectId, name, ...summaryOf(packed) };
  const newMemo: ExtensionMemo = {
    projectDefaulted: declaration.projectId === undefined,
    archive: packed && {
      format: archiveFormat,
      contentDigest: packed.contentDigest,
      checksum: packed.checksum,
      sizeBytes: packed.sizeBytes,
    },
    adoptedChecksum: keepsItsName ? packed?.checksum : undefined,
    autoName: auto,
  };
  const result = { inputs: extensionInputs.write(inputs), failures, memo: extensionMemo.write(newMemo) };
  process.objects.run.note(context.urn, { isUnchanged: isDeepStrictEqual(request.olds, result.inputs) });
  return checkResult(request, result, (previewed) => previewFailures(previewed, call, process));
}

/**
 * Contents to keep if a checksum is given, whatever the folder contains. The old checksum is given
 * by `ignoreChanges: ["checksum"]`, the checksum in the service by an import file.
 */
function pinnedInputs(
  declaration: DeclaredExtension,
  olds: ExtensionInputs | undefined,
): DeclaredExtension | undefined {
  if (typeof declaration.checksum !== "string") {
    return undefined;
  }
  return olds?.checksum === declaration.checksum ? olds : declaration;
}

/** Whether the extension keeps an adopted name: until the content changes, even without `adopt`. */
function isAdopted(
  { adopt }: DeclaredExtension,
  packed: PackedContents | undefined,
  olds: ExtensionInputs | undefined,
  memo: ExtensionMemo | undefined,
): boolean {
  const isNew = adopt !== undefined && olds === undefined;
  return isNew || (packed !== undefined && memo?.adoptedChecksum === packed.checksum);
}

/** Automatic name, with the checksum and the project in the name; undefined if still unknown. */
function autoNameOf(
  packed: PackedContents | undefined,
  projectId: DeclaredExtension["projectId"],
  memo: ExtensionMemo | undefined,
  urn: string | undefined,
  { objects }: ExtensionProcess,
): ExtensionMemo["autoName"] {
  if (packed === undefined || projectId === unknownValue || urn === undefined) {
    return undefined;
  }
  const { checksum } = packed;
  const earlier = memo?.autoName;
  // The same content in the same project keeps the name, even if an alias renames the resource.
  const isSame = earlier?.checksum === checksum && earlier.projectId === projectId;
  const name = (isSame ? earlier.name : undefined) ?? objects.finder.autoName(urn, projectId, { checksum });
  return { name, checksum, projectId };
}

/** Turns an error that the program can fix into a failure of the property at fault. */
async function collectFailure<T>(failures: CheckFailure[], work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    failures.push(failureOf(error));
    return undefined;
  }
}
