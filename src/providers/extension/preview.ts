import type { Extension } from "../../client/index.js";
import { isAutoNameOf, isSameName, logicalPartOf } from "../auto-name.js";
import { type Call, ignoreNotFound } from "../call.js";
import type { CheckFailure } from "../lifecycle.js";
import { readInPreview, settingsFailures } from "../look.js";
import { unknownValue } from "../properties.js";
import { type Adoption, adoptionRefusal, extensionText, findAdoption } from "./adopt.js";
import { loadersOf, replacementFailures } from "./pools.js";
import {
  type DeclaredExtension,
  type ExtensionInputs,
  type ExtensionMemo,
  extensionInputs,
  hasAutoName,
  nameToUpload,
} from "./properties.js";
import type { Run } from "./run.js";
import { waysOut } from "./upload.js";

/** An Extension as a preview knows it. */
interface PreviewedExtension {
  /** What `check` made of the program's inputs. */
  readonly inputs: DeclaredExtension;
  readonly memo: ExtensionMemo;
  /** Inputs in the state; undefined for what is created, also by a replacement. */
  readonly olds: ExtensionInputs | undefined;
}

/**
 * For a preview: what the deployment would refuse about an Extension whose inputs are well-formed.
 * Shows what would be adopted.
 *
 * A forced replacement cannot be told apart from a new resource: the engine gives `check` no old
 * inputs, and its own old extension still has the name. Nor can another resource of the stack that
 * frees the name in the same deployment. So a name that is taken is a warning that names the
 * holder, unless it is certain that the holder stays.
 */
export async function previewFailures(
  { inputs: checked, memo, olds }: PreviewedExtension,
  call: Call,
  run: Run,
): Promise<CheckFailure[]> {
  const { adopt, projectId } = checked;
  const project = projectId === unknownValue ? undefined : projectId;
  const failures = await settingsFailures(project, call, memo.projectDefaulted === true ? "" : "projectId");
  if (failures.length > 0) {
    return failures;
  }
  const name = hasAutoName(checked, memo) ? undefined : checked.name;
  const replaced = run.replacedBy(call.context.urn);
  if (replaced !== undefined) {
    // All else was looked at when the engine gave the old inputs.
    const isFixed = name !== undefined && name !== unknownValue;
    return isFixed ? replacementFailures(replaced, { name, projectId }, call) : [];
  }
  if (projectId === unknownValue) {
    return [];
  }
  const inputs = extensionInputs.read(extensionInputs.write({ ...checked, name }));
  let adopted: Adoption | undefined;
  if (typeof adopt === "string" && olds === undefined) {
    const found = await readInPreview(call, async (limited) => ({
      adoption: await findAdoption(adopt, inputs, limited, true),
    }));
    adopted = found?.adoption;
    if (adopted !== undefined) {
      failures.push(...(await adoptionFailures(adopted, inputs, call, run)));
    } else if (found !== undefined) {
      failures.push(...(await unknownTarget(adopt, inputs, call)));
    }
  }
  // In another case, the holder of a name is this resource's own.
  const isNamedAnew = (given: string) => !isSameName(olds?.name, given) || project !== olds?.projectId;
  if (typeof name === "string" && isNamedAnew(name) && failures.length === 0) {
    const holder = await holderOf(name, project, call);
    // Its name may only change its case. An adopted one keeps its name, which only the outputs tell.
    const isOwn =
      olds !== undefined &&
      (olds.name === undefined ? holder?.checksum === olds.checksum : holder?.name === olds.name);
    if (holder !== undefined && holder.id !== adopted?.extension.id && !isOwn) {
      failures.push(...holderFailures(holder, name, inputs, call, run));
    }
  }
  return failures;
}

