import type { BrowserInfraClient } from "../../client/index.js";
import { BrowserInfraError, ConflictError, LookupError, OutcomeUnknownError } from "../../errors.js";
import { Accounts, Call, ignoreNotFound } from "../call.js";
import {
  type CheckRequest,
  type CheckResult,
  type Created,
  type DiffRequest,
  type DiffResult,
  type LifecycleContext,
  PartiallyCreatedError,
  type ReadResult,
  type ResourceLifecycle,
  type StoredResource,
} from "../lifecycle.js";
import { type PropertyMap, requireKnown, unknownValue } from "../properties.js";
import { adoptExtension } from "./adopt.js";
import { autoName } from "./auto-name.js";
import { checkExtension } from "./check.js";
import { archiveToUpload, compareContents } from "./contents.js";
import {
  type ExtensionInputs,
  type ExtensionState,
  extensionInputs,
  extensionState,
  identifyingInputs,
  liveProperties,
} from "./properties.js";
import { backUpExtension, restorePreviousVersion } from "./restore.js";
import { Run } from "./run.js";
import { clearPendingUpload, deleteExtension, ensureUploaded } from "./upload.js";

/** An extension and what the state is to keep of it. */
interface Existing {
  readonly id: string;
  readonly state: ExtensionState;
}

/** The life cycle of a browser extension that is declared as a folder or a ready archive. */
export class ExtensionLifecycle implements ResourceLifecycle {
  readonly #accounts: Accounts;
  readonly #run = new Run();

  constructor(accounts = new Accounts()) {
    this.#accounts = accounts;
  }

