/** What the commands that ask the service share: their settings, their options and a client. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { BrowserInfraClient } from "../client/index.js";
import { checkProjectId, resolveSettings, type Settings } from "../config.js";
import { interruptible } from "./terminal/interrupt.js";
import { Output } from "./terminal/output.js";
import type { Streams } from "./terminal/streams.js";

/** Where the settings come from, for `--help` of the commands that work with the organization. */
export const settingsText = `
Settings, from the environment (the first one wins):
  BROWSER_INFRA_API_KEY or KERNEL_API_KEY        API key
  BROWSER_INFRA_BASE_URL or KERNEL_BASE_URL      service URL`;

/** Where the settings come from, for `--help` of the commands that work in one project. */
export const projectSettingsText = `${settingsText}
  BROWSER_INFRA_PROJECT_ID or KERNEL_PROJECT_ID  project`;

/** The option of commands that print one result. */
export const jsonOption = new Option("--json", "print the result as one JSON document");

/** The option of commands that work in one project. */
export const projectOption = new Option(
  "--project <id>",
  "project to work in (default: BROWSER_INFRA_PROJECT_ID, otherwise the key's project)",
);

/** The option of commands that list. */
export const limitOption = new Option("--limit <number>", "at most this many (default: all)").argParser(
  (text) => {
    if (/^[1-9]\d{0,8}$/.test(text)) {
      return Number(text);
    }
    throw new InvalidArgumentError("It must be a whole number of at least 1.");
  },
);

/** What a command that asks the service works with. */
export interface Session {
  /** Works in the project of the settings. */
  readonly client: BrowserInfraClient;
  /** Works in no project, for what belongs to the organization. */
  readonly organization: BrowserInfraClient;
  readonly settings: Settings;
  readonly streams: Streams;
  readonly output: Output;
  /** Aborted by the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
}

/**
 * The action of a command that asks the service: runs `work` with a client, and closes the client.
 * `given` is what Commander passes: the arguments, then the options. Throws `ConfigError`,
 * `Interrupted` and whatever the work throws.
 */
export function withService<Given extends unknown[]>(
  streams: Streams,
  work: (session: Session, ...given: Given) => Promise<void>,
) {
  return async function (this: Command, ...given: Given): Promise<void> {
    const { project, json = false } = this.opts<{ project?: string; json?: true }>();
    if (project !== undefined) {
      checkProjectId(project, "option --project");
    }
    const found = resolveSettings({ explicit: { projectId: project }, environment: streams.env });
    const origins =
      project === undefined ? found.origins : { ...found.origins, projectId: "option --project" };
    const settings = { ...found, origins };
    const client = new BrowserInfraClient({ ...settings, environment: streams.env });
    const organization = client.inProject(undefined);
    const output = new Output(streams, json);
    try {
      await interruptible((signal) =>
        work({ client, organization, settings, streams, output, signal }, ...given),
      );
    } finally {
      await client.close();
    }
  };
}

/** Collects the values of an option that may be given several times. */
export function collect(value: string, values: readonly string[] = []): readonly string[] {
  return [...values, value];
}
