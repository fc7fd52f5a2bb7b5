import { isNotFound } from "../client/index.js";

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
