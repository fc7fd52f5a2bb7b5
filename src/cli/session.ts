/** What the commands that ask the service share: settings, options, a client, and their form. */
import { Command, InvalidArgumentError, Option } from "commander";
import { BrowserInfraClient } from "../client/index.js";
import { resolveSettings, type Settings } from "../config.js";
import { findProjectId } from "./find.js";
import { stackConfiguration } from "./stack.js";
import { interruptible } from "./terminal/interrupt.js";
import { Output } from "./terminal/output.js";
import type { Streams } from "./terminal/streams.js";

/** Where the settings come from, for `--help` of the commands that work with the organization. */
export const settingsText = `
Settings, from --stack, else the environment (first wins):
  BROWSER_INFRA_API_KEY or KERNEL_API_KEY        API key
  BROWSER_INFRA_BASE_URL or KERNEL_BASE_URL      service URL`;

/** Where the settings come from, for `--help` of the commands that work in one project. */
export const projectSettingsText = `${settingsText}
  BROWSER_INFRA_PROJECT_ID or KERNEL_PROJECT_ID  project id
  or KERNEL_PROJECT                              id or name`;

/** The option of commands that print one result. */
export const jsonOption = jsonOptionFor("the result as one JSON document");

function jsonOptionFor(what: string): Option {
  return new Option("--json", `print ${what}, and an error as JSON`);
}

/** The option of commands that ask the service. */
const stackOption = new Option(
  "--stack <name>",
  "take the settings from the configuration of this Pulumi stack, before the environment; needs the Pulumi CLI",
);

/** The option of commands that work in one project. */
const projectOption = new Option(
  "--project <id-or-name>",
  "project to work in, by id or exact name (default: from the environment, otherwise the key's project)",
);

/** Reads the value of an option that is a whole number. */
export function wholeNumber(min: number, max?: number): (text: string) => number {
  const range = max === undefined ? `of at least ${min}` : `from ${min} to ${max}`;
  return (text) => {
    if (/^(?:0|[1-9]\d{0,8})$/.test(text) && Number(text) >= min && Number(text) <= (max ?? Infinity)) {
      return Number(text);
    }
    throw new InvalidArgumentError(`It must be a whole number ${range}.`);
  };
}

/** Whose records a command works with: those of one project, or of the organization. */
export type Scope = "project" | "organization";

/** What a command that asks the service works with. */
export interface Session {
  /** Works in no project, for what belongs to the organization. */
  readonly organization: BrowserInfraClient;
  /**
   * The id of the project of the settings; undefined: the key's own. One that was given by name is
   * looked up when this is first called. Throws `BrowserInfraError` `project_not_found`.
   */
  readonly projectId: () => Promise<string | undefined>;
  /** Works where the command does, by its scope. In a project it throws as `projectId` does. */
  readonly client: () => Promise<BrowserInfraClient>;
  readonly settings: Settings;
  readonly streams: Streams;
  readonly output: Output;
  /** Aborted by the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
}

/** The options that every command may have. */
interface ServiceFlags {
  readonly project?: string;
  readonly stack?: string;
  readonly json?: true;
}

/**
 * The action of a command that asks the service: runs `work` with a client, and closes the client.
 * `given` is what Commander passes: the arguments, then the options. Throws `ConfigError`,
 * `LocalError` when the stack cannot be read, `Interrupted` and what the work throws.
 */
function withService<Given extends unknown[]>(
  streams: Streams,
  scope: Scope,
  readsStack: boolean,
  work: (session: Session, ...given: Given) => Promise<void>,
) {
  return async function (this: Command, ...given: Given): Promise<void> {
    const { project, stack, json = false } = this.opts<ServiceFlags>();
    const { env } = streams;
    await interruptible(async (signal) => {
      const configuration =
        stack === undefined && !readsStack ? undefined : await stackConfiguration(stack, env, signal);
      const settings = resolveSettings({
        environment: env,
        projectOption: project,
        ...(configuration && { configuration }),
      });
      const { projectId: _id, ...ofOrganization } = settings;
      const organization = new BrowserInfraClient({
        ...ofOrganization,
        environment: env,
        onWarning: (message) => streams.stderr.write(`Warning: ${message}\n`),
      });
      let found: Promise<string | undefined> | undefined;
      const projectId = () => {
        found ??= findProjectId(organization, settings, signal);
        return found;
      };
      const client = async () =>
        scope === "project"
          ? organization.inProject(await projectId(), settings.origins.projectId)
          : organization;
      const output = new Output(streams, json);
      const session = { organization, projectId, client, settings, streams, output, signal };
      try {
        await work(session, ...given);
      } finally {
        await organization.close();
      }
    });
  };
}

/** A command that asks the service. */
export interface ServiceCommand<Given extends unknown[] = never[]> {
  readonly name: string;
  /** For `--help`. */
  readonly help: string;
  /** In a `project`, the command takes `--project`. */
  readonly scope: Scope;
  /** Whether the settings come from the selected stack if no `--stack` is given. Default: false. */
  readonly readsStack?: true;
  /** What each argument is, by its name in brackets. Default: it takes none. */
  readonly arguments?: Readonly<Record<string, string>>;
  /** Beside `--project`, `--stack` and `--json`. */
  readonly options?: readonly Option[];
  /** What `--json` prints. Default: the result as one JSON document. */
  readonly json?: string;
  /** What `--help` says below the options. */
  readonly helpAfter?: string;
  /** Gets the values of the arguments, then of the options. */
  work(session: Session, ...given: Given): Promise<void>;
}

/** A command as Commander parses it. It ends as `withService` says. */
export function serviceCommand(declared: ServiceCommand, streams: Streams): Command {
  const { name, help, scope, readsStack = false, options = [], json, helpAfter = "", work } = declared;
  const command = new Command(name).description(help).addHelpText("after", helpAfter);
  for (const [argument, what] of Object.entries(declared.arguments ?? {})) {
    command.argument(argument, what);
  }
  const project = scope === "project" ? [projectOption] : [];
  const last = json === undefined ? jsonOption : jsonOptionFor(json);
  for (const option of [...options, ...project, stackOption, last]) {
    command.addOption(option);
  }
  // Commander passes what the command declares.
  return command.action(
    withService<unknown[]>(streams, scope, readsStack, work as (...given: unknown[]) => Promise<void>),
  );
}

/** A group of commands. All have the same scope. */
export function serviceGroup(
  name: string,
  help: string,
  commands: readonly ServiceCommand[],
  streams: Streams,
): Command {
  const isInProject = commands.some(({ scope }) => scope === "project");
  return commands.reduce(
    (group, command) => group.addCommand(serviceCommand(command, streams)),
    new Command(name)
      .description(help)
      .addHelpText("afterAll", isInProject ? projectSettingsText : settingsText),
  );
}

/** Collects the values of an option that may be given several times. */
export function collect(value: string, values: readonly string[] = []): readonly string[] {
  return [...values, value];
}
