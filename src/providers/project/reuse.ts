import type { Project } from "../../client/index.js";
import { quote } from "../../text/escape.js";
import { unnotedWarning } from "../auto-name.js";
import type { Call } from "../call.js";
import { createdBy } from "../journal/creation-notes.js";
import type { PendingCreation } from "../journal/schemas.js";
import { declaredStatus } from "./properties.js";
import { changeProject, findProject, projectsOf, projectText } from "./requests.js";

/** Why a project that has our name counts as this resource's own. */
export interface Ownership {
  /**
   * A note of its creation says so, or a replacement under way. Otherwise only its automatic name
   * does, which a stack in another backend may have made as well.
   */
  readonly isNoted: boolean;
}

/** The project that a noted creation became, if it is there. */
export async function findCreated(creation: PendingCreation, call: Call): Promise<Project | undefined> {
  if (creation.id !== undefined) {
    return findProject(creation.id, call);
  }
  const holder = await projectsOf(call).holderOf(creation.name, { signal: call.context.signal });
  return holder?.name === creation.name ? createdBy(creation, [holder]) : undefined;
}

/** The warning of an active project that this resource reuses by its automatic name alone. */
export function unnotedProjectWarning({ id, name }: Project, phase: "preview" | "update"): string {
  return unnotedWarning(`Project ${quote(name)} (${id})`, "project", phase);
}

/**
 * Reuses a project, and says so. Renames it if the program gives another name by now, and makes it
 * active again if it was archived.
 */
export async function reuseProject(
  project: Project,
  { name, isNoted }: Ownership & { readonly name: string },
  call: Call,
): Promise<Project> {
  const { report } = call.context;
  const isRenamed = project.name !== name;
  const isRevived = project.status !== declaredStatus;
  if (isNoted) {
    report.info(
      `The ${projectText(project)} already exists; reusing it. An earlier deployment of this resource created it.`,
    );
  } else if (isRevived) {
    report.info(`The ${projectText(project)} already exists and is ${project.status}; reusing it.`);
  } else {
    report.warning(unnotedProjectWarning(project, "update"));
  }
  return isRenamed || isRevived
    ? changeProject(
        project.id,
        { ...(isRenamed ? { name } : {}), ...(isRevived ? { status: declaredStatus } : {}) },
        call,
      )
    : project;
}
