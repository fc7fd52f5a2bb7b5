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

/** Processes that are running, with their environments as far as Node tells them. */
const running = new Map<ChildProcess, readonly string[] | undefined>();

subscribe("child_process", (message) => {
  const { process } = message as { process: ChildProcess };
  running.set(process, undefined);
  // "close" also comes when the process could not be started.
  process.once("close", () => running.delete(process));
});
subscribe("tracing:child_process.spawn:start", (message) => {
  const started = message as { process: ChildProcess; options: { envPairs?: readonly string[] } };
  running.set(started.process, started.options.envPairs);
});

/**
 * The environment of the command of Pulumi that runs this program as an inline program. Undefined
 * where it is none, and where several commands for stacks of the same name are running.
 */
export function inlineEnvironment(stack?: string): InlineEnvironment | undefined {
  const commands = [...running].filter(([{ spawnargs }]) => runsInline(spawnargs));
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
