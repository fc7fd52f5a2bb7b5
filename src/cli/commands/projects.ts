import { Command } from "commander";
import type { Project } from "../../client/index.js";
import { readLimit, settingsText, withJson, withService } from "../session.js";
import { type PrintFlags, print, printRows } from "../terminal/print.js";
import type { Streams } from "../terminal/streams.js";
import { type Cell, type Column, fieldsText } from "../terminal/table.js";
import { day, moment } from "../terminal/text.js";
import { findProject } from "./find.js";

interface ListFlags extends PrintFlags {
  readonly query?: string;
  readonly name?: string;
  readonly limit?: number;
  readonly status?: string;
}

/** `browser-infra projects`: the projects of the organization, and their limits. */
export function projectsCommand(streams: Streams): Command {
  return new Command("projects")
    .description("Show the projects of the organization and their limits.")
    .addHelpText("after", settingsText)
    .addCommand(listCommand(streams))
    .addCommand(getCommand(streams))
    .addCommand(limitsCommand(streams));
}

function listCommand(streams: Streams): Command {
  return withJson(new Command("list"))
    .description("List the projects, including archived ones.")
    .option("--query <text>", "only projects whose name contains this text")
    .option("--name <name>", "only the project with exactly this name")
    .option("--status <status>", "only projects with this status: active or archived")
    .option("--limit <number>", "at most this many (default: all)", readLimit)
    .action(async ({ json, ...filter }: ListFlags) => {
      await withService(streams, undefined, async ({ client, signal }) => {
        const projects = await client.inProject(undefined).projects.list({ ...filter, signal });
        printRows(streams, { json }, projects, columns, "No projects.");
      });
    });
}

const columns: readonly Column<Project>[] = [
  { header: "ID", cell: ({ id }) => id },
  { header: "NAME", cell: ({ name }) => name, cutWhenNarrow: true },
  { header: "STATUS", cell: statusCell },
  { header: "CREATED", cell: ({ createdAt }) => day(createdAt), hideWhenNarrow: true },
];

function getCommand(streams: Streams): Command {
  return withJson(new Command("get"))
    .description("Show one project.")
    .argument("<id-or-name>", "its id or exact name")
    .action(async (idOrName: string, flags: PrintFlags) => {
      await withService(streams, undefined, async ({ client, signal }) => {
        const project = await findProject(client.inProject(undefined), idOrName, signal);
        print(streams, flags, project, ({ paint }) =>
          fieldsText(
            [
              ["ID", project.id],
              ["NAME", project.name],
              ["STATUS", statusCell(project)],
              ["CREATED", moment(project.createdAt)],
              ["UPDATED", moment(project.updatedAt)],
            ],
            paint,
          ),
        );
      });
    });
}

function limitsCommand(streams: Streams): Command {
  return withJson(new Command("limits"))
    .description("Show a project's own limits.")
    .argument("<id-or-name>", "the project's id or exact name")
    .action(async (idOrName: string, flags: PrintFlags) => {
      await withService(streams, undefined, async ({ client, signal }) => {
        const organization = client.inProject(undefined);
        const { id, name } = await findProject(organization, idOrName, signal);
        const limits = await organization.projects.limits(id, { signal });
        const pooled = limits.maxPooledSessions;
        print(streams, flags, { projectId: id, projectName: name, ...limits }, ({ paint }) =>
          fieldsText(
            [
              ["PROJECT", name],
              ["ID", id],
              ["CONCURRENT SESSIONS", capCell(limits.maxConcurrentSessions)],
              ["CONCURRENT INVOCATIONS", capCell(limits.maxConcurrentInvocations)],
              ...(pooled === null ? [] : [["POOLED SESSIONS (DEPRECATED)", capCell(pooled)] as const]),
            ],
            paint,
          ),
        );
      });
    });
}

function statusCell({ status }: Project): Cell {
  return { text: status, style: status === "active" ? undefined : "yellow" };
}

function capCell(cap: number | null): Cell {
  return cap === null
    ? { text: "not set; the organization's limit applies", style: "dim" }
    : { text: String(cap) };
}
