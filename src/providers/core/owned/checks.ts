import { isDeepStrictEqual } from "node:util";
import { isSameName } from "../../../client/names.js";
import { defaultProjectId } from "../../../config.js";
import { ConflictError, LookupError } from "../../../errors.js";
import type { Call } from "../../call.js";
import {
  type CheckFailure,
  type CheckRequest,
  type CheckResult,
  checkResult,
  failureOf,
  failuresFrom,
  type PreviewRequest,
} from "../../lifecycle.js";
import { inputFailures } from "../../messages/input-failures.js";
import { Properties, t, unknownValue } from "../../properties.js";
import { mayBeInArchived } from "../../reads/parents.js";
import { readInPreview, settingsFailures } from "../../reads/preview.js";
import type { Declared, DeclaredOfKnown } from "../declared.js";
import { type Named, withSent } from "../marks.js";
import type { AnyResource } from "./declaration.js";
import type { Finder } from "./finder.js";
import type { OwnedObjects } from "./objects.js";

/** Memo of a resource: data that `check` stores in the state, only for the next `check` or `preview`. */
export const memoOfNames = new Properties({
  /** Whether the project id came from the provider's settings, because the program omits a project. */
  projectDefaulted: t.boolean,
  /** Automatic name of the resource, and the project for which the name was made. */
  autoName: t.object({ name: t.string, projectId: t.string }),
});

/** Implements `check` and `preview` for a kind: adds names and defaults, and finds failures early. */
export class OwnedChecks {
  readonly #resource: AnyResource;
  readonly #objects: OwnedObjects;
  readonly #finder: Finder;

  constructor(resource: AnyResource, objects: OwnedObjects) {
    this.#resource = resource;
    this.#objects = objects;
    this.#finder = objects.finder;
  }

