import type { BrowserInfraClient, Project } from "../client/index.js";
import { ContractError, InputError } from "../errors.js";

/**
 * Reads a project by id. Newer versions of the service also take a name here, which the client
 * reports as an answer about another project. This turns it into an `InputError` for `property`,
 * which says that the id is a name.
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
    if (!(error instanceof ContractError)) {
      throw error;
    }
    const [named] = await client.projects.list({ name: id, limit: 1 });
    if (named === undefined) {
      throw error;
    }
    throw new InputError(
      "id_invalid",
      property,
      `"${property}" is a project's name; its id is ${named.id}. Pass that id, or pass the name as "${propertyForNames}".`,
    );
  }
}
