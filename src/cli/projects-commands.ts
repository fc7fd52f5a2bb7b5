import { Command } from "commander";
import { type BrowserInfraClient, InputError, isNotFound, type Project } from "../client/index.js";
import { ContractError } from "../errors.js";
import { day, moment } from "./display-time.js";
import { type PrintFlags, print, printRows } from "./print.js";
import { printing, readLimit, settingsText, withService } from "./service-command.js";
import type { Streams } from "./streams.js";
import { type Cell, type Column, fieldsText } from "./table.js";

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
  return printing(new Command("list"))
    .description("List the projects, archived ones included.")
    .option("--query <text>", "only those with this text in their name")
    .option("--name <name>", "only the one with exactly this name")
    .option("--status <status>", "only those of this status: active or archived")
    .option("--limit <number>", "this many at most (default: all)", readLimit)
    .action(async ({ json, ...filter }: ListFlags) => {
      await withService(streams, undefined, async ({ client, signal }) => {
        const projects = await client.inProject(undefined).projects.list({ ...filter, signal });
        printRows(streams, { json }, projects, columns, "No projects.");
      });
    });
}

const columns: readonly Column<Project>[] = [
  { header: "ID", cell: ({ id }) => id },
  { header: "NAME", cell: ({ name }) => name, whenNarrow: "cut" },
  { header: "STATUS", cell: statusCell },
  { header: "CREATED", cell: ({ createdAt }) => day(createdAt), whenNarrow: "omit" },
];

function getCommand(streams: Streams): Command {
  return printing(new Command("get"))
    .description("Show one project.")
    .argument("<id-or-name>", "its id, or its exact name")
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
  return printing(new Command("limits"))
    .description("Show the caps that a project sets for itself.")
    .argument("<id-or-name>", "the project's id, or its exact name")
    .action(async (idOrName: string, flags: PrintFlags) => {
      await withService(streams, undefined, async ({ client, signal }) => {
        const { projects } = client.inProject(undefined);
        const { id, name } = await findProject(client.inProject(undefined), idOrName, signal);
        const limits = await projects.limits(id, { signal });
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

/** Finds a project by id or by exact name. An id wins, since names are chosen by people. */
async function findProject(
  client: BrowserInfraClient,
  idOrName: string,
  signal: AbortSignal,
): Promise<Project> {
  try {
    return await client.projects.get(idOrName, { signal });
  } catch (error) {
    // Newer generations of the service answer a name with its project, which the client takes for a mistake; and not every name can be an id.
    const mayBeName =
      isNotFound(error) ||
      error instanceof ContractError ||
      (error instanceof InputError && error.code === "id_invalid");
    if (!mayBeName) {
      throw error;
    }
    return client.projects.getByName(idOrName, { signal });
  }
}

function statusCell({ status }: Project): Cell {
  return { text: status, style: status === "active" ? undefined : "yellow" };
}

function capCell(cap: number | null): Cell {
  return cap === null
    ? { text: "no cap; the organization's limit applies", style: "dim" }
    : { text: String(cap) };
}
