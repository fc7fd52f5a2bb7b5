import { Command, Option } from "commander";
import {
  type ApiKey,
  type ApiKeyListOptions,
  type ApiKeyOperations,
  InputError,
  isMissingOperation,
} from "../../client/index.js";
import { apiKeyNameProblem } from "../../client/names.js";
import { dateTimeMs } from "../../text/date-time.js";
import { jsonOption, limitOption, offsetOption, settingsText, stackOption, withService } from "../session.js";
import type { Streams } from "../terminal/streams.js";
import { type Cell, type Column, unknownCell } from "../terminal/table.js";
import { day, displayText, moment } from "../terminal/text.js";

/** `browser-infra api-keys`: the API keys and their names. It never shows a key. */
export function apiKeysCommand(streams: Streams): Command {
  return new Command("api-keys")
    .description("Show and rename API keys. A complete key is never shown.")
    .addHelpText("afterAll", settingsText)
    .addCommand(listCommand(streams))
    .addCommand(getCommand(streams))
    .addCommand(renameCommand(streams));
}

function listCommand(streams: Streams): Command {
  const status = new Option("--status <status>", "only keys with this status (default: active)");
  return new Command("list")
    .description("List the API keys that your key can see, including expired ones.")
    .option("--query <text>", "only keys whose name, creator or project contains this text, or with this id")
    .option("--name <name>", "only keys with exactly this name; names are not unique")
    .addOption(status.choices(["active", "deleted", "all"]))
    .addOption(limitOption)
    .addOption(offsetOption)
    .addOption(stackOption)
    .addOption(jsonOption)
    .action(
      withService(streams, async ({ organization, output, signal }, filter: ApiKeyListOptions) => {
        const apiKeys = await organization.apiKeys.list({ ...filter, signal });
        output.printRows(apiKeys, columns, "No API keys.");
      }),
    );
}

const columns: readonly Column<ApiKey>[] = [
  { header: "ID", cell: ({ id }) => id },
  { header: "NAME", cell: ({ name }) => name, cutWhenNarrow: true },
  { header: "KEY", cell: keyCell },
  { header: "PROJECT", cell: projectCell, cutWhenNarrow: true },
  { header: "CREATED", cell: ({ createdAt }) => day(createdAt), hideWhenNarrow: true },
  { header: "EXPIRES", cell: expiryCell },
];

function getCommand(streams: Streams): Command {
  return new Command("get")
    .description("Show one API key: its name, owner, project and expiry.")
    .argument("<id>", "the key's id, as shown by list")
    .option("--deleted", "show the key even if it was deleted")
    .addOption(stackOption)
    .addOption(jsonOption)
    .action(
      withService(
        streams,
        async ({ organization, output, signal }, id: string, { deleted }: { readonly deleted?: true }) => {
          const apiKey = await organization.apiKeys.get(id, { includeDeleted: deleted, signal });
          const { name, createdAt, createdBy, deletedAt, expiresAt } = apiKey;
          output.printFields(apiKey, [
            ["ID", apiKey.id],
            ["NAME", name],
            ["KEY", keyCell(apiKey)],
            ["PROJECT", projectCell(apiKey)],
            ["CREATED", moment(createdAt)],
            ["CREATED BY", createdBy === null ? unknownCell : (createdBy.name ?? createdBy.email)],
            ["EXPIRES", expiresAt === null ? neverCell : expiryText(expiresAt)],
            ...(deletedAt === null ? [] : [["DELETED", moment(deletedAt)] as const]),
          ]);
        },
      ),
    );
}

const neverCell: Cell = { text: "never", style: "dim" };

function keyCell({ maskedKey }: ApiKey): Cell {
  return maskedKey === null ? unknownCell : { text: maskedKey };
}

function projectCell({ projectId, projectName }: ApiKey): Cell {
  return projectId === null ? { text: "all", style: "dim" } : { text: projectName ?? projectId };
}

function expiryCell({ deletedAt, expiresAt }: ApiKey): Cell {
  if (deletedAt !== null) {
    return { text: "deleted", style: "red" };
  }
  if (expiresAt === null) {
    return neverCell;
  }
  return isOver(expiresAt) ? { text: "expired", style: "yellow" } : { text: day(expiresAt) };
}

function expiryText(expiresAt: string): Cell {
  const text = moment(expiresAt);
  return isOver(expiresAt) ? { text: `${text} (expired)`, style: "yellow" } : { text };
}

function isOver(dateTime: string): boolean {
  return (dateTimeMs(dateTime) ?? 0) <= Date.now();
}

function renameCommand(streams: Streams): Command {
  return new Command("rename")
    .description("Rename an API key. There is no confirmation, because you can rename it back.")
    .argument("<id>", "the key's id, as shown by list")
    .argument("<name>", "the new name, 1 to 255 characters")
    .addOption(stackOption)
    .addOption(jsonOption)
    .action(
      withService(streams, async ({ organization, output, signal }, id: string, name: string) => {
        // Checked before the key is read, so that a wrong name costs no request.
        const problem = apiKeyNameProblem(name);
        if (problem !== undefined) {
          throw new InputError("name_invalid", "name", `The new name ${problem}.`);
        }
        const { apiKeys } = organization;
        const previousName = await readName(apiKeys, id, signal);
        const renamed = await apiKeys.rename(id, name, { signal });
        const before = previousName === null ? "" : ` from "${displayText(previousName)}"`;
        output.printOutcome(
          { ...renamed, previousName },
          `Renamed API key ${displayText(renamed.id)}${before} to "${displayText(renamed.name)}".\n`,
        );
      }),
    );
}

/** The name of a key; null in a service that can rename keys but not read them. */
async function readName(apiKeys: ApiKeyOperations, id: string, signal: AbortSignal): Promise<string | null> {
  try {
    return (await apiKeys.get(id, { signal })).name;
  } catch (error) {
    if (isMissingOperation(error)) {
      return null;
    }
    throw error;
  }
}
