import { Argument, Command } from "commander";
import { exitCodesText } from "../exit-code.js";

const shells = ["bash", "zsh", "fish"];

/**
 * `browser-infra completion`, which prints the script of a shell, and the command that the script
 * runs at each Tab. `build`: makes the program whose commands and options are completed.
 */
export function completionCommands(build: () => Command): [completion: Command, complete: Command] {
  const completion = new Command("completion")
    .description("Print the script that completes commands and options in a shell.")
    .addArgument(new Argument("<shell>", "shell that reads the script").choices(shells))
    .addHelpText(
      "after",
      `\nFor this shell only: eval "$(browser-infra completion bash)"\n${exitCodesText()}`,
    )
    .action(async (shell: string) =>
      (await completionsOf(build())).setup("browser-infra", "browser-infra", shell),
    );
  const complete = new Command("complete")
    .argument("[words...]")
    .action(async (words: string[]) => (await completionsOf(build())).parse(words));
  return [completion, complete];
}

/** Completions of a program. The library prints by itself. */
async function completionsOf(program: Command) {
  // An ES module, loaded for the completion only.
  const { default: complete } = await import("@bomb.sh/tab/commander");
  return complete(program, { completionCommandName: "completion" });
}
