/**
 * Runs a command and ends it, with all its children, as soon as the process that started this one
 * is gone, for whatever reason. A set-up that is killed (SIGKILL, out of memory) cannot end its own
 * npm or go. An npm that survives would write to node_modules together with the next set-up.
 *
 * Usage: node end-with-parent.mjs <command> [argument …], as the leader of its own process group,
 * with a pipe from the parent as standard input. The operating system closes that pipe when the
 * parent dies.
 */
import { spawn } from "node:child_process";
import { constants } from "node:os";

const [command = "", ...args] = process.argv.slice(2);
/** @type {import("node:child_process").ChildProcess} */
const child = spawn(command, args, { stdio: ["ignore", "inherit", "inherit"] });

process.stdin.on("close", () => process.kill(-process.pid, "SIGKILL"));
process.stdin.resume();

// Every process of the group gets the signal. This one stays until the command has ended, to report
// its exit code.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => {});
}

child.on("error", (error) => {
  console.error(`${command} cannot be started: ${error.message}`);
  process.exit(127);
});
child.on("exit", (code, signal) => process.exit(code ?? 128 + (signal ? constants.signals[signal] : 0)));
