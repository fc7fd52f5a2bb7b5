import type { Project, ProjectChanges } from "../../client/index.js";
import { isNotFound } from "../../client/refusals.js";
import {
  ApiError,
  BrowserInfraError,
  ConflictError,
  LookupError,
  OutcomeUnknownError,
} from "../../errors.js";
import { quote } from "../../text/escape.js";
import { counted, listed } from "../../text/words.js";
import type { Call } from "../call.js";
import { continuesAdvice, lookUntilKnown, stillUnknown, untilGone } from "../core/requests.js";
import { declaredStatus, settingsOf } from "./properties.js";

/** Projects belong to the organization, so the project of the settings does not matter. */
export function projectsOf(call: Call) {
  return call.clientFor(undefined).projects;
}

/** `project "web" (proj_1)`, for messages. */
export function projectText({ id, name }: Pick<Project, "id" | "name">): string {
  return `project ${quote(name)} (${id})`;
}

/** A project that exists, archived or not; undefined when it is gone. */
export async function findProject(id: string, call: Call): Promise<Project | undefined> {
  try {
    return await projectsOf(call).get(id, { signal: call.context.signal });
  } catch (error) {
    if (isNotFound(error) || (error instanceof LookupError && error.code === "id_not_found")) {
      return undefined;
    }
    throw error;
  }
}

/**
 * Creates a project. The request is sent once. If its outcome is unknown, looking for the name
 * decides: names are unique, and this one was free before.
 */
export async function createProject(name: string, call: Call): Promise<Project> {
  const { context } = call;
  const notes = call.journal.creations("project");
  // Names are unique, so what was sent earlier under this one has not arrived and never will.
  const outdated = notes.pending().filter((earlier) => earlier.name === name);
  const note = notes.starts({ name, projectId: undefined, existing: [] });
  try {
    const project = await sendCreation(name, call);
    notes.answered(note, project.id);
    for (const earlier of outdated) {
      notes.settled(earlier);
    }
    return project;
  } catch (error) {
    // With an unknown outcome, the project may exist all the same, now or later.
    if (!(error instanceof OutcomeUnknownError)) {
      notes.settled(note);
    }
    if (error instanceof ApiError && error.status === 409) {
      const holder = await projectsOf(call).holderOf(name, { signal: context.signal });
      throw holder === undefined ? error : nameTaken(name, holder);
    }
    throw error;
  }
}

async function sendCreation(name: string, call: Call): Promise<Project> {
  const { context } = call;
  const { signal, report } = context;
  try {
    return await projectsOf(call).create(name, { signal });
  } catch (error) {
    if (!(error instanceof OutcomeUnknownError)) {
      throw error;
    }
    report.progress("no response to the creation; checking whether it succeeded");
    try {
      const look = async () => {
        const holder = await projectsOf(call).holderOf(name, { signal });
        // Another case or accent makes it the project of somebody who was faster.
        return holder?.name === name ? holder : undefined;
      };
      const found = await lookUntilKnown(look, context);
      if (found !== undefined) {
        report.info(`The response to the creation was lost, but it succeeded: ${projectText(found)} exists.`);
        return found;
      }
    } catch (lookError) {
      // A look that fails says nothing about the project.
      if (!signal.aborted && !(lookError instanceof BrowserInfraError)) {
        throw lookError;
      }
    }
    const interrupted = `The creation of project ${quote(name)} was interrupted, and the project may exist now or appear later.`;
    const advice = 'Run "pulumi up" again: it looks for this project first and creates nothing twice.';
    throw stillUnknown(error, context, interrupted, advice);
  }
}

/** Why a project that has our name is in the way. */
export function nameTaken(name: string, { id, name: held, status }: Project): ConflictError {
  const who =
    held === name
      ? `project ${id}`
      : `project ${id}, whose name is ${quote(held)}: case and accents do not count for the service`;
  const archived =
    status === declaredStatus ? "" : " It is archived, and an archived project keeps its name.";
  return new ConflictError(
    "name_taken",
    `The name ${quote(name)} is taken by ${who}.${archived} To manage that project here, import it by its id, ${id}. ` +
      'Otherwise choose another "name", or leave "name" out to get a unique one. Nothing was created or renamed.',
  );
}

