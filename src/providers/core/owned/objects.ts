import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { foldedName } from "../../../client/names.js";
import { ignoreNotFound, isNotFound } from "../../../client/not-found.js";
import { defaultProjectId } from "../../../config.js";
import { ApiError, type ConflictError, OutcomeUnknownError } from "../../../errors.js";
import { dateTimeMs } from "../../../text/date-time.js";
import { quote } from "../../../text/escape.js";
import { messageOf } from "../../../text/words.js";
import type { Call } from "../../call.js";
import {
  type CheckFailure,
  type DiffResult,
  type PartiallyCreatedError,
  type StoredResource,
  splitImportId,
} from "../../lifecycle.js";
import { autoName } from "../../names.js";
import { unknownValue } from "../../properties.js";
import type { Declared } from "../declared.js";
import { type LostCreation, storedFailure } from "../marks.js";
import {
  continuesAdvice,
  findBestEffort,
  fitsRequestTime,
  lookUpUntilFound,
  refreshAdvice,
  unknownOutcomeError,
} from "../requests.js";
import { Run } from "../run.js";
import type { AnyObject, LiveObject, Named, Subject } from "./declaration.js";
import { OwnedTexts } from "./texts.js";
import { Inheritance } from "./undeclared.js";

/** Maximum lookups, 500 ms apart, until the name of an object that this run has deleted is free. */
const freedNameLookupsMax = 20;
const freedNameLookupIntervalMs = 500;

/** Search key for an object with an unknown id, as before a create: name, project, perhaps a checksum. */
export interface ObjectKey {
  readonly name: string;
  readonly projectId: string | undefined;
  readonly identity?: Readonly<Record<string, string>> | undefined;
}

/** Finds, creates, changes and deletes the objects of a kind, such as browser pools, in one run of Pulumi. */
export class OwnedObjects {
  readonly resource: AnyObject;
  readonly texts: OwnedTexts;
  readonly run = new Run();
  /** Settings that the program omits and a replacement inherits. Undefined: the kind has no such settings. */
  readonly inheritance: Inheritance | undefined;
  /** Whether an update can give an existing object the declared inputs, without a replacement. */
  readonly #canBecome: (live: LiveObject, inputs: Named) => boolean;

  /** `canBecome`: whether an update can give an object the declared inputs. Default: always true. */
  constructor(resource: AnyObject, canBecome = (_live: LiveObject, _inputs: Named) => true) {
    this.resource = resource;
    this.texts = new OwnedTexts(resource);
    this.inheritance = resource.undeclared && new Inheritance(resource, resource.undeclared);
    this.#canBecome = canBecome;
  }

  /** Input reported for a taken name or a replacement: `name`, or `domain` for objects without a name. */
  get nameInput(): string {
    return this.resource.naturalName?.input ?? "name";
  }

  /**
   * Claims a name in a project for the resource of the call, unless name or project is still unknown. Returns
   * a failure if a different resource of the program claims the same name, and otherwise an empty list.
   */
  claim(name: Declared<string>, projectId: Declared<string>, { context }: Call): readonly CheckFailure[] {
    const isKnown = typeof name === "string" && projectId !== unknownValue;
    const rival = this.run.claim(context.urn, isKnown ? this.#claimOf(name, projectId) : undefined);
    return rival === undefined
      ? []
      : [{ property: this.nameInput, reason: this.texts.rival(String(name), rival) }];
  }

  /**
   * Whether the service itself has given the old object of a replacement its new natural name. Example: a
   * profile was renamed, and the auth connection follows. The old object then stays in place of a new object.
   */
  async hasFollowed(id: string, state: Named, call: Call): Promise<boolean> {
    const { claim, replaces } = this.run.of(call.context.urn);
    if (this.resource.naturalName === undefined || replaces?.id !== id) {
      return false;
    }
    const name = (await this.resource.find(id, state.projectId, call))?.name ?? state.name;
    return name !== undefined && name !== state.name && claim === this.#claimOf(name, state.projectId);
  }

  #claimOf(name: string, projectId = ""): string {
    return `${projectId}/${this.resource.issued === undefined ? foldedName(name) : name}`;
  }

