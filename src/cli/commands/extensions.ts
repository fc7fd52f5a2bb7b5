import { Command } from "commander";
import type { Extension } from "../../client/index.js";
import { sizeText } from "../../text/words.js";
import {
  type ProjectFlags,
  projectSettingsText,
  readLimit,
  withJson,
  withProject,
  withService,
} from "../session.js";
import { confirm, requireTerminal } from "../terminal/confirm.js";
import { print, printRows } from "../terminal/print.js";
import type { Streams } from "../terminal/streams.js";
import { type Cell, type Column, fieldsText } from "../terminal/table.js";
import { day, displayText, moment } from "../terminal/text.js";
import { downloadCommand } from "./extensions-download.js";
import { uploadCommand } from "./extensions-upload.js";
import { findExtension } from "./find.js";

interface ListFlags extends ProjectFlags {
  readonly query?: string;
  readonly name?: string;
  readonly limit?: number;
}

interface DeleteFlags extends ProjectFlags {
  readonly yes?: true;
}

/** `browser-infra extensions`: the extensions of one project. */
export function extensionsCommand(streams: Streams): Command {
  return new Command("extensions")
    .description("Work with the browser extensions of a project.")
    .addHelpText("after", projectSettingsText)
    .addCommand(listCommand(streams))
    .addCommand(getCommand(streams))
    .addCommand(uploadCommand(streams))
    .addCommand(downloadCommand(streams))
    .addCommand(deleteCommand(streams));
}

function listCommand(streams: Streams): Command {
  return withJson(withProject(new Command("list")))
    .description("List the extensions.")
    .option("--query <text>", "only extensions whose name contains this text")
    .option("--name <name>", "only the extension with exactly this name")
    .option("--limit <number>", "at most this many (default: all)", readLimit)
    .action(async ({ json, project, ...filter }: ListFlags) => {
      await withService(streams, project, async ({ client, signal }) => {
        const extensions = await client.extensions.list({ ...filter, signal });
        printRows(streams, { json }, extensions, columns, "No extensions.");
      });
    });
}

const columns: readonly Column<Extension>[] = [
  { header: "ID", cell: ({ id }) => id },
  { header: "NAME", cell: nameCell, cutWhenNarrow: true },
  { header: "SIZE", cell: ({ sizeBytes }) => sizeText(sizeBytes), align: "right" },
  // Enough to tell extensions apart; `get` shows the complete checksum.
  { header: "CHECKSUM", cell: ({ checksum }) => checksum?.slice(0, 12) ?? unknownCell, hideWhenNarrow: true },
  { header: "UPLOADED", cell: ({ createdAt }) => day(createdAt), hideWhenNarrow: true },
];

const unknownCell: Cell = { text: "unknown", style: "dim" };

function nameCell({ name }: Extension): Cell {
  return name === null ? { text: "(none)", style: "dim" } : { text: name };
}

function getCommand(streams: Streams): Command {
  return withJson(withProject(new Command("get")))
    .description("Show one extension.")
    .argument("<id-or-name>", "its id or exact name")
    .action(async (idOrName: string, flags: ProjectFlags) => {
      await withService(streams, flags.project, async ({ client, signal }) => {
        const extension = await findExtension(client, idOrName, signal);
        print(streams, flags, extension, ({ paint }) =>
          fieldsText(
            [
              ["ID", extension.id],
              ["NAME", nameCell(extension)],
              ["SIZE", `${sizeText(extension.sizeBytes)} (${extension.sizeBytes} bytes)`],
              ["CHECKSUM", extension.checksum ?? unknownCell],
              ["UPLOADED", moment(extension.createdAt)],
              ["LAST USED", extension.lastUsedAt === null ? unknownCell : moment(extension.lastUsedAt)],
            ],
            paint,
          ),
        );
      });
    });
}

function deleteCommand(streams: Streams): Command {
  return withJson(withProject(new Command("delete")))
    .description("Delete one extension, after a confirmation.")
    .argument("<id-or-name>", "its id or exact name")
    .option("--yes", "do not ask for confirmation; required outside a terminal")
    .action(async (idOrName: string, flags: DeleteFlags) => {
      if (!flags.yes) {
        requireTerminal(streams);
      }
      await withService(streams, flags.project, async ({ client, signal }) => {
        const extension = await findExtension(client, idOrName, signal);
        const subject = `extension ${describe(extension)}`;
        if (!flags.yes) {
          await confirm(`Delete ${subject}?`, "Nothing was deleted.", streams, signal);
        }
        // By id, because by now the name could belong to another extension.
        await client.extensions.delete(extension.id, { signal });
        print(streams, flags, extension, () => `Deleted ${subject}.\n`);
      });
    });
}

function describe({ id, name, sizeBytes, createdAt }: Extension): string {
  const details = `${sizeText(sizeBytes)}, uploaded ${day(createdAt)}`;
  return name === null
    ? `${displayText(id)} (no name, ${details})`
    : `"${displayText(name)}" (id ${displayText(id)}, ${details})`;
}