/** Changes a project, and returns it as the service has it then. */
export async function changeProject(id: string, changes: ProjectChanges, call: Call): Promise<Project> {
  const { context } = call;
  const notes = call.journal.changes("project");
  const earlier = notes.find(id);
  notes.starts(id, settingsOf(changes));
  try {
    const project = await projectsOf(call).update(id, changes, { signal: context.signal });
    notes.answered(id, settingsOf(project));
    return project;
  } catch (error) {
    if (error instanceof OutcomeUnknownError) {
      const interrupted = `The change of project ${id} was interrupted, and the project has its old settings or the new ones.`;
      throw stillUnknown(error, context, interrupted, continuesAdvice);
    }
    notes.refused(id, earlier);
    const { name } = changes;
    if (name !== undefined && error instanceof ApiError && error.status === 409) {
      const holder = await projectsOf(call).holderOf(name, { signal: context.signal });
      throw holder === undefined || holder.id === id ? error : nameTaken(name, holder);
    }
    throw error;
  }
}

/**
 * Deletes a project; the request is sent once. If its outcome is unknown, looking decides. One that
 * is gone already counts as deleted.
 */
export async function deleteProject(project: Pick<Project, "id" | "name">, call: Call): Promise<void> {
  const { context } = call;
  const { id } = project;
  const { signal } = context;
  try {
    await projectsOf(call).delete(id, { signal });
  } catch (error) {
    if (isNotFound(error)) {
      return;
    }
    if (error instanceof OutcomeUnknownError) {
      await untilGone(error, { noun: "project", id, find: () => findProject(id, call) }, call);
      return;
    }
    throw error instanceof ApiError && error.status === 409 ? await whyKept(project, error, call) : error;
  }
}

/** Why the last active project can neither be deleted nor archived; undefined for another error. */
export function lastActive(project: Pick<Project, "id" | "name">, error: unknown): ConflictError | undefined {
  return error instanceof ApiError && error.code === "last_active_project"
    ? new ConflictError(
        "project_last_active",
        `The ${projectText(project)} stays as it is: it is the organization's last active project, and one must remain. ` +
          'Create another project first, or set "onDelete" to "keep", deploy, and delete the resource then.',
        { cause: error },
      )
    : undefined;
}

/** Why the service does not delete a project, with what is in it. */
async function whyKept(project: Pick<Project, "id" | "name">, error: ApiError, call: Call) {
  const text = projectText(project);
  const last = lastActive(project, error);
  if (last !== undefined) {
    return last;
  }
  if (error.code !== "project_not_empty") {
    return error;
  }
  const contents = await contentsText(project.id, call);
  return new ConflictError(
    "project_not_empty",
    `The ${text} was not deleted, because it is not empty${contents}. ` +
      'Delete what is in it, or set "onDelete" to "archive" or "keep", deploy, and delete the resource then.',
    { cause: error },
  );
}

/** What a project owns, as the end of a sentence. Empty when nobody can tell. */
async function contentsText(id: string, call: Call): Promise<string> {
  const { signal } = call.context;
  const { extensions, browserPools, authConnections } = call.clientFor(id);
  const found = [
    await named("extension", extensions.list({ signal }), call),
    await named("browser pool", browserPools.list({ signal }), call),
    await named("auth connection", authConnections.list({ signal }), call),
  ].filter((text) => text !== "");
  return found.length === 0 ? "" : `: it has ${found.join(" and ")}`;
}

/** `2 extensions ("one", "two")`; empty when there are none, or nobody can tell. */
async function named(
  noun: string,
  list: Promise<readonly { readonly id: string; readonly name?: string | null; readonly domain?: string }[]>,
  call: Call,
): Promise<string> {
  try {
    const rows = await list;
    const names = rows.map(({ id, name, domain }) => {
      const text = name ?? domain;
      return text === undefined ? id : quote(text);
    });
    return rows.length === 0 ? "" : `${counted(rows.length, noun)} (${listed(names)})`;
  } catch (error) {
    // An archived project shows nothing, and a service may lack one of the lists.
    if (error instanceof BrowserInfraError && !call.context.signal.aborted) {
      return "";
    }
    throw error;
  }
}
