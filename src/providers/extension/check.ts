import { archiveFormat, contentsSummary } from "../../archive/index.js";
import { ArchiveError, ConfigError, InputError } from "../../errors.js";
import type { Call } from "../call.js";
import type { CheckFailure, CheckRequest, CheckResult } from "../lifecycle.js";
import { type MaybeUnknown, unknownValue } from "../properties.js";
import { autoName } from "./auto-name.js";
import { type PackedContents, packedContents } from "./contents.js";
import {
  type DeclaredExtension,
  type ExtensionInputs,
  type ExtensionMemo,
  extensionInputs,
  extensionMemo,
  parseExtensionInputs,
} from "./properties.js";
import type { Run } from "./run.js";

/** Layout of the memo. A memo of another version is ignored. */
const memoVersion = 1;

/**
 * Validates the inputs of an Extension, packs its folder and hashes the archive, so that a preview
 * shows the new checksum and the files that change, and refuses what the service would refuse.
 * Sends no request.
 */
export async function checkExtension(
  { olds, news, memo: oldMemo }: CheckRequest,
  call: Call,
  run: Run,
): Promise<CheckResult> {
  const { context } = call;
  const memo = currentMemo(oldMemo);
  const oldInputs = olds && extensionInputs.read(olds);
  const { declaration, failures } = parseExtensionInputs(news, context.programFolder);
  const project = await orFailure(failures, async () =>
    projectOf(declaration.projectId, oldInputs, memo, call),
  );
  const pinned = pinnedInputs(declaration, oldInputs);
  if (pinned !== undefined && project !== undefined && failures.length === 0) {
    const { path, exclude, adopt, name = pinned.name } = declaration;
    return {
      inputs: extensionInputs.write({ ...pinned, path, exclude, adopt, projectId: project.id, name }),
      failures,
      ...(oldMemo === undefined ? {} : { memo: oldMemo }),
    };
  }
  const packed =
    failures.length > 0
      ? undefined
      : await orFailure(failures, () => packedContents(declaration, memo, run, context));
  if (failures.length > 0 || project === undefined) {
    return { inputs: news, failures };
  }
  const keepsItsName = isAdopted(declaration, packed, oldInputs, memo);
  const name =
    declaration.name ?? (keepsItsName ? undefined : autoNameOf(packed, project.id, memo, context.urn));
  const { path, exclude, adopt } = declaration;
  return {
    inputs: extensionInputs.write({
      path,
      exclude,
      adopt,
      projectId: project.id,
      name,
      ...(packed === undefined ? unknownContents : contentsShown(packed)),
    }),
    failures: [],
    memo: extensionMemo.write({
      version: memoVersion,
      projectDefaulted: project.defaulted,
      archive: packed && {
        format: archiveFormat,
        contentDigest: packed.contentDigest,
        checksum: packed.checksum,
        sizeBytes: packed.sizeBytes,
      },
      adoptedChecksum: keepsItsName ? packed?.checksum : undefined,
      autoName:
        declaration.name === undefined && typeof name === "string" && packed !== undefined
          ? { name, checksum: packed.checksum, projectId: known(project.id) }
          : undefined,
    }),
  };
}

function currentMemo(memo: CheckRequest["memo"]): ExtensionMemo | undefined {
  const read = memo && extensionMemo.read(memo);
  return read?.version === memoVersion ? read : undefined;
}

/**
 * The contents as the state has them, when a checksum is given: `ignoreChanges: ["checksum"]` puts
 * the old one in, and an import file says what the service holds. What is deployed then stays,
 * whatever is in the folder.
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

/**
 * Whether the extension has the name of the one that was adopted, which no check can know. It keeps
 * that name as long as its content stays, also when the program no longer says that it was adopted.
 */
function isAdopted(
  { adopt }: DeclaredExtension,
  packed: PackedContents | undefined,
  olds: ExtensionInputs | undefined,
  memo: ExtensionMemo | undefined,
): boolean {
  const isNew = adopt !== undefined && olds === undefined;
  return isNew || (packed !== undefined && memo?.adoptedChecksum === packed.checksum);
}

/** What a preview shows of an extension whose folder it does not know yet. */
const unknownContents = {
  checksum: unknownValue,
  sizeBytes: unknownValue,
  fileCount: unknownValue,
  manifest: unknownValue,
  files: unknownValue,
} satisfies DeclaredExtension;

function contentsShown(packed: PackedContents) {
  return {
    checksum: packed.checksum,
    sizeBytes: packed.sizeBytes,
    ...contentsSummary(packed),
  } satisfies DeclaredExtension;
}

interface Project {
  readonly id: MaybeUnknown<string> | undefined;
  /** It comes from the settings and not from the program. */
  readonly defaulted: boolean;
}

/**
 * The project that the extension belongs to. One that came from the settings is kept as long as the
 * resource exists: a changed default never moves what is deployed.
 */
function projectOf(
  declared: DeclaredExtension["projectId"],
  olds: ExtensionInputs | undefined,
  memo: ExtensionMemo | undefined,
  { settings }: Call,
): Project {
  if (declared !== undefined) {
    return { id: declared, defaulted: false };
  }
  if (olds !== undefined && memo?.projectDefaulted === true) {
    return { id: olds.projectId, defaulted: true };
  }
  return { id: settings.projectId, defaulted: true };
}

function autoNameOf(
  packed: PackedContents | undefined,
  projectId: Project["id"],
  memo: ExtensionMemo | undefined,
  urn: string | undefined,
): MaybeUnknown<string> {
  if (packed === undefined || projectId === unknownValue || urn === undefined) {
    return unknownValue;
  }
  // The same content in the same project keeps its name, also when an alias renames the resource.
  const earlier = memo?.autoName;
  if (
    earlier?.name !== undefined &&
    earlier.checksum === packed.checksum &&
    earlier.projectId === projectId
  ) {
    return earlier.name;
  }
  return autoName({ urn, checksum: packed.checksum, projectId });
}

function known<T>(value: MaybeUnknown<T>): T | undefined {
  return value === unknownValue ? undefined : value;
}

/** Turns an error that the program can fix into a failure of the property it names. */
async function orFailure<T>(failures: CheckFailure[], work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof InputError) {
      failures.push({ property: error.property, reason: error.message });
    } else if (error instanceof ArchiveError) {
      failures.push({ property: "path", reason: error.message });
    } else if (error instanceof ConfigError) {
      failures.push({ property: "", reason: error.message });
    } else {
      throw error;
    }
    return undefined;
  }
}
