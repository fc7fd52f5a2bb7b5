import { Command, Option } from "commander";
import { InputError } from "../../../errors.js";
import { importFileOf } from "../../../providers/messages/import-commands.js";
import { plural } from "../../../text/words.js";
import { byId } from "../../noun.js";
import { projectSettingsText, type Session, serviceCommand, settingsText } from "../../session.js";
import type { Streams } from "../../terminal/streams.js";
import { importAll } from "./import-all.js";
import { createImportWriter, type OutputFlags } from "./import-file.js";
import type { ImportedResource } from "./import-program.js";
import { type Importable, importables, readForImport } from "./importables.js";

/** `browser-infra import`: prepares `pulumi import`, which cannot read dynamic resources. */
export function importCommand(streams: Streams): Command {
  const group = new Command("import").description("Prepare the import of existing resources into Pulumi.");
  group.addCommand(serviceCommand(importAll, streams));
  for (const each of importables) {
    group.addCommand(importSubcommand(each, streams));
  }
  return group;
}

/** Command that imports the resources in the arguments, without duplicates. */
function importSubcommand(importable: Importable, streams: Streams): Command {
  const { records, hint = "" } = importable;
  const { scope, noun, group } = records;
  const { what = `existing ${plural(noun)}` } = importable;
  const isInProject = scope === "project";
  const [argument, of] =
    records.lookupArgument === byId ? ["<id...>", "the ids"] : ["<id-or-name...>", "the ids or exact names"];
  const file = importFileOf(group);
  return serviceCommand(
    {
      name: group,
      help: `Write a file for pulumi import that imports ${what}.`,
      exitCodes: ["notFound"],
      scope,
      arguments: { [argument]: `${of} of the ${plural(noun)}` },
      options: [
        new Option("--output <file>", "output file; - means standard output").default(file),
        new Option("--force", "replace the file if it already exists"),
        new Option("--as <name>", "logical name in the program, for one resource (default: from its name)"),
      ],
      helpAfter: isInProject ? projectSettingsText : settingsText,
      async work(session: Session, ids: readonly string[], flags: OutputFlags & { readonly as?: string }) {
        if (flags.as !== undefined && ids.length > 1) {
          throw new InputError(
            "as_invalid",
            "as",
            "--as names one resource. Import further resources without --as.",
          );
        }
        const write = createImportWriter(flags, streams, session.output, file);
        const found = new Map<string, ImportedResource>();
        for (const id of new Set(ids)) {
          const row = await records.find(await session.client(), id, session.signal);
          const resource = await readForImport(importable, row, session, [...found.values()], flags.as);
          found.set(resource.id, resource);
        }
        const project = isInProject
          ? "If a project is set here (--project or environment), set the same for Pulumi.\n"
          : "";
        write([...found.values()], noun, `${project}Then add to your program${hint}:`);
      },
    },
    streams,
  );
}
