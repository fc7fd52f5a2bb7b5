import { Command } from "commander";
import { type ContentsSummary, contentsSummary, readArchive, sha256Of } from "../../archive/index.js";
import type { ApiKey, BrowserInfraClient, Extension } from "../../client/index.js";
import { hiddenMembers } from "../../dynamic/contract.js";
import { ArchiveError } from "../../errors.js";
import { projectSettingsText, settingsText, withProject, withService } from "../session.js";
import { requireWritable } from "../terminal/new-file.js";
import type { Streams } from "../terminal/streams.js";
import { jsonText } from "../terminal/text.js";
import { type ImportedResource, nextSteps, type OutputFlags, writeImportFile } from "./import-file.js";

interface ExtensionFlags extends OutputFlags {
  readonly project?: string;
}

/**
 * `browser-infra import`: prepares existing extensions and API keys for `pulumi import --file`,
 * which cannot ask a dynamic provider to read them.
 */
export function importCommand(streams: Streams): Command {
  return new Command("import")
    .description("Prepare the import of existing resources into Pulumi.")
    .addCommand(extensionsCommand(streams))
    .addCommand(apiKeysCommand(streams));
}

function extensionsCommand(streams: Streams): Command {
  return withOutput(withProject(new Command("extensions")))
    .description("Write a file for pulumi import that imports existing extensions.")
    .argument("<id-or-name...>", "the ids or names of the extensions")
    .addHelpText("after", projectSettingsText)
    .action(async (idsOrNames: readonly string[], { project, ...flags }: ExtensionFlags) => {
      requireWritable(flags.output, flags.force ?? false);
      await withService(streams, project, async ({ client, settings, signal }) => {
        const extensions = new Map<string, ImportedResource>();
        for (const idOrName of idsOrNames) {
          const extension = await readExtension(idOrName, client, signal);
          extensions.set(extension.id, importedExtension(extension, settings.projectId));
        }
        const imported = [...extensions.values()];
        writeImportFile(flags, imported);
        const hint = `If you set a project here (with --project or in the environment), set the same one for Pulumi.
Then add to your program, each with the folder that the extension was built from:`;
        streams.stdout.write(nextSteps(flags, imported, "extension", hint));
      });
    });
}

function apiKeysCommand(streams: Streams): Command {
  return withOutput(new Command("api-keys"))
    .description("Write a file for pulumi import that imports the names of existing API keys.")
    .argument("<id...>", "the ids of the keys")
    .addHelpText("after", settingsText)
    .action(async (ids: readonly string[], flags: OutputFlags) => {
      requireWritable(flags.output, flags.force ?? false);
      await withService(streams, undefined, async ({ client, signal }) => {
        const { apiKeys } = client.inProject(undefined);
        const imported: ImportedResource[] = [];
        for (const id of new Set(ids)) {
          imported.push(importedApiKey(await apiKeys.get(id, { signal }), imported));
        }
        writeImportFile(flags, imported);
        streams.stdout.write(nextSteps(flags, imported, "API key", "Then add to your program:"));
      });
    });
}

function withOutput(command: Command): Command {
  return command
    .option("--output <file>", "where to write the file", "import.json")
    .option("--force", "replace the file if it already exists");
}

/** An extension, with a summary of its archive where that can be read. */
interface ReadExtension extends Extension {
  readonly checksum: string;
  readonly summary: Partial<ContentsSummary>;
}

async function readExtension(
  idOrName: string,
  client: BrowserInfraClient,
  signal: AbortSignal,
): Promise<ReadExtension> {
  const extension = await client.extensions.get(idOrName, { signal });
  const bytes = await client.extensions.download(extension.id, { signal });
  // Old records of the service have no checksum.
  const checksum = extension.checksum ?? sha256Of(bytes);
  let summary: Partial<ContentsSummary> = {};
  try {
    summary = contentsSummary(await readArchive(bytes, `The archive of extension ${extension.id}`, signal));
  } catch (error) {
    // The service also holds archives that other tools packed and that this package would refuse.
    if (!(error instanceof ArchiveError)) {
      throw error;
    }
  }
  return { ...extension, checksum, summary };
}

function importedExtension(
  { id, name, checksum, sizeBytes, summary, createdAt }: ReadExtension,
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
    // If the program gives no name, the extension keeps the name it has, like an adopted one.
    hidden: { [hiddenMembers.memo]: { version: 1, adoptedChecksum: checksum } },
    args: `{ path: "./…", ${name === null ? `adopt: "${id}"` : `name: "${name}"`} }`,
  };
}

function importedApiKey(apiKey: ApiKey, others: readonly ImportedResource[]): ImportedResource {
  const { id, name, maskedKey, projectId, projectName, createdAt, createdBy, expiresAt } = apiKey;
  return {
    kind: "ApiKeyName",
    logicalName: logicalNameOf(apiKey, others),
    id,
    inputs: { keyId: id, name, onDelete: "restore" },
    outputs: {
      // Pulumi has not renamed the key, so deleting the resource must leave this name.
      previousName: name,
      maskedKey,
      createdAt,
      createdBy: { ...createdBy, name: createdBy.name ?? undefined },
      projectId: projectId ?? undefined,
      projectName: projectName ?? undefined,
      expiresAt: expiresAt ?? undefined,
    },
    args: `{ keyId: "${id}", name: ${jsonText(name)} }`,
  };
}

/**
 * A logical name is unique in the program and has few characters to choose from; a key's name may
 * be anything.
 */
function logicalNameOf({ id, name }: ApiKey, others: readonly ImportedResource[]): string {
  const slug = name.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^-+|-+$/g, "");
  if (slug === "") {
    return id;
  }
  return others.some(({ logicalName }) => logicalName === slug) ? `${slug}-${id}` : slug;
}
