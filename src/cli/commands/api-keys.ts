import { Command, Option } from "commander";
import { type ApiKey, type ApiKeyListOptions, InputError } from "../../client/index.js";
import { apiKeyNameProblem } from "../../client/names.js";
import { readLimit, settingsText, withJson, withService } from "../session.js";
import { type PrintFlags, print, printRows } from "../terminal/print.js";
import type { Streams } from "../terminal/streams.js";
import type { Cell, Column } from "../terminal/table.js";
import { day, displayText } from "../terminal/text.js";

interface ListFlags extends PrintFlags, Pick<ApiKeyListOptions, "status"> {
  readonly query?: string;
  readonly name?: string;
  readonly limit?: number;
}

/**
 * `browser-infra api-keys`: the API keys and their names. It neither creates nor deletes keys, and
 * never shows one.
 */
export function apiKeysCommand(streams: Streams): Command {
  return new Command("api-keys")
    .description("List and rename API keys.")
    .addHelpText("after", settingsText)
    .addCommand(listCommand(streams))
    .addCommand(renameCommand(streams));
}

function listCommand(streams: Streams): Command {
  return withJson(new Command("list"))
    .description("List the API keys that your key can see, including expired ones.")
    .option("--query <text>", "only keys whose name, creator or project contains this text, or with this id")
    .option("--name <name>", "only keys with exactly this name; names are not unique")
    .addOption(
      new Option("--status <status>", "only keys with this status (default: active)").choices([
        "active",
        "deleted",
        "all",
      ]),
    )
    .option("--limit <number>", "at most this many (default: all)", readLimit)
    .action(async ({ json, ...filter }: ListFlags) => {
      await withService(streams, undefined, async ({ client, signal }) => {
        const apiKeys = await client.inProject(undefined).apiKeys.list({ ...filter, signal });
        printRows(streams, { json }, apiKeys, columns, "No API keys.");
      });
    });
}

const columns: readonly Column<ApiKey>[] = [
  { header: "ID", cell: ({ id }) => id },
  { header: "NAME", cell: ({ name }) => name, cutWhenNarrow: true },
  { header: "KEY", cell: ({ maskedKey }) => maskedKey },
  { header: "PROJECT", cell: projectCell, cutWhenNarrow: true },
  { header: "CREATED", cell: ({ createdAt }) => day(createdAt), hideWhenNarrow: true },
  { header: "EXPIRES", cell: expiryCell },
];

function projectCell({ projectId, projectName }: ApiKey): Cell {
  return projectId === null ? { text: "all", style: "dim" } : { text: projectName ?? projectId };
}

function expiryCell({ deletedAt, expiresAt }: ApiKey): Cell {
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
  return withJson(new Command("rename"))
    .description("Rename an API key. There is no confirmation, because you can rename it back.")
    .argument("<id>", "the key's id, as shown by list")
    .argument("<name>", "the new name, 1 to 255 characters")
    .action(async (id: string, name: string, flags: PrintFlags) => {
      // Checked before the key is read, so that a wrong name costs no request.
      const problem = apiKeyNameProblem(name);
      if (problem !== undefined) {
        throw new InputError("name_invalid", "name", `The new name ${problem}.`);
      }
      await withService(streams, undefined, async ({ client, signal }) => {
        const { apiKeys } = client.inProject(undefined);
        const { name: previousName } = await apiKeys.get(id, { signal });
        const renamed = await apiKeys.rename(id, name, { signal });
        print(
          streams,
          flags,
          { ...renamed, previousName },
          () =>
            `Renamed API key ${displayText(renamed.id)} from "${displayText(previousName)}" to "${displayText(renamed.name)}".\n`,
        );
      });
    });
}
