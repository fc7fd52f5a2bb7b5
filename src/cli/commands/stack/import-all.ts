import { join } from "node:path";
import { Option } from "commander";
import { importedResource } from "../../../bridges/dynamic/hidden-input.js";
import { ApiError, type ApiKey, isMissingOperation } from "../../../client/index.js";
import { LookupError } from "../../../errors.js";
import { importFileOf } from "../../../providers/messages/import-commands.js";
import { pluginType } from "../../../resources/type-token.js";
import { dateTimeMs } from "../../../text/date-time.js";
import { counted } from "../../../text/words.js";
import { findExtension } from "../../find.js";
import type { NounRecord } from "../../noun.js";
import { projectSettingsText, type ServiceCommand, type Session } from "../../session.js";
import { ensureFolder, requireWritable, writeNewFile } from "../../terminal/new-file.js";
import { displayText } from "../../terminal/text.js";
import { downloadArchive } from "../browsers/extensions-download.js";
import { importCommandFor, importFileText, type OutputFlags, writeImportFile } from "./import-file.js";
import { type ImportedResource, programForms } from "./import-program.js";
import { type Importable, importables, loadKinds, readForImport } from "./importables.js";

/** Folder of the saved archives, beside the program. */
const archivesFolder = "extensions";

interface AllFlags extends OutputFlags {
  readonly language: keyof typeof programForms;
  readonly program?: string;
}

/** Kinds that no import of a project contains, with the reason and the way. */
const neverImported = [
  { kind: "ApiKey", reason: "The service never shows a key again. ApiKeyName manages the names." },
  { kind: "OrganizationLimits", reason: "They belong to the organization. Declare them in one program." },
  { kind: "LoginFlow", reason: "A login leaves nothing to import. Declare one to wait for a login." },
];

/** Kinds with an organization-wide list, but with objects of one project each. */
const aboutProject: readonly string[] = ["Project", "ProjectLimits", "ApiKeyName"];

/** Whether the objects of a kind belong to no project, and may be used in several. */
function isOfOrganization({ kind, records }: Importable): boolean {
  return records.scope === "organization" && !aboutProject.includes(kind);
}

/** Importable kinds, and the limits of a project, whose id is the id of the project. */
const everything: readonly Importable[] = importables.flatMap((each) =>
  each.kind === "Project"
    ? [each, { ...each, kind: "ProjectLimits", args: ({ onDelete: _default, ...caps }) => caps }]
    : [each],
);

/** `browser-infra import all`: an import file and a program for everything of a project. */
export const importAll: ServiceCommand<[AllFlags]> = {
  name: "all",
  help: "Write an import file and a program for everything of a project, and save the extensions.",
  scope: "project",
  exitCodes: ["notFound"],
  options: [
    new Option("--language <name>", "dynamic resources in TypeScript, or the plugin in YAML")
      .choices(Object.keys(programForms))
      .default("typescript"),
    new Option("--output <file>", "import file").default(importFileOf("all")),
    new Option("--program <file>", "program (default: imported.ts or imported.yaml)"),
    new Option("--force", "replace the files if they already exist"),
  ],
  helpAfter: projectSettingsText,
  async work(session, { language, output: file, force, program = programForms[language].file }) {
    requireWritable(file, force);
    requireWritable(program, force, "--program");
    const { resources, notImported } = await readAll(session);
    if (resources.length === 0) {
      throw new LookupError("id_not_found", "The project has nothing to import. Nothing was written.");
    }
    const archives = await saveArchives(resources, session, force);
    const text = programForms[language].text(resources, loadKinds());
    writeNewFile(program, Buffer.from(text), force, "--program");
    const entries = resources.map((each) =>
      language === "yaml" ? entryOf(each) : importedResource(each.kind, each.logicalName, each),
    );
    writeImportFile(file, importFileText(entries), force);
    const written = [file, program, ...archives];
    session.output.printOutcome(
      {
        file,
        program,
        resources: resources.map(({ kind, logicalName, id, notes }) => ({ kind, logicalName, id, notes })),
        notImported,
      },
      `Wrote ${counted(resources.length, "resource")} to ${written.map(displayText).join(", ")}. Next, run:

  ${importCommandFor(file)}

${programForms[language].use(displayText(program))}

Then a preview shows no change. Comments in the program name values that the service does not show.

Not imported:
${notImported.map(({ kind, reason }) => `  ${kind}: ${reason}\n`).join("")}`,
    );
  },
};

