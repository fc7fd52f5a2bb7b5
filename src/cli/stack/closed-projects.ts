/** Projects of a stack in which the service refuses every request. */
import { BrowserInfraClient } from "../../client/index.js";
import { resolveSettings } from "../../config.js";
import { ConfigError } from "../../errors.js";
import { type ClosedProject, findClosedProject } from "../find.js";
import { type ExportedResource, explicitProvider, kindOf } from "./pending-operations.js";
import { type Stack, stackConfiguration } from "./stack.js";

/** Kinds with a project id whose objects belong to the organization all the same. */
const ofOrganization: readonly string[] = ["Project", "ProjectLimits", "ApiKey", "ApiKeyName"];

/** A closed project, and the URNs of the stack's resources whose objects are in the project. */
export interface ClosedStackProject extends ClosedProject {
  readonly urns: readonly string[];
}

/**
 * Reads every project that the state names once, with the settings of the stack. Empty if no setting names
 * a key or a service: the engine reports that. A resource with another account is left out.
 */
export async function closedProjects(
  resources: readonly ExportedResource[],
  stack: Stack,
): Promise<readonly ClosedStackProject[]> {
  const urnsByProject = new Map<string, string[]>();
  for (const resource of resources) {
    const projectId = projectOf(resource);
    if (projectId !== undefined && isRead(resource, resources)) {
      urnsByProject.set(projectId, [...(urnsByProject.get(projectId) ?? []), resource.urn]);
    }
  }
  if (urnsByProject.size === 0) {
    return [];
  }
  const client = await clientOf(stack);
  try {
    // The order of the state depends on the order in which resources were created.
    const inOrder = [...urnsByProject].sort(([a], [b]) => (a < b ? -1 : 1));
    const found = inOrder.map(async ([id, urns]) => {
      const closed = client && (await findClosedProject(id, client, stack.signal));
      return closed ? [{ ...closed, urns }] : [];
    });
    return (await Promise.all(found)).flat();
  } finally {
    await client?.close();
  }
}

/** Whether a refresh reads the object of a resource, in the account of the stack's settings. */
function isRead({ external, id, provider }: ExportedResource, all: readonly ExportedResource[]): boolean {
  const inputs = all.find(({ urn }) => urn === explicitProvider(provider))?.inputs;
  return (
    external !== true && id !== undefined && inputs?.apiKey === undefined && inputs?.baseUrl === undefined
  );
}

/** Project of the object of a resource. Undefined: none, or the project of the key. */
function projectOf({ type, inputs, outputs }: ExportedResource): string | undefined {
  const kind = kindOf(type);
  const projectId = inputs?.projectId ?? outputs?.projectId;
  return kind === undefined || ofOrganization.includes(kind) || typeof projectId !== "string"
    ? undefined
    : projectId;
}

async function clientOf(stack: Stack) {
  const { env } = stack;
  const ofStack = await stackConfiguration(stack);
  try {
    const { projectId: _any, ...settings } = resolveSettings({ environment: env, ...ofStack });
    return new BrowserInfraClient({ ...settings, environment: env, onWarning: () => undefined });
  } catch (error) {
    if (error instanceof ConfigError) {
      return undefined;
    }
    throw error;
  }
}
