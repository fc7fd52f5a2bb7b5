import type { ChildProcess } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";
import * as pulumi from "@pulumi/pulumi";

/**
 * Environment of inline programs of Pulumi's Automation API. An inline program runs in the process
 * that starts the CLI. So the `envVars` of the workspace reach only the CLI and our resources, not
 * the program. Node announces every started process on diagnostics channels.
 */

/** Started processes with their environments, as far as reported by Node. */
const started = new Map<ChildProcess, readonly string[] | undefined>();

subscribe("child_process", (message) => {
  const { process } = message as { process: ChildProcess };
  // Polls the processes instead of listening: Jest loads this file for each test file, and after
  // ten test files, Node would warn of too many listeners.
  for (const other of started.keys()) {
    if (hasEnded(other)) {
      started.delete(other);
    }
  }
  started.set(process, undefined);
});
subscribe("tracing:child_process.spawn:start", (message) => {
  const { process, options } = message as {
    process: ChildProcess;
    options: { envPairs?: readonly string[] };
  };
  started.set(process, options.envPairs);
});

/** Whether a process has ended. A failed start counts: Node sets a negative exit code. */
function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/**
 * Environment of the Pulumi command that runs this program as an inline program; without
 * `variables` before Node 24. Undefined for other programs, and while several commands for stacks
 * of the same name are running.
 */
export function inlineEnvironment(stack?: string): { variables?: NodeJS.ProcessEnv | undefined } | undefined {
  const commands = [...started].filter(([child]) => !hasEnded(child) && runsInline(child.spawnargs));
  // `getStack` only after the filter: without a deployment, as in a test, a stack has no name.
  const ours = commands.filter(([{ spawnargs }]) => stackOf(spawnargs) === (stack ?? pulumi.getStack()));
  const [command, ...others] = ours;
  if (command === undefined || others.length > 0) {
    return undefined;
  }
  const [, pairs] = command;
  return { variables: pairs && Object.fromEntries(pairs.map(splitVariable)) };
}

/** Whether a command runs an inline program. Source of both options: @pulumi/pulumi, automation/stack. */
function runsInline(args: readonly string[] = []): boolean {
  return args.some((argument) => argument.startsWith("--client="));
}

/** Name of the stack without its organization and project. */
function stackOf(args: readonly string[]): string | undefined {
  return args[args.indexOf("--stack") + 1]?.split("/").at(-1);
}

/** Splits `NAME=value`. On Windows, some names begin with `=`. */
function splitVariable(pair: string): [name: string, value: string] {
  const equals = pair.indexOf("=", 1);
  return [pair.slice(0, equals), pair.slice(equals + 1)];
}
