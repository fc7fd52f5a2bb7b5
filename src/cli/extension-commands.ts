import { Command } from "commander";
import type { Extension } from "../client/index.js";
import { sizeText } from "../text/words.js";
import { confirm, requireSomeoneToAsk } from "./confirm.js";
import { displayText } from "./display-text.js";
import { day, moment } from "./display-time.js";
import { extensionDownloadCommand } from "./extension-download-command.js";
import { extensionUploadCommand } from "./extension-upload-command.js";
import { findExtension } from "./find-extension.js";
import { print, printRows } from "./print.js";
import {
  inProject,
  type ProjectFlags,
  projectSettingsText,
  readLimit,
  withService,
} from "./service-command.js";
import type { Streams } from "./streams.js";
import { type Cell, type Column, fieldsText } from "./table.js";

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
    .addCommand(extensionUploadCommand(streams))
    .addCommand(extensionDownloadCommand(streams))
    .addCommand(deleteCommand(streams));
}

function listCommand(streams: Streams): Command {
  return inProject(new Command("list"))
    .description("List the extensions.")
    .option("--query <text>", "only those with this text in their name")
    .option("--name <name>", "only the one with exactly this name")
    .option("--limit <number>", "this many at most (default: all)", readLimit)
    .action(async ({ json, project, ...filter }: ListFlags) => {
      await withService(streams, project, async ({ client, signal }) => {
        const extensions = await client.extensions.list({ ...filter, signal });
        printRows(streams, { json }, extensions, columns, "No extensions.");
      });
    });
}

const columns: readonly Column<Extension>[] = [
  { header: "ID", cell: ({ id }) => id },
  { header: "NAME", cell: nameCell, whenNarrow: "cut" },
  { header: "SIZE", cell: ({ sizeBytes }) => sizeText(sizeBytes), align: "right" },
  // Enough to tell one from another; the whole one is shown of a single extension.
  { header: "CHECKSUM", cell: ({ checksum }) => checksum?.slice(0, 12) ?? unknownCell, whenNarrow: "omit" },
  { header: "UPLOADED", cell: ({ createdAt }) => day(createdAt), whenNarrow: "omit" },
];

const unknownCell: Cell = { text: "not known", style: "dim" };

function nameCell({ name }: Extension): Cell {
  return name === null ? { text: "(none)", style: "dim" } : { text: name };
}

function getCommand(streams: Streams): Command {
  return inProject(new Command("get"))
    .description("Show one extension.")
    .argument("<id-or-name>", "its id, or its exact name")
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
  return inProject(new Command("delete"))
    .description("Delete one extension, after a question.")
    .argument("<id-or-name>", "its id, or its exact name")
    .option("--yes", "do not ask; needed where nobody can be asked")
    .action(async (idOrName: string, flags: DeleteFlags) => {
      if (!flags.yes) {
        requireSomeoneToAsk(streams);
      }
      await withService(streams, flags.project, async ({ client, signal }) => {
        const extension = await findExtension(client, idOrName, signal);
        const subject = `extension ${describe(extension)}`;
        if (!flags.yes) {
          await confirm(`Delete ${subject}?`, "Nothing was deleted.", streams, signal);
        }
        // By id: the name may belong to another extension by now.
        await client.extensions.delete(extension.id, { signal });
        print(streams, flags, extension, () => `Deleted ${subject}.\n`);
      });
    });
}

function describe({ id, name, sizeBytes, createdAt }: Extension): string {
  const details = `${sizeText(sizeBytes)}, uploaded ${day(createdAt)}`;
  return name === null
    ? `${displayText(id)} (without a name, ${details})`
    : `"${displayText(name)}" (id ${displayText(id)}, ${details})`;
}
