/**
 * Runs a command and ends it, with all its own children, as soon as the process that started this one is gone, however it went.
 * A set-up killed outright (SIGKILL, out of memory) cannot end its npm or go itself; an npm that lives on
 * would write into node_modules while the next set-up does the same.
 *
 * Called as: node end-with-parent.mjs <command> [argument …], as leader of its own process group, with a pipe from the parent as
 * standard input: the operating system closes that pipe when the parent dies.
 */
import { spawn } from "node:child_process";
import { constants } from "node:os";

const [command, ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ["ignore", "inherit", "inherit"] });

process.stdin.on("close", () => process.kill(-process.pid, "SIGKILL"));
process.stdin.resume();

// The group gets the signal as a whole; this process stays until the command has ended, to report how.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => {});
}

child.on("error", (error) => {
  console.error(`${command} cannot be started: ${error.message}`);
  process.exit(127);
});
child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
