import { isNotFound } from "../client/index.js";
import { LookupError } from "../errors.js";

/** What a call answers, or undefined when the service says that the object is gone. */
export async function orUndefinedWhenGone<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (isNotFound(error)) {
      return undefined;
    }
    throw error;
  }
}

/** For a lookup of an extension that is not there. Taken for gone, the engine would go on with outputs that are undefined. */
export function nothingToLookUp(id: string, projectId: string | undefined): LookupError {
  const where = projectId === undefined ? "" : ` in project ${projectId}`;
  return new LookupError(
    "extension_not_found",
    `There is no extension "${id}" to look up${where}. Check the id or the name, and the project.`,
  );
}
