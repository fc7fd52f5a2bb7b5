import { Command, Option } from "commander";
import { graceDaysOf } from "../../client/api-key-rotation.js";
import {
  type ApiKey,
  type ApiKeyListOptions,
  type ApiKeyOperations,
  type CreatedApiKey,
  InputError,
  isMissingOperation,
} from "../../client/index.js";
import { apiKeyNameProblem } from "../../client/names.js";
import { dateTimeMs } from "../../text/date-time.js";
import { counted } from "../../text/words.js";
import {
  jsonOption,
  limitOption,
  offsetOption,
  type Session,
  settingsText,
  stackOption,
  wholeNumber,
  withService,
} from "../session.js";
import { confirm, requireTerminal } from "../terminal/confirm.js";
import type { Streams } from "../terminal/streams.js";
import { type Cell, type Column, unknownCell } from "../terminal/table.js";
import { day, displayText, moment } from "../terminal/text.js";

/** `browser-infra api-keys`: the API keys. Only a key that is new is shown, once. */
export function apiKeysCommand(streams: Streams): Command {
  return new Command("api-keys")
    .description("Work with API keys. A complete key is shown only once, when it is new.")
    .addHelpText("afterAll", settingsText)
    .addCommand(listCommand(streams))
    .addCommand(getCommand(streams))
    .addCommand(createCommand(streams))
    .addCommand(renameCommand(streams))
    .addCommand(rotateCommand(streams))
    .addCommand(deleteCommand(streams));
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

/** Days until a key expires. */
const lifetimeOption = "--expires-in-days <days>";

function createCommand(streams: Streams): Command {
  return new Command("create")
    .description("Create an API key and print it. It cannot be shown again.")
    .argument("<name>", "its name, 1 to 255 characters; names are not unique")
    .addOption(
      new Option(lifetimeOption, "days until it expires, 1 to 3650 (default: never)").argParser(days),
    )
    .option("--project <id-or-name>", "the project that it is limited to (default: the whole organization)")
    .addOption(stackOption)
    .addOption(jsonOption)
    .action(
      withService(streams, async (session, name: string, { expiresInDays, project }: NewKeyFlags) => {
        const { organization, projectId, signal } = session;
        const scope = project === undefined ? undefined : await projectId();
        const created = await organization.apiKeys.create(
          { name, daysToExpire: expiresInDays, projectId: scope },
          { signal },
        );
        printNewKey(created, session);
      }),
    );
}

interface NewKeyFlags {
  readonly expiresInDays?: number;
  readonly project?: string;
}

function rotateCommand(streams: Streams): Command {
  return new Command("rotate")
    .description("Replace an API key with a new one of the same name, after a confirmation, and print it.")
    .argument("<id>", "the key's id, as shown by list")
    .addOption(
      new Option(
        lifetimeOption,
        "days until the new key expires (default: as long as the old one)",
      ).argParser(days),
    )
    .addOption(
      new Option(
        "--keep-old-days <days>",
        "days that the old key still works, 0 to 3650 (default: 7)",
      ).argParser(wholeNumber(0)),
    )
    .option("--yes", "do not ask for confirmation; required outside a terminal")
    .addOption(stackOption)
    .addOption(jsonOption)
    .action(
      withService(
        streams,
        async (session, id: string, { yes, expiresInDays, keepOldDays }: RotationFlags) => {
          const { organization, signal } = session;
          const graceDays = graceDaysOf({ keepOldKeyDays: keepOldDays, daysToExpire: expiresInDays });
          const grace = graceDays === 0 ? "at once" : `in ${counted(graceDays, "day")}, if not before`;
          await confirmAbout(id, (key) => `Rotate ${key}? The old key stops working ${grace}.`, yes, session);
          const rotation = { daysToExpire: expiresInDays, keepOldKeyDays: graceDays };
          printNewKey(await organization.apiKeys.rotate(id, rotation, { signal }), session);
        },
      ),
    );
}

interface RotationFlags {
  readonly yes?: true;
  readonly expiresInDays?: number;
  readonly keepOldDays?: number;
}

function deleteCommand(streams: Streams): Command {
  return new Command("delete")
    .description("Delete an API key, after a confirmation: requests with it are refused from then on.")
    .argument("<id>", "the key's id, as shown by list")
    .option("--yes", "do not ask for confirmation; required outside a terminal")
    .addOption(stackOption)
    .addOption(jsonOption)
    .action(
      withService(streams, async (session, id: string, { yes }: { readonly yes?: true }) => {
        const { organization, output, signal } = session;
        const apiKey = await confirmAbout(id, (key) => `Delete ${key}?`, yes, session);
        await organization.apiKeys.delete(id, { signal });
        output.printOutcome(apiKey, `Deleted ${describe(apiKey)}.\n`);
      }),
    );
}

/** Reads a key and asks about it, unless `--yes` was given. Throws what `confirm` throws. */
async function confirmAbout(
  id: string,
  question: (key: string) => string,
  yes: true | undefined,
  { organization, streams, signal }: Session,
): Promise<ApiKey> {
  if (!yes) {
    requireTerminal(streams);
  }
  const apiKey = await organization.apiKeys.get(id, { signal });
  if (!yes) {
    await confirm(question(describe(apiKey)), "Nothing was changed.", streams, signal);
  }
  return apiKey;
}

function describe({ id, name, maskedKey }: ApiKey): string {
  const mask = maskedKey === null ? "" : `, ${displayText(maskedKey)}`;
  return `API key "${displayText(name)}" (id ${displayText(id)}${mask})`;
}

/** The one time that a key is shown: its only other copy is with the service. */
function printNewKey(created: CreatedApiKey, { output }: Session): void {
  const { id, name, key, expiresAt } = created;
  output.printOutcome(created, [
    ["ID", id],
    ["NAME", name],
    ["KEY", key],
    ["PROJECT", projectCell(created)],
    ["EXPIRES", expiresAt === null ? neverCell : expiryText(expiresAt)],
  ]);
  output.remark("The key is not shown again. Save it now.");
}

function days(text: string): number {
  return wholeNumber(1)(text);
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
