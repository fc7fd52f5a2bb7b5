import { ApiError, BrowserInfraError, CanceledError } from "../errors.js";

/**
 * Whether an error reports that the object does not exist: status 404 *with* the service's code
 * `not_found`. A 404 of a proxy or of a wrong base URL has no such code, and an unknown project has
 * `project_not_found`; neither concerns the object itself.
 */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404 && error.serviceCode === "not_found";
}

/** Returns the result of a request; undefined if the service reports that the object is missing. */
export async function ignoreNotFound<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (isNotFound(error)) {
      return undefined;
    }
    throw error;
  }
}

/** Returns the result of a read that only informs; undefined if the read fails. Throws `CanceledError`. */
export async function ignoreFailure<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof BrowserInfraError && !(error instanceof CanceledError)) {
      return undefined;
    }
    throw error;
  }
}

/** Codes of a 404 that do not concern the operation. */
const codesOfObjects: ReadonlySet<string> = new Set(["not_found", "project_not_found", "projects_disabled"]);

/**
 * Whether the service lacks the operation: 405, 501, or a 404 that concerns no object and no
 * project. The interface specifies five operations; a service may have no other.
 */
export function isMissingOperation(error: unknown): error is ApiError {
  return (
    error instanceof ApiError &&
    ((error.status === 404 && !codesOfObjects.has(error.code)) || [405, 501].includes(error.status))
  );
}
