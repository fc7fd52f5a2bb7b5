import { Command } from "commander";
import { type ContentsSummary, contentsSummary, readArchive, sha256Of } from "../../archive/index.js";
import { hiddenMembers } from "../../bridges/dynamic/contract.js";
import { ArchiveError } from "../../errors.js";
import { findBrowserPool, findExtension, findProject } from "../find.js";
import {
  jsonOption,
  projectOption,
  projectSettingsText,
  type Session,
  settingsText,
  stackOption,
  withService,
} from "../session.js";
import type { Streams } from "../terminal/streams.js";
import { jsonText } from "../terminal/text.js";
import { type ImportedResource, importOutput, type OutputFlags } from "./import-file.js";

/**
 * `browser-infra import`: prepares existing extensions, API keys, projects and pools for `pulumi
 * import --file`, which cannot ask a dynamic provider to read them.
 */
export function importCommand(streams: Streams): Command {
  const extensions = new Command("extensions")
    .description("Write a file for pulumi import that imports existing extensions.")
    .argument("<id-or-name...>", "the ids or names of the extensions")
    .addOption(projectOption)
    .addHelpText("after", projectSettingsText);
  const apiKeys = new Command("api-keys")
    .description("Write a file for pulumi import that imports the names of existing API keys.")
    .argument("<id...>", "the ids of the keys")
    .addHelpText("after", settingsText);
  const projects = new Command("projects")
    .description("Write a file for pulumi import that imports existing projects.")
    .argument("<id-or-name...>", "the ids or exact names of the projects")
    .addHelpText("after", settingsText);
  const extensionsHint = `If a project is set here (--project or environment), set the same for Pulumi.
Then add to your program, each with the folder the extension was built from:`;
  const pools = new Command("pools")
    .description("Write a file for pulumi import that imports existing browser pools.")
    .argument("<id-or-name...>", "the ids or names of the pools")
    .addOption(projectOption)
    .addHelpText("after", projectSettingsText);
  const projectHint = `If a project is set here (--project or environment), set the same for Pulumi.
Then add to your program:`;
  return new Command("import")
    .description("Prepare the import of existing resources into Pulumi.")
    .addCommand(importing(extensions, streams, readExtension, "extension", extensionsHint))
    .addCommand(importing(apiKeys, streams, readApiKey, "API key", "Then add to your program:"))
    .addCommand(importing(projects, streams, readProject, "project", "Then add to your program:"))
    .addCommand(importing(pools, streams, readPool, "browser pool", projectHint));
}

/** Completes a command that imports every resource of its arguments once. */
function importing(
  command: Command,
  streams: Streams,
  read: (session: Session, id: string, others: readonly ImportedResource[]) => Promise<ImportedResource>,
  noun: string,
  hint: string,
): Command {
  return command
    .option("--output <file>", "where to write the file; - means standard output", "import.json")
    .option("--force", "replace the file if it already exists")
    .addOption(stackOption)
    .addOption(jsonOption)
    .action(
      withService(streams, async (session, ids: readonly string[], flags: OutputFlags) => {
        const write = importOutput(flags, streams, session.output);
        const byId = new Map<string, ImportedResource>();
        for (const id of new Set(ids)) {
          const resource = await read(session, id, [...byId.values()]);
          byId.set(resource.id, resource);
        }
        write([...byId.values()], noun, hint);
      }),
    );
}

async function readExtension(
  { inProject, projectId: findProjectId, signal }: Session,
  idOrName: string,
): Promise<ImportedResource> {
  const projectId = await findProjectId();
  const client = await inProject();
  const extension = await findExtension(client, idOrName, signal);
  const { id, name, sizeBytes, createdAt } = extension;
  const bytes = await client.extensions.download(id, { signal });
  // Old records of the service have no checksum.
  const checksum = extension.checksum ?? sha256Of(bytes);
  let summary: Partial<ContentsSummary> = {};
  try {
    summary = contentsSummary(await readArchive(bytes, `The archive of extension ${id}`, signal));
  } catch (error) {
    // The service also holds archives that other tools packed and that this package would refuse.
    if (!(error instanceof ArchiveError)) {
      throw error;
    }
  }
  return {
    kind: "Extension",
    logicalName: name ?? id,
    id,
    inputs: {
      ...(name !== null && { name }),
      checksum,
      ...(projectId && { projectId }),
      sizeBytes,
      ...summary,
    },
    outputs: { createdAt: createdAt ?? undefined },
    // If the program gives no name, the extension keeps the name it has, like an adopted one.
    hidden: { [hiddenMembers.memo]: { version: 1, adoptedChecksum: checksum } },
    args: `{ path: "./…", ${name === null ? `adopt: "${id}"` : `name: "${name}"`} }`,
  };
}

