import { setInterval } from "node:timers/promises";
import type { Command } from "commander";
import { InputError, LookupError } from "../../errors.js";
import { stopInBackground } from "../processes/background.js";
import { isEmulator, type RunningEmulator, runningEmulators } from "../processes/running.js";
import { interruptible } from "../terminal/interrupt.js";
import { wholeNumber } from "../terminal/option-values.js";
import { Output } from "../terminal/output.js";
import type { Streams } from "../terminal/streams.js";
import { newCommand } from "./new-command.js";

/** Time between two looks at a process that ends. Milliseconds. */
const lookMs = 50;

/** `browser-infra emulator list`: the emulators in the background of this user. */
export function listCommand(streams: Streams): Command {
  const help = "List the emulators that run in the background, of this user on this machine.";
  return newCommand("list", help).action((_flags: object, command: Command) => {
    const columns = [
      { header: "PID", cell: ({ pid }: RunningEmulator) => String(pid) },
      { header: "URL", cell: ({ url }: RunningEmulator) => url },
      { header: "FOLDER", cell: ({ folder }: RunningEmulator) => folder },
    ];
    const { json = false } = command.optsWithGlobals<{ json?: boolean }>();
    new Output(streams, json).printRows(runningEmulators(), columns, "No emulator runs in the background.");
  });
}

/** `browser-infra emulator stop`: stops an emulator in the background, and waits for its end. */
export function stopCommand(streams: Streams): Command {
  return newCommand("stop", "Stop an emulator that runs in the background.", "notFound")
    .argument(
      "[pid]",
      "process id (default: BROWSER_INFRA_EMULATOR_PID, or the only emulator that runs)",
      wholeNumber(1, 2 ** 31 - 1),
    )
    .action((given: number | undefined, _flags: object, command: Command) =>
      interruptible(async (signal) => {
        const pid = given ?? pidToStop(streams.env);
        if (!isEmulator(pid)) {
          throw new LookupError(
            "id_not_found",
            `Process ${pid} is no emulator in the background. "browser-infra emulator list" shows them.`,
          );
        }
        stopInBackground({ pid });
        for await (const _look of setInterval(lookMs, undefined, { signal })) {
          if (!isEmulator(pid)) {
            break;
          }
        }
        const { json = false } = command.optsWithGlobals<{ json?: boolean }>();
        new Output(streams, json).printOutcome({ pid }, `Stopped the emulator with the process id ${pid}.\n`);
      }),
    );
}

/** Process id in the environment, or of the only emulator. Throws `InputError`, `LookupError`. */
function pidToStop({ BROWSER_INFRA_EMULATOR_PID: named }: Streams["env"]): number {
  if (named !== undefined && /^\d{1,10}$/.test(named)) {
    return Number(named);
  }
  const [first, ...others] = runningEmulators();
  if (first === undefined) {
    throw new LookupError("id_not_found", "No emulator runs in the background.");
  }
  if (others.length > 0) {
    const problem = `${others.length + 1} emulators run in the background. Give the process id of one: "browser-infra emulator list" shows them.`;
    throw new InputError("usage_invalid", "pid", problem);
  }
  return first.pid;
}
