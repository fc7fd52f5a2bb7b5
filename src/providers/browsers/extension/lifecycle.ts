import type { Extension } from "../../../client/index.js";
import { isSameName } from "../../../client/names.js";
import { ApiError, ConflictError, LookupError } from "../../../errors.js";
import { quote } from "../../../text/escape.js";
import { Accounts, Call } from "../../call.js";
import { marksIn } from "../../core/marks.js";
import type { AnyObject } from "../../core/owned/declaration.js";
import { OwnedObjects } from "../../core/owned/objects.js";
import { ArchiveCache, archiveToUpload } from "../../inputs/archives.js";
import {
  type CheckFailure,
  type CheckRequest,
  type CheckResult,
  type Created,
  type DiffRequest,
  type DiffResult,
  importIdForms,
  type Kind,
  type LifecycleContext,
  PartiallyCreatedError,
  type PreviewRequest,
  type ReadResult,
  type ResourceLifecycle,
  type StoredResource,
} from "../../lifecycle.js";
import { changedFilesText } from "../../messages/changed-files.js";
import { type PropertyMap, requireKnown, unknownValue } from "../../properties.js";
import { readInParent, removeInParent, writeInParent } from "../../reads/parents.js";
import {
  type Adoption,
  adoptionRefusal,
  adoptUnchanged,
  declaredTwiceError,
  type ExistingExtension,
  extensionText,
  findAdoption,
  missingTargetReason,
} from "./adopt.js";
import { checkExtension } from "./check.js";
import { compareContents, pack } from "./contents.js";
import { importedExtension } from "./import.js";
import { type ExtensionProcess, extensionObject, fetchArchive, inUse, type Upload } from "./object.js";
import { loadersIfKnown, useAdvice } from "./pools.js";
import { previewFailures } from "./preview.js";
import {
  type ExtensionInputs,
  type ExtensionState,
  extensionInputs,
  extensionMemo,
  extensionState,
  hasAutoName,
  identifyingInputs,
  liveProperties,
  nameToUpload,
} from "./properties.js";
import { restorePreviousVersion } from "./restore.js";

/**
 * Life cycle of a browser extension, declared as a folder or a ready archive. The core finds,
 * uploads and deletes extensions; packing, adoption and replacements are implemented here.
 */