  /** Name for a resource that declares no name: `<logical name>-<digest>`, the same on every machine. */
  autoName(urn: string, projectId: string | undefined, identity: ObjectKey["identity"] = {}): string {
    const place = this.resource.isInProject === true ? [projectId] : [];
    return autoName(urn, ...Object.values(identity), ...place);
  }

  /** Whether `holder` has the automatic name of the call's resource, and no other resource has `holder`. */
  hasOwnAutoName(holder: LiveObject, key: ObjectKey, { context: { urn } }: Call): boolean {
    return (
      urn !== undefined &&
      this.#hasKey(holder, key) &&
      this.run.otherHolderOf(holder.id, urn) === undefined &&
      key.name === this.autoName(urn, key.projectId, key.identity)
    );
  }

  /** Whether an object has exactly the name and the identity of a key. Case and accents count. */
  #hasKey(live: LiveObject, { name, identity }: LostCreation | ObjectKey): boolean {
    return live.name === name && isDeepStrictEqual(this.resource.identity?.(live) ?? {}, identity ?? {});
  }

  /** Id of the present object of a resource, and ids of former objects: API keys before rotations. */
  idsOf(id: string, state: Named): { readonly presentId: string; readonly formerIds: readonly string[] } {
    const [presentId = id, ...formerIds] = this.resource.idsOf?.(id, state) ?? [];
    return { presentId, formerIds };
  }

  /**
   * Reads the object of a deployed resource, of an import or of a lookup (`get`). Throws `LookupError` if an
   * import or a lookup finds no object, and the errors of `splitImportId` for a malformed import id.
   */
  async read({ id: given, isImport = false }: StoredResource, known: Named, call: Call) {
    const { isInProject = false, noun, managedMarker, find } = this.resource;
    const isManaged = known[managedMarker as keyof Named] !== undefined && !isImport;
    const { id, projectId: named } =
      isImport && isInProject ? splitImportId(given, noun) : { id: given, projectId: undefined };
    // A lookup has only the project of the settings. A deployed object stays in its project.
    const fallback = isInProject && !isManaged ? defaultProjectId(call.settings) : undefined;
    const projectId = named ?? known.projectId ?? fallback;
    const { presentId, formerIds } = this.idsOf(id, known);
    const live = await find(presentId, projectId, call);
    if (live === undefined && !isManaged) {
      // If the object were reported as gone, the engine would continue without outputs.
      throw this.texts.notFoundError(presentId, projectId);
    }
    return { id, presentId, formerIds, projectId, live, isManaged, isDefaulted: named === undefined };
  }

  /**
   * Returns the object for a create: new, or existing with the resource's automatic name. Without `isNew`, the
   * caller must still send the settings. Throws `ConflictError` `name_taken` if a different object has the name.
   */
  async findOrCreate(inputs: Named, name: string, call: Call): Promise<{ live: LiveObject; isNew: boolean }> {
    const { report, urn } = call.context;
    const key = { name, projectId: inputs.projectId, identity: this.resource.identity?.(inputs) };
    const holder = await this.#findHolder(key, call);
    if (holder === undefined) {
      return this.#create(inputs, key, call);
    }
    const replaced = this.run.of(urn).replaces;
    if (holder.id === replaced?.id && this.resource.naturalName !== undefined) {
      // The service has carried a new name over to the object.
      return { live: holder, isNew: false };
    }
    const isOwnName = this.hasOwnAutoName(holder, key, call);
    if (!isOwnName || !this.#canBecome(holder, inputs)) {
      throw this.nameTakenError(key, holder, call, { hasObject: replaced !== undefined, isOwnName });
    }
    if (this.resource.isArchived?.(holder) === true) {
      report.info(`The ${this.texts.object(holder)} already exists and is archived; reusing it.`);
    } else if (this.resource.identity !== undefined) {
      report.info(`The ${this.texts.object(holder)} already exists, exactly as declared; reusing it.`);
    } else {
      report.warning(this.texts.reused(holder, "update"));
    }
    return { live: holder, isNew: false };
  }

  /** Finds the object with a name. Waits up to 10 s until the lists omit an object that this run deleted. */
  async #findHolder({ name, projectId }: ObjectKey, call: Call): Promise<LiveObject | undefined> {
    for (let looks = 1; ; looks += 1) {
      const holder = await this.resource.holderOf(name, projectId, call);
      if (holder === undefined || looks === freedNameLookupsMax || !this.run.isDeleted(holder.id)) {
        return holder;
      }
      await sleep(freedNameLookupIntervalMs, undefined, call.options);
    }
  }

  /** Sends a creation once. The name was free, so after a lost response, the object with the name is ours. */
  async #create(inputs: Named, key: ObjectKey, call: Call): Promise<{ live: LiveObject; isNew: boolean }> {
    const { name, projectId } = key;
    const { context } = call;
    const create = this.inheritance ?? this.resource;
    try {
      return { live: await create.create(inputs, name, call), isNew: true };
    } catch (error) {
      if (!(error instanceof OutcomeUnknownError)) {
        throw await this.#explainConflict(error, key, call);
      }
      context.report.progress("no response to the creation; checking whether it succeeded");
      const live = await findBestEffort(async () => {
        const holder = await this.resource.holderOf(name, projectId, call);
        return holder !== undefined && this.#hasKey(holder, key) ? holder : undefined;
      }, context);
      if (live !== undefined) {
        const text = `The response to the creation was lost, but it succeeded: ${this.texts.object(live)} exists.`;
        context.report.info(text);
        return { live, isNew: false };
      }
      const { shortNoun } = this.texts;
      const interrupted = `The creation of ${this.resource.noun} ${quote(name)} was interrupted, and the ${shortNoun} may exist now or appear later.`;
      const advice = `Run "pulumi up" again: it deletes this ${shortNoun} if it exists, and creates it again.`;
      throw this.lostCreationFailure(
        unknownOutcomeError(error, context, interrupted, advice),
        key,
        inputs,
        call,
      );
    }
  }

  /** Builds the error of a creation without a response: the state gets `lost: {…}` in place of an object. */
  lostCreationFailure(
    outcome: OutcomeUnknownError,
    { name = "", projectId, identity }: LostCreation,
    inputs: Named,
    { context }: Call,
  ): PartiallyCreatedError {
    const cause = outcome.withAdvice(
      `With the option "protect", first run "pulumi state unprotect '${context.urn ?? "<urn>"}'". ` +
        `With "retainOnDelete", delete the ${this.texts.shortNoun} ${quote(name)} yourself if it exists.`,
    );
    const lost = { name, gaveUpAt: Date.now(), projectId, identity };
    const outputs = this.resource.state.write({ ...identity, ...inputs, lost, unfinished: undefined });
    return storedFailure(`lost-${name}`, outputs, cause);
  }

  /** Result of `diff` for a state with the mark `lost`: a replacement, whose deletion undoes the creation. */
  replaceLost(id: string, { urn }: Call["context"]): DiffResult {
    this.run.recordReplacement({ id, name: undefined, projectId: undefined }, urn);
    return { changes: true, replaces: [this.nameInput], deleteBeforeReplace: true };
  }

  /**
   * Deletes the object that a creation without a response may have made: an object with the name and the
   * identity in the mark `lost`, but of no resource in this run. If the name is not one-time, the creation
   * time must fit, too.
   */
  async undoLost(lost: LostCreation, state: Named, call: Call): Promise<void> {
    const { name = "", projectId } = lost;
    const { issued } = this.resource;
    const holder = issued ? undefined : await this.resource.holderOf(name, projectId, call);
    const named = holder ? [holder] : ((await issued?.named({ name }, projectId, call)) ?? []);
    for (const live of named) {
      const isOthers = this.run.holderOf(live.id) !== undefined;
      // A one-time name proves the request. Any ordinary name may have a new holder by now.
      const fits = issued !== undefined || fitsRequestTime(lost, dateTimeMs(live.createdAt ?? ""));
      if (!isOthers && fits && this.#hasKey(live, lost)) {
        await this.remove(live, state, call);
        call.context.report.info(this.texts.undone(live));
      }
    }
  }

  /** Gives an existing object the declared settings. Sends nothing if no setting can differ. */
  async change(live: LiveObject, inputs: Named, known: Named | undefined, call: Call): Promise<LiveObject> {
    const { id } = live;
    const all = known && (this.inheritance?.withSent(live, known) ?? known);
    const isInDoubt = known === undefined || known.unfinished !== undefined;
    const send = this.resource.change(live, inputs, all, call, isInDoubt);
    try {
      return send === undefined ? live : await send();
    } catch (error) {
      if (error instanceof OutcomeUnknownError) {
        const interrupted = `The change of ${this.resource.noun} ${id} was interrupted, and the ${this.texts.shortNoun} has its old settings or the new ones.`;
        throw unknownOutcomeError(error, call.context, interrupted, continuesAdvice);
      }
      if (isNotFound(error) && (await this.resource.find(id, inputs.projectId, call)) === undefined) {
        throw this.texts.goneError(id);
      }
      const { name, projectId } = inputs;
      throw name === undefined ? error : await this.#explainConflict(error, { name, projectId }, call, id);
    }
  }

  /** Deletes an object, unless already gone. After a lost response, checks whether the object is gone. */
  async remove(object: Subject, state: Named, call: Call): Promise<void> {
    const { id } = object;
    const { explainRefusal } = this.resource;
    await this.run.turns.run(id, async () => {
      try {
        await ignoreNotFound(this.resource.remove(id, state, call));
      } catch (error) {
        if (!(error instanceof OutcomeUnknownError)) {
          throw (error instanceof ApiError && (await explainRefusal?.(object, state, error, call))) || error;
        }
        await this.#untilGone(error, id, state.projectId, call);
      }
      this.run.recordDeletion(id, call.context.urn);
    });
  }

  /** Checks for 15 s whether a deletion without a response succeeded. Otherwise throws `outcome`. */
  async #untilGone(outcome: OutcomeUnknownError, id: string, projectId: string | undefined, call: Call) {
    const { context } = call;
    const { noun, find } = this.resource;
    context.report.progress("no response to the deletion; checking whether it succeeded");
    const isGone = async () => (await find(id, projectId, call)) === undefined || undefined;
    let why = "";
    try {
      if ((await lookUpUntilFound(isGone, context)) === true) {
        return;
      }
    } catch (lookError) {
      why = context.signal.aborted ? "" : `Looking for it failed as well: ${messageOf(lookError)} `;
    }
    const interrupted = `The deletion of ${noun} ${id} was interrupted, and the ${this.texts.shortNoun} may be gone.`;
    throw unknownOutcomeError(outcome, context, interrupted, `${why}${refreshAdvice}`);
  }

  /** Builds the error `name_taken`: `holder` has the name. `hasObject`: the resource has an object, too. */
  nameTakenError(
    { name, projectId }: Pick<ObjectKey, "name" | "projectId">,
    holder: LiveObject,
    { context: { urn } }: Call,
    { hasObject = false, isOwnName = false } = {},
  ): ConflictError {
    const otherUrn = this.run.otherHolderOf(holder.id, urn, true);
    return this.texts.nameTakenError(name, holder, { urn, projectId, otherUrn, hasObject, isOwnName });
  }

  /** Turns a refusal (409) into `name_taken` if an object except `ownId` has the name. Else: `error`. */
  async #explainConflict(
    error: unknown,
    key: Pick<ObjectKey, "name" | "projectId">,
    call: Call,
    ownId?: string,
  ) {
    if (!(error instanceof ApiError && error.status === 409)) {
      return error;
    }
    const holder = await this.resource.holderOf(key.name, key.projectId, call);
    return holder === undefined || holder.id === ownId
      ? error
      : this.nameTakenError(key, holder, call, { hasObject: ownId !== undefined });
  }
}
