import { Command } from "commander";
import { type ExitCodeName, exitCodesText } from "../exit-code.js";

/** Command whose `--help` lists the exit codes. `own`: besides the codes of every command. */
export function newCommand(name: string, help: string, ...own: readonly ExitCodeName[]): Command {
  return new Command(name).description(help).addHelpText("after", exitCodesText(...own));
}
