/** Finds the record of a command, by id or exact name. */
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
import { ignoreFailure } from "../client/not-found.js";
import { activationCommand } from "../client/organization/closed-project.js";
import { findProject } from "../client/organization/project-refusal.js";
import type { Settings } from "../config.js";
import { displayText } from "./terminal/text.js";

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

/** Reads of a kind of record. Not every kind has names. */
export interface ReadOperations<T> {
  get(id: string, options: CallOptions): Promise<T>;
  getByName?(name: string, options: CallOptions): Promise<T>;
}

/** Finds a record by id or exact name. The id wins, because people can choose any name. */
export async function findByIdOrName<T>(
  operations: ReadOperations<T>,
  idOrName: string,
  signal: AbortSignal,
): Promise<T> {
  try {
    return await operations.get(idOrName, { signal });
  } catch (error) {
    const mayBeName =
      isNotFound(error) ||
      // A service that can only list projects: no project has this id.
      error instanceof LookupError ||
      // The service may accept a name here. The client then reports the wrong record.
      error instanceof ContractError ||
      // Not every name is a valid id.
      (error instanceof InputError && error.code === "id_invalid");
    if (!mayBeName || operations.getByName === undefined) {
      throw error;
    }
    return operations.getByName(idOrName, { signal });
  }
}

/**
 * Id of the project in the settings. A name that the key may not look up is used as an id. Throws
 * `BrowserInfraError` `project_not_found`, which is not about the record of the command.
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
    // Only printable ASCII fits a header.
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

/** A project in which the service refuses every request. */
export interface ClosedProject {
  readonly id: string;
  readonly name: string | null;
  readonly status: string;
  /** Project and status, as a clause: `project "shop" (id one) is archived`. */
  readonly text: string;
  /** Command that makes the project active; null if no command does. */
  readonly remedy: string | null;
}

/**
 * Reads a project once, after a refusal or in place of one. Undefined: the project is active, or the read
 * proves nothing, as for a key of another project.
 */
export async function findClosedProject(
  id: string,
  { projects }: BrowserInfraClient,
  signal: AbortSignal,
): Promise<ClosedProject | undefined> {
  const found = await ignoreFailure(findProject(id, projects, { signal }));
  if (found === undefined || found.status === "active") {
    return undefined;
  }
  const { name, status } = found;
  const shown = displayText(id);
  const subject = name === null ? `project ${shown}` : `project "${displayText(name)}" (id ${shown})`;
  const state =
    status === "disabled"
      ? "cannot be used, because the organization has no projects any more"
      : `is ${displayText(status)}`;
  const remedy = status === "gone" || status === "disabled" ? null : activationCommand(id);
  return { id, name, status, text: `${subject} ${state}`, remedy };
}
