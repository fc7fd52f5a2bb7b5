/** Common parts of commands that use the service: settings, options, client, declaration. */
import { Command, Option } from "commander";
import { BrowserInfraClient } from "../client/index.js";
import { resolveSettings, type Settings } from "../config.js";
import { type ExitCodeName, exitCodesText } from "./exit-code.js";
import { findProjectId } from "./find.js";
import { stackConfiguration } from "./stack/stack.js";
import { interruptible } from "./terminal/interrupt.js";
import { Output } from "./terminal/output.js";
import type { Streams } from "./terminal/streams.js";

/** Sources of the settings, for `--help` of commands that work with the organization. */
export const settingsText = `
Settings, from --stack, otherwise from the first variable that is set:
  BROWSER_INFRA_API_KEY or KERNEL_API_KEY        API key
  BROWSER_INFRA_BASE_URL or KERNEL_BASE_URL      service URL`;

/** Sources of the settings, for `--help` of commands that work in a project. */
export const projectSettingsText = `${settingsText}
  BROWSER_INFRA_PROJECT_ID or KERNEL_PROJECT_ID  project id
  or KERNEL_PROJECT                              id or name`;

export const jsonOption = jsonOptionFor("the result as one JSON document");

function jsonOptionFor(what: string): Option {
  return new Option("--json", `print ${what}, and an error as JSON`);
}

const stackOption = new Option(
  "--stack <name>",
  "take the settings from the configuration of this Pulumi stack, before the environment; needs the Pulumi CLI",
);

const projectOption = new Option(
  "--project <id-or-name>",
  "project to work in, by id or exact name (default: from the settings, else the key's own or the default project)",
);

/** Owner of the records that a command works with. */
export type Scope = "project" | "organization";

/** Settings, clients and streams of a command that uses the service. */
export interface Session {
  /** Client outside any project, for records of the organization. */
  readonly organization: BrowserInfraClient;
  /**
   * Id of the project in the settings; undefined: the key's own project. The first call looks up a
   * project given by name. Throws `BrowserInfraError` `project_not_found`.
   */
  readonly projectId: () => Promise<string | undefined>;
  /** Client for the scope of the command. With the scope `project`, throws as `projectId`. */
  readonly client: () => Promise<BrowserInfraClient>;
  readonly settings: Settings;
  readonly streams: Streams;
  readonly output: Output;
  /** Aborted by the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
}

interface ServiceFlags {
  readonly project?: string;
  readonly stack?: string;
  readonly json?: true;
}

/** Action of a command. */
function actionOf({ scope, readsStack, work }: ServiceCommand<unknown[]>, streams: Streams) {
  /** `given`: arguments, then options, as passed by Commander. */
  return async function (this: Command, ...given: unknown[]): Promise<void> {
    const { project, stack, json = false } = this.opts<ServiceFlags>();
    const { env } = streams;
    await interruptible(async (signal) => {
      const ofStack =
        stack === undefined && !readsStack
          ? undefined
          : await stackConfiguration({ name: stack, env, signal });
      const settings = resolveSettings({
        environment: env,
        projectOption: project,
        ...ofStack,
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
      } catch (error) {
        throw await organization.explainRefusal(error, { signal });
      } finally {
        await organization.close();
      }
    });
  };
}

export interface ServiceCommand<Given extends unknown[] = never[]> {
  readonly name: string;
  readonly help: string;
  /** With `project`, the command accepts `--project`. */
  readonly scope: Scope;
  /** Whether the settings come from the selected stack if no `--stack` is given. Default: false. */
  readonly readsStack?: true;
  /** Descriptions of the arguments, by name in brackets. Default: no arguments. */
  readonly arguments?: Readonly<Record<string, string>>;
  /** Options besides `--project`, `--stack` and `--json`. */
  readonly options?: readonly Option[];
  /** Output of `--json`, for `--help`. Default: the result as one JSON document. */
  readonly json?: string;
  /** Exit codes besides the codes of every command. Default: none. */
  readonly exitCodes?: readonly ExitCodeName[];
  /** Text of `--help` below the options. */
  readonly helpAfter?: string;
  /** Runs the command. `given`: values of the arguments, then of the options. */
  work(session: Session, ...given: Given): Promise<void>;
}

export function serviceCommand(declared: ServiceCommand, streams: Streams): Command {
  const { name, help, scope, options = [], json, helpAfter = "" } = declared;
  const codes = exitCodesText(...(declared.exitCodes ?? []));
  const command = new Command(name)
    .description(help)
    .addHelpText("after", `${helpAfter}${helpAfter && "\n"}${codes}`);
  for (const [argument, what] of Object.entries(declared.arguments ?? {})) {
    command.argument(argument, what);
  }
  const project = scope === "project" ? [projectOption] : [];
  const last = json === undefined ? jsonOption : jsonOptionFor(json);
  for (const option of [...options, ...project, stackOption, last]) {
    command.addOption(option);
  }
  // Commander passes the declared arguments and options.
  return command.action(actionOf(declared as ServiceCommand<unknown[]>, streams));
}

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
