import { type ExecFileException, execFile } from "node:child_process";
import { promisify } from "node:util";
import { LocalError } from "../errors.js";
import { textCleaner } from "../text/redact.js";
import type { Streams } from "./terminal/streams.js";
import { displayText } from "./terminal/text.js";

/** Longest part of Pulumi's own words in an error, in characters. */
const wordsCharactersMax = 1000;

/** Most bytes that Pulumi may print. A stack configuration has a few KiB. */
const outputBytesMax = 16 * 1024 * 1024;

/** What `pulumi config --json` prints: each setting with its value, unless that is an object. */
type PrintedConfiguration = Readonly<Record<string, { readonly value?: string }>>;

/**
 * Reads the configuration of a Pulumi stack, secrets included, by asking the Pulumi CLI in the
 * current folder. So it decrypts as `pulumi up` does, with the same passphrase or login. The values
 * come through a pipe and are kept in memory only.
 *
 * Throws `LocalError` `pulumi_missing` or `stack_unreadable`, and the reason of `signal`.
 */
export async function stackConfiguration(
  stack: string,
  env: Streams["env"],
  signal: AbortSignal,
): Promise<(key: string) => string | undefined> {
  // The name is one argument with its option, so that it cannot pass for another option.
  const args = ["config", "--json", "--show-secrets", "--non-interactive", `--stack=${stack}`];
  const options = { env: { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" }, maxBuffer: outputBytesMax, signal };
  const printed = await promisify(execFile)("pulumi", args, options).catch((error) => {
    throw signal.aborted ? error : unreadable(stack, error, error.stderr, env);
  });
  let settings: PrintedConfiguration;
  try {
    settings = JSON.parse(printed.stdout) as PrintedConfiguration;
  } catch (error) {
    throw unreadable(stack, error as Error, "It printed no JSON.", env);
  }
  return (key) => settings[key]?.value;
}

function unreadable(stack: string, error: ExecFileException, words: string, env: Streams["env"]): LocalError {
  const instead = "Or leave out --stack, and set the environment variables that --help names.";
  if (error.code === "ENOENT") {
    return pulumiMissing("--stack", instead);
  }
  // Not the message of `error`, which repeats the whole command.
  const message = `Reading the configuration of the stack "${displayText(stack)}" failed. ${pulumiSays(words, env)} Run this in the folder of the program. ${instead}`;
  return new LocalError("stack_unreadable", message);
}

/** What Pulumi says about a failure, as one sentence without the secrets of the environment. */
export function pulumiSays(words: string, env: Streams["env"]): string {
  const { BROWSER_INFRA_API_KEY = "", KERNEL_API_KEY = "", PULUMI_CONFIG_PASSPHRASE = "" } = env;
  const clean = textCleaner(BROWSER_INFRA_API_KEY, KERNEL_API_KEY, PULUMI_CONFIG_PASSPHRASE);
  return `Pulumi says: ${clean(words.replace(/^error: /, ""), wordsCharactersMax).replace(/\.?$/, ".")}`;
}

/** The error of what needs the Pulumi CLI where there is none. `instead`: another way. */
export function pulumiMissing(what: string, instead = ""): LocalError {
  const message = `${what} needs the Pulumi CLI, and there is no program "pulumi" in PATH. Install it. ${instead}`;
  return new LocalError("pulumi_missing", message.trim());
}
