/** What the commands that ask the service share: their settings, their flags and a client. */
import { type Command, InvalidArgumentError } from "commander";
import { BrowserInfraClient } from "../client/index.js";
import { resolveSettings, type Settings } from "../config.js";
import { interruptible } from "./terminal/interrupt.js";
import type { PrintFlags } from "./terminal/print.js";
import type { Streams } from "./terminal/streams.js";

/** Where the settings come from, for `--help` of the commands that work with the organization. */
export const settingsText = `
Settings, from the environment:
  BROWSER_INFRA_API_KEY     API key (otherwise KERNEL_API_KEY)
  BROWSER_INFRA_BASE_URL    URL of the service (otherwise KERNEL_BASE_URL)`;

/** Where the settings come from, for `--help` of the commands that work in one project. */
export const projectSettingsText = `${settingsText}
  BROWSER_INFRA_PROJECT_ID  project to work in (otherwise KERNEL_PROJECT_ID)`;

/** Flags of the commands that work in one project. */
export interface ProjectFlags extends PrintFlags {
  readonly project?: string;
}

/** What a command that asks the service works with. */
export interface Session {
  /** Works in the project of the settings. */
  readonly client: BrowserInfraClient;
  readonly settings: Settings;
  /** Aborted by the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
}

/**
 * Runs the work of one command with a client, and closes the client. Throws `ConfigError`,
 * `Interrupted` and whatever the work throws.
 */
export async function withService(
  { env }: Streams,
  project: string | undefined,
  work: (session: Session) => Promise<void>,
): Promise<void> {
  const found = resolveSettings({ explicit: { projectId: project }, environment: env });
  const origins = project === undefined ? found.origins : { ...found.origins, projectId: "option --project" };
  const settings = { ...found, origins };
  const client = new BrowserInfraClient(settings);
  try {
    await interruptible((signal) => work({ client, settings, signal }));
  } finally {
    await client.close();
  }
}

/** Adds `--json`. */
export function withJson(command: Command): Command {
  return command.option("--json", "print the result as one JSON document");
}

/** Adds `--project`. */
export function withProject(command: Command): Command {
  return command.option(
    "--project <id>",
    "project to work in (default: BROWSER_INFRA_PROJECT_ID, otherwise the key's project)",
  );
}

/** Reads the number of `--limit`. */
export function readLimit(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) {
    return Number(text);
  }
  throw new InvalidArgumentError("It must be a whole number of at least 1.");
}

/** Collects the values of an option that may be given several times. */
export function collect(value: string, values: readonly string[] = []): readonly string[] {
  return [...values, value];
}
