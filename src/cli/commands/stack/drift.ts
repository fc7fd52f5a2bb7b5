import { type Command, Option } from "commander";
import { shellQuoted } from "../../../text/shell.js";
import { capitalized, counted, listed } from "../../../text/words.js";
import { CommandEnd, exitCode } from "../../exit-code.js";
import { jsonOption } from "../../session.js";
import type { ClosedStackProject } from "../../stack/closed-projects.js";
import { type Drift, findDrift, type ResourceDrift } from "../../stack/find-drift.js";
import { interruptible } from "../../terminal/interrupt.js";
import { Output } from "../../terminal/output.js";
import { withProgress } from "../../terminal/progress-line.js";
import type { Streams } from "../../terminal/streams.js";
import { displayText, jsonText } from "../../terminal/text.js";
import { newCommand } from "../new-command.js";

/** Longest pair of values in a sentence, as JSON, in characters. `--json` prints all values. */
const valuesCharactersMax = 160;

const repairCommand = "pulumi up --refresh --run-program";
const showCommand = "pulumi refresh --preview-only --run-program --diff";

/** `browser-infra drift`: prints the differences between the service and the state of a stack. */
export function driftCommand(streams: Streams): Command {
  const help = "Compare the service with the state of a Pulumi stack; needs the Pulumi CLI.";
  return newCommand("drift", help, "drift")
    .option(
      "--stack <name>",
      "stack of the program in this folder (default: PULUMI_STACK, or the selected one)",
    )
    .addOption(new Option("--markdown", "print Markdown, for the summary of a job").conflicts("json"))
    .addOption(jsonOption)
    .action(({ stack: given, markdown, json = false }: { stack?: string; markdown?: true; json?: boolean }) =>
      interruptible(async (signal) => {
        const { env } = streams;
        const named = given || env.PULUMI_STACK || undefined;
        const stack = { name: named, env, signal };
        const drift = await withProgress(streams, "Checking for drift…", () => findDrift(stack));
        // The reader of the output may have selected a different stack.
        const ofStack = named === undefined ? "" : ` --stack ${shellQuoted(named)}`;
        const repair = isRepairable(drift) ? repairCommand + ofStack : null;
        const form = markdown ? markdownOf : textOf;
        const projects = drift.projects.map(({ id, name, status, remedy, urns }) => {
          return { id, name, drift: status, resources: urns.length, repair: remedy && remedy + ofStack };
        });
        new Output(streams, json).print({ ...drift, projects, repair }, form(drift, ofStack));
        if (!drift.clean) {
          throw new CommandEnd(exitCode.drift);
        }
      }),
    );
}

function textOf(drift: Drift, ofStack: string): string {
  const sentences = drift.resources.map(rowOf).map(([name, kind, change]) => `${name} (${kind}): ${change}.`);
  const all = [...drift.projects.map((project) => projectSentence(project, ofStack, '"')), ...sentences];
  return [...all, ...remarks(drift, ofStack, '"')].map((sentence) => `${sentence}\n`).join("");
}

function markdownOf(drift: Drift, ofStack: string): string {
  const rows = drift.resources.map((resource) => `| ${rowOf(resource).map(escapeMarkdown).join(" | ")} |\n`);
  const table =
    rows.length === 0 ? "" : `| Resource | Kind | Drift |\n| --- | --- | --- |\n${rows.join("")}\n`;
  const sentences = [
    ...drift.projects.map((project) => projectSentence(project, ofStack, "`", escapeMarkdown)),
    ...remarks(drift, ofStack, "`"),
  ];
  return `## Drift${drift.stack && ` of ${escapeMarkdown(drift.stack)}`}\n\n${table}${sentences.join("\n\n")}\n`;
}

/** Whether a refresh repairs anything: no refresh makes a project of others active. */
function isRepairable({ resources, others }: Drift): boolean {
  return resources.length + others > 0;
}

/** `quote` encloses the command. */
function projectSentence(
  { text, urns, remedy }: ClosedStackProject,
  ofStack: string,
  quote: string,
  escape = (shown: string) => shown,
) {
  const inside = `${counted(urns.length, "resource")} of this stack ${urns.length === 1 ? "is" : "are"} in it`;
  const way = remedy === null ? "" : ` ${quote}${remedy}${ofStack}${quote} makes it active again.`;
  return `${escape(capitalized(text))}: ${inside}.${way}`;
}

/** Sentences below the resources. `quote` encloses commands. */
function remarks(drift: Drift, ofStack: string, quote: string): string[] {
  const { clean, others, pending } = drift;
  const commands = [repairCommand, showCommand, "browser-infra pending"];
  const [repair, show, lookUp] = commands.map((command) => quote + command + ofStack + quote);
  return [
    ...(clean ? ["Nothing has drifted."] : []),
    ...(others > 0 ? [`${counted(others, "resource")} of other packages drifted; ${show} shows which.`] : []),
    ...(isRepairable(drift) ? [`${repair} repairs the drift.`] : []),
    ...(pending ? [`An interrupted deployment left pending operations; ${lookUp} shows the results.`] : []),
  ];
}

function rowOf({ name, type, drift, properties }: ResourceDrift): readonly [string, string, string] {
  const changes = properties.map(({ name: property, state, service }) => {
    const [now, before] = [service, state].map((value) => (value === null ? "unset" : jsonText(value)));
    return now === before || `${now}${before}`.length > valuesCharactersMax
      ? `${property} changed`
      : `${property} is ${now} and not ${before}`;
  });
  const change = drift === "gone" ? "gone from the service" : listed(changes) || "changed";
  return [displayText(name), type.split(":").at(-1) ?? type, displayText(change)];
}

function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]<>#!|~&@$:.]/g, "\\$&");
}
