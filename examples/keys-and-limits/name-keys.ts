import * as pulumi from "@pulumi/pulumi";
import { ApiKeyName, getProject, getProjectLimits } from "pulumi-browser-infra";

export interface KeysOfProject {
  projectName: string;
  /** Browsers the deployment needs at once. */
  browsersAtOnce: number;
  /** Id of the API key of each environment. */
  keys: Record<string, string>;
}

/**
 * Names the key of each environment `<project>-<environment>`, if the limits of the project are
 * high enough.
 */
export async function nameKeys({ projectName, browsersAtOnce, keys }: KeysOfProject) {
  const project = await getProject({ name: projectName });
  const { maxConcurrentSessions } = await getProjectLimits({ projectId: project.id });
  // Without a cap of the project, the limit of the organization applies. A project cannot see that
  // one.
  if (maxConcurrentSessions !== undefined && maxConcurrentSessions < browsersAtOnce) {
    throw new pulumi.RunError(
      `Project "${project.name}" allows ${maxConcurrentSessions} browsers at once, and this deployment needs ${browsersAtOnce}. ` +
        'Ask for a higher limit, or lower "browsersAtOnce". No key was renamed.',
    );
  }
  const named = Object.entries(keys).map(([environment, keyId]) => {
    const key = new ApiKeyName(environment, {
      keyId,
      name: `${project.name}-${environment}`,
      // "pulumi destroy" restores the name that the key had.
      onDelete: "restore",
    });
    return [environment, key.name] as const;
  });
  return Object.fromEntries(named);
}
