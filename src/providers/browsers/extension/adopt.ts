import { sha256Of } from "../../../archive/index.js";
import type { Extension } from "../../../client/index.js";
import { ConflictError } from "../../../errors.js";
import { quote } from "../../../text/escape.js";
import { sizeText } from "../../../text/words.js";
import type { Call } from "../../call.js";
import type { Finder } from "../../core/owned/finder.js";
import { compareContents } from "./contents.js";
import { type ExtensionProcess, extensionObject } from "./object.js";
import { refusalText } from "./pools.js";
import { type ExtensionInputs, type ExtensionState, liveProperties } from "./properties.js";

/** Extension in the service, with the state to store. */
export interface ExistingExtension {
  readonly id: string;
  readonly state: ExtensionState;
  /** Whether the adopted extension differs. The next deployment then replaces the extension. */
  readonly needsReplacement?: boolean;
}

export interface Adoption {
  /** Lacks a checksum only in a preview: the service did not always store checksums. */
  readonly extension: Extension;
  /** Clauses for the end of a sentence. */
  readonly differences: readonly string[];
}

/**
 * Finds the extension to adopt by id or name, and compares name and bytes with the inputs.
 * Undefined if no extension has the id or name. `finder`: in a preview, which downloads nothing, and
 * reads by the list.
 */
export async function findAdoption(
  idOrName: string,
  inputs: ExtensionInputs,
  call: Call,
  finder?: Finder,
): Promise<Adoption | undefined> {
  const { extensions } = call.clientFor(inputs.projectId);
  const isPreview = finder !== undefined;
  const found = (await (finder ?? extensionObject).find(idOrName, inputs.projectId, call)) as
    | Extension
    | undefined;
  if (found === undefined) {
    return undefined;
  }
  const isKnown = isPreview || found.checksum !== null;
  const checksum = isKnown ? found.checksum : sha256Of(await extensions.download(found.id, call.options));
  const differences: string[] = [];
  const { name } = inputs;
  if (name !== undefined && found.name !== name) {
    const present = found.name === null ? "it has no name" : `its name is ${quote(found.name)}`;
    differences.push(`${present}, but ${quote(name)} is declared`);
  }
  if (checksum !== null && inputs.checksum !== undefined && checksum !== inputs.checksum) {
    const comparison = isPreview ? "" : ` (${await compareContents(found.id, inputs, call)})`;
    differences.push(
      `its archive has checksum ${checksum}, but the folder packs to ${inputs.checksum}${comparison}`,
    );
  }
  return { extension: { ...found, checksum }, differences };
}

/**
 * Reason to refuse an `adopt` without a target. Only warns, and returns undefined, if an extension
 * with exactly the declared bytes has the name of this resource, as in a forced replacement.
 */
export async function missingTargetReason(
  adopt: string,
  { name, checksum = "", projectId }: ExtensionInputs,
  call: Call,
  objects: ExtensionProcess["objects"],
): Promise<string | undefined> {
  const { urn = "", report } = call.context;
  const ownName = name ?? objects.finder.autoName(urn, projectId, { checksum });
  const own = await objects.finder.holderOf(ownName, projectId, call);
  const what = `There is no extension "${adopt}" to adopt${projectId === undefined ? "" : ` in project ${projectId}`}.`;
  const remedy = 'Check the id or the name, and the project. To upload the folder instead, remove "adopt".';
  if (own?.name !== ownName || (own as Extension).checksum !== checksum) {
    return `${what} ${remedy}`;
  }
  report.warning(
    `${what} If ${extensionText(own as Extension)} belongs to this resource, the deployment uploads the folder. Otherwise: ${remedy}`,
  );
  return undefined;
}

/**
 * Reason to refuse the adoption of a differing extension under a fixed name while pools load the
 * extension: no later deployment could replace the extension under the same name either.
 */
export function adoptionRefusal(
  { extension: { id, name: present }, differences }: Adoption,
  name: string,
  projectId: string | undefined,
  loaders: string,
): string {
  const old = { id, name: present, projectId };
  return `${refusalText(old, { name, projectId }, loaders)} Differences: ${differences.join("; ")}.`;
}

/**
 * Adopts an extension without a request. A differing extension stays only while pools load the
 * extension (`loaders`): the service would refuse the deletion, and the pools of the program change
 * to the replacement only after this resource.
 */
export function adoptUnchanged(
  { extension, differences }: Adoption,
  inputs: ExtensionInputs,
  loaders: string | undefined,
  { context }: Call,
): ExistingExtension {
  const { id } = extension;
  const isToReplace = loaders !== undefined;
  context.report.info(
    isToReplace
      ? `Adopted extension ${id} unchanged, because ${loaders}. Run "pulumi up" again to replace it: ${differences.join("; ")}.`
      : `Adopted extension ${id} unchanged; nothing was uploaded.`,
  );
  return { id, state: { ...inputs, ...liveProperties(extension, inputs) }, needsReplacement: isToReplace };
}

/** Error for an extension that two resources of a program would manage. */
export function declaredTwiceError(id: string): ConflictError {
  return new ConflictError(
    "extension_declared_twice",
    `Two resources of this program declare extension ${id}: the extension is managed by one resource and adopted by another. Remove one resource, or the "adopt" input.`,
  );
}

/** Extension for a message: `extension abc ("reader", 3.5 KiB, created 2026-01-01T00:00:00Z)`. */
export function extensionText({ id, name, sizeBytes, createdAt }: Extension): string {
  const named = name === null ? "without a name" : quote(name);
  const created = createdAt === null ? "" : `, created ${createdAt}`;
  return `extension ${id} (${named}, ${sizeText(sizeBytes)}${created})`;
}
