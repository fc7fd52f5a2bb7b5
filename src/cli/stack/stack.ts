import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { SettingsSource } from "../../config.js";
import { LocalError } from "../../errors.js";
import { textCleaner } from "../../text/redact.js";
import type { Streams } from "../terminal/streams.js";
import { displayText } from "../terminal/text.js";

/** Longest quotation of Pulumi's error message, in characters. */
const messageCharactersMax = 1000;

/** Most bytes that Pulumi may print: a configuration has a few KiB, a state some MiB. */
const outputBytesMax = 512 * 1024 * 1024;

/** Output of `pulumi config --json`: values by setting. Objects have no `value`. */
type PrintedConfiguration = Readonly<Record<string, { readonly value?: string }>>;

/** Stack of the program in this folder, for the Pulumi CLI. */
export interface Stack {
  /** Undefined: the selected stack. */
  readonly name: string | undefined;
  readonly env: Streams["env"];
  readonly signal: AbortSignal;
}

/** Reads the configuration of a stack, secrets included, into memory. Throws as `runPulumi`. */
export async function stackConfiguration(
  stack: Stack,
): Promise<Required<Pick<SettingsSource, "configuration" | "configurationKeys">>> {
  const args = ["config", "--json", "--show-secrets"];
  const settings = await runPulumi<PrintedConfiguration>(args, "configuration", stack);
  return { configuration: (key) => settings[key]?.value, configurationKeys: () => Object.keys(settings) };
}

/** Runs the Pulumi CLI for a stack. Throws `LocalError` `pulumi_missing` or `stack_unreadable`. */
export async function runPulumi<Printed>(
  args: readonly string[],
  what: "configuration" | "state",
  { name, env, signal }: Stack,
): Promise<Printed> {
  // Option and name are a single argument, so that a name beginning with `-` is not an option.
  const ofStack = name === undefined ? [] : [`--stack=${name}`];
  const options = { env: { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" }, maxBuffer: outputBytesMax, signal };
  const all = [...args, "--non-interactive", ...ofStack];
  const instead =
    name === undefined || what === "state"
      ? ""
      : "Or run the command without --stack, with the environment variables listed by --help.";
  const unreadable = (words: string) => {
    const named = name === undefined ? "the selected stack" : `the stack "${displayText(name)}"`;
    // `words`: standard error. The message of the error would repeat the whole command.
    const message = `Reading the ${what} of ${named} failed. ${pulumiMessage(words, env)} Run this in the folder of the program. ${instead}`;
    return new LocalError("stack_unreadable", message.trim());
  };
  const { stdout } = await promisify(execFile)("pulumi", all, options).catch((error) => {
    if (signal.aborted) {
      throw error;
    }
    throw error.code === "ENOENT"
      ? pulumiMissing(name === undefined ? "This command" : "--stack", instead)
      : unreadable(error.stderr);
  });
  try {
    return JSON.parse(stdout);
  } catch {
    throw unreadable("It printed no JSON.");
  }
}

/** Pulumi's message about a failure, as a sentence without the secrets of the environment. */
export function pulumiMessage(words: string, env: Streams["env"]): string {
  const { BROWSER_INFRA_API_KEY = "", KERNEL_API_KEY = "", PULUMI_CONFIG_PASSPHRASE = "" } = env;
  const clean = textCleaner(BROWSER_INFRA_API_KEY, KERNEL_API_KEY, PULUMI_CONFIG_PASSPHRASE);
  return `Pulumi says: ${clean(words.replace(/^error: /, ""), messageCharactersMax).replace(/\.?$/, ".")}`;
}

/** Error of a feature (`what`) without the Pulumi CLI. `instead`: an alternative, as a sentence. */
export function pulumiMissing(what: string, instead = ""): LocalError {
  const message = `${what} needs the Pulumi CLI, and PATH has no program "pulumi". Install the Pulumi CLI. ${instead}`;
  return new LocalError("pulumi_missing", message.trim());
}
