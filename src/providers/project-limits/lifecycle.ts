import { isDeepStrictEqual } from "node:util";
import { LookupError } from "../../errors.js";
import { Accounts, Call } from "../call.js";
import { KeyedMutex } from "../core/keyed-mutex.js";
import { undoChanges } from "../leftovers.js";
import type {
  CheckFailure,
  CheckRequest,
  CheckResult,
  Created,
  DiffRequest,
  DiffResult,
  LifecycleContext,
  PreviewRequest,
  ReadResult,
  ResourceLifecycle,
  StoredResource,
} from "../lifecycle.js";
import { failuresFrom } from "../lifecycle.js";
import { readInPreview, settingsFailures } from "../look.js";
import { type PropertyMap, requireKnown, unknownValue } from "../properties.js";
import { LimitsClaims } from "./claims.js";
import {
  type CapName,
  type Caps,
  capNames,
  capsIn,
  capsText,
  checkedInputs,
  differences,
  inheritedCaps,
  type LimitsState,
  limitsFailures,
  limitsInputs,
  limitsState,
  namesIn,
  pick,
  withCaps,
  withCapsThatWereSet,
} from "./properties.js";
import {
  findLimits,
  managedNames,
  previousCaps,
  requireLimits,
  restorable,
  restoreCaps,
  setCaps,
  withNotedCaps,
} from "./requests.js";

/**
 * The life cycle of the caps that a project sets for itself. Creating the resource sets the
 * declared ones and remembers what they were, deleting it restores that. Caps that are not declared
 * are never touched.
 */
export class ProjectLimitsLifecycle implements ResourceLifecycle {
  /** Null means no cap; left out means that the cap is not managed. */
  readonly nullInputs: readonly string[] = capNames;
  readonly #accounts: Accounts;
  readonly #claims = new LimitsClaims();
  /** Projects that a call is working on. */
  readonly #projects = new KeyedMutex();

  constructor(accounts = new Accounts()) {
    this.#accounts = accounts;
  }

