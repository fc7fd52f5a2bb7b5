import { Command } from "commander";
import type { Project, ProjectListOptions } from "../../client/index.js";
import { jsonOption, limitOption, settingsText, withService } from "../session.js";
import type { Streams } from "../terminal/streams.js";
import type { Cell, Column } from "../terminal/table.js";
import { day, moment } from "../terminal/text.js";
import { findProject } from "./find.js";

/** `browser-infra projects`: the projects of the organization, and their limits. */
export function projectsCommand(streams: Streams): Command {
  return new Command("projects")
    .description("Show the projects of the organization and their limits.")
    .addHelpText("afterAll", settingsText)
    .addCommand(listCommand(streams))
    .addCommand(getCommand(streams))
    .addCommand(limitsCommand(streams));
}

function listCommand(streams: Streams): Command {
  return new Command("list")
    .description("List the projects, including archived ones.")
    .option("--query <text>", "only projects with this text in their name")
    .option("--name <name>", "only the project with exactly this name")
    .option("--status <status>", "only projects with this status: active or archived")
    .addOption(limitOption)
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
    .addOption(jsonOption)
    .action(
      withService(streams, async (session, idOrName: string) => {
        const project = await findProject(session, idOrName);
        session.output.printFields(project, [
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
    .description("Show the caps that a project sets for itself.")
    .argument("<id-or-name>", "the project's id or exact name")
    .addOption(jsonOption)
    .action(
      withService(streams, async (session, idOrName: string) => {
        const { id, name } = await findProject(session, idOrName);
        const limits = await session.organization.projects.limits(id, { signal: session.signal });
        const pooled = limits.maxPooledSessions;
        session.output.printFields({ projectId: id, projectName: name, ...limits }, [
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
    ? { text: "no cap; the organization's limit applies", style: "dim" }
    : { text: String(cap) };
}
