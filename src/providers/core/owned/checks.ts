import { isSameName } from "../../../client/names.js";
import { defaultProjectId } from "../../../config.js";
import type { Call } from "../../call.js";
import {
  type CheckFailure,
  type CheckRequest,
  type CheckResult,
  checked,
  failureOf,
  failuresFrom,
  type PreviewRequest,
} from "../../lifecycle.js";
import { readInPreview, settingsFailures } from "../../preview-reads.js";
import { Properties, t, unknownValue } from "../../properties.js";
import type { Declared } from "../declared.js";
import { inputFailures } from "../input-failures.js";
import { ifReadable } from "../requests.js";
import type { Key } from "./creations.js";
import type { LiveObject, Named, OwnedResource } from "./declaration.js";
import type { OwnedObjects } from "./objects.js";

/** What `check` wants to find again in its next call. */
export const memoOfNames = new Properties({
  /** The project came from the settings. */
  projectDefaulted: t.boolean,
  /** The automatic name, and the project that it was made for. */
  autoName: t.object({ name: t.string, projectId: t.string }),
});

/** Checks what a program declares of one kind of owned object, and previews what becomes of it. */
export class OwnedChecks<In extends Named, St extends Named, Live extends LiveObject> {
  readonly #resource: OwnedResource<In, St, Live>;
  readonly #objects: OwnedObjects<In, St, Live>;

  constructor(resource: OwnedResource<In, St, Live>, objects: OwnedObjects<In, St, Live>) {
    this.#resource = resource;
    this.#objects = objects;
  }

