import { type ExtensionArchive, packExtension } from "../archive/index.js";
import type { BrowserInfraClient } from "../client/index.js";
import {
  ArchiveError,
  BrowserInfraError,
  ConflictError,
  InputError,
  OutcomeUnknownError,
} from "../errors.js";
import { adoptExtension, compareContents } from "./adopt-extension.js";
import { ArchiveCache } from "./archive-cache.js";
import { autoName } from "./auto-name.js";
import { type ClientFor, Connections, settingsFor } from "./connections.js";
import { deleteExtension } from "./delete-extension.js";
import { checkExtension } from "./extension-check.js";
import { liveOutputs, unfinishedOutput } from "./extension-outputs.js";
import { placeExtension } from "./extension-upload.js";
import { nothingToLookUp, orUndefinedWhenGone } from "./gone.js";
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
  type UpdateRequest,
} from "./lifecycle.js";
import { LiveIds } from "./live-ids.js";
import { pendingDeletions } from "./pending-deletions.js";
import { pendingUploads, type Spared } from "./pending-uploads.js";
import { type PropertyMap, textOf, unknownValue } from "./property-values.js";
import { withLastVersionBack } from "./put-back.js";
import type { RecoveryOwner } from "./recovery-folder.js";
import { RescuedArchives } from "./rescued-archives.js";
import { slowStep } from "./slow-step.js";
import { takenUpIds } from "./taken-up-ids.js";

/** Inputs that identify what stands in the service. It has no update: a change of any of them replaces. */
const decisiveInputs = ["checksum", "name", "projectId"];

/** The life cycle of a browser extension that is declared as a folder or a ready archive. */
export class ExtensionLifecycle implements ResourceLifecycle {
  readonly #connections: Connections;
  readonly #archives = new ArchiveCache();
  readonly #liveIds = new LiveIds();
  readonly #rescued = new RescuedArchives();
  /** Resources that the program of this run declares. */
  readonly #declaredUrns = new Set<string | undefined>();
  /** Resources that this run creates, be it to replace what they are now. */
  readonly #createdUrns = new Set<string | undefined>();
  /** Resources that this run replaces because they differ. */
  readonly #replacedUrns = new Set<string | undefined>();

  constructor(connections = new Connections()) {
    this.#connections = connections;
  }

