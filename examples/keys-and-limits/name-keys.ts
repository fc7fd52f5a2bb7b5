import * as pulumi from "@pulumi/pulumi";
import { ApiKeyName, getProject, getProjectLimits } from "pulumi-browser-infra";

export interface KeysOfProject {
  projectName: string;
  /** Browsers the deployment needs at once. */
  browsersAtOnce: number;
  /** Id of the API key of each environment. */
  keys: Record<string, string>;
}

/** Calls the key of each environment `<project>-<environment>`, once the project is known to be large enough. */
export async function nameKeys({ projectName, browsersAtOnce, keys }: KeysOfProject) {
  const project = await getProject({ name: projectName });
  const { maxConcurrentSessions } = await getProjectLimits({ projectId: project.id });
  // Null is no cap of the project's own: the limit of the organization applies, which a project cannot see.
  if (maxConcurrentSessions !== null && maxConcurrentSessions < browsersAtOnce) {
    throw new pulumi.RunError(
      `Project "${project.name}" allows ${maxConcurrentSessions} browsers at once, and this deployment needs ${browsersAtOnce}. ` +
        'Have the limit raised, or lower "browsersAtOnce". No key was renamed.',
    );
  }
  const named = Object.entries(keys).map(([environment, keyId]) => {
    const key = new ApiKeyName(environment, {
      keyId,
      name: `${project.name}-${environment}`,
      // "pulumi destroy" gives the key back the name it had.
      onDelete: "restore",
    });
    return [environment, key.name] as const;
  });
  return Object.fromEntries(named);
}