  async check(
    { olds, news, isPreview = false }: CheckRequest,
    context: LifecycleContext,
  ): Promise<CheckResult> {
    const call = new Call(context, this.#accounts);
    const failures = this.#failuresOf(news, olds === undefined, call);
    if (failures.length > 0) {
      return { inputs: {}, failures };
    }
    const inputs = limitsInputs.write(checkedInputs(news));
    if (isPreview) {
      failures.push(...(await this.preview({ olds, inputs, memo: undefined }, context)));
    }
    return { inputs, failures };
  }

  /** What the deployment would refuse of the limits of a project that they were not set for. */
  async preview({ olds, inputs }: PreviewRequest, context: LifecycleContext): Promise<CheckFailure[]> {
    const call = new Call(context, this.#accounts);
    const failures = await settingsFailures(undefined, call);
    const { projectId } = limitsInputs.read(inputs);
    const isKnown = olds !== undefined && limitsInputs.read(olds).projectId === projectId;
    if (failures.length > 0 || projectId === undefined || isKnown) {
      return failures;
    }
    const problem = await readInPreview(call, async (limited) => {
      try {
        await requireLimits(projectId, limited);
        return undefined;
      } catch (error) {
        if (error instanceof LookupError) {
          return error;
        }
        throw error;
      }
    });
    return problem === undefined ? [] : [{ property: "projectId", reason: problem.message }];
  }

  diff({ id, olds, news }: DiffRequest, context: LifecycleContext): DiffResult {
    const state = limitsState.read(olds);
    const inputs = limitsInputs.readDeclared(news);
    this.#claims.remember(id, state);
    // A project that is still to be created is another one, too.
    if (inputs.projectId !== id) {
      return { replaces: ["projectId"] };
    }
    const notes = new Call(context, this.#accounts).journal.changes("project-limits");
    const caps = { ...capsIn(state) };
    if (this.#claims.isDeclared(id)) {
      if (namesIn(inheritedCaps(state, notes.find(id)?.inherited)).length > 0) {
        return { changes: true };
      }
      notes.inheritanceSettled(id);
      notes.stateHas(id, caps);
    }
    const isUnknown = [...capNames, "uncapped" as const].some((name) => inputs[name] === unknownValue);
    if (isUnknown || inputs.onDelete !== state.onDelete) {
      return {};
    }
    return isDeepStrictEqual(capsIn(limitsInputs.read(news)), caps)
      ? { changes: notes.isInDoubt(id, caps) || (this.#claims.isDeclared(id) && state.set !== undefined) }
      : {};
  }

  async create(declared: PropertyMap, context: LifecycleContext): Promise<Created> {
    const inputs = limitsInputs.read(declared);
    const projectId = requireKnown(inputs.projectId, "projectId", "ProjectLimits");
    requireCaps(declared);
    const wanted = capsIn(inputs);
    const call = new Call(context, this.#accounts);
    const notes = call.journal.changes("project-limits");
    return this.#projects.run(projectId, async () => {
      const live = await requireLimits(projectId, call);
      const names = namesIn(wanted);
      // Of a resource that a deployment has destroyed, for instance.
      notes.forgetAnswer(projectId);
      const known = this.#claims.previousOf(projectId, pick(live, names));
      const previous = previousCaps(projectId, names, live, known, call);
      // A killed creation may have set caps that the program no longer declares.
      const noted = withNotedCaps(projectId, {}, call);
      const left = managedNames(noted).filter((name) => !names.includes(name));
      const restored = inputs.onDelete === "keep" ? {} : restorable(projectId, left, live, noted, call);
      const everyPrevious = { ...capsIn(noted.previous ?? {}), ...previous };
      const limits = await setCaps(
        { projectId, wanted: { ...restored, ...wanted }, live, previous: everyPrevious },
        call,
      );
      notes.answered(projectId, { ...wanted });
      if (limits === undefined) {
        context.report.info(`Project ${projectId} already has these limits; nothing was sent.`);
      }
      this.#claims.create(projectId, context.urn);
      return { id: projectId, outputs: limitsState.write({ ...inputs, previous: withCaps(previous) }) };
    });
  }

  async read(stored: StoredResource, context: LifecycleContext): Promise<ReadResult | undefined> {
    const { id } = stored;
    const state = limitsState.read(stored.state);
    const call = new Call(context, this.#accounts);
    // For a lookup there is no resource that decided anything.
    const isLookup = state.onDelete === undefined && stored.isImport !== true;
    const isManaged = state.onDelete !== undefined;
    const live = isManaged ? await findLimits(id, call) : await requireLimits(id, call);
    if (live === undefined) {
      // The state forgets the resource, so nobody settles what it was still to inherit.
      call.journal.changes("project-limits").settled(id);
      context.report.info(`Project ${id} is gone, and its limits with it.`);
      return undefined;
    }
    const names: readonly CapName[] = isManaged ? managedNames(state) : capNames;
    const caps = pick(live, names);
    const wereSet = capsIn(withCapsThatWereSet(state));
    if (isManaged) {
      reportDrift(id, capsIn(state), caps, context);
    }
    const { onDelete = "restore" } = state;
    return {
      id,
      outputs: limitsState.write({
        projectId: id,
        ...withCaps(caps),
        onDelete: isLookup ? undefined : onDelete,
        // Of an import, deleting the resource leaves what was there.
        previous: isManaged ? state.previous : isLookup ? undefined : withCaps(caps),
        // Otherwise what somebody else has set would pass for ours when the resource goes.
        set: isManaged && !isDeepStrictEqual(caps, wereSet) ? withCaps(wereSet) : undefined,
      }),
      inputs: limitsInputs.write({ projectId: id, ...withCaps(caps), onDelete }),
    };
  }

  async update({ id, olds, news }: DiffRequest, context: LifecycleContext): Promise<PropertyMap> {
    const inputs = limitsInputs.read(news);
    requireCaps(news);
    const wanted = capsIn(inputs);
    const call = new Call(context, this.#accounts);
    return this.#projects.run(id, async () => {
      const notes = call.journal.changes("project-limits");
      const stored = limitsState.read(olds);
      const state = withInheritance(id, stored, call);
      const known = withNotedCaps(id, withCapsThatWereSet(state), call);
      const managed = managedNames(known);
      const names = namesIn(wanted);
      const before = capsIn(state.previous ?? {});
      if (isDeepStrictEqual(wanted, capsIn(state)) && !notes.isInDoubt(id, { ...wanted })) {
        return limitsState.write({ ...inputs, previous: state.previous });
      }
      const live = await requireLimits(id, call);
      const left = managed.filter((name) => !names.includes(name));
      const restored = inputs.onDelete === "keep" ? {} : restorable(id, left, live, known, call);
      const added = names.filter((name) => before[name] === undefined);
      const previous: Caps = {
        ...Object.fromEntries(names.filter((name) => name in before).map((name) => [name, before[name]])),
        ...previousCaps(id, added, live, {}, call),
      };
      // A note of the caps that leave as well: should the answer be lost, they still come back.
      const everyPrevious = capsIn(known.previous ?? {});
      await setCaps(
        {
          projectId: id,
          wanted: { ...restored, ...wanted },
          live,
          previous: { ...everyPrevious, ...previous },
        },
        call,
      );
      notes.answered(id, { ...wanted });
      if (Object.keys(restored).length > 0) {
        context.report.info(
          `The program no longer declares all limits of project ${id}; previous values restored: ${capsText(restored)}.`,
        );
      }
      return limitsState.write({ ...inputs, previous: withCaps(previous) });
    });
  }

  async delete({ id, state: stored }: StoredResource, context: LifecycleContext): Promise<void> {
    const state = limitsState.read(stored);
    this.#claims.remember(id, state);
    const call = new Call(context, this.#accounts);
    const notes = call.journal.changes("project-limits");
    return this.#projects.run(id, async () => {
      if (this.#claims.isTaken(id)) {
        const { previous } = withInheritance(id, state, call);
        notes.inherits(id, { ...capsIn(withCapsThatWereSet(state)) }, { ...capsIn(previous ?? {}) });
        context.report.info(
          `The limits of project ${id} stay: another resource of this program now sets them.`,
        );
        return;
      }
      // If the resource replaces itself, its successor must find the previous caps.
      if (state.onDelete !== "keep" || this.#claims.isToBeCreated(id)) {
        const leaving = withNotedCaps(id, withInheritance(id, withCapsThatWereSet(state), call), call);
        await restoreCaps(id, managedNames(leaving), leaving, call);
        notes.inheritanceSettled(id);
      } else {
        notes.settled(id);
      }
    });
  }

  hasLeftovers(context: LifecycleContext): boolean {
    const { journal } = new Call(context, this.#accounts);
    return journal.changes("project-limits").hasToUndo((projectId) => this.#claims.isKnown(projectId));
  }

  end(isUpdate: boolean | undefined, context: LifecycleContext): Promise<void> {
    return undoChanges(new Call(context, this.#accounts), {
      kind: "project-limits",
      knows: (projectId) => this.#claims.isKnown(projectId),
      isUpdate,
      undo: async ({ objectId, sent, previous: found, inherited }, theirs) => {
        const caps = withCaps((sent.at(-1) ?? {}) as Caps);
        const previous = { ...found, ...inherited?.previous } as Caps;
        const state = { ...caps, previous: withCaps(previous) };
        await restoreCaps(objectId, managedNames(limitsState.read(limitsState.write(state))), state, theirs);
      },
    });
  }

  #failuresOf(news: PropertyMap, isNew: boolean, call: Call): CheckFailure[] {
    return failuresFrom(() => {
      const failures = call.settings && limitsFailures(news);
      const { projectId } = limitsInputs.read(news);
      const { urn } = call.context;
      if (failures.length > 0 || projectId === undefined || urn === undefined) {
        return failures;
      }
      const rival = this.#claims.declare(projectId, urn, isNew);
      call.journal.changes("project-limits").declare(projectId);
      if (rival === undefined) {
        return [];
      }
      const reason = `Two resources of this program set the limits of project ${projectId}; the other one is ${rival}. Declare all limits of a project in one ProjectLimits.`;
      return [{ property: "projectId", reason }];
    });
  }
}

/** The state, with the previous caps that the resource inherits from another one of the program. */
function withInheritance(id: string, state: LimitsState, { journal }: Call): LimitsState {
  const { inherited } = journal.changes("project-limits").find(id) ?? {};
  const previous = { ...capsIn(state.previous ?? {}), ...inheritedCaps(state, inherited) };
  return state.previous === undefined ? state : { ...state, previous: withCaps(previous) };
}

/** Throws `InputError` for an unknown cap, which would pass for one that is not declared. */
function requireCaps(declared: PropertyMap): void {
  for (const name of [...capNames, "uncapped"]) {
    if (declared[name] === unknownValue) {
      requireKnown(undefined, name, "ProjectLimits");
    }
  }
}

/** Says which managed caps somebody else has changed. */
function reportDrift(id: string, stored: Caps, live: Caps, { report }: LifecycleContext): void {
  const changed = differences(live, stored);
  const names = capNames.filter((name) => changed[name] !== undefined);
  if (names.length > 0) {
    report.info(
      `The limits of project ${id} were changed outside of this program: from ${capsText(pick(stored, names))} to ${capsText(changed)}.`,
    );
  }
}
