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
 * Names the key of each environment `<project>-<environment>`, after checking that the project is
 * large enough.
 */
export async function nameKeys({ projectName, browsersAtOnce, keys }: KeysOfProject) {
  const project = await getProject({ name: projectName });
  const { maxConcurrentSessions } = await getProjectLimits({ projectId: project.id });
  // Undefined: the project sets no cap, so only the organization's limit applies. A project cannot
  // see that one.
  if (maxConcurrentSessions !== undefined && maxConcurrentSessions < browsersAtOnce) {
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
