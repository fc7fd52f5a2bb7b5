#!/usr/bin/env node
/**
 * The executable `browser-infra`. Exports nothing: a test that needs no process calls `run` of
 * program.ts.
 */
import { run } from "./program.js";

/** A reader that stops reading (`browser-infra emulator | head -1`) is no reason to fail. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") {
    throw error;
  }
}

process.stdout.on("error", ignoreClosedPipe);
process.stderr.on("error", ignoreClosedPipe);

void run(process.argv.slice(2)).then((exitCode) => {
  // Not process.exit(), which would cut off output that is still being written.
  process.exitCode = exitCode;
});
