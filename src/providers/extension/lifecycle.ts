import { defaultProjectId } from "../../config.js";
import { ConflictError, LookupError } from "../../errors.js";
import { quote } from "../../text/escape.js";
import { isSameName } from "../auto-name.js";
import { Accounts, Call, ignoreNotFound } from "../call.js";
import { noteIfPossible } from "../core/requests.js";
import { undoLeftovers } from "../leftovers.js";
import {
  type CheckFailure,
  type CheckRequest,
  type CheckResult,
  type Created,
  type DiffRequest,
  type DiffResult,
  type LifecycleContext,
  PartiallyCreatedError,
  type PreviewRequest,
  type ReadResult,
  type ResourceLifecycle,
  type StoredResource,
  splitImportId,
} from "../lifecycle.js";
import { type PropertyMap, requireKnown, unknownValue } from "../properties.js";
import {
  type Adoption,
  adoptedAsItIs,
  adoptionRefusal,
  type ExistingExtension,
  extensionText,
  findAdoption,
} from "./adopt.js";
import { changedFilesText } from "./changed-files.js";
import { checkExtension } from "./check.js";
import { archiveToUpload, compareContents } from "./contents.js";
import { importedExtension } from "./import.js";
import { explainUse, isInUse, loadersIfTold } from "./pools.js";
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
import { clearUploads, deleteWithNote } from "./removal.js";
import { backUpExtension, restorePreviousVersion } from "./restore.js";
import { Run } from "./run.js";
import { declaredTwice, ensureUploaded } from "./upload.js";

/** The life cycle of a browser extension that is declared as a folder or a ready archive. */
export class ExtensionLifecycle implements ResourceLifecycle {
  readonly #accounts: Accounts;
  readonly #run = new Run();

  constructor(accounts = new Accounts()) {
    this.#accounts = accounts;
  }

