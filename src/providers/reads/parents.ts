import { activationCommand } from "../../client/organization/closed-project.js";
import {
  type FoundProject,
  findProject,
  isProjectRefusal,
} from "../../client/organization/project-refusal.js";
import { type ApiError, BrowserInfraError } from "../../errors.js";
import { type Call, perAccount } from "../call.js";
import { KeyedMutex } from "../core/keyed-mutex.js";
import { projectsOf } from "./lists.js";
import { readInPreview } from "./preview.js";

type Status = FoundProject["status"];

/** Project that a resource of this stack manages. */
interface OwnProject {
  /** Whether the program declares the project, which is then active. False: in a refresh or a destroy. */
  readonly isDeclared: boolean;
  /** Whether the project stays when the stack is destroyed. */
  readonly isKept: boolean;
}

/** Projects of one account in this run, as far as the service has refused requests because of them. */
class Parents {
  readonly found = new Map<string, Promise<FoundProject>>();
  readonly own = new Map<string, OwnProject>();
  /** Projects that this run has made active. */
  readonly activated = new Set<string>();
  readonly turns = new KeyedMutex();
  readonly #said = new Set<string>();

  /** Whether the message is the first of its kind about the project. */
  isFirst(kind: string, projectId: string): boolean {
    const key = `${kind} ${projectId}`;
    return !this.#said.has(key) && this.#said.add(key) !== undefined;
  }
}

const parentsOf = perAccount(() => new Parents());

/** Records that a resource of this stack manages a project: only such a project is made active. */
export function noteOwnProject(projectId: string, call: Call, project: OwnProject): void {
  const { own } = parentsOf(call);
  // A declaration counts more than a read of the same run.
  if (own.get(projectId)?.isDeclared !== true) {
    own.set(projectId, project);
  }
}

/** Records that this run has made a project active. What is known of the project before does not count any more. */
export function noteActiveProject(projectId: string, call: Call): void {
  const { found, activated } = parentsOf(call);
  found.delete(projectId);
  activated.add(projectId);
}

/** Reads a project, once in a run. A failed read counts for the run as well. */
function statusOf(projectId: string, call: Call): Promise<Status> {
  const { found } = parentsOf(call);
  const project = found.get(projectId) ?? findProject(projectId, projectsOf(call), call.options);
  found.set(projectId, project);
  return project.then(({ status }) => status);
}

/** Project that the service names as the reason of a refusal. */
interface ClosedParent {
  readonly id: string;
  readonly status: Status;
  readonly refusal: ApiError;
}

/** Finds the project of a refused request. Throws `error` itself if the project is not the reason, or unreadable. */
async function closedParent(
  error: unknown,
  projectId: string | undefined,
  call: Call,
): Promise<ClosedParent> {
  if (projectId === undefined || !isProjectRefusal(error)) {
    throw error;
  }
  const status = await statusOf(projectId, call).catch((problem) => {
    // A key of the project cannot read an archived project.
    throw problem instanceof BrowserInfraError ? error : problem;
  });
  return { id: projectId, status, refusal: error };
}

/** Result of a read in a project. `isArchived`: the service shows nothing, so the state stays as it is. */
interface ReadInParent<Live> {
  readonly live: Live | undefined;
  readonly isArchived: boolean;
}

/**
 * Reads an object of the state. In a project that is gone, the object is gone. In an archived project, nothing can be
 * read, which is a warning, once for a project. Further reads in the project then send nothing.
 */
export async function readInParent<Live>(
  projectId: string | undefined,
  call: Call,
  read: () => Promise<Live | undefined>,
): Promise<ReadInParent<Live>> {
  const isAsked = projectId !== undefined && parentsOf(call).found.has(projectId);
  let status = isAsked ? await statusOf(projectId, call).catch(() => undefined) : undefined;
  if (!isClosed(status)) {
    try {
      return { live: await read(), isArchived: false };
    } catch (error) {
      const after = await closedParent(error, projectId, call);
      if (!isClosed(after.status)) {
        throw after.refusal;
      }
      status = after.status;
    }
  }
  const isArchived = status !== "gone";
  if (isArchived) {
    warnOfArchived(String(projectId), call);
  }
  return { live: undefined, isArchived };
}

/** Whether a project shows nothing because of its own state. */
function isClosed(status: Status | undefined): boolean {
  return status !== undefined && status !== "active" && status !== "disabled";
}

/**
 * Creates or changes an object. An archived project of this stack is made active, and `work` runs again: a refused
 * request has changed nothing. Any other archived project is an error with the command for the user.
 */
export async function writeInParent<T>(
  projectId: string | undefined,
  call: Call,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await activate(await closedParent(error, projectId, call), call);
    return work();
  }
}

/**
 * Deletes an object. In a project that is gone, the object is gone. An archived project of this stack is made active
 * for the deletion. With `onDelete` archive or keep, the contents stay with the project, which is said once. Any other
 * archived project is an error with the command for the user.
 */
export async function removeInParent(
  projectId: string | undefined,
  call: Call,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const parent = await closedParent(error, projectId, call);
    if (parent.status === "gone") {
      return;
    }
    const { id } = parent;
    const { own, activated } = parentsOf(call);
    const { isKept = false, isDeclared = false } = own.get(id) ?? {};
    if (isKept && !isDeclared && !activated.has(id)) {
      if (parentsOf(call).isFirst("kept", id)) {
        call.context.report.info(
          `Project ${id} is archived, and stays with everything in it, because of its "onDelete".`,
        );
      }
      return;
    }
    await activate(parent, call);
    await work();
  }
}

/**
 * Makes the project of a refused request active, once in a run. Throws the refusal unless the project is archived and
 * proved to be of this stack: by a declaration, or by a read of the project's resource in this run.
 */
function activate({ id, status, refusal }: ClosedParent, call: Call): Promise<void> {
  const { own, activated, turns } = parentsOf(call);
  return turns.run(id, async () => {
    if (activated.has(id)) {
      return;
    }
    if (status !== "archived") {
      throw refusal;
    }
    if (!own.has(id)) {
      throw refusal.withAdvice('If this stack manages the project, run the same command with "--refresh".');
    }
    await projectsOf(call).update(id, { status: "active" }, call.options);
    noteActiveProject(id, call);
    call.context.report.info(`Project ${id} was archived, and is active again.`);
  });
}

/**
 * For a preview, after a refusal because of the project: whether a resource may go on. `isDeployed`: the resource has
 * an object in the project. A new resource needs a project that the deployment makes active.
 */
export async function mayBeInArchived(
  projectId: string | undefined,
  isDeployed: boolean,
  call: Call,
): Promise<boolean> {
  const status = projectId && (await readInPreview(call, (limited) => statusOf(projectId, limited)));
  if (!projectId || status !== "archived" || !(isDeployed || parentsOf(call).own.has(projectId))) {
    return false;
  }
  warnOfArchived(projectId, call);
  return true;
}

function warnOfArchived(projectId: string, call: Call): void {
  if (parentsOf(call).isFirst("archived", projectId)) {
    call.context.report.warning(
      `Project ${projectId} is archived: what this stack has in it cannot be read, and stays in the state. ` +
        `To make it active: "pulumi up --refresh" if this stack manages the project, otherwise "${activationCommand(projectId)}".`,
    );
  }
}
