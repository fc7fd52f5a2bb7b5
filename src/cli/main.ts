#!/usr/bin/env node
import "./quiet-sqlite-warning.js";
import { run } from "./program.js";

for (const stream of [process.stdout, process.stderr]) {
  // A reader that has seen enough (`browser-infra emulator | head -1`) is no fault, and no reason to end.
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") {
      throw error;
    }
  });
}

void run(process.argv.slice(2)).then((exitCode) => {
  process.exitCode = exitCode;
});
