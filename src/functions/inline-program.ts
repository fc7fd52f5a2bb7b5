import type { ChildProcess } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";
import * as pulumi from "@pulumi/pulumi";

/**
 * What a function needs to know of Pulumi's Automation API. An inline program runs in the process
 * that starts the CLI. So it does not see the `envVars` of its workspace, which only the CLI and
 * our resources get. Node announces every process that it starts on diagnostics channels.
 */

/** The environment of the command that runs an inline program. */
export interface InlineEnvironment {
  /** Undefined before Node 24, which does not tell it. */
  readonly variables: Readonly<Record<string, string | undefined>> | undefined;
}

/** Processes that were started, with their environments as far as Node tells them. */
const started = new Map<ChildProcess, readonly string[] | undefined>();

subscribe("child_process", (message) => {
  const { process } = message as { process: ChildProcess };
  // They are asked and not listened to: Jest loads this file for each test file, and after ten of
  // them, Node would warn of too many listeners.
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

/** Also of a process that could not be started: Node gives it a negative exit code. */
function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/**
 * The environment of the command of Pulumi that runs this program as an inline program. Undefined
 * where it is none, and where several commands for stacks of the same name are running.
 */
export function inlineEnvironment(stack?: string): InlineEnvironment | undefined {
  const commands = [...started].filter(([child]) => !hasEnded(child) && runsInline(child.spawnargs));
  // Not before: without a deployment, as in a test, a stack has no name.
  const ours = commands.filter(([{ spawnargs }]) => stackOf(spawnargs) === (stack ?? pulumi.getStack()));
  const [command, ...others] = ours;
  if (command === undefined || others.length > 0) {
    return undefined;
  }
  const [, pairs] = command;
  return { variables: pairs && Object.fromEntries(pairs.map(variable)) };
}

/** Source of this argument and the next: @pulumi/pulumi, automation/stack. */
function runsInline(args: readonly string[] = []): boolean {
  return args.some((argument) => argument.startsWith("--client="));
}

/** Name of the stack without its organization and project. */
function stackOf(args: readonly string[]): string | undefined {
  return args[args.indexOf("--stack") + 1]?.split("/").at(-1);
}

/** `NAME=value`. On Windows, some names begin with the sign. */
function variable(pair: string): [name: string, value: string] {
  const equals = pair.indexOf("=", 1);
  return [pair.slice(0, equals), pair.slice(equals + 1)];
}
