import { Command } from "commander";
import type { Settings } from "../../config.js";
import { inProject, type ProjectFlags, projectSettingsText, withService } from "../session.js";
import { maskedKey } from "../terminal/masked-key.js";
import { print } from "../terminal/print.js";
import type { Streams } from "../terminal/streams.js";
import { type Cell, type Column, fieldsText, tableText } from "../terminal/table.js";
import { displayText } from "../terminal/text.js";
import { askForVerdict, type Identity, type Verdict } from "./settings-verdict.js";

/** `browser-infra whoami`: which settings are in force, where each came from, and what the service makes of them. */
export function whoamiCommand(streams: Streams): Command {
  return inProject(new Command("whoami"))
    .description("Show the settings in force, where each came from, and whether the service accepts them.")
    .addHelpText("after", projectSettingsText)
    .action(async (flags: ProjectFlags) => {
      await withService(streams, flags.project, async ({ client, settings, signal }) => {
        // At once: the answer may take its time, or never come.
        if (!flags.json) {
          print(streams, flags, undefined, (layout) => tableText(rowsOf(settings), columns, layout));
        }
        const verdict = await askForVerdict(client, signal);
        const { accepted, problem, identity } = verdict;
        const result = {
          apiKey: maskedKey(settings.apiKey),
          baseUrl: settings.baseUrl,
          projectId: settings.projectId ?? null,
          origins: settings.origins,
          accepted,
          problem: problem?.message ?? null,
          identity,
        };
        print(streams, flags, result, ({ paint }) => `\n${fieldsText(fieldsOf(verdict), paint)}`);
        if (problem !== null) {
          throw problem;
        }
      });
    });
}

interface SettingRow {
  readonly name: string;
  readonly value: Cell | string;
  readonly origin: string;
}

const columns: readonly Column<SettingRow>[] = [
  { header: "SETTING", cell: ({ name }) => name },
  { header: "VALUE", cell: ({ value }) => value },
  { header: "FROM", cell: ({ origin }) => origin },
];

function rowsOf({ apiKey, baseUrl, projectId, origins }: Settings): readonly SettingRow[] {
  return [
    { name: "API key", value: maskedKey(apiKey), origin: origins.apiKey },
    { name: "base URL", value: baseUrl, origin: origins.baseUrl },
    { name: "project", value: projectId ?? { text: "none", style: "dim" }, origin: origins.projectId },
  ];
}

function fieldsOf({ accepted, identity }: Verdict): [label: string, Cell][] {
  const verdict: Cell =
    accepted === null
      ? { text: "not known", style: "yellow" }
      : accepted
        ? { text: "yes", style: "green" }
        : { text: "no", style: "red" };
  const more = identity === null ? [] : identityFields(identity);
  return [["ACCEPTED", verdict], ...more];
}

function identityFields(identity: Identity): [label: string, Cell][] {
  const { principal, credentialId, apiKeyName, organizationId } = identity;
  const { credentialProjectId, credentialProjectName, effectiveProjectId, effectiveProjectName } = identity;
  const key: [string, Cell][] =
    credentialId === null ? [] : [["CREDENTIAL", { text: named(credentialId, apiKeyName) }]];
  return [
    ["ORGANIZATION", { text: organizationId }],
    ["ACTING AS", { text: `${principal.type} ${principal.id}` }],
    ...key,
    ["MAY ACT IN", scopeCell(credentialProjectId, credentialProjectName, "every project")],
    ["ACTS IN", scopeCell(effectiveProjectId, effectiveProjectName, "the organization's default project")],
  ];
}

function scopeCell(projectId: string | null, name: string | null, without: string): Cell {
  return { text: projectId === null ? without : `project ${named(projectId, name)}` };
}

function named(id: string, name: string | null): string {
  return name === null ? id : `"${displayText(name)}" (${id})`;
}