  async check(request: CheckRequest, context: LifecycleContext): Promise<CheckResult> {
    const result = await checkExtension(request, context, this.#archives);
    this.#declaredUrns.add(context.urn);
    if (request.olds === undefined) {
      // The engine checks what it is about to create with no old inputs, also when it replaces and deletes the old one first.
      this.#createdUrns.add(context.urn);
    }
    return result;
  }

  diff({ id, olds, news }: DiffRequest, context: LifecycleContext): DiffResult {
    if (decisiveInputs.some((input) => news[input] === unknownValue)) {
      return {};
    }
    const replaces = decisiveInputs.filter(
      // Without a name, the one of the extension that was taken over stays.
      (input) => olds[input] !== news[input] && !(input === "name" && news.name === undefined),
    );
    const owner = ownerOf(context);
    const isUnfinished = olds[unfinishedOutput] !== undefined || pendingUploads.isOutdated(owner, olds);
    const mayBeGone = pendingDeletions.has(owner, id);
    if (replaces.length === 0 && !mayBeGone) {
      // The folder may have moved, or other patterns may leave out the same files: the archive is what counts.
      if (this.#declaredUrns.has(context.urn)) {
        // A refresh compares as well, with no check before, and keeps nothing: "pulumi destroy --refresh" deletes what it has compared.
        this.#liveIds.keep(id, context.urn);
        takenUpIds.discard(id);
      }
      return { changes: isUnfinished };
    }
    this.#liveIds.release(id);
    this.#replacedUrns.add(context.urn);
    if (replaces.length === 0) {
      context.report.info(
        `An interrupted deployment may have deleted extension ${id}: replaced, so that it stands for certain.`,
      );
      return { changes: true, replaces: ["checksum"], deleteBeforeReplace: true };
    }
    // Names are unique in a project, so under the same name the old one has to go first.
    const sameName = !replaces.includes("name") && !replaces.includes("projectId");
    return { ...(isUnfinished ? { changes: true } : {}), replaces, deleteBeforeReplace: sameName };
  }

  async create(inputs: PropertyMap, context: LifecycleContext): Promise<Created> {
    const owner = ownerOf(context);
    let created: Created;
    try {
      created = await this.#adoptOrUpload(inputs, context);
      this.#keepLive(created.id, context);
    } catch (error) {
      const ending = await withLastVersionBack(error, {
        inputs,
        owner,
        rescuedArchives: this.#rescued,
        clientFor: this.#clientIn(context),
        context,
      });
      if (ending instanceof PartiallyCreatedError) {
        this.#liveIds.keep(ending.id, context.urn);
        pendingDeletions.discard(owner);
      }
      throw ending;
    }
    this.#rescued.discard(owner);
    pendingDeletions.discard(owner);
    const { outputs } = created;
    if (textOf(inputs, "adopt") === undefined && outputs.checksum !== inputs.checksum) {
      const reason =
        `The service stored extension ${created.id} with checksum ${textOf(outputs, "checksum")}, but ` +
        `${textOf(inputs, "checksum")} was sent. Run "pulumi up" again to replace it.`;
      throw new PartiallyCreatedError(created.id, { ...outputs, [unfinishedOutput]: reason }, [reason]);
    }
    return created;
  }

  async #adoptOrUpload(inputs: PropertyMap, context: LifecycleContext): Promise<Created> {
    const client = this.#clientFor(inputs, context);
    const adopt = textOf(inputs, "adopt");
    // Taken over once: what replaces it later is uploaded.
    if (adopt !== undefined && !this.#replacedUrns.has(context.urn)) {
      const adopted = await adoptExtension(adopt, inputs, client, context);
      if (adopted !== undefined) {
        return adopted;
      }
    }
    const projectId = textOf(inputs, "projectId");
    const checksum = requiredText(inputs, "checksum");
    const name = textOf(inputs, "name") ?? autoName({ urn: context.urn ?? "", checksum, projectId });
    const archive = await this.#archiveToUpload(inputs, context);
    await this.#clearPendingUpload(context, { upload: { name, checksum, projectId } });
    const owner = ownerOf(context);
    const { extension, found } = await placeExtension({ owner, client, name, projectId, archive, context });
    if (found) {
      takenUpIds.note(extension.id, context.deployment);
      context.report.info(
        `Extension "${name}" (${extension.id}) with exactly these bytes was there already: taken up, nothing uploaded.`,
      );
    }
    return { id: extension.id, outputs: { ...inputs, ...liveOutputs(extension, inputs) } };
  }

  async read({ id, state }: StoredResource, context: LifecycleContext): Promise<ReadResult | undefined> {
    // A lookup knows no project but that of the settings; what is deployed stays where it was deployed.
    const isLookup = textOf(state, "checksum") === undefined;
    const projectId = textOf(state, "projectId") ?? (isLookup ? settingsFor(context).projectId : undefined);
    const client = this.#connections.clientFor(projectId, context);
    const extension = await orUndefinedWhenGone(client.extensions.get(id, { signal: context.signal }));
    if (extension === undefined) {
      if (isLookup) {
        throw nothingToLookUp(id, projectId);
      }
      await this.#sayIfNameIsReused(id, state, client, context);
      return undefined;
    }
    const outputs = { ...state, ...liveOutputs(extension, state) };
    if (textOf(state, "checksum") !== undefined && outputs.checksum !== state.checksum) {
      const comparison = await compareContents(id, state, client, context);
      context.report.info(`Extension ${id} holds other bytes than this program uploaded: ${comparison}.`);
    }
    const { createdAt: _createdAt, [unfinishedOutput]: _unfinished, ...inputs } = outputs;
    return { id: extension.id, outputs, inputs };
  }