async function readApiKey(
  { organization, signal }: Session,
  keyId: string,
  others: readonly ImportedResource[],
): Promise<ImportedResource> {
  const apiKey = await organization.apiKeys.get(keyId, { signal });
  const { id, name, maskedKey, projectId, projectName, createdAt, createdBy, expiresAt } = apiKey;
  return {
    kind: "ApiKeyName",
    logicalName: logicalNameOf(id, name, others),
    id,
    inputs: { keyId: id, name, onDelete: "restore" },
    outputs: {
      // Pulumi has not renamed the key, so deleting the resource must leave this name.
      previousName: name,
      maskedKey: maskedKey ?? undefined,
      createdAt: createdAt ?? undefined,
      createdBy: createdBy === null ? undefined : { ...createdBy, name: createdBy.name ?? undefined },
      projectId: projectId ?? undefined,
      projectName: projectName ?? undefined,
      expiresAt: expiresAt ?? undefined,
    },
    args: `{ keyId: "${id}", name: ${jsonText(name)} }`,
  };
}

async function readProject(
  { organization, signal }: Session,
  idOrName: string,
  others: readonly ImportedResource[],
): Promise<ImportedResource> {
  const project = await findProject(organization, idOrName, signal);
  const { id, name, status, createdAt, updatedAt } = project;
  return {
    kind: "Project",
    logicalName: logicalNameOf(id, name, others),
    id,
    inputs: { name, status, onDelete: "delete" },
    outputs: { createdAt: createdAt ?? undefined, updatedAt: updatedAt ?? undefined },
    // If the program gives no name, the project keeps the name it has.
    hidden: { [hiddenMembers.memo]: { autoName: { name } } },
    args: `{ name: ${jsonText(name)} }`,
  };
}

async function readPool(
  { inProject, projectId: findProjectId, signal }: Session,
  idOrName: string,
  others: readonly ImportedResource[],
): Promise<ImportedResource> {
  const projectId = await findProjectId();
  const pool = await findBrowserPool(await inProject(), idOrName, signal);
  const { id, name, availableCount: _available, acquiredCount: _acquired, createdAt, ...live } = pool;
  const { profileId, profileName, refreshOnProfileUpdate, viewport, extensionIds, ...rest } = live;
  const hasProfile = profileId !== null;
  const settings = {
    ...rest,
    extensionIds: extensionIds.length > 0 ? extensionIds : null,
    profileId: profileName === null ? profileId : null,
    profileName,
    refreshOnProfileUpdate: hasProfile ? refreshOnProfileUpdate : null,
    viewport: viewport && withoutNull(viewport),
  };
  const inputs = {
    ...withoutNull(settings),
    ...(name !== null && { name }),
    ...(projectId && { projectId }),
  };
  return {
    kind: "BrowserPool",
    logicalName: logicalNameOf(id, name ?? id, others),
    id,
    inputs,
    outputs: { createdAt: createdAt ?? undefined },
    // If the program gives no name, the pool keeps the name it has.
    hidden: {
      [hiddenMembers.memo]: {
        projectDefaulted: true,
        autoName: { ...(name !== null && { name }), projectId },
      },
    },
    args: jsonText(withoutNull({ ...settings, name })),
  };
}

function withoutNull(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
}

/** A logical name is unique in the program and has few characters; a key's name may be anything. */
function logicalNameOf(id: string, name: string, others: readonly ImportedResource[]): string {
  const slug = name.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^-+|-+$/g, "");
  if (slug === "") {
    return id;
  }
  return others.some(({ logicalName }) => logicalName === slug) ? `${slug}-${id}` : slug;
}
