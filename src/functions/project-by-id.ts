import type { BrowserInfraClient, Project } from "../client/index.js";
import { ContractError } from "../errors.js";
import { nameAsId } from "./arguments.js";

/**
 * Reads a project by id. Newer versions of the service also take a name here, which the client
 * reports as an answer about another project; that becomes an `InputError` for `property`.
 *
 * Not in `get-project.ts`, whose declarations must bring no types of other packages.
 */
export async function projectById(
  client: BrowserInfraClient,
  id: string,
  property: string,
  propertyForNames: string,
): Promise<Project> {
  try {
    return await client.projects.get(id);
  } catch (error) {
    const found = error instanceof ContractError ? await client.projects.list({ name: id, limit: 1 }) : [];
    const [named] = found;
    throw named === undefined ? error : nameAsId("a project", named.id, property, propertyForNames);
  }
}
