import type { BrowserInfraClient, Project } from "../client/index.js";
import { ContractError, InputError } from "../errors.js";

/**
 * Reads a project by id. Newer generations of the service take a name in place of an id, which the client notices; here it is
 * told to be a name. Throws `InputError` for `property` then.
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
      `"${property}" is a project's name and not its id, which is ${named.id}. Give that, or the name as "${propertyForNames}".`,
    );
  }
}
