import { setTimeout as sleep } from "node:timers/promises";
import { foldedName } from "../../../client/names.js";
import { nearNameAdvice } from "../../../client/operations/near-names.js";
import { defaultProjectId } from "../../../config.js";
import { ApiError, type ConflictError, ContractError } from "../../../errors.js";
import { dateTimeMs } from "../../../text/date-time.js";
import { quote } from "../../../text/escape.js";
import { listed } from "../../../text/words.js";
import type { Call } from "../../call.js";
import { type CheckFailure, type StoredResource, splitImportId } from "../../lifecycle.js";
import { OwnedTexts } from "../../messages/owned-objects.js";
import { autoName } from "../../names.js";
import { unknownValue } from "../../properties.js";
import { readInParent } from "../../reads/parents.js";
import { type Walk, walkOf } from "../../reads/walks.js";
import type { Declared } from "../declared.js";
import type { LostCreation, Named } from "../marks.js";
import { type LostRequest, Run } from "../run.js";
import type { AnyObject, LiveObject } from "./declaration.js";

/** Maximum lookups, 500 ms apart, until the name of an object that this run has deleted is free. */
const freedNameLookupsMax = 20;
const freedNameLookupIntervalMs = 500;

/** Precision of the service's times, in milliseconds: the header `date` counts whole seconds. */
export const timePrecisionMs = 1_000;

/** Search key for an object with an unknown id, as before a create: name, project, perhaps a checksum. */
export interface ObjectKey {
  readonly name: string;
  readonly projectId: string | undefined;
  readonly identity?: Readonly<Record<string, string>> | undefined;
}

/** Comparison of an object in the service with inputs of a kind. */
export interface Comparison {
  /** Whether an update can give an object the inputs. `sent`: inputs of the creation of the object, if known. */
  canBecome(live: LiveObject, inputs: Named, sent?: Named): boolean;
  /** Names of the inputs whose values the object does not have, as far as the service shows values. */
  differing(live: LiveObject, inputs: Named): readonly string[];
}

/** Facts for the error `name_taken`. */
interface TakenBy {
  /** Whether the resource has an object to rename or replace. Default: false. */
  readonly hasObject?: boolean;
  /** Whether the holder has the automatic name of the resource. Default: false. */
  readonly isOwnName?: boolean;
  /** Inputs to compare with the holder. Default: no comparison. */
  readonly inputs?: Named | undefined;
}

/** Finds the objects of a kind, such as browser pools, in one run of Pulumi, and judges whose objects they are. */
export class Finder {
  readonly resource: AnyObject;
  readonly texts: OwnedTexts;
  readonly run = new Run();
  readonly comparison: Comparison;

  /** `comparison`. Default: of a kind whose objects never change, by their identity. */
  constructor(resource: AnyObject, comparison?: Comparison) {
    this.resource = resource;
    this.texts = new OwnedTexts(resource);
    this.comparison = comparison ?? {
      canBecome: (live, inputs) => this.#differingIdentity(live, resource.identity?.(inputs)).length === 0,
      differing: (live, inputs) => this.#differingIdentity(live, resource.identity?.(inputs)),
    };
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

  /** Whether the program declares the resource of the call with this name in this project. */
  isClaimed({ name = "", projectId }: LostCreation, { context }: Call): boolean {
    return this.run.of(context.urn).claim === this.#claimOf(name, projectId);
  }

  /**
   * Whether the service itself has given the old object of a replacement, `live`, its new natural name. Example:
   * a profile was renamed, and the auth connection follows. The old object then stays in place of a new object.
   */
  hasFollowed({ id, name }: LiveObject, state: Named, { context }: Call): boolean {
    const { claim, replaces } = this.run.of(context.urn);
    const isNew = this.resource.naturalName !== undefined && name != null && name !== state.name;
    return isNew && replaces?.id === id && claim === this.#claimOf(name, state.projectId);
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
      holder.name === key.name &&
      this.#differingIdentity(holder, key.identity).length === 0 &&
      this.run.otherHolderOf(holder.id, urn) === undefined &&
      key.name === this.autoName(urn, key.projectId, key.identity)
    );
  }

