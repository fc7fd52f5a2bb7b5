import { Command, Option } from "commander";
import type { Project, ProjectListOptions } from "../../client/index.js";
import { findProject } from "../find.js";
import { jsonOption, limitOption, offsetOption, settingsText, stackOption, withService } from "../session.js";
import type { Streams } from "../terminal/streams.js";
import type { Cell, Column } from "../terminal/table.js";
import { day, moment } from "../terminal/text.js";
import { projectChangeCommands } from "./projects-change.js";

/** `browser-infra projects`: the projects of the organization, and their limits. */
export function projectsCommand(streams: Streams): Command {
  const command = new Command("projects")
    .description("Show and change the projects of the organization, and show their limits.")
    .addHelpText("afterAll", settingsText)
    .addCommand(listCommand(streams))
    .addCommand(getCommand(streams))
    .addCommand(limitsCommand(streams));
  for (const change of projectChangeCommands(streams)) {
    command.addCommand(change);
  }
  return command;
}

function listCommand(streams: Streams): Command {
  const status = new Option("--status <status>", "only projects with this status (default: both)");
  return new Command("list")
    .description("List the projects, including archived ones.")
    .option("--query <text>", "only projects whose name contains this text")
    .option("--name <name>", "only the project with exactly this name")
    .addOption(status.choices(["active", "archived"]))
    .addOption(limitOption)
    .addOption(offsetOption)
    .addOption(stackOption)
    .addOption(jsonOption)
    .action(
      withService(streams, async ({ organization, output, signal }, filter: ProjectListOptions) => {
        const projects = await organization.projects.list({ ...filter, signal });
        output.printRows(projects, columns, "No projects.");
      }),
    );
}

const columns: readonly Column<Project>[] = [
  { header: "ID", cell: ({ id }) => id },
  { header: "NAME", cell: ({ name }) => name, cutWhenNarrow: true },
  { header: "STATUS", cell: statusCell },
  { header: "CREATED", cell: ({ createdAt }) => day(createdAt), hideWhenNarrow: true },
];

function getCommand(streams: Streams): Command {
  return new Command("get")
    .description("Show one project.")
    .argument("<id-or-name>", "its id or exact name")
    .addOption(stackOption)
    .addOption(jsonOption)
    .action(
      withService(streams, async ({ organization, output, signal }, idOrName: string) => {
        const project = await findProject(organization, idOrName, signal);
        output.printFields(project, [
          ["ID", project.id],
          ["NAME", project.name],
          ["STATUS", statusCell(project)],
          ["CREATED", moment(project.createdAt)],
          ["UPDATED", moment(project.updatedAt)],
        ]);
      }),
    );
}

function limitsCommand(streams: Streams): Command {
  return new Command("limits")
    .description("Show a project's own limits.")
    .argument("<id-or-name>", "the project's id or exact name")
    .addOption(stackOption)
    .addOption(jsonOption)
    .action(
      withService(streams, async ({ organization, output, signal }, idOrName: string) => {
        const { id, name } = await findProject(organization, idOrName, signal);
        const limits = await organization.projects.limits(id, { signal });
        const pooled = limits.maxPooledSessions;
        output.printFields({ projectId: id, projectName: name, ...limits }, [
          ["PROJECT", name],
          ["ID", id],
          ["CONCURRENT SESSIONS", capCell(limits.maxConcurrentSessions)],
          ["CONCURRENT INVOCATIONS", capCell(limits.maxConcurrentInvocations)],
          ...(pooled === null ? [] : [["POOLED SESSIONS (DEPRECATED)", capCell(pooled)] as const]),
        ]);
      }),
    );
}

function statusCell({ status }: Project): Cell {
  return { text: status, style: status === "active" ? undefined : "yellow" };
}

function capCell(cap: number | null): Cell {
  return cap === null
    ? { text: "not set; the organization's limit applies", style: "dim" }
    : { text: String(cap) };
}
