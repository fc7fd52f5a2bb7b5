import type { ApiError } from "../../errors.js";
import { quote } from "../../text/escape.js";
import { shellQuoted } from "../../text/shell.js";
import type { FoundProject } from "./project-refusal.js";

/** Command that makes an archived project active. */
export function activationCommand(projectId: string): string {
  return `browser-infra projects activate ${shellQuoted(projectId)}`;
}

/**
 * Adds to a refusal because of a project whether the project is archived or gone, and the remedy. Returns the
 * refusal itself for an active project.
 */
export function explainedRefusal(
  refusal: ApiError,
  projectId: string,
  { status, name }: FoundProject,
): ApiError {
  if (status === "gone") {
    return refusal.withAdvice(`No project has the id ${projectId} now.`);
  }
  return status === "active" || status === "disabled"
    ? refusal
    : refusal.withAdvice(
        `Project ${name === null ? projectId : `${quote(name)} (id ${projectId})`} is ${status}. ` +
          `To make it active: "${activationCommand(projectId)}".`,
      );
}