  /** Names of identifying values, such as a checksum, that an object does not have. */
  #differingIdentity(live: LiveObject, identity: ObjectKey["identity"] = {}): readonly string[] {
    const found = this.resource.identity?.(live) ?? {};
    return Object.keys({ ...found, ...identity }).filter((name) => found[name] !== identity[name]);
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
    const { isInProject = false, noun, managedMarker } = this.resource;
    const isManaged = known[managedMarker as keyof Named] !== undefined && !isImport;
    const { id, projectId: named } =
      isInProject && !isManaged ? splitImportId(given, noun) : { id: given, projectId: undefined };
    // A lookup has only the project of the settings. A deployed object stays in its project.
    const fallback = isInProject && !isManaged ? defaultProjectId(call.settings) : undefined;
    const projectId = named ?? known.projectId ?? fallback;
    const { presentId, formerIds } = this.idsOf(id, known);
    const parentId = isInProject ? projectId : undefined;
    const { live, isArchived } = isManaged
      ? await readInParent(parentId, call, () => this.find(presentId, projectId, call))
      : { live: await this.#findOrThrow(presentId, projectId, call), isArchived: false };
    const isDefaulted = named === undefined;
    return { id, presentId, formerIds, projectId, live, isManaged, isArchived, isDefaulted };
  }

