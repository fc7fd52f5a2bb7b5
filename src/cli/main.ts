#!/usr/bin/env node
/** The executable `browser-infra`. Exports nothing: most tests call `run` of program.ts. */

/** Whether Node.js is too old. Prints the reason on a single line, where a library would throw. */
function reportOldNode(): boolean {
  try {
    require("../node-version.js");
    return false;
  } catch (error) {
    console.error((error as Error).message);
    return true;
  }
}

async function main(): Promise<void> {
  // Not process.exit(), which would cut off output that is still being written.
  process.exitCode = 1;
  if (!reportOldNode()) {
    const { run }: typeof import("./program.js") = require("./program.js");
    process.exitCode = await run(process.argv.slice(2));
  }
}

void main();

export {};
