import { Command } from "commander";
import { type ContentsSummary, contentsSummary, readArchive, sha256Of } from "../../archive/index.js";
import type { BrowserInfraClient, Extension } from "../../client/index.js";
import { hiddenMembers } from "../../dynamic/hidden-input.js";
import { ArchiveError } from "../../errors.js";
import { settingsText, withService } from "../session.js";
import { requireWritable } from "../terminal/new-file.js";
import type { Streams } from "../terminal/streams.js";
import { type ImportedResource, nextSteps, type OutputFlags, writeImportFile } from "./import-file.js";

interface ImportFlags extends OutputFlags {
  readonly project?: string;
}

/** `browser-infra import extension`: writes a file with which `pulumi import --file` takes over extensions that exist. */
export function importExtensionCommand(streams: Streams): Command {
  return new Command("extension")
    .description("Write a file for pulumi import that takes over extensions which exist.")
    .argument("<id-or-name...>", "the extensions, by id or by name")
    .option(
      "--project <id>",
      "project they belong to (default: BROWSER_INFRA_PROJECT_ID, else the key's own)",
    )
    .option("--output <file>", "where to write the file", "import.json")
    .option("--force", "replace the file if it is there")
    .addHelpText("after", settingsText)
    .action(async (idsOrNames: readonly string[], { project, ...flags }: ImportFlags) => {
      requireWritable(flags.output, flags.force ?? false);
      await withService(streams, project, async ({ client, settings, signal }) => {
        const extensions = new Map<string, ImportedResource>();
        for (const idOrName of idsOrNames) {
          const extension = await describe(idOrName, client, signal);
          extensions.set(extension.id, importedExtension(extension, settings.projectId));
        }
        const imported = [...extensions.values()];
        writeImportFile(flags, imported);
        streams.stdout.write(
          nextSteps(
            flags,
            imported,
            "extensions",
            "(with the same project, if one is set: here it comes from the environment or --project), and in the program,\neach with the folder it was made from:",
          ),
        );
      });
    });
}

/** An extension, and what is in its archive where that can be read. */
interface DescribedExtension extends Extension {
  readonly checksum: string;
  readonly summary: Partial<ContentsSummary>;
}

async function describe(
  idOrName: string,
  client: BrowserInfraClient,
  signal: AbortSignal,
): Promise<DescribedExtension> {
  const extension = await client.extensions.get(idOrName, { signal });
  const bytes = await client.extensions.download(extension.id, { signal });
  // The service has no checksum of what was uploaded before it kept them.
  const checksum = extension.checksum ?? sha256Of(bytes);
  let summary: Partial<ContentsSummary> = {};
  try {
    summary = contentsSummary(await readArchive(bytes, `The archive of extension ${extension.id}`, signal));
  } catch (error) {
    // The service holds what other tools packed, also what this package would refuse to upload.
    if (!(error instanceof ArchiveError)) {
      throw error;
    }
  }
  return { ...extension, checksum, summary };
}

function importedExtension(
  { id, name, checksum, sizeBytes, summary, createdAt }: DescribedExtension,
  projectId: string | undefined,
): ImportedResource {
  return {
    kind: "Extension",
    logicalName: name ?? id,
    id,
    inputs: {
      ...(name === null ? {} : { name }),
      checksum,
      ...(projectId === undefined ? {} : { projectId }),
      sizeBytes,
      ...summary,
    },
    outputs: { createdAt },
    // Without a name in the program the extension keeps the one it has, as one that was taken over.
    hidden: { [hiddenMembers.memo]: { version: 1, adoptedChecksum: checksum } },
    args: `{ path: "./…", ${name === null ? `adopt: "${id}"` : `name: "${name}"`} }`,
  };
}