  /**
   * Finds the object of an import or of a lookup. If the object were reported as gone, the engine would continue
   * without outputs. People also write a name in place of the id, and the service may answer the object of that name.
   */
  async #findOrThrow(id: string, projectId: string | undefined, call: Call): Promise<LiveObject> {
    const { resource } = this;
    let mismatch: ContractError | undefined;
    try {
      const live = await resource.find(id, projectId, call);
      if (live !== undefined) {
        return live;
      }
    } catch (error) {
      if (!(error instanceof ContractError)) {
        throw error;
      }
      mismatch = error;
    }
    const list = async () => {
      const { value } = await resource.list(projectId, call).scan(call.options).next();
      // Of a connection, people know the domain.
      return (value?.rows ?? []).map((row) => ({ ...row, name: row[this.nameInput as "name"] }));
    };
    const near = await nearNameAdvice(resource.noun, id, { list }, call.options);
    const notFound = this.texts.notFoundError(id, projectId);
    throw near === "" ? (mismatch ?? notFound) : notFound.withAdvice(near);
  }

  /** Walk of this run through the list of the kind. */
  #walk(projectId: string | undefined, call: Call): Walk<LiveObject> {
    const { isInProject = false, list } = this.resource;
    // A walk for objects of the organization is the same for every project.
    return walkOf(list, isInProject ? projectId : undefined, call);
  }

  /** Reads an object by the walk, or alone: for reads of many objects before any of these objects is changed. */
  async find(id: string, projectId: string | undefined, call: Call): Promise<LiveObject | undefined> {
    const isInList = this.resource.listOmits === undefined;
    const row = isInList ? await this.#walk(projectId, call).take(id, call) : undefined;
    return row ?? this.resource.find(id, projectId, call);
  }

  /** Whether no object had a name when the list was read. False: unknown. See {@link Walk.lacks}. */
  lacks(wanted: string | ((name: string) => boolean), projectId: string | undefined, call: Call) {
    return this.#walk(projectId, call).lacks(wanted, call);
  }

  /**
   * Finds the holder of a name before a creation. The walk only tells that a name is free, and the service refuses a
   * name that was taken since. A holder is read anew, because this run may have renamed or deleted the holder.
   */
  async holderOf(name: string, projectId: string | undefined, call: Call): Promise<LiveObject | undefined> {
    return (await this.lacks(name, projectId, call))
      ? undefined
      : this.resource.holderOf(name, projectId, call);
  }

  /** Finds what a creation without a response may have made. */
  resultOf({ request, sent }: LostRequest, call: Call): Promise<LiveObject | undefined> {
    const { resource } = this;
    const { name = "", projectId } = request;
    return resource.resultOf?.(sent, request, call) ?? resource.holderOf(name, projectId, call);
  }

  /** Finds the object with a name. Waits up to 10 s until the lists omit an object that this run deleted. */
  async findHolder({ name, projectId }: ObjectKey, call: Call): Promise<LiveObject | undefined> {
    const { lost } = this.run.of(call.context.urn);
    const isSought = lost?.request.name === name && lost.request.projectId === projectId;
    for (let looks = 1; ; looks += 1) {
      // The result of a request without a response may have appeared since the list was read.
      const place = lost !== undefined || looks > 1 ? this.resource : this;
      const result = isSought ? this.resource.resultOf?.(lost.sent, lost.request, call) : undefined;
      const holder = (await result) ?? (await place.holderOf(name, projectId, call));
      if (holder === undefined || looks === freedNameLookupsMax || !this.run.isDeleted(holder.id)) {
        return holder;
      }
      await sleep(freedNameLookupIntervalMs, undefined, call.options);
    }
  }

  /**
   * Finds the object that a new resource adopts. Undefined without `adopt`, for a replacement, for a kind that
   * creates beside the old object, and after this run
   * has deleted the object. Throws if there is no such object, if a different resource has the object, or if no
   * change leads to the inputs.
   */
  async adopted(inputs: Named, call: Call): Promise<LiveObject | undefined> {
    const { adopt, projectId } = inputs;
    const { urn } = call.context;
    const { replaces, lost } = this.run.of(urn);
    if (adopt === undefined || replaces !== undefined || lost !== undefined || this.resource.createsFirst) {
      return undefined;
    }
    const { resource } = this;
    // The name first: no name has the form of an id.
    const live =
      (await resource.holderOf(adopt, projectId, call)) ?? (await resource.find(adopt, projectId, call));
    if (live === undefined || this.run.isDeleted(live.id)) {
      if (this.run.hasRecord(urn)) {
        return undefined;
      }
      throw this.texts.nothingToAdopt(adopt, projectId);
    }
    const otherUrn = this.run.otherRecordedFor(live.id, urn);
    if (otherUrn !== undefined || !this.comparison.canBecome(live, inputs)) {
      throw this.texts.adoptionRefused(live, otherUrn, this.comparison.differing(live, inputs));
    }
    return live;
  }

  /**
   * Judges whether an object is the result of a creation without a response. Returns the doubts, each as the end
   * of a sentence; without doubts, the object is proved to be the result. An identity, such as name and checksum,
   * is proof by itself. Otherwise everything sent must be what a read shows, and the service must have created
   * the object between the sending and the giving up, by the clock of the service.
   */
  doubts(live: LiveObject, { request, sent }: LostRequest): readonly string[] {
    const { name = "", identity = {} } = request;
    const isNamed = live.name === name ? [] : [`its name is ${quote(live.name ?? "")}`];
    if (Object.keys(identity).length > 0) {
      const differing = this.#differingIdentity(live, identity);
      return [...isNamed, ...(differing.length === 0 ? [] : [`it differs in ${listed(differing)}`])];
    }
    const { setLater = [], doubt } = this.resource;
    const differing = this.comparison.differing(live, sent).filter((each) => !setLater.includes(each));
    const others = [doubt?.(live, sent), live.createdAt === undefined ? undefined : timeDoubt(request, live)];
    return [
      ...isNamed,
      ...(differing.length === 0 ? [] : [`it differs from what was sent in ${listed(differing)}`]),
      ...others.filter((each) => each !== undefined),
    ];
  }

  /** Whether `holder` is proved to be the result of an interrupted creation of the call's resource. */
  isResult(holder: LiveObject, { context: { urn } }: Call): boolean {
    const { lost } = this.run.of(urn);
    const isOthers = this.run.otherHolderOf(holder.id, urn) !== undefined;
    return lost !== undefined && !isOthers && this.doubts(holder, lost).length === 0;
  }

  /**
   * In a preview: failures because the existing object `holder` has the wanted name, or only warnings if the
   * deployment may reuse, replace or delete the holder. `inputs`: if all are known. `hasObject`: see `TakenBy`.
   */
  holderFailures(
    holder: LiveObject,
    key: ObjectKey,
    { inputs, hasObject = false }: TakenBy,
    call: Call,
  ): CheckFailure[] {
    const { urn, report } = call.context;
    const { identity, isArchived } = this.resource;
    if ((urn !== undefined && this.run.holderOf(holder.id) === urn) || this.isResult(holder, call)) {
      // The option `replaceOnChanges` replaces the holder, or the deployment finishes an interrupted creation.
      return [];
    }
    // An object that never changes is not renamed, but replaced.
    const isRenamed = hasObject && identity === undefined;
    // Only a new resource reuses an object by its name alone.
    if (this.hasOwnAutoName(holder, key, call) && !isRenamed) {
      if (identity === undefined && isArchived?.(holder) !== true) {
        report.warning(this.texts.reused(holder, "preview"));
      }
      return [];
    }
    const reason = this.nameTakenError(key, holder, call, { hasObject, inputs }).message;
    if (isRenamed || this.run.otherHolderOf(holder.id, urn) !== undefined) {
      return [{ property: this.nameInput, reason }];
    }
    // A forced replacement of this resource may be about to delete the holder.
    report.warning(`${reason} The deployment fails unless it frees that name.`);
    return [];
  }

  /** Builds the error `name_taken`: `holder` has the name. Names all that is known of the holder. */
  nameTakenError(
    { name, projectId }: Pick<ObjectKey, "name" | "projectId">,
    holder: LiveObject,
    { context: { urn } }: Call,
    { hasObject = false, isOwnName = false, inputs }: TakenBy = {},
  ): ConflictError {
    const { lost } = this.run.of(urn);
    return this.texts.nameTakenError(name, holder, {
      urn,
      projectId,
      otherUrn: this.run.otherRecordedFor(holder.id, urn),
      hasObject,
      isOwnName,
      doubts: lost === undefined ? [] : this.doubts(holder, lost),
      differing: inputs && this.comparison.differing(holder, inputs),
    });
  }

  /** Turns a refusal (409) into `name_taken` if an object except `ownId` has the name. Else: `error`. */
  async explainConflict(error: unknown, inputs: Named, name: string, call: Call, ownId?: string) {
    if (!(error instanceof ApiError && error.status === 409)) {
      return error;
    }
    const key = { name, projectId: inputs.projectId };
    const holder = await this.resource.holderOf(name, key.projectId, call);
    return holder === undefined || holder.id === ownId
      ? error
      : this.nameTakenError(key, holder, call, { hasObject: ownId !== undefined, inputs });
  }
}

/** Doubt about an object that the service did not create between the sending and the giving up. */
function timeDoubt({ sentAt, gaveUpAt }: LostCreation, { createdAt }: LiveObject): string | undefined {
  const createdAtMs = dateTimeMs(createdAt ?? "");
  if (sentAt === undefined || gaveUpAt === undefined || createdAtMs === undefined) {
    return "the time of its creation cannot be compared with the time of the request";
  }
  const [from, to] = [sentAt, gaveUpAt].map((ms) => new Date(ms).toISOString());
  // The clock lags by up to a second and the time of a response, so the giving up may have been that much later.
  return createdAtMs >= sentAt - timePrecisionMs && createdAtMs <= gaveUpAt + 2 * timePrecisionMs
    ? undefined
    : `it was created at ${createdAt}, but the request was sent at ${from} and given up at ${to}`;
}
