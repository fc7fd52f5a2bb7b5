import { isDeepStrictEqual } from "node:util";
import type { ProjectLimits } from "../../../client/index.js";
import { ignoreNotFound, isNotFound } from "../../../client/not-found.js";
import { nearNameAdvice } from "../../../client/operations/near-names.js";
import { ContractError, LookupError } from "../../../errors.js";
import type { Call } from "../../call.js";
import type { BorrowedSettings, Values } from "../../core/borrowed/declaration.js";
import { borrowedKind } from "../../core/borrowed/lifecycle.js";
import { projectsOf } from "../../reads/lists.js";
import { forcedReplacementAdvice } from "../caps.js";
import { noteLimit } from "../reservations.js";
import {
  type Caps,
  capNames,
  capsIn,
  capsText,
  checkedInputs,
  type LimitsInputs,
  type LimitsState,
  limitsFailures,
  limitsInputs,
  limitsState,
  namesIn,
  pick,
  withAssignedCaps,
  withCaps,
} from "./properties.js";

/** Caps that a project sets for itself. Undeclared caps are never touched. */
const limits: BorrowedSettings<LimitsInputs, LimitsState, ProjectLimits> = {
  resource: "ProjectLimits",
  noun: "project",
  settingsNoun: "limits",
  describe: (values) => capsText(values as Caps),
  idInput: "projectId",
  /** Null means no cap. An undeclared cap is not managed. */
  nullInputs: capNames,
  inputs: limitsInputs,
  state: limitsState,
  failures: limitsFailures,
  complete: checkedInputs,
  find: async (id, call) =>
    (await ignoreNotFound(projectsOf(call).limits(id, call.options))) ??
    "the service has no project with this id, or this program's API key has no access to it",
  require: requireLimits,
  send: (id, changes, call) => projectsOf(call).setLimits(id, changes as Caps, call.options),
  liveValues: (live) => valuesOf(pick(live, capNames)),
  declaredValues: (inputs) => valuesOf(capsIn(inputs)),
  stateValues: (state) => valuesOf(capsIn(state)),
  assignedValues: (state) => valuesOf(capsIn(withAssignedCaps(state))),
  previousValues: (state) => valuesOf(capsIn(state.previous ?? {})),
  stateOf: (inputs, _live, previous) => ({ ...inputs, previous: withCaps(previous as Caps) }),
  readState,
  compare: noteLimit,
  advice: `${forcedReplacementAdvice} In a language that omits inputs without a value, name the limit in \`uncapped\` for no cap.`,
};

function readState(id: string, live: ProjectLimits, known: LimitsState | undefined, isImport: boolean) {
  const caps = pick(live, known === undefined ? capNames : namesIn(capsIn(known)));
  const wereSet = capsIn(withAssignedCaps(known ?? {}));
  const isLookup = known === undefined && !isImport;
  return {
    state: {
      projectId: id,
      ...withCaps(caps),
      // After an import, deleting the resource leaves the imported caps.
      previous: known !== undefined ? known.previous : isLookup ? undefined : withCaps(caps),
      // Without `set`, a delete would take caps set outside of this program for ours.
      set: known !== undefined && !isDeepStrictEqual(caps, wereSet) ? withCaps(wereSet) : undefined,
    },
    inputs: { projectId: id, ...withCaps(caps) },
  };
}

const valuesOf = (caps: Caps): Values => ({ ...caps }) as Values;

/** Reads the limits. The service may accept a name as the id, so the project is read first. */
async function requireLimits(projectId: string, call: Call): Promise<ProjectLimits> {
  try {
    await projectsOf(call).get(projectId, call.options);
    return await projectsOf(call).limits(projectId, call.options);
  } catch (error) {
    // For the client, a response about a different project is a mistake of the service.
    const isName =
      error instanceof ContractError &&
      (await projectsOf(call).holderOf(projectId, call.options)) !== undefined;
    throw isNotFound(error) || isName ? await noSuchProject(projectId, error, call) : error;
  }
}

async function noSuchProject(projectId: string, cause: unknown, call: Call): Promise<LookupError> {
  const near = await nearNameAdvice("project", projectId, projectsOf(call), call.options);
  const what = `There is no project "${projectId}", so no limits can be set.`;
  const message =
    `${what} Give the id of a project, not the name, and check that this API key has access to it. ${near}`.trim();
  return new LookupError("project_not_found", message, { cause });
}

/** Caps of projects, for the bridges. */
export const projectLimitsKind = borrowedKind(limits);