export class ExtensionLifecycle implements ResourceLifecycle {
  readonly importIds = importIdForms(extensionObject);
  readonly #accounts: Accounts;
  readonly #objects = new OwnedObjects(extensionObject as AnyObject);
  readonly #process: ExtensionProcess = {
    archives: new ArchiveCache(),
    objects: this.#objects,
    saved: new Map(),
  };

  constructor(accounts = new Accounts()) {
    this.#accounts = accounts;
  }

  check(request: CheckRequest, context: LifecycleContext): Promise<CheckResult> {
    return checkExtension(request, new Call(context, this.#accounts), this.#process);
  }

  preview(request: PreviewRequest, context: LifecycleContext): Promise<CheckFailure[]> {
    return previewFailures(request, new Call(context, this.#accounts), this.#process);
  }

  diff({ id, olds, news, memo }: DiffRequest, context: LifecycleContext): DiffResult {
    const { urn, report } = context;
    const state = extensionState.read(olds);
    const { lost } = marksIn(olds);
    if (lost !== undefined) {
      const stored = { id, outputs: olds };
      return this.#objects.replaceLost({ request: lost, sent: state, stored }, context);
    }
    const inputs = extensionInputs.readDeclared(news);
    // An unknown project is still to be created, so the project differs for certain.
    const isInNewProject = inputs.projectId === unknownValue;
    if (!isInNewProject && identifyingInputs.some((input) => inputs[input] === unknownValue)) {
      return {};
    }
    const replaces = identifyingInputs.filter((input) =>
      inputs[input] === unknownValue
        ? input === "projectId"
        : // Without a declared name, an adopted extension keeps the present name.
          state[input] !== inputs[input] && !(input === "name" && inputs.name === undefined),
    );
    // In a refresh, nothing is declared, and the old outputs describe the live object.
    const isDeclared = this.#objects.run.of(urn).isDeclared;
    const isUnfinished = state.unfinished !== undefined;
    if (replaces.length === 0) {
      // Only the archive counts, not the folder or the patterns.
      if (isDeclared) {
        // Not in a refresh: "pulumi destroy --refresh" deletes the compared object.
        this.#objects.run.recordStored(id, urn);
      }
      return { changes: isUnfinished };
    }
    const changes = isDeclared
      ? changedFilesText(state.files ?? {}, extensionInputs.read(news).files ?? {})
      : undefined;
    if (replaces.includes("checksum") && changes !== undefined) {
      report.info(changes);
    }
    const { name, projectId } = state;
    // Before the declaration, the engine only determines the dependents of a replaced project.
    if (isDeclared || !isInNewProject) {
      this.#objects.run.recordReplacement({ id, name, projectId }, urn);
    }
    // Names are unique in a project: under the same name, the old extension must be deleted first.
    const nextName = nameToUpload(extensionInputs.read(news), urn);
    const sameName = !replaces.includes("projectId") && isSameName(state.name, nextName);
    // A declared name may have belonged to a different resource of the program until now.
    const isFixed =
      memo !== undefined && typeof inputs.name === "string" && !hasAutoName(inputs, extensionMemo.read(memo));
    const deleteBeforeReplace = sameName || isFixed;
    // An adopted extension may differ in the outputs alone.
    const isForced = isUnfinished || this.#objects.run.of(urn).isUnchanged;
    return { ...(isForced ? { changes: true } : {}), replaces, deleteBeforeReplace };
  }

  create(declared: PropertyMap, context: LifecycleContext): Promise<Created> {
    const inputs = extensionInputs.read(declared);
    const call = new Call(context, this.#accounts);
    const create = () =>
      this.#objects.run.withLastFailure(context.urn, (last) => {
        if (last !== undefined && marksIn(last.outputs).lost === undefined) {
          // Only the next run can replace an extension that is not as declared.
          throw last;
        }
        return this.#create(inputs, call);
      });
    return writeInParent(inputs.projectId, call, create);
  }

  async #create(inputs: ExtensionInputs, call: Call): Promise<Created> {
    const { context } = call;
    let created: ExistingExtension;
    try {
      created = await this.#adoptOrUpload(inputs, call);
      if (this.#objects.run.otherHolderOf(created.id, context.urn) !== undefined) {
        throw declaredTwiceError(created.id);
      }
    } catch (error) {
      const ending = await restorePreviousVersion(error, this.#process, call);
      if (ending instanceof PartiallyCreatedError) {
        this.#objects.run.recordCreateResult(ending.id, context.urn);
      }
      throw ending;
    }
    const { id, state, needsReplacement = false } = created;
    this.#objects.run.recordCreateResult(id, context.urn);
    this.#process.saved.delete(context.urn);
    if (state.checksum !== inputs.checksum && !needsReplacement) {
      const reason =
        `The service stored extension ${id} with checksum ${state.checksum}, but ` +
        `${inputs.checksum} was sent. Run "pulumi up" again to replace it.`;
      const outputs = extensionState.write({ ...state, unfinished: { reason } });
      throw new PartiallyCreatedError(id, outputs, [reason]);
    }
    return { id, outputs: extensionState.write(state) };
  }

  async #adoptOrUpload(inputs: ExtensionInputs, call: Call): Promise<ExistingExtension> {
    const { context } = call;
    const { adopt, projectId } = inputs;
    requireKnown(inputs.checksum, "checksum", "Extension");
    const name = nameToUpload(inputs, context.urn);
    // Only the first object is adopted. Replacements are uploaded.
    if (adopt === undefined || this.#objects.run.of(context.urn).replaces !== undefined) {
      return this.#upload(name, inputs, call);
    }
    const adoption = await findAdoption(adopt, inputs, call);
    if (adoption !== undefined) {
      const { extension, differences } = adoption;
      const loaders =
        differences.length === 0 ? undefined : await loadersIfKnown({ id: extension.id, projectId }, call);
      if (loaders !== undefined && inputs.name !== undefined) {
        throw new ConflictError(
          "extension_in_use",
          adoptionRefusal(adoption, inputs.name, projectId, loaders),
        );
      }
      return differences.length === 0 || loaders !== undefined
        ? adoptUnchanged(adoption, inputs, loaders, call)
        : this.#replaceAdopted(adoption, name, inputs, call);
    }
    // A forced replacement may have deleted the adopted extension.
    const refusal = this.#objects.run.hasRecord(context.urn)
      ? undefined
      : await missingTargetReason(adopt, { ...inputs, name }, call, this.#objects);
    if (refusal !== undefined) {
      throw new LookupError("extension_not_found", refusal);
    }
    return this.#upload(name, inputs, call);
  }

  /**
   * Adopts an extension that is not as declared, and replaces the extension at once. Under a
   * different name, the upload comes before the deletion, and the next run completes a run that was
   * killed in between.
   */
  async #replaceAdopted(
    { extension, differences }: Adoption,
    name: string,
    inputs: ExtensionInputs,
    call: Call,
  ): Promise<ExistingExtension> {
    const { urn, report } = call.context;
    const { id } = extension;
    if (this.#objects.run.otherHolderOf(id, urn) !== undefined) {
      throw declaredTwiceError(id);
    }
    const state = { ...inputs, ...liveProperties(extension, inputs) };
    const mustGoFirst = isSameName(extension.name, name);
    if (mustGoFirst) {
      // The archive is saved, and restored if the upload fails.
      await this.#remove(id, state, true, call);
    }
    const replacement = await this.#upload(name, inputs, call);
    if (!mustGoFirst) {
      this.#objects.run.recordStored(replacement.id, urn);
      await this.#remove(id, state, false, call);
    }
    report.info(`Replaced ${extensionText(extension)}: ${differences.join("; ")}.`);
    return replacement;
  }

  async #upload(name: string, inputs: ExtensionInputs, call: Call): Promise<ExistingExtension> {
    const { projectId, exclude } = inputs;
    const { archives } = this.#process;
    const packAgain = (path: string) => pack(path, exclude, call);
    const { bytes, checksum } = await archiveToUpload(inputs, "Extension", archives, packAgain);
    const upload: Upload = { name, projectId, checksum, bytes };
    const { live } = await this.#objects.findOrCreate({ ...inputs, ...upload, adopt: undefined }, name, call);
    return { id: live.id, state: { ...inputs, ...liveProperties(live as Extension, inputs) } };
  }

  async read(stored: StoredResource, context: LifecycleContext): Promise<ReadResult | undefined> {
    const call = new Call(context, this.#accounts);
    const known = extensionState.read(stored.state);
    if (marksIn(stored.state).lost !== undefined) {
      return { id: stored.id, outputs: stored.state, inputs: extensionInputs.write(known) };
    }
    const { id, projectId, live: found, isArchived } = await this.#objects.finder.read(stored, known, call);
    if (isArchived) {
      return { id, outputs: stored.state, inputs: extensionInputs.write({ ...known, createdAt: undefined }) };
    }
    const extension = found as Extension | undefined;
    if (extension === undefined) {
      context.report.warning(await this.#goneText(id, known, call));
      return undefined;
    }
    if (stored.isImport === true) {
      return importedExtension(extension, projectId, call);
    }
    const live = { ...known, ...liveProperties(extension, known) };
    if (known.checksum !== undefined && live.checksum !== known.checksum) {
      const comparison = await compareContents(id, known, call);
      context.report.info(`Extension ${id} differs from the upload of this program: ${comparison}.`);
    }
    return {
      id: extension.id,
      outputs: extensionState.write(live),
      inputs: extensionInputs.write({ ...live, createdAt: undefined }),
    };
  }

  async #goneText(id: string, { name, projectId }: ExtensionState, call: Call): Promise<string> {
    const look = async () =>
      name === undefined ? undefined : this.#objects.finder.holderOf(name, projectId, call);
    const { live: other } = await readInParent(projectId, call, look);
    if (name === undefined || other === undefined) {
      return this.#objects.texts.goneFromState(id);
    }
    const called = other.name === name ? "" : ` (${quote(other.name ?? "")}, the same for the service)`;
    return `Extension ${id} is gone. The name "${name}" now belongs to extension ${other.id}${called}, which this program did not upload.`;
  }

  /** Sends no request: called only if no identifying input has changed. */
  async update({ olds, news }: DiffRequest): Promise<PropertyMap> {
    const { createdAt } = extensionState.read(olds);
    return extensionState.write({ ...extensionInputs.read(news), createdAt });
  }

  delete(stored: StoredResource, context: LifecycleContext): Promise<void> {
    const call = new Call(context, this.#accounts);
    const state = extensionState.read(stored.state);
    return this.#objects.run.withLastDeletion(context.urn, () =>
      removeInParent(state.projectId, call, () => this.#delete(stored, state, call)),
    );
  }

  async #delete({ id, state: stored }: StoredResource, state: ExtensionState, call: Call): Promise<void> {
    const { context } = call;
    const { urn } = context;
    const { lost } = marksIn(stored);
    const { run, texts } = this.#objects;
    if (lost !== undefined) {
      return this.#objects.settleLost({ request: lost, sent: state, stored: { id, outputs: stored } }, call);
    }
    if (run.deletionFor(id, urn) === "stays") {
      context.report.info(`Keeping ${texts.object({ id })}: this deployment reuses it.`);
      return;
    }
    const isOnly = run.holderOf(id) === urn || !run.hasObject(urn);
    await this.#remove(id, state, run.of(urn).isDeclared && isOnly, call);
  }

  /** `makesRoom`: whether the replacement needs the deletion. The archive is then saved. */
  async #remove(id: string, state: ExtensionState, makesRoom: boolean, call: Call): Promise<void> {
    const saved = makesRoom ? await fetchArchive(id, state, call) : undefined;
    try {
      await this.#objects.remove({ id, name: state.name ?? null }, state, call);
      if (saved !== undefined) {
        this.#process.saved.set(call.context.urn, saved);
      }
    } catch (error) {
      const isInUse = error instanceof ApiError && error.serviceCode === inUse;
      throw isInUse ? error.withAdvice(useAdvice(makesRoom)) : error;
    }
  }
}

export const extensionKind: Kind = {
  inputs: extensionInputs,
  state: extensionState,
  lifecycle: (accounts) => new ExtensionLifecycle(accounts),
  advice:
    "With a fixed `name`, set the resource option `deleteBeforeReplace` to true. Names are unique in a project, so " +
    "the old extension must be deleted before the new extension is uploaded. A plain `pulumi up` does so by itself. " +
    "Without the option, a forced replacement (`--replace`, `pulumi state taint`) fails because the name is " +
    "taken. Nothing is lost then.",
};
