import type { Project } from "../../../client/index.js";
import { projectNameProblem } from "../../../client/names.js";
import { listings } from "../../../providers/reads/listings.js";
import { findByIdOrName } from "../../find.js";
import { byIdOrName, changeCommand, type Noun, nameFact, subjectOf, timeFact } from "../../noun.js";
import type { ServiceCommand } from "../../session.js";
import { type CellContent, dim } from "../../terminal/table.js";

const nameRule = "1 to 255 characters, unique in the organization";

/** `browser-infra projects`: the projects of the organization, and their limits. */
export const projects: Noun<Project> = {
  group: "projects",
  noun: "project",
  listing: listings.Project,
  help: "Show and change the projects of the organization, and show their limits.",
  facts: [
    nameFact,
    { header: "STATUS", cell: statusCell },
    timeFact("CREATED", ({ createdAt }) => createdAt),
    { ...timeFact("UPDATED", ({ updatedAt }) => updatedAt), onlyInGet: true },
  ],
  list: {
    help: "List the projects, including archived ones.",
  },
  get: { help: "Show one project." },
  rename: {
    rule: nameRule,
    problem: projectNameProblem,
    send: (client, id, name, options) => client.projects.update(id, { name }, options),
  },
  delete: { help: "Delete one empty project, after a confirmation." },
  others: () => [limits, create, archive, activate],
};

function statusCell({ status }: Project): CellContent {
  return { text: status, style: status === "active" ? undefined : "yellow" };
}

const limits: ServiceCommand<[string]> = {
  name: "limits",
  help: "Show a project's own limits.",
  exitCodes: ["notFound"],
  scope: "organization",
  arguments: byIdOrName,
  async work({ organization, output, signal }, idOrName) {
    const { id, name } = await findByIdOrName(organization.projects, idOrName, signal);
    const caps = await organization.projects.limits(id, { signal });
    const pooled = caps.maxPooledSessions;
    output.printFields({ projectId: id, projectName: name, ...caps }, [
      ["PROJECT", name],
      ["ID", id],
      ["CONCURRENT SESSIONS", capCell(caps.maxConcurrentSessions)],
      ["CONCURRENT INVOCATIONS", capCell(caps.maxConcurrentInvocations)],
      ...(pooled === null ? [] : [["POOLED SESSIONS (DEPRECATED)", capCell(pooled)] as const]),
    ]);
  },
};

function capCell(cap: number | null): CellContent {
  return cap === null ? dim("not set; the organization's limit applies") : String(cap);
}

const create: ServiceCommand<[string]> = {
  name: "create",
  help: "Create a project.",
  exitCodes: ["unknown"],
  scope: "organization",
  arguments: { "<name>": `name, ${nameRule}` },
  async work({ organization, output, signal }, name) {
    const project = await organization.projects.create(name, { signal });
    output.printOutcome(project, `Created ${subjectOf(projects, project)}.\n`);
  },
};

const archive = changeCommand(projects, {
  name: "archive",
  help: "Archive one project, after a confirmation. The service then refuses requests for the project.",
  done: "archived",
  question: (project) =>
    project.status === "archived"
      ? undefined
      : `Archive ${subjectOf(projects, project)}? The service then refuses requests for the project. The project keeps its name.`,
  async make({ organization, output, signal }, project) {
    const subject = subjectOf(projects, project);
    if (project.status === "archived") {
      output.printOutcome(project, `The ${subject} is already archived.\n`);
      return;
    }
    const archived = await organization.projects.update(project.id, { status: "archived" }, { signal });
    output.printOutcome(archived, `Archived ${subject}.\n`);
  },
});

const activate: ServiceCommand<[string]> = {
  name: "activate",
  help: "Make one archived project active. No confirmation is needed: archive undoes the change.",
  exitCodes: ["notFound", "unknown"],
  scope: "organization",
  arguments: byIdOrName,
  async work({ organization, output, signal }, idOrName) {
    const project = await findByIdOrName(organization.projects, idOrName, signal);
    const subject = subjectOf(projects, project);
    if (project.status === "active") {
      output.printOutcome(project, `The ${subject} is already active.\n`);
      return;
    }
    const active = await organization.projects.update(project.id, { status: "active" }, { signal });
    output.printOutcome(active, `Made ${subject} active.\n`);
  },
};
