/** Finding what a command is about, by an id or an exact name. */
import {
  ApiError,
  type BrowserInfraClient,
  BrowserInfraError,
  type CallOptions,
  ContractError,
  type Extension,
  InputError,
  isMissingOperation,
  isNotFound,
  LookupError,
} from "../client/index.js";
import type { Settings } from "../config.js";

/** Finds an extension by id or exact name. The service itself ignores the case of a name. */
export async function findExtension(
  { extensions }: BrowserInfraClient,
  idOrName: string,
  signal: AbortSignal,
): Promise<Extension> {
  const found = await extensions.get(idOrName, { signal });
  if (found.id === idOrName || found.name === idOrName) {
    return found;
  }
  return extensions.getByName(idOrName, { signal });
}

/** The operations that read one record. */
interface Readable<T> {
  get(id: string, options: CallOptions): Promise<T>;
  getByName(name: string, options: CallOptions): Promise<T>;
}

/** Finds a record by id or exact name. The id wins, because people can choose any name. */
export async function findByIdOrName<T>(
  operations: Readable<T>,
  idOrName: string,
  signal: AbortSignal,
): Promise<T> {
  try {
    return await operations.get(idOrName, { signal });
  } catch (error) {
    const mayBeName =
      isNotFound(error) ||
      // A service that can only list projects has none with this id.
      error instanceof LookupError ||
      // The service may accept a name here. The client calls that the wrong record.
      error instanceof ContractError ||
      // Not every name is a valid id.
      (error instanceof InputError && error.code === "id_invalid");
    if (!mayBeName) {
      throw error;
    }
    return operations.getByName(idOrName, { signal });
  }
}

/**
 * The id of the project that the settings name. Only what does not look like an id is looked up.
 * Where the key may not look, it is used as an id: the service refuses one that it does not know.
 * Throws `BrowserInfraError` `project_not_found`. That is not "not found" of what the command is
 * about, which may exist.
 */
export async function findProjectId(
  organization: BrowserInfraClient,
  { projectId, projectName, origins }: Settings,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (projectName === undefined) {
    return projectId;
  }
  try {
    return (await findByIdOrName(organization.projects, projectName, signal)).id;
  } catch (cause) {
    const mayNotLook = (cause instanceof ApiError && cause.status === 403) || isMissingOperation(cause);
    // Anything else does not fit a header.
    if (mayNotLook && /^[!-~]+$/.test(projectName)) {
      return projectName;
    }
    if (!(cause instanceof LookupError)) {
      throw cause;
    }
    const message = `The project (${origins.projectId}) was not found. ${cause.message}`;
    throw new BrowserInfraError("project_not_found", message, { cause });
  }
}
