import type { Project, ProjectChanges } from "../../../client/index.js";
import { readProject } from "../../../client/organization/project-refusal.js";
import { ApiError, OutcomeUnknownError } from "../../../errors.js";
import { quote } from "../../../text/escape.js";
import type { Call } from "../../call.js";
import type { OwnedResource, Subject } from "../../core/owned/declaration.js";
import { ownedKind } from "../../core/owned/lifecycle.js";
import { refreshAdvice, unknownOutcomeError } from "../../core/requests.js";
import { projectsOf } from "../../reads/lists.js";
import { noteActiveProject, noteOwnProject } from "../../reads/parents.js";
import { noteProject } from "../reservations.js";
import { explainProjectRefusal } from "./explain-refusal.js";
import {
  declaredStatus,
  liveProperties,
  type ProjectInputs,
  type ProjectState,
  projectFailures,
  projectInputs,
  projectState,
} from "./properties.js";

const project: OwnedResource<ProjectInputs, ProjectState, Project> = {
  resource: "Project",
  noun: "project",
  notFoundCode: "id_not_found",
  goneCode: "project_gone",
  deleteCommand: "browser-infra projects delete",
  inputs: projectInputs,
  state: projectState,
  managedMarker: "status",
  failures: projectFailures,
  complete: (declared, news, olds) => ({
    ...declared,
    onDelete: declared.onDelete ?? "delete",
    status: news.status === undefined ? declaredStatus : olds?.status,
  }),
  differingInputs: (state, inputs) =>
    (["status", "onDelete"] as const).filter((input) => state[input] !== inputs[input]),
  list: (_projectId, call) => projectsOf(call),
  find: (id, _projectId, call) => readProject(id, projectsOf(call), call.options),
  holderOf: (name, _projectId, call) => projectsOf(call).holderOf(name, call.options),
  create: (_inputs, name, call) => projectsOf(call).create(name, call.options),
  change: (live, { name = live.name }, _known, call) => {
    const changes: ProjectChanges = {
      ...(live.name === name ? {} : { name }),
      ...(live.status === declaredStatus ? {} : { status: declaredStatus }),
    };
    return Object.keys(changes).length === 0
      ? undefined
      : async () => {
          const changed = await projectsOf(call).update(live.id, changes, call.options);
          noteActiveProject(live.id, call);
          return changed;
        };
  },
  remove: (id, _state, call) => projectsOf(call).delete(id, call.options),
  onKnown: (id, { onDelete = "delete" }, isDeclared, call) =>
    noteOwnProject(id, call, { isDeclared, isKept: onDelete !== "delete" }),
  keeps: keptOrArchived,
  isArchived: ({ status }) => status !== declaredStatus,
  explainRefusal: ({ id, name }, _state, error, call) =>
    explainProjectRefusal({ id, name: name ?? "" }, error, call),
  stateOf: (live, inputs, known) => ({ ...known, ...inputs, ...liveProperties(live) }),
  withDefaults: (state) => ({ ...state, onDelete: state.onDelete ?? "delete" }),
  drift: (id, known, { status }) =>
    known.status === declaredStatus && status !== declaredStatus
      ? [
          `Project ${id} is ${status} now. The next "pulumi up" makes it active again; this one, if it refreshes.`,
        ]
      : [],
  compare: noteProject,
  advice:
    "Always set the resource option `deleteBeforeReplace` to true. Names are unique in the organization, so a " +
    "forced replacement (`--replace`, `pulumi state taint`) must delete the old project first. Without " +
    "the option, the replacement keeps the old project, or fails because the name is taken.",
};

/** Keeps or archives a project in place of a deletion. Returns false for a deletion. */
async function keptOrArchived(
  { id, name }: Subject,
  { onDelete }: ProjectState,
  call: Call,
): Promise<boolean> {
  const { report } = call.context;
  const project = `The project ${name == null ? id : `${quote(name)} (${id})`}`;
  if (onDelete === "keep") {
    report.info(`${project} stays, because "onDelete" is "keep".`);
  } else if (onDelete === "archive") {
    const live = await readProject(id, projectsOf(call), call.options);
    if (live?.status === declaredStatus) {
      await archive(live, call);
      report.info(`${project} is archived. The archived project retains name and contents.`);
    } else {
      report.info(`${project} is ${live === undefined ? "gone" : "already archived"}.`);
    }
  }
  return onDelete === "keep" || onDelete === "archive";
}

async function archive(project: Project, call: Call): Promise<void> {
  try {
    await projectsOf(call).update(project.id, { status: "archived" }, call.options);
  } catch (error) {
    if (error instanceof OutcomeUnknownError) {
      const interrupted = `The archiving of project ${project.id} was interrupted, and the project is archived or active.`;
      throw unknownOutcomeError(error, call.context, interrupted, refreshAdvice);
    }
    throw error instanceof ApiError ? await explainProjectRefusal(project, error, call) : error;
  }
}

export const projectKind = ownedKind(project);