  /** Reached only when nothing that identifies the extension has changed: nothing of it is sent anew. */
  async update({ id, olds, news }: UpdateRequest, context: LifecycleContext): Promise<PropertyMap> {
    await this.#clearPendingUpload(context, { id });
    return { ...news, createdAt: olds.createdAt ?? null };
  }

  async delete({ id, state }: StoredResource, context: LifecycleContext): Promise<void> {
    if (this.#liveIds.has(id) || takenUpIds.has(id, context.deployment)) {
      takenUpIds.discard(id);
      context.report.info(`Extension ${id} stays: its replacement has the same bytes and took it up.`);
      return;
    }
    const client = this.#clientFor(state, context);
    const owner = ownerOf(context);
    if (!this.#createdUrns.has(context.urn)) {
      // Nothing follows it, so neither does anything an interrupted run may have left.
      await this.#clearPendingUpload(context, { id });
      this.#rescued.discard(owner);
    } else if (!this.#liveIds.keeps(context.urn)) {
      await this.#rescued.rescue({ id, state }, owner, client, context);
    }
    pendingDeletions.note(owner, id);
    try {
      await deleteExtension(id, client, context);
    } catch (error) {
      if (error instanceof BrowserInfraError && !(error instanceof OutcomeUnknownError)) {
        // It stands, for certain.
        pendingDeletions.discard(owner);
        this.#rescued.discard(owner);
      }
      throw error;
    }
    pendingDeletions.discard(owner);
  }

  #keepLive(id: string, context: LifecycleContext): void {
    if (this.#liveIds.isKeptByAnother(id, context.urn)) {
      throw new ConflictError(
        "extension_declared_twice",
        `Two resources of this program declare extension ${id}: they have the same name, or one takes over what the other manages. Remove one of them, or give it another "name".`,
      );
    }
    this.#liveIds.keep(id, context.urn);
  }

  /** Deletes what an interrupted upload of this resource left, unless it is spared. */
  #clearPendingUpload(context: LifecycleContext, spared: Spared): Promise<void> {
    return pendingUploads.clear(ownerOf(context), this.#clientIn(context), context, spared);
  }

  #clientIn(context: LifecycleContext): ClientFor {
    return (projectId) => this.#connections.clientFor(projectId, context);
  }

  #clientFor(properties: PropertyMap, context: LifecycleContext): BrowserInfraClient {
    return this.#connections.clientFor(textOf(properties, "projectId"), context);
  }

  /** The very bytes whose checksum the preview showed, or none: what was approved is what is sent. */
  async #archiveToUpload(inputs: PropertyMap, context: LifecycleContext): Promise<ExtensionArchive> {
    const checksum = requiredText(inputs, "checksum");
    const cached = this.#archives.take(checksum);
    if (cached !== undefined) {
      return cached;
    }
    const path = requiredText(inputs, "path");
    const exclude = inputs.exclude as readonly string[] | undefined;
    const options = { signal: context.signal, ...(exclude === undefined ? {} : { exclude }) };
    const archive = await slowStep(context.report, `packing ${path}`, () => packExtension(path, options));
    if (archive.checksum !== checksum) {
      throw new ArchiveError(
        "archive_changed_since_check",
        `"${path}" changed while the deployment ran: it packs to checksum ${archive.checksum} now, not ${checksum}. ` +
          `Nothing was uploaded. Run "pulumi up" again when nothing writes to it.`,
      );
    }
    return archive;
  }

  async #sayIfNameIsReused(
    id: string,
    state: PropertyMap,
    client: BrowserInfraClient,
    context: LifecycleContext,
  ): Promise<void> {
    const name = textOf(state, "name");
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
}

/** Whose files of interrupted deployments a resource's are. */
function ownerOf(context: LifecycleContext): RecoveryOwner {
  return { urn: context.urn, baseUrl: settingsFor(context).baseUrl };
}

function requiredText(inputs: PropertyMap, name: string): string {
  const value = textOf(inputs, name);
  if (value === undefined) {
    throw new InputError(
      "input_unknown",
      name,
      `The ${name} of this extension is not known, so it cannot be created. Run "pulumi up" again.`,
    );
  }
  return value;
}
