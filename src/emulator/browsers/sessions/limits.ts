import { ServiceError } from "../../http/service-error.js";
import type { RequestProject } from "../../objects/access.js";
import type { EmulatedOrganization } from "../../organization/projects/organization.js";

/** Counts the browsers that pools and sessions reserve: of a project, or of the organization. */
export type Reserved = (projectId?: string) => number;

/**
 * Refuses to reserve more browsers than a limit allows. A pool counts with its whole size, as
 * published. Status and code are guesses.
 */
export function refuseOverLimits(
  organization: EmulatedOrganization,
  reserved: Reserved,
  { id, limits }: RequestProject,
  more: number,
): void {
  const { maxConcurrentSessions, defaultProjectMaxConcurrentSessions } = organization.limits();
  const ofProject = limits.maxConcurrentSessions ?? defaultProjectMaxConcurrentSessions;
  const checks = [
    ["project", ofProject, reserved(id)],
    ["organization", maxConcurrentSessions, reserved()],
  ] as const;
  for (const [owner, limit, present] of checks) {
    if (more > 0 && limit !== null && present + more > limit) {
      const message = `The ${owner} allows ${limit} concurrent sessions. Its browser pools reserve ${present}, so ${more} more are too many.`;
      throw new ServiceError(403, "limit_exceeded", message);
    }
  }
}
