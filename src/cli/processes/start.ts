/** Whether Node.js is too old. Prints the reason on a single line, where a library would throw. */
function reportOldNode(): boolean {
  try {
    require("../../node-version.js");
    return false;
  } catch (error) {
    console.error((error as Error).message);
    return true;
  }
}

/** Runs an executable. `run` loads everything else, and resolves with the exit code. */
export async function start(run: () => Promise<number>): Promise<void> {
  // Not process.exit(), which would cut off output that is still being written.
  process.exitCode = 1;
  if (!reportOldNode()) {
    process.exitCode = await run();
  }
}