  /** Validates the program's inputs, and adds project, name and defaults. See `ResourceLifecycle.check`. */
  async check(request: CheckRequest, call: Call): Promise<CheckResult> {
    const { inputs: codec, isInProject = false, naturalName } = this.#resource;
    const { news } = request;
    const { urn } = call.context;
    const { run } = this.#objects;
    const olds = request.olds && codec.read(request.olds);
    const known = memoOfNames.read(request.memo ?? {});
    const declared = codec.readDeclared(news);
    run.note(urn, { isDeclared: true, isNew: olds === undefined });
    const isDefaulted = isInProject && declared.projectId === undefined;
    let projectId: Declared<string>;
    const failures = failuresFrom(() => {
      const { apiKey } = call.settings;
      projectId = isDefaulted ? projectOf(undefined, olds, known, call) : declared.projectId;
      return inputFailures(request, codec, apiKey, (declared) =>
        this.#resource.failures(declared, olds, apiKey, call),
      );
    });
    // The automatic name of an organization's object does not depend on the project.
    const namedIn = isInProject ? projectId : undefined;
    let automatic: Declared<string>;
    if (namedIn === unknownValue) {
      automatic = unknownValue;
    } else if (news.name === undefined && naturalName === undefined) {
      // The name stays when an alias renames the resource. An imported object may have no name.
      const kept = known.autoName?.projectId === namedIn ? known.autoName : undefined;
      const made = kept ?? (urn === undefined ? {} : { name: this.#finder.autoName(urn, namedIn) });
      automatic = made.name;
    }
    const name = naturalName?.nameIn(declared) ?? declared.name ?? automatic;
    if (declared.adopt !== undefined && declared.name === undefined && naturalName === undefined) {
      failures.push({
        property: "adopt",
        reason: '"adopt" needs "name": the name that the object has or gets.',
      });
    }
    if (failures.length === 0) {
      failures.push(...this.#finder.claim(name, projectId, call));
    }
    const named: DeclaredOfKnown<Named> = { ...declared, name, projectId };
    let inputs = codec.write(named);
    if (failures.length === 0 && this.#resource.complete !== undefined) {
      try {
        inputs = codec.write(await this.#resource.complete(named, news, olds, call));
      } catch (error) {
        failures.push(failureOf(error));
      }
    }
    const memo = memoOfNames.write({
      ...(isInProject ? { projectDefaulted: isDefaulted } : {}),
      ...(typeof automatic === "string" && { autoName: { name: automatic, projectId: namedIn as string } }),
    });
    run.note(urn, { isUnchanged: isDeepStrictEqual(request.olds, inputs) });
    return checkResult(request, { inputs, failures, memo }, (previewed) => this.preview(previewed, call));
  }

  /** Returns failures to expect from a deployment, such as a taken name. See `ResourceLifecycle.preview`. */
  preview(request: PreviewRequest, call: Call): Promise<CheckFailure[]> {
    return this.#previewFailures(request, call).catch((error) => [failureOf(error)]);
  }

  async #previewFailures({ olds, inputs, memo }: PreviewRequest, call: Call): Promise<CheckFailure[]> {
    const { isInProject = false, inputs: codec } = this.#resource;
    const declared = codec.readDeclared(inputs);
    const { name, projectId } = codec.read(inputs);
    const old = olds && codec.read(olds);
    const isDefaulted =
      projectId === undefined || (isInProject && memoOfNames.read(memo ?? {}).projectDefaulted === true);
    // An existing object keeps its project, even if the project is archived or gone by now.
    const asked = !isInProject && old?.projectId === projectId ? undefined : projectId;
    const failures = await settingsFailures(asked, call, isDefaulted ? "" : "projectId");
    if (failures.length > 0) {
      const isDeployed = old !== undefined && old.projectId === projectId;
      return isInProject && (await mayBeInArchived(projectId, isDeployed, call)) ? [] : failures;
    }
    const replaced = this.#objects.run.of(call.context.urn).replaces;
    if (replaced?.state !== undefined && this.#resource.undeclared !== undefined) {
      const { id, state } = replaced;
      const find = (limited: Call) => this.#resource.find(id, replaced.projectId, limited);
      const live = await readInPreview(call, find);
      this.#objects.reportUndeclared(live, withSent(this.#resource.state.read(state)), call);
    }
    if (declared.projectId === unknownValue) {
      return failures;
    }
    failures.push(...((await this.#resource.previewFailures?.(declared, old, call)) ?? []));
    const isMoved = old !== undefined && old.projectId !== projectId;
    const isKept = old !== undefined && old.name === name && !isMoved;
    const isFree = isKept || this.#resource.issued !== undefined;
    // A dynamic resource is checked with the old inputs, and again for its replacement.
    const { claim, previewed = "" } = this.#objects.run.of(call.context.urn);
    const isReplaced = replaced?.name === name && replaced?.projectId === projectId;
    if (failures.length > 0 || name === undefined || isFree || isReplaced || previewed === claim) {
      return failures;
    }
    this.#objects.run.note(call.context.urn, { previewed: claim });
    const holderOf = (wanted: string) =>
      readInPreview(call, (limited) => this.#finder.holderOf(wanted, projectId, limited));
    const adoption = old === undefined ? await this.#adoption(declared, call) : undefined;
    if (adoption?.live !== undefined) {
      return [];
    }
    const holder = await holderOf(name);
    if (
      adoption?.error !== undefined &&
      (adoption.error.code === "adoption_refused" || holder === undefined)
    ) {
      return [{ property: "adopt", reason: adoption.error.message }];
    }
    // Names are unique: the holder of our old name is our own object.
    if (holder === undefined || (!isMoved && isSameName(old?.name, holder.name))) {
      return [];
    }
    // If nothing has the old name, an earlier deployment may have renamed our object.
    if (!isMoved && old?.name !== undefined && (await holderOf(old.name)) === undefined) {
      return [];
    }
    const isKnown = !Object.values(declared).includes(unknownValue);
    const taken = {
      inputs: isKnown ? (declared as Named) : undefined,
      hasObject: old !== undefined && !isMoved,
    };
    return this.#finder.holderFailures(holder, { name, projectId }, taken, call);
  }

  /** In a preview: the object that the deployment adopts, with a message, or the error of the deployment. */
  async #adoption(declared: DeclaredOfKnown<Named>, call: Call) {
    if (declared.adopt === undefined || Object.values(declared).includes(unknownValue)) {
      return undefined;
    }
    const inputs = declared as Named;
    const { texts, run } = this.#objects;
    const find = async (limited: Call) => {
      try {
        return { live: await this.#finder.adopted(inputs, limited) };
      } catch (error) {
        if (error instanceof ConflictError || error instanceof LookupError) {
          return { error };
        }
        throw error;
      }
    };
    const found = await readInPreview(call, find);
    if (found?.live !== undefined) {
      run.recordStored(found.live.id, call.context.urn);
      const differing = this.#finder.comparison.differing(found.live, inputs);
      const renamed = found.live.name === inputs.name ? [] : ["name"];
      call.context.report.info(texts.adopts(found.live, [...new Set([...renamed, ...differing])]));
    }
    return found;
  }
}

/**
 * Returns the project id for a resource: the declared id, or else the id in the settings. An id from the
 * settings is kept as long as the resource exists, so a changed default never moves a deployed object.
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
