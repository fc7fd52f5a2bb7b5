/** What errors say of ids and names, which the client knows by other words than a query. */
import type { BrowserInfraClient, Project } from "../client/index.js";
import { ContractError, InputError, LookupError } from "../errors.js";

/** The error for a name in the argument for ids. `noun` has its article: `a project`. */
export function nameAsId(noun: string, id: string, property: string, propertyForNames: string): InputError {
  const message = `"${property}" is ${noun}'s name; its id is ${id}. Pass that id, or pass the name as "${propertyForNames}".`;
  return new InputError("id_invalid", property, message);
}

/**
 * Reads a project by id. Newer versions of the service also take a name here, which the client
 * reports as an answer about another project; that becomes an `InputError` for `property`. So does
 * a name in a service that can only list projects.
 */
export async function projectById(
  client: BrowserInfraClient,
  id: string,
  property: string,
  propertyForNames: string,
): Promise<Project> {
  try {
    return await inWordsOf(property, "id", client.projects.get(id));
  } catch (error) {
    const mayBeName = error instanceof ContractError || error instanceof LookupError;
    const [named] = mayBeName ? await client.projects.list({ name: id, limit: 1 }) : [];
    throw named === undefined ? error : nameAsId("a project", named.id, property, propertyForNames);
  }
}

/**
 * What the client answers. Its `InputError` for its own `argument` becomes one for the `property`
 * of the query, which the caller has written.
 */
export async function inWordsOf<T>(property: string, argument: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof InputError) || error.property !== argument) {
      throw error;
    }
    const message = error.message.replace(`"${argument}"`, `"${property}"`);
    throw new InputError(error.code, property, message, { cause: error.cause });
  }
}