/** Reads everything of the project, in the order of a program. */
async function readAll(session: Session) {
  const resources: ImportedResource[] = [];
  const notImported: typeof neverImported = [];
  const isOfProject = (await session.projectId()) !== undefined;
  for (const importable of everything) {
    const { kind, records } = importable;
    if (isOfProject && isOfOrganization(importable)) {
      const reason = `They belong to the organization. Import them in one program: browser-infra import ${records.group}`;
      notImported.push({ kind, reason });
      continue;
    }
    const rows = await rowsOf(importable, session).catch((error) => {
      if (!isMissingOperation(error) && !(error instanceof ApiError && error.status === 403)) {
        throw error;
      }
      notImported.push({ kind, reason: displayText(error.message) });
      return [];
    });
    for (const row of rows) {
      const reason = kind === "ApiKeyName" && graceReason(row as ApiKey, rows as readonly ApiKey[]);
      if (reason) {
        notImported.push({ kind, reason });
        continue;
      }
      const resource = await readForImport(importable, row, session, resources);
      const isNamesake = resources.some((each) => each.kind === kind && each.inputs.name === row.name);
      if (kind === "Proxy" && isNamesake) {
        const reason = `A program has one proxy of a name. First rename ${row.id}: browser-infra proxies rename`;
        notImported.push({ kind, reason });
        // A project without own limits has nothing to manage.
      } else if (
        kind !== "ProjectLimits" ||
        Object.keys(resource.args).some((name) => name.startsWith("max"))
      ) {
        const { projectId, args } = resource;
        resources.push({ ...resource, args: { ...(projectId && { projectId }), ...args } });
      }
    }
  }
  return { resources, notImported: [...notImported, ...neverImported] };
}

/** Reason not to import the name of a key in the grace period of a rotation: a newer key has the name. */
function graceReason(
  { id, name, expiresAt, createdAt }: ApiKey,
  keys: readonly ApiKey[],
): string | undefined {
  const createdMs = (time: string | null) => dateTimeMs(time ?? "") ?? 0;
  const newer = keys.find((each) => each.name === name && createdMs(each.createdAt) > createdMs(createdAt));
  return expiresAt === null || newer === undefined
    ? undefined
    : `Key ${id} expires on ${displayText(expiresAt)}, and the newer key ${newer.id} has the same name, as after a rotation. To import the name anyway: browser-infra import api-keys ${id}`;
}

/** Records to import. Without a named project: of the key's own project and the organization. */
async function rowsOf({ kind, records }: Importable, session: Session): Promise<readonly NounRecord[]> {
  const { organization, signal } = session;
  const projectId = await session.projectId();
  if (aboutProject.includes(kind) && projectId === undefined) {
    return [];
  }
  if (projectId !== undefined && (kind === "Project" || kind === "ProjectLimits")) {
    return [await records.find(organization, projectId, signal)];
  }
  const found = await records.list(
    records.scope === "project" ? await session.client() : organization,
    signal,
  );
  const rows = found.map(({ row }) => row);
  return kind === "ApiKeyName"
    ? rows.filter((row) => "projectId" in row && row.projectId === projectId)
    : rows;
}

/** Saves the archives of the extensions, and names the files in the program. Returns the folder. */
async function saveArchives(
  resources: readonly ImportedResource[],
  session: Session,
  force: true | undefined,
): Promise<readonly string[]> {
  const found = resources.filter(({ kind }) => kind === "Extension");
  const client = await session.client();
  // No option names the folder.
  const place = "working folder";
  for (const { id, logicalName, args } of found) {
    const file = join(archivesFolder, `${logicalName}.zip`);
    ensureFolder(archivesFolder, place);
    requireWritable(file, force, place);
    const extension = await findExtension(client, id, session.signal);
    writeNewFile(file, (await downloadArchive(client, extension, session)).bytes, force, place);
    Object.assign(args, { path: `./${archivesFolder}/${logicalName}.zip` });
  }
  return found.length === 0 ? [] : [`${archivesFolder}/`];
}

/** Resource in an import file for the plugin, which reads the object by itself. */
function entryOf({ kind, logicalName, id, projectId }: ImportedResource): object {
  const importId = projectId === undefined ? id : `${projectId}/${id}`;
  return { type: pluginType(kind), name: logicalName, id: importId };
}
