/** Refusals of requests because of their project, and the read that tells why. */
import { ApiError, LookupError } from "../../errors.js";
import type { CallOptions } from "../http/call.js";
import { isNotFound } from "../not-found.js";
import type { Project, ProjectStatus } from "./project.js";
import type { ProjectOperations } from "./projects.js";

/** Codes of a 404 about the project of a request, not about the object. */
const projectCodes: readonly string[] = ["project_not_found", "projects_disabled"];

/** Project as one read shows it. `disabled`: the organization has no projects any more. */
export interface FoundProject {
  readonly status: ProjectStatus | "gone" | "disabled";
  /** Null: the project cannot be read. */
  readonly name: string | null;
}

/**
 * Whether the service refuses a request because its project is unknown or archived, or because the
 * organization has no projects. The refusal says nothing about the object of the request.
 */
export function isProjectRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && projectCodes.includes(error.serviceCode ?? "");
}

/** Reads a project, archived or not; undefined if the project is gone. */
export async function readProject(
  id: string,
  projects: ProjectOperations,
  options: CallOptions,
): Promise<Project | undefined> {
  try {
    return await projects.get(id, options);
  } catch (error) {
    if (isNotFound(error) || (error instanceof LookupError && error.code === "id_not_found")) {
      return undefined;
    }
    throw error;
  }
}

/**
 * Finds out by one read whether a project is active, archived or gone. Throws the errors of the read
 * that prove neither, such as 403 for a key of another project. `projects`: of a client without project.
 */
export async function findProject(
  id: string,
  projects: ProjectOperations,
  options: CallOptions,
): Promise<FoundProject> {
  try {
    return (await readProject(id, projects, options)) ?? { status: "gone", name: null };
  } catch (error) {
    if (isProjectRefusal(error) && error.serviceCode === "projects_disabled") {
      return { status: "disabled", name: null };
    }
    throw error;
  }
}
