import { Command } from "commander";
import { InputError, type Project } from "../../client/index.js";
import { projectNameProblem } from "../../client/names.js";
import { findProject } from "../find.js";
import { jsonOption, stackOption, withService } from "../session.js";
import { confirm, requireTerminal } from "../terminal/confirm.js";
import type { Streams } from "../terminal/streams.js";
import { displayText } from "../terminal/text.js";

/** The commands of `browser-infra projects` that change something. */
export function projectChangeCommands(streams: Streams): readonly Command[] {
  return [createCommand(streams), renameCommand(streams), archiveCommand(streams), deleteCommand(streams)];
}

function createCommand(streams: Streams): Command {
  return new Command("create")
    .description("Create a project.")
    .argument("<name>", "its name, 1 to 255 characters, unique in the organization")
    .addOption(stackOption)
    .addOption(jsonOption)
    .action(
      withService(streams, async ({ organization, output, signal }, name: string) => {
        checkName(name);
        const project = await organization.projects.create(name, { signal });
        output.printOutcome(project, `Created project ${describe(project)}.\n`);
      }),
    );
}

function renameCommand(streams: Streams): Command {
  return new Command("rename")
    .description("Rename a project. There is no confirmation, because you can rename it back.")
    .argument("<id-or-name>", "its id or exact name")
    .argument("<name>", "the new name, 1 to 255 characters, unique in the organization")
    .addOption(stackOption)
    .addOption(jsonOption)
    .action(
      withService(streams, async ({ organization, output, signal }, idOrName: string, name: string) => {
        checkName(name);
        const { id, name: previousName } = await findProject(organization, idOrName, signal);
        const renamed = await organization.projects.update(id, { name }, { signal });
        output.printOutcome(
          { ...renamed, previousName },
          `Renamed project ${displayText(id)} from "${displayText(previousName)}" to "${displayText(renamed.name)}".\n`,
        );
      }),
    );
}

function archiveCommand(streams: Streams): Command {
  return new Command("archive")
    .description("Archive a project, after a confirmation. Requests for it are refused then.")
    .argument("<id-or-name>", "its id or exact name")
    .option("--yes", "do not ask for confirmation; required outside a terminal")
    .addOption(stackOption)
    .addOption(jsonOption)
    .action(
      withService(streams, async (session, idOrName: string, { yes }: { readonly yes?: true }) => {
        if (!yes) {
          requireTerminal(streams);
        }
        const { organization, output, signal } = session;
        const project = await findProject(organization, idOrName, signal);
        const text = describe(project);
        if (project.status === "archived") {
          output.printOutcome(project, `Project ${text} is already archived.\n`);
          return;
        }
        if (!yes) {
          const question = `Archive project ${text}? Requests for it are refused then, and it keeps its name.`;
          await confirm(question, "Nothing was archived.", streams, signal);
        }
        const archived = await organization.projects.update(project.id, { status: "archived" }, { signal });
        output.printOutcome(archived, `Archived project ${text}.\n`);
      }),
    );
}

function deleteCommand(streams: Streams): Command {
  return new Command("delete")
    .description("Delete an empty project, after a confirmation.")
    .argument("<id-or-name>", "its id or exact name")
    .option("--yes", "do not ask for confirmation; required outside a terminal")
    .addOption(stackOption)
    .addOption(jsonOption)
    .action(
      withService(streams, async (session, idOrName: string, { yes }: { readonly yes?: true }) => {
        if (!yes) {
          requireTerminal(streams);
        }
        const { organization, output, signal } = session;
        const project = await findProject(organization, idOrName, signal);
        if (!yes) {
          await confirm(`Delete project ${describe(project)}?`, "Nothing was deleted.", streams, signal);
        }
        await organization.projects.delete(project.id, { signal });
        output.printOutcome(project, `Deleted project ${describe(project)}.\n`);
      }),
    );
}

/** Checked first, so that a wrong name costs no request. */
function checkName(name: string): void {
  const problem = projectNameProblem(name);
  if (problem !== undefined) {
    throw new InputError("name_invalid", "name", `The project's name ${problem}.`);
  }
}

function describe({ id, name }: Project): string {
  return `"${displayText(name)}" (id ${displayText(id)})`;
}
