import type { ProjectLimits } from "../../client/index.js";
import { isNotFound } from "../../client/refusals.js";
import { LookupError, OutcomeUnknownError } from "../../errors.js";
import { type Call, ignoreNotFound } from "../call.js";
import { continuesAdvice, noteIfPossible, stillUnknown } from "../core/requests.js";
import {
  type CapName,
  type Caps,
  capNames,
  capsIn,
  capsText,
  differences,
  type LimitsState,
  namesIn,
  pick,
  withCaps,
} from "./properties.js";

/** Limits belong to the organization, so the project of the settings does not matter. */
function projectsOf(call: Call) {
  return call.clientFor(undefined).projects;
}

/** The limits of a project; undefined when the project is gone. */
export function findLimits(projectId: string, call: Call): Promise<ProjectLimits | undefined> {
  return ignoreNotFound(projectsOf(call).limits(projectId, { signal: call.context.signal }));
}

/**
 * The limits of a project that must exist. The service may take a name for the id, so the project
 * is read first. Throws `LookupError` `project_not_found`.
 */
export async function requireLimits(projectId: string, call: Call): Promise<ProjectLimits> {
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

/** Caps to set, and what is known of the caps that the project had before. */
interface LimitsChange {
  readonly projectId: string;
  /** What is to be. Caps that are as wanted already are not sent. */
  readonly wanted: Caps;
  /** What the caps are, as far as the caller has just read it. */
  readonly live: Caps | ProjectLimits;
  /** What all managed caps were before the resource existed. */
  readonly previous: Caps;
  /** The resource leaves the program, and must be able to leave without a note. */
  readonly isLeaving?: boolean;
}

/** Sets caps of a project, and returns all of them. Sends nothing when they are as wanted. */
export async function setCaps(change: LimitsChange, call: Call): Promise<ProjectLimits | undefined> {
  const { projectId, wanted, live, previous, isLeaving = false } = change;
  const { context, journal } = call;
  const notes = journal.changes("project-limits");
  const changes = differences(wanted, live);
  if (Object.keys(changes).length === 0) {
    if (notes.find(projectId) !== undefined) {
      notes.answered(projectId, { ...wanted });
    }
    return undefined;
  }
  const earlier = notes.find(projectId);
  const note = () => notes.starts(projectId, { ...wanted }, { ...previous });
  if (isLeaving) {
    noteIfPossible(context.report, note);
  } else {
    note();
  }
  try {
    const limits = await projectsOf(call).setLimits(projectId, changes, { signal: context.signal });
    notes.answered(projectId, { ...wanted });
    return limits;
  } catch (error) {
    if (error instanceof OutcomeUnknownError) {
      const interrupted = `The change of the limits of project ${projectId} was interrupted, and the project has its old limits or the new ones.`;
      throw stillUnknown(error, context, interrupted, continuesAdvice);
    }
    notes.refused(projectId, earlier);
    throw isNotFound(error) ? noSuchProject(projectId, error) : error;
  }
}

/** What the caps of a project were before a resource set them. */
export function previousCaps(
  projectId: string,
  names: readonly CapName[],
  live: Caps | ProjectLimits,
  known: Caps,
  call: Call,
): Caps {
  const now = pick(live, names);
  const note = call.journal.changes("project-limits").find(projectId);
  return Object.fromEntries(
    names.map((name) => {
      // An interrupted run may have given the project its present cap.
      const noted = note?.previous[name];
      const isOurs = note?.sent.some((sent) => sent[name] === now[name]) === true;
      return [name, noted !== undefined && isOurs ? noted : name in known ? known[name] : now[name]];
    }),
  ) as Caps;
}

/**
 * Restores caps that a project had before a resource set them. A cap that somebody else has changed
 * since stays, with a warning.
 */
export async function restoreCaps(
  projectId: string,
  names: readonly CapName[],
  state: LimitsState,
  call: Call,
): Promise<void> {
  const { report } = call.context;
  const notes = call.journal.changes("project-limits");
  const live = await findLimits(projectId, call);
  if (live === undefined) {
    notes.settled(projectId);
    report.info(`Project ${projectId} is gone, so its previous limits were not restored.`);
    return;
  }
  const wanted = restorable(projectId, names, live, state, call);
  const limits = await setCaps(
    { projectId, wanted, live, previous: capsIn(state.previous ?? {}), isLeaving: true },
    call,
  );
  if (limits !== undefined) {
    report.info(`Project ${projectId} has its previous limits again: ${capsText(wanted)}.`);
  }
}

/** The previous caps that may come back: what is there now is what the resource set. */
export function restorable(
  projectId: string,
  names: readonly CapName[],
  live: Caps | ProjectLimits,
  state: LimitsState,
  call: Call,
): Caps {
  const set = capsIn(state);
  const previous = capsIn(state.previous ?? {});
  const note = call.journal.changes("project-limits").find(projectId);
  const now = pick(live, capNames);
  return Object.fromEntries(
    names.flatMap((name) => {
      const before = previous[name];
      if (before === undefined || before === now[name]) {
        return [];
      }
      const isOurs = set[name] === now[name] || note?.sent.some((sent) => sent[name] === now[name]);
      if (isOurs !== true) {
        call.context.report.warning(
          `The limit ${name} of project ${projectId} was changed outside of this program, from ${set[name] ?? "no cap"} to ${now[name] ?? "no cap"}. It stays; its previous value, ${before ?? "no cap"}, was not restored.`,
        );
        return [];
      }
      return [[name, before]];
    }),
  );
}

/**
 * The state, with the caps that an interrupted run has set and no state knows. What they were
 * before is in its note.
 */
export function withNotedCaps(projectId: string, state: LimitsState, call: Call): LimitsState {
  const note = call.journal.changes("project-limits").find(projectId);
  if (note === undefined) {
    return state;
  }
  const { onDelete, previous = {} } = state;
  const sent = Object.fromEntries(note.sent.flatMap((settings) => Object.entries(settings)));
  return {
    projectId,
    onDelete,
    ...withCaps({ ...sent, ...capsIn(state) }),
    previous: withCaps({ ...note.inherited?.previous, ...note.previous, ...capsIn(previous) }),
  };
}

/** The caps that a resource manages. */
export function managedNames(state: LimitsState): CapName[] {
  return namesIn(capsIn(state));
}
