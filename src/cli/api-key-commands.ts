import { Command, Option } from "commander";
import { type ApiKey, type ApiKeyListOptions, InputError } from "../client/index.js";
import { apiKeyNameProblem } from "../client/names.js";
import { displayText } from "./display-text.js";
import { day } from "./display-time.js";
import { type PrintFlags, print, printRows } from "./print.js";
import { printing, readLimit, settingsText, withService } from "./service-command.js";
import type { Streams } from "./streams.js";
import type { Cell, Column } from "./table.js";

interface ListFlags extends PrintFlags, Pick<ApiKeyListOptions, "status"> {
  readonly query?: string;
  readonly name?: string;
  readonly limit?: number;
}

/** `browser-infra keys`: the API keys, and what they are called. Keys are neither made nor deleted, and never shown. */
export function apiKeysCommand(streams: Streams): Command {
  return new Command("keys")
    .description("Show the API keys and give them names.")
    .addHelpText("after", settingsText)
    .addCommand(listCommand(streams))
    .addCommand(renameCommand(streams));
}

function listCommand(streams: Streams): Command {
  return printing(new Command("list"))
    .description("List the API keys that the key in use may see, expired ones included.")
    .option("--query <text>", "only those with this text in name, creator or project, or this id")
    .option("--name <name>", "only those with exactly this name; names are not unique")
    .addOption(
      new Option("--status <status>", "which ones (default: active)").choices(["active", "deleted", "all"]),
    )
    .option("--limit <number>", "this many at most (default: all)", readLimit)
    .action(async ({ json, ...filter }: ListFlags) => {
      await withService(streams, undefined, async ({ client, signal }) => {
        const apiKeys = await client.inProject(undefined).apiKeys.list({ ...filter, signal });
        printRows(streams, { json }, apiKeys, columns, "No API keys.");
      });
    });
}

const columns: readonly Column<ApiKey>[] = [
  { header: "ID", cell: ({ id }) => id },
  { header: "NAME", cell: ({ name }) => name, whenNarrow: "cut" },
  { header: "KEY", cell: ({ maskedKey }) => maskedKey },
  { header: "PROJECT", cell: projectCell, whenNarrow: "cut" },
  { header: "CREATED", cell: ({ createdAt }) => day(createdAt), whenNarrow: "omit" },
  { header: "EXPIRES", cell: endCell },
];

function projectCell({ projectId, projectName }: ApiKey): Cell {
  return projectId === null ? { text: "all", style: "dim" } : { text: projectName ?? projectId };
}

function endCell({ deletedAt, expiresAt }: ApiKey): Cell {
  if (deletedAt !== null) {
    return { text: "deleted", style: "red" };
  }
  if (expiresAt === null) {
    return { text: "never", style: "dim" };
  }
  return Date.parse(expiresAt) <= Date.now()
    ? { text: "expired", style: "yellow" }
    : { text: day(expiresAt) };
}

function renameCommand(streams: Streams): Command {
  return printing(new Command("rename"))
    .description("Give an API key another name. It can be undone, so nothing is asked.")
    .argument("<id>", "the key's id, as the list shows it")
    .argument("<name>", "the new name, 1 to 255 characters")
    .action(async (id: string, name: string, flags: PrintFlags) => {
      // Before the key is read, so that a wrong name costs no request.
      const problem = apiKeyNameProblem(name);
      if (problem !== undefined) {
        throw new InputError("name_invalid", "name", `The new name ${problem}.`);
      }
      await withService(streams, undefined, async ({ client, signal }) => {
        const { apiKeys } = client.inProject(undefined);
        const former = await apiKeys.get(id, { signal });
        const renamed = await apiKeys.rename(id, name, { signal });
        print(
          streams,
          flags,
          { ...renamed, previousName: former.name },
          () =>
            `Renamed the API key ${displayText(renamed.id)} from "${displayText(former.name)}" to "${displayText(renamed.name)}".\n`,
        );
      });
    });
}
