import type { Project } from "../../client/index.js";
import { quote } from "../../text/escape.js";
import { unnotedWarning } from "../auto-name.js";
import type { Call } from "../call.js";
import { createdBy } from "../journal/creation-notes.js";
import type { PendingCreation } from "../journal/schemas.js";
import { declaredStatus } from "./properties.js";
import { changeProject, findProject, projectsOf, projectText } from "./requests.js";

/**
 * What says that a project with our name is this resource's own: a note or a replacement under way,
 * or only its automatic name, which a stack in another backend may have made as well.
 */
export type Ownership = "noted" | "unnoted";

/** The project that a noted creation became, if it is there. */
export async function findCreated(creation: PendingCreation, call: Call): Promise<Project | undefined> {
  if (creation.id !== undefined) {
    return findProject(creation.id, call);
  }
  const holder = await projectsOf(call).holderOf(creation.name, { signal: call.context.signal });
  return holder?.name === creation.name ? createdBy(creation, [holder]) : undefined;
}

/** The warning of a project that this resource reuses by its automatic name alone. */
export function unnotedProjectWarning({ id, name }: Project, reuse: string): string {
  return unnotedWarning(`Project ${quote(name)} (${id})`, "project", reuse);
}

/**
 * Reuses a project, and says so. Renames it if the program gives another name by now, and makes it
 * active again if it was archived.
 */
export async function reuseProject(
  project: Project,
  { name, ownership }: { readonly name: string; readonly ownership: Ownership },
  call: Call,
): Promise<Project> {
  const { report } = call.context;
  if (ownership === "unnoted") {
    report.warning(unnotedProjectWarning(project, "Reusing it."));
  } else {
    report.info(
      `The ${projectText(project)} already exists; reusing it. An earlier deployment of this resource created it.`,
    );
  }
  const isRenamed = project.name !== name;
  const isRevived = project.status !== declaredStatus;
  return isRenamed || isRevived
    ? changeProject(
        project.id,
        { ...(isRenamed ? { name } : {}), ...(isRevived ? { status: declaredStatus } : {}) },
        call,
      )
    : project;
}
