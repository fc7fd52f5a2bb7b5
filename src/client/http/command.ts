import { readFileSync } from "node:fs";
import { basename } from "node:path";

/** Commands of Pulumi's command line under which a program or a provider runs. */
const pulumiCommands = "up update preview refresh destroy import watch do".split(" ");

/** Most processes between this process and the command line of Pulumi: a shell and a language host. */
const ancestorsMax = 4;

/**
 * Command for which this process works, such as `pulumi preview`: the words of the command without
 * options and values, which may be secret. Undefined for any other program, and on a system without `/proc`:
 * Pulumi tells a provider no command.
 */
export function commandOfProcess(): string | undefined {
  const [, script = "", ...own] = process.argv;
  if (basename(script) === "browser-infra" || script.endsWith("/dist/cli/main.js")) {
    const isOption = own.findIndex((word) => !/^[a-z][a-z-]*$/.test(word));
    return ["browser-infra", ...own.slice(0, isOption < 0 ? 2 : Math.min(isOption, 2))].join(" ");
  }
  try {
    let id = String(process.ppid);
    for (let generation = 0; generation < ancestorsMax; generation += 1) {
      const [program = "", ...words] = readFileSync(`/proc/${id}/cmdline`, "utf8").split("\0");
      if (basename(program) === "pulumi") {
        const command = words.find((word) => pulumiCommands.includes(word));
        return command === undefined ? undefined : `pulumi ${command}`;
      }
      // The name of the process, in parentheses, may contain anything.
      id = /\) \S (\d+) [^)]*$/.exec(readFileSync(`/proc/${id}/stat`, "utf8"))?.[1] ?? "";
    }
  } catch {
    // Without `/proc`, nobody knows.
  }
  return undefined;
}
