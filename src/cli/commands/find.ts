import {
  type BrowserInfraClient,
  ContractError,
  type Extension,
  InputError,
  isNotFound,
  type Project,
} from "../../client/index.js";

/**
 * Finds an extension by id or exact name. The service alone would ignore upper and lower case in a
 * name.
 */
export async function findExtension(
  client: BrowserInfraClient,
  idOrName: string,
  signal: AbortSignal,
): Promise<Extension> {
  const found = await client.extensions.get(idOrName, { signal });
  if (found.id === idOrName || found.name === idOrName) {
    return found;
  }
  return client.extensions.getByName(idOrName, { signal });
}

/** Finds a project by id or exact name. The id wins, because people can choose any name. */
export async function findProject(
  { projects }: BrowserInfraClient,
  idOrName: string,
  signal: AbortSignal,
): Promise<Project> {
  try {
    return await projects.get(idOrName, { signal });
  } catch (error) {
    const mayBeName =
      isNotFound(error) ||
      // Newer versions of the service also accept a name here. The client reports that as the wrong
      // record.
      error instanceof ContractError ||
      // Not every name is a valid id.
      (error instanceof InputError && error.code === "id_invalid");
    if (!mayBeName) {
      throw error;
    }
    return projects.getByName(idOrName, { signal });
  }
}