  /** See `ResourceLifecycle.check`. */
  async check(request: CheckRequest, call: Call): Promise<CheckResult> {
    const { inputs: codec, isInProject = false } = this.#resource;
    const { news } = request;
    const olds = request.olds && codec.read(request.olds);
    const known = memoOfNames.read(request.memo ?? {});
    const declared = codec.readDeclared(this.#resource.normalized?.(news) ?? news);
    // Also with invalid inputs, so that nothing of it counts as left by a resource that is gone.
    this.#objects.run.declared.add(call.context.urn);
    const isDefaulted = isInProject && declared.projectId === undefined;
    let projectId: Declared<string>;
    const failures = failuresFrom(() => {
      const { apiKey } = call.settings;
      projectId = isDefaulted ? projectOf(undefined, olds, known, call) : declared.projectId;
      return inputFailures(news, codec, apiKey, this.#resource.failures(news, olds, apiKey, call));
    });
    // The name of what belongs to the organization is the same in every project.
    const namedIn = isInProject ? projectId : undefined;
    const { naturalName } = this.#resource;
    const automatic =
      news.name === undefined && namedIn !== unknownValue && naturalName === undefined
        ? this.#autoName(call.context.urn, namedIn, known)
        : undefined;
    const name =
      naturalName === undefined
        ? (declared.name ?? automatic ?? (namedIn === unknownValue ? unknownValue : undefined))
        : naturalName.of(declared);
    if (failures.length === 0) {
      failures.push(...this.#objects.declare(name, projectId, olds === undefined, call));
    }
    const named = { ...declared, name, projectId };
    const inputs = codec.write(this.#resource.complete?.(named, news, olds, call) ?? named);
    const memo = memoOfNames.write({
      ...(isInProject ? { projectDefaulted: isDefaulted } : {}),
      ...(automatic === undefined ? {} : { autoName: { name: automatic, projectId: namedIn as string } }),
    });
    this.#objects.run.checked(call.context.urn, request.olds, inputs);
    return checked(request, { inputs, failures, memo }, (previewed) => this.preview(previewed, call));
  }

  /** The automatic name stays, also when an alias renames the resource. */
  #autoName(
    urn: string | undefined,
    projectId: string | undefined,
    { autoName: known }: ReturnType<typeof memoOfNames.read>,
  ): string | undefined {
    if (urn === undefined) {
      return undefined;
    }
    return known !== undefined && known.projectId === projectId
      ? known.name
      : this.#objects.creations.autoName(urn, projectId);
  }

  /** See `ResourceLifecycle.preview`. What the client refuses to send, a deployment refuses too. */
  async preview(request: PreviewRequest, call: Call): Promise<CheckFailure[]> {
    try {
      return await this.#previewFailures(request, call);
    } catch (error) {
      return [failureOf(error)];
    }
  }

  async #previewFailures({ olds, inputs, memo }: PreviewRequest, call: Call): Promise<CheckFailure[]> {
    const { isInProject = false, inputs: codec } = this.#resource;
    const declared = codec.readDeclared(inputs);
    const { name, projectId } = codec.read(inputs);
    const old = olds && codec.read(olds);
    const isDefaulted =
      projectId === undefined || (isInProject && memoOfNames.read(memo ?? {}).projectDefaulted === true);
    // What exists keeps its project, even if that is archived or gone by now.
    const asked = !isInProject && old?.projectId === projectId ? undefined : projectId;
    const failures = await settingsFailures(asked, call, isDefaulted ? "" : "projectId");
    if (failures.length > 0 || declared.projectId === unknownValue) {
      return failures;
    }
    failures.push(...((await this.#resource.previewFailures?.(declared, old, call)) ?? []));
    const isMoved = old !== undefined && old.projectId !== projectId;
    const isKept = old !== undefined && old.name === name && !isMoved;
    const isFree = isKept || this.#resource.issued !== undefined;
    if (
      failures.length > 0 ||
      name === undefined ||
      isFree ||
      this.#objects.run.replacedBy(call.context.urn) !== undefined
    ) {
      return failures;
    }
    const holderOf = (wanted: string) =>
      readInPreview(call, (limited) => this.#resource.holderOf(wanted, projectId, limited));
    const holder = await holderOf(name);
    // Names are unique: what has our old name is our own object.
    if (holder === undefined || (!isMoved && isSameName(old?.name, holder.name))) {
      return [];
    }
    // And if nothing has it, an earlier deployment may have renamed our object.
    if (!isMoved && old?.name !== undefined && (await holderOf(old.name)) === undefined) {
      return [];
    }
    return this.#holderFailures(holder, { name, projectId }, old !== undefined && !isMoved, call);
  }

  /** What it means for a deployment that the name is taken. `isRenamed`: the object stays. */
  #holderFailures(holder: Live, key: Key, isRenamed: boolean, call: Call): CheckFailure[] {
    const { urn, report } = call.context;
    const ownership = ifReadable(call, () => this.#objects.creations.ownershipOf(holder, key, call));
    if (ownership === "noted") {
      return [];
    }
    // Only a new resource reuses an object by its name alone.
    if (ownership === "automatic" && !isRenamed) {
      if (this.#resource.isDormant?.(holder) !== true) {
        report.warning(this.#objects.texts.unnoted(holder, "preview"));
      }
      return [];
    }
    const taken = this.#objects.nameTaken(key.name, holder, call, isRenamed).message;
    if (isRenamed || this.#objects.run.otherUser(holder.id, urn) !== undefined) {
      return [{ property: this.#objects.nameInput, reason: taken }];
    }
    // It may be the one that a forced replacement of this resource is about to delete.
    report.warning(`${taken} The deployment fails unless it frees that name.`);
    return [];
  }
}

/**
 * The project that an object belongs to. One that came from the settings is kept as long as the
 * resource exists: a changed default never moves what is deployed.
 */
export function projectOf(
  declared: Declared<string>,
  olds: Pick<Named, "projectId"> | undefined,
  memo: { readonly projectDefaulted?: boolean | undefined } | undefined,
  { settings }: Call,
): Declared<string> {
  const isKept = olds !== undefined && memo?.projectDefaulted === true;
  return declared ?? (isKept ? olds.projectId : defaultProjectId(settings));
}
