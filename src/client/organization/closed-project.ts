import type { ApiError } from "../../errors.js";
import { shellQuoted } from "../../text/shell.js";
import type { FoundProject } from "./project-refusal.js";

/** Command that makes an archived project active. */
export function activationCommand(projectId: string): string {
  return `browser-infra projects activate ${shellQuoted(projectId)}`;
}

/**
 * Adds to a refusal because of a project whether the project is archived or gone, and the remedy. `status`: see
 * `findProject`. Returns the refusal itself for an active project.
 */
export function explainedRefusal(
  refusal: ApiError,
  projectId: string,
  status: FoundProject["status"],
): ApiError {
  if (status === "gone") {
    return refusal.withAdvice(`No project has the id ${projectId} now.`);
  }
  return status === "active" || status === "disabled"
    ? refusal
    : refusal.withAdvice(
        `Project ${projectId} is ${status}. To make it active: "${activationCommand(projectId)}".`,
      );
}