  async check(request: CheckRequest, context: LifecycleContext): Promise<CheckResult> {
    const result = await checkExtension(request, new Call(context, this.#accounts), this.#run);
    this.#run.declare(context.urn, request.olds === undefined);
    return result;
  }

  diff({ id, olds, news }: DiffRequest, context: LifecycleContext): DiffResult {
    const state = extensionState.read(olds);
    const inputs = extensionInputs.readDeclared(news);
    if (identifyingInputs.some((input) => inputs[input] === unknownValue)) {
      return {};
    }
    const replaces = identifyingInputs.filter(
      // Without a declared name, an adopted extension keeps its own.
      (input) => state[input] !== inputs[input] && !(input === "name" && inputs.name === undefined),
    );
    const { journal } = new Call(context, this.#accounts);
    const isUnfinished = state.unfinished !== undefined || journal.hasOutdatedUpload(state);
    const mayBeGone = journal.mayHaveDeleted(id);
    if (replaces.length === 0 && !mayBeGone) {
      // Only the archive counts: the folder may have moved, or other patterns may exclude the same
      // files.
      if (this.#run.isDeclared(context.urn)) {
        // A refresh compares as well, without a check before, and keeps nothing: "pulumi destroy
        // --refresh" deletes what it has compared.
        this.#run.use(id, context.urn);
        journal.reuseSettled(id);
      }
      return { changes: isUnfinished };
    }
    this.#run.replace(id, context.urn);
    if (replaces.length === 0) {
      context.report.info(
        `An interrupted deployment may have deleted extension ${id}. Replacing it to make sure it exists.`,
      );
      return { changes: true, replaces: ["checksum"], deleteBeforeReplace: true };
    }
    // Names are unique in a project: under the same name, the old extension must be deleted first.
    const sameName = !replaces.includes("name") && !replaces.includes("projectId");
    return { ...(isUnfinished ? { changes: true } : {}), replaces, deleteBeforeReplace: sameName };
  }

  async create(declared: PropertyMap, context: LifecycleContext): Promise<Created> {
    const inputs = extensionInputs.read(declared);
    const call = new Call(context, this.#accounts);
    const { journal } = call;
    let created: Existing;
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
    journal.resourceExists();
    const { id, state } = created;
    if (inputs.adopt === undefined && state.checksum !== inputs.checksum) {
      const reason =
        `The service stored extension ${id} with checksum ${state.checksum}, but ` +
        `${inputs.checksum} was sent. Run "pulumi up" again to replace it.`;
      throw new PartiallyCreatedError(id, extensionState.write({ ...state, unfinished: reason }), [reason]);
    }
    return { id, outputs: extensionState.write(state) };
  }

  async #adoptOrUpload(inputs: ExtensionInputs, call: Call): Promise<Existing> {
    const { context, journal } = call;
    const { adopt, projectId } = inputs;
    const client = call.clientFor(projectId);
    // It is adopted once. What replaces it later is uploaded.
    if (adopt !== undefined && !this.#run.isReplaced(context.urn)) {
      const adopted = await adoptExtension(adopt, inputs, client, context);
      if (adopted !== undefined) {
        return adopted;
      }
    }
    const checksum = requireKnown(inputs.checksum, "checksum", "Extension");
    const name = inputs.name ?? autoName({ urn: context.urn ?? "", checksum, projectId });
    const archive = await archiveToUpload(inputs, this.#run, context);
    const target = { name, projectId, archive };
    await clearPendingUpload({ next: target }, call);
    const { extension, isReused } = await ensureUploaded(target, call);
    const { id } = extension;
    if (isReused) {
      journal.reuses(id);
      context.report.info(
        `Extension "${name}" (${id}) already exists with identical content; reusing it. Nothing was uploaded.`,
      );
    }
    return { id, state: { ...inputs, ...liveProperties(extension, inputs) } };
  }

  async read(stored: StoredResource, context: LifecycleContext): Promise<ReadResult | undefined> {
    const call = new Call(context, this.#accounts);
    const { id } = stored;
    const known = extensionState.read(stored.state);
    // A lookup knows only the project of the settings. What is deployed stays where it was
    // deployed.
    const isLookup = known.checksum === undefined;
    const projectId = known.projectId ?? (isLookup ? call.settings.projectId : undefined);
    const client = call.clientFor(projectId);
    const extension = await ignoreNotFound(client.extensions.get(id, { signal: context.signal }));
    if (extension === undefined) {
      if (isLookup) {
        throw nothingToLookUp(id, projectId);
      }
      await warnIfNameIsReused(id, known, client, context);
      return undefined;
    }
    const state = { ...known, ...liveProperties(extension, known) };
    if (known.checksum !== undefined && state.checksum !== known.checksum) {
      const comparison = await compareContents(id, known, client, context);
      context.report.info(`Extension ${id} is not what this program uploaded: ${comparison}.`);
    }
    return {
      id: extension.id,
      outputs: extensionState.write(state),
      inputs: extensionInputs.write({ ...state, createdAt: undefined }),
    };
  }

  /**
   * Called only when nothing that identifies the extension has changed, so nothing of it is sent.
   */
  async update({ id, olds, news }: DiffRequest, context: LifecycleContext): Promise<PropertyMap> {
    await clearPendingUpload({ id }, new Call(context, this.#accounts));
    const { createdAt } = extensionState.read(olds);
    return extensionState.write({ ...extensionInputs.read(news), createdAt });
  }

  async delete(stored: StoredResource, context: LifecycleContext): Promise<void> {
    const { id } = stored;
    const call = new Call(context, this.#accounts);
    const { journal } = call;
    if (this.#run.isInUse(id) || journal.isReused(id)) {
      journal.reuseSettled(id);
      context.report.info(`Keeping extension ${id}: its replacement has identical content and reuses it.`);
      return;
    }
    const state = extensionState.read(stored.state);
    const client = call.clientFor(state.projectId);
    if (!this.#run.isToBeCreated(context.urn)) {
      // Nothing replaces it, so what an interrupted run may have left goes as well.
      await clearPendingUpload({ id }, call);
      journal.resourceEnds();
    } else if (!this.#run.hasExtension(context.urn)) {
      await backUpExtension(id, state, client, call, this.#run);
    }
    journal.deletionStarts(id);
    try {
      await deleteExtension(id, client, context);
    } catch (error) {
      if (error instanceof BrowserInfraError && !(error instanceof OutcomeUnknownError)) {
        journal.deletionSettled("refused");
      }
      throw error;
    }
    journal.deletionSettled("deleted");
  }

  #use(id: string, { urn }: LifecycleContext): void {
    if (this.#run.isUsedByAnother(id, urn)) {
      throw new ConflictError(
        "extension_declared_twice",
        `Two resources of this program declare extension ${id}: they have the same name, or one adopts what the other manages. Remove one of them, or give it another "name".`,
      );
    }
    this.#run.use(id, urn);
  }
}

async function warnIfNameIsReused(
  id: string,
  { name }: ExtensionState,
  client: BrowserInfraClient,
  context: LifecycleContext,
): Promise<void> {
  if (name === undefined) {
    return;
  }
  const [other] = await client.extensions.list({ name, signal: context.signal });
  if (other !== undefined) {
    context.report.warning(
      `Extension ${id} is gone, and its name "${name}" now belongs to extension ${other.id}, which this program did not upload.`,
    );
  }
}

/** For a lookup: if it were reported as gone, the engine would continue without its outputs. */
function nothingToLookUp(id: string, projectId: string | undefined): LookupError {
  const where = projectId === undefined ? "" : ` in project ${projectId}`;
  return new LookupError(
    "extension_not_found",
    `There is no extension "${id}" to look up${where}. Check the id or the name, and the project.`,
  );
}