/** Says what is adopted, and what becomes of it. */
async function adoptionFailures(
  adoption: Adoption,
  inputs: ExtensionInputs,
  call: Call,
  run: Run,
): Promise<CheckFailure[]> {
  const { extension, differences } = adoption;
  const { urn, report } = call.context;
  const { id } = extension;
  const other = run.claimAdoption(id, urn);
  if (other !== undefined || run.isUsedByAnother(id, urn)) {
    const who = other === undefined ? "Another resource of this program manages" : `${other} adopts`;
    return [{ property: "adopt", reason: `${who} extension ${id} already. Remove one of the two.` }];
  }
  const what = `Adopts ${extensionText(extension)}`;
  if (differences.length > 0) {
    const { projectId } = inputs;
    const loaders = await readInPreview(call, (limited) => loadersOf({ id, projectId }, limited));
    if (loaders !== undefined && inputs.name !== undefined) {
      return [{ property: "name", reason: adoptionRefusal(adoption, inputs.name, projectId, loaders) }];
    }
    const how =
      loaders === undefined
        ? "and replaces it in the same deployment"
        : `as it is, because ${loaders}. The deployment after that replaces it`;
    report.info(`${what} ${how}: ${differences.join("; ")}.`);
  } else if (extension.checksum === null) {
    report.info(
      `${what}. The service has no checksum of it, so the deployment compares its bytes, and replaces it if they differ.`,
    );
  } else {
    report.info(`${what} as it is. Nothing is uploaded.`);
  }
  return [];
}

/**
 * The failure of an `adopt` that names nothing. A program may keep it after what it named was
 * replaced. If something exists that a forced replacement would replace, it is only a warning.
 */
async function unknownTarget(adopt: string, inputs: ExtensionInputs, call: Call): Promise<CheckFailure[]> {
  const { name, projectId } = inputs;
  const { urn = "", report } = call.context;
  const found = await readInPreview(call, async (limited) => {
    const { extensions } = limited.clientFor(projectId);
    const { signal } = limited.context;
    if (name !== undefined) {
      return { own: await ignoreNotFound(extensions.get(name, { signal })) };
    }
    const alike = await extensions.list({ query: logicalPartOf(urn), signal });
    return { own: alike.find((extension) => isAutoNameOf(urn, extension.name ?? "")) };
  });
  const where = projectId === undefined ? "" : ` in project ${projectId}`;
  const what = `There is no extension "${adopt}" to adopt${where}.`;
  const remedy = 'Check the id or the name, and the project. To upload the folder instead, remove "adopt".';
  if (found === undefined || isNoted(inputs, call)) {
    return [];
  }
  if (found.own === undefined) {
    return [{ property: "adopt", reason: `${what} ${remedy}` }];
  }
  report.warning(
    `${what} If ${extensionText(found.own)} is this resource's own, the deployment uploads the folder. If it is not: ${remedy}`,
  );
  return [];
}

/** Whether an interrupted deployment has already sent the upload that this one would send. */
function isNoted(inputs: ExtensionInputs, { context, journal }: Call): boolean {
  const { checksum, projectId } = inputs;
  const name = nameToUpload(inputs, context.urn);
  return checksum !== undefined && journal.extension.hasNoted({ name, checksum, projectId });
}

/** The extension that has a fixed name; undefined when there is none or nobody knows. */
function holderOf(name: string, projectId: string | undefined, call: Call): Promise<Extension | undefined> {
  return readInPreview(call, (limited) =>
    limited.clientFor(projectId).extensions.holderOf(name, { signal: limited.context.signal }),
  );
}

/** What the holder of a fixed name means for the deployment. */
function holderFailures(
  holder: Extension,
  name: string,
  { checksum, projectId }: ExtensionInputs,
  call: Call,
  run: Run,
): CheckFailure[] {
  const { urn, report } = call.context;
  if (run.isReplaced(holder.id)) {
    return [];
  }
  const text = extensionText(holder);
  if (run.isUsedByAnother(holder.id, urn)) {
    const reason = `The name "${name}" belongs to ${text}, which another resource of this program manages. Give this one another "name", or leave it out.`;
    return [{ property: "name", reason }];
  }
  const notes = call.journal.extension;
  const theirs = { name, checksum: holder.checksum ?? "", projectId };
  if (notes.mayHaveDeleted(holder.id) || notes.isOurs(theirs, holder.id)) {
    return [];
  }
  const isSame = holder.checksum !== null && holder.checksum === checksum;
  report.warning(
    `The name "${name}" is taken by ${text}, which has ${isSame ? "exactly these bytes" : "other bytes"}. ` +
      "The deployment can only go on if it replaces that extension or frees its name, " +
      `as a forced replacement of this resource does. Otherwise it fails, and nothing is uploaded. ${waysOut(holder.id)}`,
  );
  return [];
}
