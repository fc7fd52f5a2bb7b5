/**
 * A set-up step cannot be finished. The message says what failed, why, and what to do, and is printed without a stack:
 * the reader is someone with a fresh clone, not the author of these scripts.
 */
export class SetUpError extends Error {
  name = "SetUpError";
}

/** Prints a `SetUpError` as its message alone, and any other error with its stack. */
export function printError(error) {
  console.error(error instanceof SetUpError ? `\n${error.message}` : error);
}

/**
 * Runs the main function of a script and prints what it throws. Sets the exit code; 1 after an error.
 *
 * @param {() => Promise<number | void>} main resolves to the exit code; nothing means 0.
 */
export async function runMain(main) {
  try {
    process.exitCode = (await main()) ?? 0;
  } catch (error) {
    process.exitCode = 1;
    printError(error);
  }
}
