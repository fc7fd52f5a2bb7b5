import { isDeepStrictEqual } from "node:util";
import type { ProjectLimits } from "../../client/index.js";
import { isNotFound } from "../../client/refusals.js";
import { LookupError } from "../../errors.js";
import { type Accounts, type Call, ignoreNotFound } from "../call.js";
import type { BorrowedSettings } from "../core/borrowed/declaration.js";
import { BorrowedLifecycle } from "../core/borrowed/lifecycle.js";
import type { Values } from "../core/entries.js";
import { unknownValue } from "../properties.js";
import {
  type Caps,
  capNames,
  capsIn,
  capsText,
  checkedInputs,
  differences,
  type LimitsInputs,
  type LimitsState,
  limitsFailures,
  limitsInputs,
  limitsState,
  namesIn,
  pick,
  withCaps,
  withCapsThatWereSet,
} from "./properties.js";

/** The caps that a project sets for itself. Caps that are not declared are never touched. */
const limits: BorrowedSettings<LimitsInputs, LimitsState, ProjectLimits> = {
  resource: "ProjectLimits",
  kind: "project-limits",
  idInput: "projectId",
  /** Null means no cap; left out means that the cap is not managed. */
  nullInputs: capNames,
  inputs: limitsInputs,
  state: limitsState,
  failures: limitsFailures,
  complete: checkedInputs,
  isPreviewed: (inputs, olds) => inputs.projectId === olds.projectId,
  isSame: (state, inputs) =>
    ![...capNames, "uncapped" as const].some((name) => inputs[name] === unknownValue) &&
    inputs.onDelete === state.onDelete &&
    isDeepStrictEqual(capsIn(inputs as LimitsInputs), capsIn(state)),
  onDelete: ({ onDelete }) => onDelete,
  find: async (id, call) =>
    (await ignoreNotFound(projectsOf(call).limits(id, { signal: call.context.signal }))) ?? "it is gone",
  require: requireLimits,
  send: (id, changes, call) =>
    projectsOf(call).setLimits(id, changes as Caps, { signal: call.context.signal }),
  explained: async (id, error) => (isNotFound(error) ? noSuchProject(id, error) : error),
  live: (live) => valuesOf(pick(live, capNames)),
  wanted: (inputs) => valuesOf(capsIn(inputs)),
  values: (state) => valuesOf(capsIn(state)),
  set: (state) => valuesOf(capsIn(withCapsThatWereSet(state))),
  previous: (state) => valuesOf(capsIn(state.previous ?? {})),
  isManaged: ({ onDelete }) => onDelete !== undefined,
  stateOf: (inputs, _live, previous) => ({ ...inputs, previous: withCaps(previous as Caps) }),
  readState,
  texts: {
    rival: (id, rival) =>
      `Two resources of this program set the limits of project ${id}; the other one is ${rival}. Declare all limits of a project in one ProjectLimits.`,
    unchanged: (id) => `Project ${id} already has these limits; nothing was sent.`,
    gone: (id) => `Project ${id} is gone, and its limits with it.`,
    goneBefore: (id) => `Project ${id} is gone, so its previous limits were not restored.`,
    drift: (id, known, live) => {
      const stored = capsIn(known);
      const changed = differences(pick(live, namesIn(stored)), stored);
      const names = capNames.filter((name) => changed[name] !== undefined);
      const [from, to] = [capsText(pick(stored, names)), capsText(changed)];
      return names.length === 0
        ? []
        : [`The limits of project ${id} were changed outside of this program: from ${from} to ${to}.`];
    },
    handedOn: (id) => `The limits of project ${id} stay: another resource of this program now sets them.`,
    restored: (id, values, isUndeclared) =>
      isUndeclared
        ? `The program no longer declares all limits of project ${id}; previous values restored: ${capsText(values as Caps)}.`
        : `Project ${id} has its previous limits again: ${capsText(values as Caps)}.`,
    changedOutside: (id, name, { set, now, before }) =>
      `The limit ${name} of project ${id} was changed outside of this program, from ${set ?? "no cap"} to ${now ?? "no cap"}. It stays; its previous value, ${before ?? "no cap"}, was not restored.`,
    interrupted: (id) =>
      `The change of the limits of project ${id} was interrupted, and the project has its old limits or the new ones.`,
    unnoted: (id) =>
      `Project ${id} had these limits already, and the journal says nothing about them. If an interrupted deployment of this stack set them and its journal is gone, they now pass for the previous limits, and deleting this resource will not restore the original ones. Otherwise nothing is wrong.`,
    unclaimed: (id, previous) =>
      `An earlier deployment of this stack set limits of project ${id}, and this one does not declare them. If their resource is in the state, as with "--target", nothing is wrong. Otherwise nothing manages them: the project had ${capsText(previous as Caps)} before.`,
  },
};

function readState(id: string, live: ProjectLimits, known: LimitsState | undefined, isImport: boolean) {
  const caps = pick(live, known === undefined ? capNames : namesIn(capsIn(known)));
  const wereSet = capsIn(withCapsThatWereSet(known ?? {}));
  const onDelete = known?.onDelete ?? "restore";
  const isLookup = known === undefined && !isImport;
  return {
    state: {
      projectId: id,
      ...withCaps(caps),
      onDelete: isLookup ? undefined : onDelete,
      // Of an import, deleting the resource leaves what was there.
      previous: known !== undefined ? known.previous : isLookup ? undefined : withCaps(caps),
      // Otherwise what somebody else has set would pass for ours when the resource goes.
      set: known !== undefined && !isDeepStrictEqual(caps, wereSet) ? withCaps(wereSet) : undefined,
    },
    inputs: { projectId: id, ...withCaps(caps), onDelete },
  };
}

const valuesOf = (caps: Caps): Values => ({ ...caps }) as Values;

/** Limits belong to the organization, so the project of the settings does not matter. */
function projectsOf(call: Call) {
  return call.clientFor(undefined).projects;
}

/** The service may take a name for the id, so the project is read first. */
async function requireLimits(projectId: string, call: Call): Promise<ProjectLimits> {
  const { signal } = call.context;
  try {
    await projectsOf(call).get(projectId, { signal });
    return await projectsOf(call).limits(projectId, { signal });
  } catch (error) {
    throw isNotFound(error) ? noSuchProject(projectId, error) : error;
  }
}

function noSuchProject(projectId: string, cause: unknown): LookupError {
  const message = `There is no project "${projectId}" whose limits could be set. Give the id of a project, and not its name; check that this API key has access to it.`;
  return new LookupError("project_not_found", message, { cause });
}

/** The life cycle of the caps that a project sets for itself. */
export class ProjectLimitsLifecycle extends BorrowedLifecycle<LimitsInputs, LimitsState, ProjectLimits> {
  constructor(accounts?: Accounts) {
    super(limits, accounts);
  }
}
