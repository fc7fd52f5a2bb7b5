import {
  archiveFormat,
  contentsSummary,
  type ExtensionContents,
  packExtension,
  readExtension,
} from "../../archive/index.js";
import { ArchiveError, ConfigError, InputError } from "../../errors.js";
import { settingsFor } from "../accounts.js";
import type { CheckFailure, CheckRequest, CheckResult, LifecycleContext } from "../lifecycle.js";
import { isPropertyMap, type PropertyMap, type PropertyValue, textOf, unknownValue } from "../properties.js";
import { slowStep } from "../slow-step.js";
import type { ArchiveCache } from "./archive-cache.js";
import { autoName } from "./auto-name.js";
import {
  computedInputs,
  type Declared,
  type ExtensionDeclaration,
  parseExtensionInputs,
} from "./properties.js";

/** Layout of the memo below; a memo of another version is ignored. */
const memoVersion = 1;

/** What is known of an extension's archive once its folder has been read. */
interface PackedContents extends ExtensionContents {
  readonly checksum: string;
  readonly sizeBytes: number;
}

/**
 * Validates the inputs of an Extension, packs its folder and hashes the archive, so that a preview shows the new
 * checksum and names the files that change, and refuses what the service would refuse. Sends no request.
 */
export async function checkExtension(
  { olds, news, memo: oldMemo }: CheckRequest,
  context: LifecycleContext,
  archives: ArchiveCache,
): Promise<CheckResult> {
  const memo = oldMemo?.version === memoVersion ? oldMemo : undefined;
  const { declaration, failures } = parseExtensionInputs(news);
  const project = await orFailure(failures, () => projectOf(declaration.projectId, olds, memo, context));
  const pinned = pinnedInputs(news, olds);
  if (pinned !== undefined && project !== undefined && failures.length === 0) {
    const { path, exclude, adopt } = declaration;
    return {
      inputs: withoutUndefined({
        ...pinned,
        path,
        exclude,
        adopt,
        projectId: project.id,
        name: declaration.name ?? pinned.name,
      }),
      failures,
      ...(oldMemo === undefined ? {} : { memo: oldMemo }),
    };
  }
  const packed =
    failures.length > 0
      ? undefined
      : await orFailure(failures, () => packedContents(declaration, memo, context, archives));
  if (failures.length > 0 || project === undefined) {
    return { inputs: news, failures };
  }
  const adopting = isAdopting(declaration, packed, olds, memo);
  const name = declaration.name ?? (adopting ? undefined : autoNameOf(packed, project.id, memo, context));
  return {
    inputs: withoutUndefined({
      path: declaration.path,
      exclude: declaration.exclude,
      projectId: project.id,
      adopt: declaration.adopt,
      name,
      ...(packed === undefined ? unknownContents : contentsShown(packed)),
    }),
    failures: [],
    memo: withoutUndefined({
      version: memoVersion,
      projectDefaulted: project.defaulted,
      archive: packed && {
        format: archiveFormat,
        contentDigest: packed.contentDigest,
        checksum: packed.checksum,
        sizeBytes: packed.sizeBytes,
      },
      adoptedChecksum: adopting ? packed?.checksum : undefined,
      autoName:
        declaration.name === undefined && name !== undefined && packed !== undefined
          ? withoutUndefined({ name, checksum: packed.checksum, projectId: project.id })
          : undefined,
    }),
  };
}

/**
 * The contents as the state has them, when a checksum is given: `ignoreChanges: ["checksum"]` puts the old one in, and an import
 * file says what stands in the service. What is deployed then stays, whatever is in the folder.
 */
function pinnedInputs(news: PropertyMap, olds: PropertyMap | undefined): PropertyMap | undefined {
  if (typeof news.checksum !== "string") {
    return undefined;
  }
  const source = olds?.checksum === news.checksum ? olds : news;
  return Object.fromEntries(
    [...computedInputs, "name"].flatMap((input) =>
      source[input] === undefined ? [] : [[input, source[input]]],
    ),
  );
}

