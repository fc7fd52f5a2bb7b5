#!/usr/bin/env node
/**
 * The executable `browser-infra`. Exports nothing: a test that needs no process calls `run` of
 * program.ts.
 */
import { run } from "./program.js";

void run(process.argv.slice(2)).then((exitCode) => {
  // Not process.exit(), which would cut off output that is still being written.
  process.exitCode = exitCode;
});
