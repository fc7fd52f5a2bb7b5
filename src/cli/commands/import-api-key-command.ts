import { Command } from "commander";
import type { ApiKey } from "../../client/index.js";
import { settingsText, withService } from "../session.js";
import { jsonText } from "../terminal/json-text.js";
import { requireWritable } from "../terminal/new-file.js";
import type { Streams } from "../terminal/streams.js";
import { type ImportedResource, nextSteps, type OutputFlags, writeImportFile } from "./import-file.js";

/** `browser-infra import api-key`: writes a file with which `pulumi import --file` takes over the names of API keys. */
export function importApiKeyCommand(streams: Streams): Command {
  return new Command("api-key")
    .description("Write a file for pulumi import that takes over the names of API keys.")
    .argument("<id...>", "the keys, by id")
    .option("--output <file>", "where to write the file", "import.json")
    .option("--force", "replace the file if it is there")
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
        streams.stdout.write(nextSteps(flags, imported, "API keys", "and in the program:"));
      });
    });
}

function importedApiKey(apiKey: ApiKey, others: readonly ImportedResource[]): ImportedResource {
  const { id, name, maskedKey, projectId, projectName, createdAt, createdBy, expiresAt } = apiKey;
  return {
    kind: "ApiKeyName",
    logicalName: logicalNameOf(apiKey, others),
    id,
    inputs: { keyId: id, name, onDelete: "restore" },
    outputs: {
      // Nothing was renamed, so there is nothing else to go back to.
      previousName: name,
      maskedKey,
      createdAt,
      createdBy: { ...createdBy, name: createdBy.name ?? undefined },
      projectId: projectId ?? undefined,
      projectName: projectName ?? undefined,
      expiresAt: expiresAt ?? undefined,
    },
    args: `{ keyId: "${id}", name: ${jsonText(name).trimEnd()} }`,
  };
}

/** Names of keys are not unique and of any characters; those of resources are. */
function logicalNameOf({ id, name }: ApiKey, others: readonly ImportedResource[]): string {
  const slug = name.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^-+|-+$/g, "");
  if (slug === "") {
    return id;
  }
  return others.some(({ logicalName }) => logicalName === slug) ? `${slug}-${id}` : slug;
}
