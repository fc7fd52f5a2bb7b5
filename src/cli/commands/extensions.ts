import { Command } from "commander";
import type { Extension, ListOptions } from "../../client/index.js";
import { sizeText } from "../../text/words.js";
import { findExtension } from "../find.js";
import {
  jsonOption,
  limitOption,
  offsetOption,
  projectOption,
  projectSettingsText,
  stackOption,
  withService,
} from "../session.js";
import { confirm, requireTerminal } from "../terminal/confirm.js";
import type { Streams } from "../terminal/streams.js";
import { type Cell, type Column, namelessCell, unknownCell } from "../terminal/table.js";
import { day, displayText, moment } from "../terminal/text.js";
import { downloadCommand } from "./extensions-download.js";
import { uploadCommand } from "./extensions-upload.js";

/** `browser-infra extensions`: the extensions of one project. */
export function extensionsCommand(streams: Streams): Command {
  return new Command("extensions")
    .description("Work with the browser extensions of a project.")
    .addHelpText("afterAll", projectSettingsText)
    .addCommand(listCommand(streams))
    .addCommand(getCommand(streams))
    .addCommand(uploadCommand(streams))
    .addCommand(downloadCommand(streams))
    .addCommand(deleteCommand(streams));
}

function listCommand(streams: Streams): Command {
  return new Command("list")
    .description("List the extensions.")
    .option("--query <text>", "only extensions whose name contains this text")
    .option("--name <name>", "only the extension with exactly this name")
    .addOption(limitOption)
    .addOption(offsetOption)
    .addOption(projectOption)
    .addOption(stackOption)
    .addOption(jsonOption)
    .action(
      withService(streams, async ({ inProject, output, signal }, filter: ListOptions) => {
        const { extensions } = await inProject();
        const found = await extensions.list({ ...filter, signal });
        output.printRows(found, columns, "No extensions.");
      }),
    );
}

const columns: readonly Column<Extension>[] = [
  { header: "ID", cell: ({ id }) => id },
  { header: "NAME", cell: nameCell, cutWhenNarrow: true },
  { header: "SIZE", cell: ({ sizeBytes }) => sizeText(sizeBytes), align: "right" },
  // Enough to tell extensions apart; `get` shows the complete checksum.
  { header: "CHECKSUM", cell: ({ checksum }) => checksum?.slice(0, 12) ?? unknownCell, hideWhenNarrow: true },
  { header: "UPLOADED", cell: ({ createdAt }) => day(createdAt), hideWhenNarrow: true },
];

function nameCell({ name }: Extension): Cell {
  return name === null ? namelessCell : { text: name };
}

function getCommand(streams: Streams): Command {
  return new Command("get")
    .description("Show one extension.")
    .argument("<id-or-name>", "its id or exact name")
    .addOption(projectOption)
    .addOption(stackOption)
    .addOption(jsonOption)
    .action(
      withService(streams, async ({ inProject, output, signal }, idOrName: string) => {
        const extension = await findExtension(await inProject(), idOrName, signal);
        const { id, sizeBytes, checksum, createdAt, lastUsedAt } = extension;
        output.printFields(extension, [
          ["ID", id],
          ["NAME", nameCell(extension)],
          ["SIZE", sizeBytes < 1024 ? sizeText(sizeBytes) : `${sizeText(sizeBytes)} (${sizeBytes} bytes)`],
          ["CHECKSUM", checksum ?? unknownCell],
          ["UPLOADED", moment(createdAt)],
          ["LAST USED", lastUsedAt === null ? unknownCell : moment(lastUsedAt)],
        ]);
      }),
    );
}

function deleteCommand(streams: Streams): Command {
  return new Command("delete")
    .description("Delete one extension, after a confirmation.")
    .argument("<id-or-name>", "its id or exact name")
    .option("--yes", "do not ask for confirmation; required outside a terminal")
    .addOption(projectOption)
    .addOption(stackOption)
    .addOption(jsonOption)
    .action(
      withService(streams, async (session, idOrName: string, { yes }: { readonly yes?: true }) => {
        if (!yes) {
          requireTerminal(streams);
        }
        const { inProject, output, signal } = session;
        const client = await inProject();
        const extension = await findExtension(client, idOrName, signal);
        const subject = `extension ${describe(extension)}`;
        if (!yes) {
          await confirm(`Delete ${subject}?`, "Nothing was deleted.", streams, signal);
        }
        // By id, because by now the name could belong to another extension.
        await client.extensions.delete(extension.id, { signal });
        output.printOutcome(extension, `Deleted ${subject}.\n`);
      }),
    );
}

function describe({ id, name, sizeBytes, createdAt }: Extension): string {
  const details = `${sizeText(sizeBytes)}, uploaded ${day(createdAt)}`;
  return name === null
    ? `${displayText(id)} (no name, ${details})`
    : `"${displayText(name)}" (id ${displayText(id)}, ${details})`;
}
