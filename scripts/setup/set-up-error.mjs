/**
 * A step of the set-up failed. The message contains the step, the reason, and the remedy. Printed
 * without a stack: the reader has a fresh clone and did not write these scripts.
 */
export class SetUpError extends Error {
  /** @override */
  name = "SetUpError";
}

/**
 * The message of an error, or the thrown value itself in words.
 *
 * @param {unknown} error
 */
export function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Prints only the message of a `SetUpError`, and any other error with the stack.
 *
 * @param {unknown} error
 */
export function printError(error) {
  console.error(error instanceof SetUpError ? `\n${error.message}` : error);
}

/**
 * Runs the main function of a script and prints errors. Sets the exit code; 1 after an error.
 *
 * @param {() => Promise<number | void>} main resolves to the exit code; undefined means 0.
 */
export async function runMain(main) {
  try {
    process.exitCode = (await main()) ?? 0;
  } catch (error) {
    process.exitCode = 1;
    printError(error);
  }
}
