import { ServiceError } from "../../http/service-error.js";
import type { RequestProject } from "../../objects/access.js";
import type { EmulatedOrganization } from "../../organization/projects/organization.js";
import type { SessionService } from "./service.js";

/**
 * Refuses to reserve more browsers than a limit allows. A pool counts with its whole size, as
 * published. Status and code are guesses.
 */
export function refuseOverLimits(
  organization: EmulatedOrganization,
  sessions: SessionService,
  { id, limits }: RequestProject,
  more: number,
): void {
  const { maxConcurrentSessions, defaultProjectMaxConcurrentSessions } = organization.limits();
  const ofProject = limits.maxConcurrentSessions ?? defaultProjectMaxConcurrentSessions;
  const checks = [
    ["project", ofProject, sessions.reserved(id)],
    ["organization", maxConcurrentSessions, sessions.reserved()],
  ] as const;
  for (const [owner, limit, present] of checks) {
    if (more > 0 && limit !== null && present + more > limit) {
      const message = `The ${owner} allows ${limit} concurrent sessions. Its browser pools reserve ${present}, so ${more} more are too many.`;
      throw new ServiceError(403, "limit_exceeded", message);
    }
  }
}
