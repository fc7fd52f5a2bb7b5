#!/usr/bin/env node
/** The executable `browser-infra`. Exports nothing: most tests call `run` of program.ts. */
import { start } from "./processes/start.js";

void start(() => {
  const { run }: typeof import("./program.js") = require("./program.js");
  return run(process.argv.slice(2));
});