  async check(request: CheckRequest, context: LifecycleContext): Promise<CheckResult> {
    const call = new Call(context, this.#accounts);
    const result = await checkExtension(request, call, this.#run);
    this.#run.declare(context.urn, request.olds === undefined, request.deletesFirst);
    return result;
  }

  preview({ olds, inputs, memo }: PreviewRequest, context: LifecycleContext): Promise<CheckFailure[]> {
    const previewed = {
      inputs: extensionInputs.readDeclared(inputs),
      memo: extensionMemo.read(memo ?? {}),
      olds: olds && extensionInputs.read(olds),
    };
    return previewFailures(previewed, new Call(context, this.#accounts), this.#run);
  }

  diff({ id, olds, news, memo }: DiffRequest, context: LifecycleContext): DiffResult {
    const state = extensionState.read(olds);
    const inputs = extensionInputs.readDeclared(news);
    // An unknown project is one that is still to be created, so it is another one for certain.
    const isInNewProject = inputs.projectId === unknownValue;
    if (!isInNewProject && identifyingInputs.some((input) => inputs[input] === unknownValue)) {
      return {};
    }
    const replaces = identifyingInputs.filter((input) =>
      inputs[input] === unknownValue
        ? input === "projectId"
        : // Without a declared name, an adopted extension keeps its own.
          state[input] !== inputs[input] && !(input === "name" && inputs.name === undefined),
    );
    const notes = new Call(context, this.#accounts).journal.extension;
    // In a refresh, nothing is declared, and the old outputs are those of the live object.
    const isDeclared = this.#run.declared.has(context.urn);
    if (isDeclared) {
      notes.stateHas(id, state);
      notes.declare();
    }
    const isUnfinished = state.unfinished !== undefined || notes.hasUploadToClear(id, state);
    const mayBeGone = notes.mayHaveDeleted(id);
    if (replaces.length === 0 && !mayBeGone) {
      // Only the archive counts, and not the folder or the patterns that lead to it.
      if (isDeclared) {
        // Not in a refresh: "pulumi destroy --refresh" deletes what it has compared.
        this.#run.use(id, context.urn);
        notes.reuseSettled(id);
      }
      return { changes: isUnfinished };
    }
    const changes = isDeclared
      ? changedFilesText(state.files ?? {}, extensionInputs.read(news).files ?? {})
      : undefined;
    if (replaces.includes("checksum") && changes !== undefined) {
      context.report.info(changes);
    }
    // Before the program declares it, the engine only asks what goes together with a project.
    if (isDeclared || !isInNewProject) {
      const old = { id, name: state.name, projectId: state.projectId };
      this.#run.replace(old, context.urn, () => this.#remove(id, state, new Call(context, this.#accounts)));
    }
    if (replaces.length === 0) {
      context.report.info(
        `An interrupted deployment may have deleted extension ${id}. Replacing it to make sure it exists.`,
      );
      return { changes: true, replaces: ["checksum"], deleteBeforeReplace: true };
    }
    // Names are unique in a project: under the same name, the old extension must be deleted first.
    const nextName = nameToUpload(extensionInputs.read(news), context.urn);
    const sameName = !replaces.includes("projectId") && isSameName(state.name, nextName);
    // A name that the program gives may have belonged to another of its resources until now.
    const isFixed =
      memo !== undefined && typeof inputs.name === "string" && !hasAutoName(inputs, extensionMemo.read(memo));
    const deleteBeforeReplace = sameName || isFixed;
    return { ...(isUnfinished ? { changes: true } : {}), replaces, deleteBeforeReplace };
  }

  async create(declared: PropertyMap, context: LifecycleContext): Promise<Created> {
    const inputs = extensionInputs.read(declared);
    const call = new Call(context, this.#accounts);
    let created: ExistingExtension;
    try {
      created = await this.#adoptOrUpload(inputs, call);
      this.#use(created.id, context);
    } catch (error) {
      const ending = await restorePreviousVersion(error, inputs, call, this.#run);
      if (ending instanceof PartiallyCreatedError) {
        this.#run.use(ending.id, context.urn);
      }
      throw ending;
    }
    const { id, state, isToReplace = false } = created;
    if (state.checksum !== inputs.checksum && !isToReplace) {
      const reason =
        `The service stored extension ${id} with checksum ${state.checksum}, but ` +
        `${inputs.checksum} was sent. Run "pulumi up" again to replace it.`;
      throw new PartiallyCreatedError(id, extensionState.write({ ...state, unfinished: reason }), [reason]);
    }
    return { id, outputs: extensionState.write(state) };
  }

  async #adoptOrUpload(inputs: ExtensionInputs, call: Call): Promise<ExistingExtension> {
    const { context } = call;
    const { adopt, projectId } = inputs;
    const checksum = requireKnown(inputs.checksum, "checksum", "Extension");
    const name = nameToUpload(inputs, context.urn);
    // It is adopted once. What replaces it later is uploaded.
    if (adopt === undefined || this.#run.replaced.has(context.urn)) {
      return this.#upload(name, checksum, inputs, call);
    }
    const adoption = await findAdoption(adopt, inputs, call);
    if (adoption !== undefined) {
      const { extension, differences } = adoption;
      const loaders =
        differences.length === 0 ? undefined : await loadersIfTold({ id: extension.id, projectId }, call);
      if (loaders !== undefined && inputs.name !== undefined) {
        throw new ConflictError(
          "extension_in_use",
          adoptionRefusal(adoption, inputs.name, projectId, loaders),
        );
      }
      return differences.length === 0 || loaders !== undefined
        ? adoptedAsItIs(adoption, inputs, loaders, call)
        : this.#replaceAdopted(adoption, name, checksum, inputs, call);
    }
    if (!call.journal.extension.hasNoted({ name, checksum, projectId })) {
      // It may have been replaced or deleted since it was adopted, and the program still names it.
      context.report.warning(
        `There is no extension "${adopt}" to adopt, so the folder is uploaded. Fix or remove "adopt".`,
      );
    }
    return this.#upload(name, checksum, inputs, call);
  }

  /**
   * Takes over an extension that is not as declared, and replaces it at once. Under another name,
   * the new one exists before it goes, and a run that is killed in between is completed by the next.
   */
  async #replaceAdopted(
    { extension, differences }: Adoption,
    name: string,
    checksum: string,
    inputs: ExtensionInputs,
    call: Call,
  ): Promise<ExistingExtension> {
    const { urn, signal, report } = call.context;
    const { id } = extension;
    // Another resource may manage it, which the engine may still have to compare.
    await this.#run.untilCompared(id, urn, signal);
    if (this.#run.isUsedByAnother(id, urn)) {
      throw declaredTwice(id);
    }
    const state = { ...inputs, ...liveProperties(extension, inputs) };
    this.#run.toCreate.add(urn);
    const mustGoFirst = isSameName(extension.name, name);
    if (mustGoFirst) {
      // It is backed up: should the upload fail, it is restored.
      await this.#remove(id, state, call);
    }
    const replacement = await this.#upload(name, checksum, inputs, call);
    if (!mustGoFirst) {
      this.#run.use(replacement.id, urn);
      await this.#remove(id, state, call);
    }
    report.info(`Replaced ${extensionText(extension)}: ${differences.join("; ")}.`);
    return replacement;
  }

  async #upload(
    name: string,
    checksum: string,
    inputs: ExtensionInputs,
    call: Call,
  ): Promise<ExistingExtension> {
    const { context, journal } = call;
    const { projectId } = inputs;
    const archive = await archiveToUpload(inputs, this.#run, context);
    const target = { name, projectId, archive };
    const notes = journal.extension;
    notes.declare();
    await clearUploads(notes.outdatedUploads(undefined, {}), call, this.#run, { name, checksum, projectId });
    const { extension, isReused } = await ensureUploaded(target, call, this.#run);
    const { id } = extension;
    if (isReused) {
      notes.reuses(id);
      context.report.info(
        `Extension "${name}" (${id}) already exists with identical content; reusing it. Nothing was uploaded.`,
      );
    }
    return { id, state: { ...inputs, ...liveProperties(extension, inputs) } };
  }

  async read(stored: StoredResource, context: LifecycleContext): Promise<ReadResult | undefined> {
    const call = new Call(context, this.#accounts);
    const known = extensionState.read(stored.state);
    // A lookup knows only the project of the settings. What is deployed stays where it is.
    const isLookup = known.checksum === undefined;
    const named = stored.isImport === true ? splitImportId(stored.id, "an extension") : { id: stored.id };
    const projectId =
      named.projectId ?? known.projectId ?? (isLookup ? defaultProjectId(call.settings) : undefined);
    const { id } = named;
    const { extensions } = call.clientFor(projectId);
    const extension = await ignoreNotFound(extensions.get(id, { signal: context.signal }));
    if (extension === undefined) {
      if (isLookup) {
        throw nothingToLookUp(id, projectId);
      }
      await warnThatItIsGone(id, known, call);
      return undefined;
    }
    if (stored.isImport === true) {
      return importedExtension(extension, projectId, call);
    }
    const live = { ...known, ...liveProperties(extension, known) };
    if (known.checksum !== undefined && live.checksum !== known.checksum) {
      const comparison = await compareContents(id, known, call);
      context.report.info(`Extension ${id} is not what this program uploaded: ${comparison}.`);
    }
    return {
      id: extension.id,
      outputs: extensionState.write(live),
      inputs: extensionInputs.write({ ...live, createdAt: undefined }),
    };
  }

  /** Called only when nothing that identifies the extension has changed, so it sends nothing. */
  async update({ id, olds, news }: DiffRequest, context: LifecycleContext): Promise<PropertyMap> {
    const call = new Call(context, this.#accounts);
    const state = extensionState.read(olds);
    await clearUploads(call.journal.extension.outdatedUploads(id, state), call, this.#run);
    const { createdAt } = state;
    return extensionState.write({ ...extensionInputs.read(news), createdAt });
  }

  async delete({ id, state: stored }: StoredResource, context: LifecycleContext): Promise<void> {
    const call = new Call(context, this.#accounts);
    const notes = call.journal.extension;
    this.#run.ends(context.urn);
    if (this.#run.isInUse(id) || notes.isReused(id)) {
      notes.reuseSettled(id);
      context.report.info(`Keeping extension ${id}: its replacement has identical content and reuses it.`);
      return;
    }
    await this.#remove(id, extensionState.read(stored), call);
  }

  /** Deletes the extension of a resource that leaves or is replaced, unless that is done already. */
  async #remove(id: string, state: ExtensionState, call: Call): Promise<void> {
    const notes = call.journal.extension;
    const { urn } = call.context;
    await this.#run.deletions.run(id, async () => {
      if (this.#run.deleted.has(id)) {
        return;
      }
      let noteStart = () => noteIfPossible(call.context.report, () => notes.deletionStarts(id));
      if (this.#run.toCreate.has(urn)) {
        const backup = this.#run.hasExtension(urn)
          ? undefined
          : await backUpExtension(id, state, call, this.#run);
        noteStart = () => notes.deletionStarts(id, backup);
      } else {
        // Nothing replaces it, so what an interrupted run may have left goes as well.
        await clearUploads(notes.outdatedUploads(id, state), call, this.#run);
        notes.dropBackup();
      }
      try {
        await deleteWithNote(id, state.projectId, call, noteStart);
      } catch (error) {
        if (isInUse(error)) {
          // It exists, so there is nothing to restore.
          notes.dropBackup();
        }
        const isFirst = this.#run.toCreate.has(urn) && !this.#run.hasExtension(urn);
        throw await explainUse(error, { id, projectId: state.projectId }, call, isFirst);
      }
      this.#run.deleted.add(id);
    });
  }

  hasLeftovers(context: LifecycleContext): boolean {
    const { journal } = new Call(context, this.#accounts);
    return journal.extension.hasToUndo((urn) => this.#run.knows(urn));
  }

  end(isUpdate: boolean | undefined, context: LifecycleContext): Promise<void> {
    return undoLeftovers(new Call(context, this.#accounts), {
      notesOf: ({ journal }) => journal.extension,
      knows: (urn) => this.#run.knows(urn),
      isUpdate,
      // The archive of a previous version stays: its resource may only be no target of this update.
      undo: (theirs) =>
        clearUploads(theirs.journal.extension.outdatedUploads(undefined, {}), theirs, this.#run),
    });
  }

  #use(id: string, { urn }: LifecycleContext): void {
    if (this.#run.isUsedByAnother(id, urn)) {
      throw declaredTwice(id);
    }
    this.#run.use(id, urn);
  }
}

async function warnThatItIsGone(id: string, state: ExtensionState, call: Call): Promise<void> {
  const { name, projectId } = state;
  const { signal, report } = call.context;
  const other =
    name === undefined ? undefined : await call.clientFor(projectId).extensions.holderOf(name, { signal });
  if (other === undefined) {
    report.warning(
      `Extension ${id} is gone: the service does not have it any more. "pulumi up" uploads it again.`,
    );
    return;
  }
  const called = other.name === name ? "" : ` (${quote(other.name ?? "")}, the same for the service)`;
  report.warning(
    `Extension ${id} is gone, and its name "${name}" now belongs to extension ${other.id}${called}, which this program did not upload.`,
  );
}

/** For a lookup: if it were reported as gone, the engine would continue without its outputs. */
function nothingToLookUp(id: string, projectId: string | undefined): LookupError {
  const where = projectId === undefined ? "" : ` in project ${projectId}`;
  return new LookupError(
    "extension_not_found",
    `There is no extension "${id}" to look up${where}. Check the id or the name, and the project.`,
  );
}
