import { type Command, InvalidArgumentError } from "commander";
import { BrowserInfraClient } from "../client/index.js";
import { resolveSettings, type Settings } from "../config.js";
import { interruptible } from "./terminal/interrupt.js";
import type { PrintFlags } from "./terminal/print.js";
import type { Streams } from "./terminal/streams.js";

/** Where the settings come from, for `--help` of the commands that ask about the organization. */
export const settingsText = `
Settings, from the environment:
  BROWSER_INFRA_API_KEY     the API key (else KERNEL_API_KEY)
  BROWSER_INFRA_BASE_URL    address of the service (else KERNEL_BASE_URL)`;

/** Where the settings come from, for `--help` of the commands that act in one project. */
export const projectSettingsText = `${settingsText}
  BROWSER_INFRA_PROJECT_ID  project to act in (else KERNEL_PROJECT_ID)`;

/** Flags of the commands that act in one project. */
export interface ProjectFlags extends PrintFlags {
  readonly project?: string;
}

/** What a command that asks the service works with. */
export interface Session {
  /** In the project of the settings. */
  readonly client: BrowserInfraClient;
  readonly settings: Settings;
  /** Aborted by the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
}

/** Runs the work of one command with a client, which it closes. Throws `ConfigError`, `Interrupted` and what the work throws. */
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
export function printing(command: Command): Command {
  return command.option("--json", "print the result as one JSON document");
}

/** Adds `--json` and `--project`. */
export function inProject(command: Command): Command {
  return printing(choosingProject(command));
}

/** Adds `--project`. */
export function choosingProject(command: Command): Command {
  return command.option(
    "--project <id>",
    "project to act in (default: BROWSER_INFRA_PROJECT_ID, else the key's own)",
  );
}

/** Reads the number of `--limit`. */
export function readLimit(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) {
    return Number(text);
  }
  throw new InvalidArgumentError("It must be a whole number from 1.");
}