/**
 * Whether the extension has the name of the one that was taken over, which no check can know. It keeps that name for as long as
 * its content stays, also when the program no longer says that it was taken over.
 */
function isAdopting(
  { adopt }: ExtensionDeclaration,
  packed: PackedContents | undefined,
  olds: PropertyMap | undefined,
  memo: PropertyMap | undefined,
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
} as const;

function contentsShown(packed: PackedContents) {
  return {
    checksum: packed.checksum,
    sizeBytes: packed.sizeBytes,
    ...contentsSummary(packed),
  };
}

/**
 * The project the extension belongs to. One that was taken from the settings is kept for as long as the resource
 * exists: a changed default never moves what is deployed.
 */
async function projectOf(
  declared: Declared<string>,
  olds: PropertyMap | undefined,
  memo: PropertyMap | undefined,
  context: LifecycleContext,
): Promise<{ id: Declared<string>; defaulted: boolean }> {
  const settings = settingsFor(context);
  if (declared !== undefined) {
    return { id: declared, defaulted: false };
  }
  if (olds !== undefined && memo?.projectDefaulted === true) {
    return { id: textOf(olds, "projectId"), defaulted: true };
  }
  return { id: settings.projectId, defaulted: true };
}

/** Reads the folder, and packs it unless its content is what an earlier check has packed already, in this process or in another. */
async function packedContents(
  { path, exclude }: ExtensionDeclaration,
  memo: PropertyMap | undefined,
  context: LifecycleContext,
  archives: ArchiveCache,
): Promise<PackedContents | undefined> {
  if (path === undefined || path === unknownValue || exclude === unknownValue) {
    return undefined;
  }
  const options = { signal: context.signal, ...(exclude === undefined ? {} : { exclude }) };
  return archives.inTurn(path, async () => {
    const known = memo?.archive;
    const remembered = isPropertyMap(known) && known.format === archiveFormat ? known : undefined;
    if (remembered !== undefined || archives.hasFrom(path)) {
      const contents = await slowStep(context.report, `reading ${path}`, () => readExtension(path, options));
      const packed =
        earlierPacked(contents, remembered) ?? archives.find(contents.contentDigest, path, context.urn);
      // A ready archive is uploaded as it is: equal contents do not make equal bytes there.
      if (contents.kind === "folder" && packed !== undefined) {
        return { ...contents, checksum: packed.checksum, sizeBytes: packed.sizeBytes };
      }
    }
    const archive = await slowStep(context.report, `packing ${path}`, () => packExtension(path, options));
    archives.put(archive, path, context.urn);
    return archive;
  });
}

/** What the memo of an earlier deployment says of an archive with exactly these contents. */
function earlierPacked(contents: ExtensionContents, remembered: PropertyMap | undefined) {
  const { contentDigest, checksum, sizeBytes } = remembered ?? {};
  return contentDigest === contents.contentDigest &&
    typeof checksum === "string" &&
    typeof sizeBytes === "number"
    ? { checksum, sizeBytes }
    : undefined;
}

function autoNameOf(
  packed: PackedContents | undefined,
  projectId: Declared<string>,
  memo: PropertyMap | undefined,
  context: LifecycleContext,
): string | typeof unknownValue {
  if (packed === undefined || projectId === unknownValue || context.urn === undefined) {
    return unknownValue;
  }
  // The same content in the same project keeps its name, also after the resource itself was renamed by an alias.
  const earlier = memo?.autoName;
  if (
    isPropertyMap(earlier) &&
    typeof earlier.name === "string" &&
    earlier.checksum === packed.checksum &&
    earlier.projectId === projectId
  ) {
    return earlier.name;
  }
  return autoName({ urn: context.urn, checksum: packed.checksum, projectId });
}

/** Turns an error that is the program's to mend into a failure of the property it names. */
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

/** The members that are set: the state file has no word for undefined. */
function withoutUndefined(members: Readonly<Record<string, PropertyValue | undefined>>): PropertyMap {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  ) as PropertyMap;
}
