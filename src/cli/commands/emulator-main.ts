#!/usr/bin/env node
/** The executable `browser-infra-emulator` of the emulator's own package: `browser-infra emulator` alone. */
import { start } from "../processes/start.js";

void start(() => {
  const { emulatorCommand }: typeof import("./emulator.js") = require("./emulator.js");
  const { ownPackage }: typeof import("../processes/own-package.js") = require("../processes/own-package.js");
  const { runProgram }: typeof import("../run.js") = require("../run.js");
  const { name, version } = ownPackage();
  return runProgram(
    (streams) =>
      emulatorCommand(streams, name, () => [__filename]).version(version, "--version", "print the version"),
    process.argv.slice(2),
    process,
  );
});
