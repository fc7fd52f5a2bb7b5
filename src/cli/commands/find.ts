import {
  ContractError,
  type Extension,
  InputError,
  isNotFound,
  LookupError,
  type Project,
} from "../../client/index.js";
import type { Session } from "../session.js";

/** Finds an extension by id or exact name. The service itself ignores the case of a name. */
export async function findExtension({ client, signal }: Session, idOrName: string): Promise<Extension> {
  const found = await client.extensions.get(idOrName, { signal });
  if (found.id === idOrName || found.name === idOrName) {
    return found;
  }
  return client.extensions.getByName(idOrName, { signal });
}

/** Finds a project by id or exact name. The id wins, because people can choose any name. */
export async function findProject({ organization, signal }: Session, idOrName: string): Promise<Project> {
  const { projects } = organization;
  try {
    return await projects.get(idOrName, { signal });
  } catch (error) {
    const mayBeName =
      isNotFound(error) ||
      // A service that can only list projects has none with this id.
      error instanceof LookupError ||
      // Newer versions of the service accept a name here. The client calls that the wrong record.
      error instanceof ContractError ||
      // Not every name is a valid id.
      (error instanceof InputError && error.code === "id_invalid");
    if (!mayBeName) {
      throw error;
    }
    return projects.getByName(idOrName, { signal });
  }
}
