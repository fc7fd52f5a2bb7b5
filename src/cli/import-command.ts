import { writeFileSync } from "node:fs";
import { Command } from "commander";
import { type ContentsSummary, contentsSummary, readArchive, sha256Of } from "../archive/index.js";
import { BrowserInfraClient, type Extension } from "../client/index.js";
import { resolveSettings } from "../config.js";
import { hiddenInput, hiddenMembers } from "../dynamic/hidden-input.js";
import { loaderInput, loaderText, resourceType } from "../dynamic/loader-text.js";
import { ArchiveError } from "../errors.js";
import { shellQuoted } from "./shell-quoted.js";

interface ImportFlags {
  readonly project?: string;
  readonly output: string;
}

/** `browser-infra import extension`: writes a file with which `pulumi import --file` takes over extensions that exist. */
export function importCommand(): Command {
  const extension = new Command("extension")
    .description("Write a file for pulumi import that takes over extensions which exist.")
    .argument("<id-or-name...>", "the extensions, by id or by name")
    .option(
      "--project <id>",
      "project they belong to (default: BROWSER_INFRA_PROJECT_ID, else the key's own)",
    )
    .option("--output <file>", "where to write the file", "import.json")
    .action(async (idsOrNames: readonly string[], { project, output }: ImportFlags) => {
      const settings = resolveSettings({
        explicit: { projectId: project },
        configuration: () => undefined,
        environment: process.env,
      });
      const client = new BrowserInfraClient(settings);
      const extensions: DescribedExtension[] = [];
      for (const idOrName of idsOrNames) extensions.push(await describe(idOrName, client));
      const resources = extensions.map((each) => importedResource(each, settings.projectId));
      writeFileSync(output, `${JSON.stringify({ resources }, null, 2)}\n`);
      process.stdout.write(explanation(extensions, output));
    });
  return new Command("import")
    .description("Prepare resources that exist for pulumi import.")
    .addCommand(extension);
}

/** An extension, and what is in its archive where that can be read. */
interface DescribedExtension extends Extension {
  readonly checksum: string;
  readonly summary: Partial<ContentsSummary>;
}

async function describe(idOrName: string, client: BrowserInfraClient): Promise<DescribedExtension> {
  const extension = await client.extensions.get(idOrName);
  const bytes = await client.extensions.download(extension.id);
  // The service has no checksum of what was uploaded before it kept them.
  const checksum = extension.checksum ?? sha256Of(bytes);
  let summary: Partial<ContentsSummary> = {};
  try {
    summary = contentsSummary(await readArchive(bytes, `The archive of extension ${extension.id}`));
  } catch (error) {
    // The service holds what other tools packed, also what this package would refuse to upload.
    if (!(error instanceof ArchiveError)) throw error;
  }
  return { ...extension, checksum, summary };
}

/**
 * A resource in the form of Pulumi's import file. Dynamic providers cannot be asked to read what is imported, so inputs and outputs
 * are both given, and both name the provider. Source: Pulumi's import file, with outputs since CLI 3.254.
 */
function importedResource(extension: DescribedExtension, projectId: string | undefined): object {
  const inputs = {
    ...(extension.name === null ? {} : { name: extension.name }),
    checksum: extension.checksum,
    ...(projectId === undefined ? {} : { projectId }),
    sizeBytes: extension.sizeBytes,
    ...extension.summary,
    // Without a name in the program the extension keeps the one it has, as one that was taken over.
    [hiddenInput]: { [hiddenMembers.memo]: { version: 1, adoptedChecksum: extension.checksum } },
    [loaderInput]: loaderText("Extension"),
  };
  return {
    type: resourceType("Extension"),
    name: extension.name ?? extension.id,
    id: extension.id,
    inputs,
    outputs: { ...inputs, createdAt: extension.createdAt },
  };
}

function explanation(extensions: readonly Extension[], output: string): string {
  const declarations = extensions.map(({ id, name }) => {
    const naming = name === null ? `adopt: "${id}"` : `name: "${name}"`;
    return `  new Extension("${name ?? id}", { path: "./…", ${naming} });`;
  });
  return [
    `Wrote ${extensions.length === 1 ? "1 extension" : `${extensions.length} extensions`} to ${output}. Next:`,
    "",
    `  pulumi import --file ${shellQuoted(output)} --generate-code=false --protect=false`,
    "",
    "(with the same project, if one is set: here it comes from the environment or --project), and in the program,",
    "each with the folder it was made from:",
    "",
    ...declarations,
    "",
    "",
  ].join("\n");
}
