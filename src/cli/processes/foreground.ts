import { type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import { LocalError } from "../../errors.js";
import { displayText } from "../terminal/text.js";

/** Runs a program, and returns the exit code. Throws `LocalError` `command_not_started`. */
export async function runInForeground(
  program: string,
  args: readonly string[],
  options: Pick<SpawnOptions, "cwd" | "env">,
): Promise<number> {
  const forward = (signal: NodeJS.Signals) => {
    // A terminal sends Ctrl+C to the program itself. A second SIGINT makes many programs skip clean-up.
    if (signal === "SIGTERM" || !process.stdin.isTTY) {
      child?.kill(signal);
    }
  };
  let child: ReturnType<typeof spawn> | undefined;
  process.on("SIGINT", forward).on("SIGTERM", forward);
  try {
    child = spawn(program, args, { ...options, stdio: "inherit" });
    const [code, signal] = await once(child, "exit");
    return code ?? 128 + constants.signals[signal as NodeJS.Signals];
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === "ENOENT" || program === "" ? "the program was not found" : `the system says ${code}`;
    const message = `Running "${displayText(program)}" failed: ${why}. Check the command after "--".`;
    throw new LocalError("command_not_started", message);
  } finally {
    process.off("SIGINT", forward).off("SIGTERM", forward);
  }
}
