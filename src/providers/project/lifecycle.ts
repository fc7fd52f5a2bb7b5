import type { Project } from "../../client/index.js";
import { LookupError, OutcomeUnknownError } from "../../errors.js";
import { quote } from "../../text/escape.js";
import { autoName, isSameName } from "../auto-name.js";
import { Accounts, Call } from "../call.js";
import { noteIfPossible } from "../core/requests.js";
import { createdBy } from "../journal/creation-notes.js";
import { undoLeftovers } from "../leftovers.js";
import type {
  CheckFailure,
  CheckRequest,
  CheckResult,
  Created,
  DiffRequest,
  DiffResult,
  LifecycleContext,
  PreviewRequest,
  ReadResult,
  ResourceLifecycle,
  StoredResource,
} from "../lifecycle.js";
import { failuresFrom } from "../lifecycle.js";
import { readInPreview, settingsFailures } from "../look.js";
import { type PropertyMap, requireKnown, unknownValue } from "../properties.js";
import {
  declaredStatus,
  liveProperties,
  type ProjectState,
  projectFailures,
  projectInputs,
  projectMemo,
  projectState,
  settingsOf,
} from "./properties.js";
import {
  changeProject,
  createProject,
  deleteProject,
  findProject,
  lastActive,
  nameTaken,
  projectsOf,
  projectText,
} from "./requests.js";
import { findCreated, type Ownership, reuseProject, unnotedProjectWarning } from "./reuse.js";
import { ProjectRun } from "./run.js";

/** The life cycle of a project of the organization. */
export class ProjectLifecycle implements ResourceLifecycle {
  readonly #accounts: Accounts;
  readonly #run = new ProjectRun();

  constructor(accounts = new Accounts()) {
    this.#accounts = accounts;
  }

  async check(request: CheckRequest, context: LifecycleContext): Promise<CheckResult> {
    const { news, isPreview = false } = request;
    const { urn } = context;
    const call = new Call(context, this.#accounts);
    const olds = request.olds && projectInputs.read(request.olds);
    const failures = failuresFrom(() => projectFailures(news, olds, call.settings.apiKey));
    const { name: declared, onDelete } = projectInputs.readDeclared(news);
    const known = projectMemo.read(request.memo ?? {}).autoName?.name;
    const automatic = news.name === undefined && urn !== undefined ? (known ?? autoName(urn)) : undefined;
    const name = automatic ?? declared;
    if (failures.length === 0) {
      const rival = this.#run.declare(urn, typeof name === "string" ? name : undefined);
      call.journal.creations("project").declare();
      if (rival !== undefined) {
        const reason = `Two Projects of this program have the name "${String(name)}"; the other one is ${rival}. Names are unique in the organization, whatever their case. Give one of them another "name", or leave it out.`;
        failures.push({ property: "name", reason });
      }
    }
    const inputs = projectInputs.write({
      name,
      onDelete: onDelete ?? "delete",
      status: news.status === undefined ? declaredStatus : olds?.status,
    });
    if (isPreview && failures.length === 0) {
      failures.push(...(await this.preview({ olds: request.olds, inputs, memo: undefined }, context)));
    }
    if (failures.length > 0) {
      // Invalid inputs are not repeated: one of them may be a secret.
      return { inputs: {}, failures };
    }
    const memo = projectMemo.write({ autoName: automatic === undefined ? undefined : { name: automatic } });
    return { inputs, failures, memo };
  }

  async preview({ olds, inputs }: PreviewRequest, context: LifecycleContext): Promise<CheckFailure[]> {
    const call = new Call(context, this.#accounts);
    const failures = await settingsFailures(undefined, call);
    const { name } = projectInputs.read(inputs);
    // What does not change sends nothing.
    if (failures.length > 0 || name === undefined || (olds && projectInputs.read(olds).name === name)) {
      return failures;
    }
    const holder = await readInPreview(call, (limited) =>
      projectsOf(limited).holderOf(name, { signal: limited.context.signal }),
    );
    // Names are unique: what has our old name is our own project.
    const isRenamed = olds !== undefined && isSameName(projectInputs.read(olds).name, holder?.name);
    if (holder === undefined || isRenamed) {
      return [];
    }
    const ownership = this.#ownershipOf(holder, name, call);
    if (ownership?.isNoted === true) {
      return [];
    }
    // Only a new resource reuses a project by its name alone.
    if (ownership !== undefined && olds === undefined) {
      if (holder.status === declaredStatus) {
        context.report.warning(unnotedProjectWarning(holder, "preview"));
      }
      return [];
    }
    if (this.#run.otherHolder(holder.id, context.urn) === undefined && olds === undefined) {
      // It may be the one that a forced replacement of this resource is about to delete.
      context.report.warning(
        `${nameTaken(name, holder).message} The deployment can only go on if it frees that name.`,
      );
      return [];
    }
    return [{ property: "name", reason: nameTaken(name, holder).message }];
  }

  diff({ id, olds, news }: DiffRequest, context: LifecycleContext): DiffResult {
    const state = projectState.read(olds);
    const inputs = projectInputs.readDeclared(news);
    const { journal } = new Call(context, this.#accounts);
    this.#run.stored(id, context.urn);
    const changes = journal.changes("project");
    const creations = journal.creations("project");
    // In a refresh, nothing is declared, and the old outputs are those of the live object.
    if (this.#run.isDeclared(context.urn)) {
      creations.stateHas(id);
      changes.declare(id);
      changes.stateHas(id, settingsOf(state));
    }
    const isDifferent =
      inputs.name === unknownValue ||
      inputs.name !== state.name ||
      inputs.status !== state.status ||
      inputs.onDelete !== state.onDelete;
    return isDifferent ? {} : { changes: changes.isInDoubt(id, settingsOf(state)) || creations.hasToLook() };
  }

  async create(declared: PropertyMap, context: LifecycleContext): Promise<Created> {
    const inputs = projectInputs.read(declared);
    const name = requireKnown(inputs.name, "name", "Project");
    const call = new Call(context, this.#accounts);
    const project = await this.#findOrCreate(name, call);
    this.#run.keep(project.id, context.urn);
    const { id } = project;
    return { id, outputs: projectState.write({ ...inputs, ...liveProperties(project) }) };
  }

  async read(stored: StoredResource, context: LifecycleContext): Promise<ReadResult | undefined> {
    const { id } = stored;
    const { report } = context;
    const state = projectState.read(stored.state);
    const call = new Call(context, this.#accounts);
    const isLookup = state.status === undefined && stored.isImport !== true;
    const project = await findProject(id, call);
    if (project === undefined) {
      if (isLookup) {
        // If it were reported as gone, the engine would continue without its outputs.
        const message = `There is no project "${id}". Check its id, and that this API key has access to it.`;
        throw new LookupError("id_not_found", message);
      }
      report.info(
        `Project ${id} is gone: the service does not have it any more. "pulumi up" creates it again.`,
      );
      return undefined;
    }
    if (state.name !== undefined && state.name !== project.name) {
      report.info(
        `Project ${id} was renamed outside of this program: from ${quote(state.name)} to ${quote(project.name)}.`,
      );
    }
    if (state.status === declaredStatus && project.status !== declaredStatus) {
      report.info(`Project ${id} is ${project.status} now. "pulumi up" makes it active again.`);
    }
    const { onDelete = "delete" } = state;
    const live = liveProperties(project);
    return {
      id: project.id,
      outputs: projectState.write({ ...live, onDelete: isLookup ? undefined : onDelete }),
      inputs: projectInputs.write({ name: project.name, status: project.status, onDelete }),
      // A program that gives no name leaves the project the one it has.
      ...(stored.isImport === true ? { memo: projectMemo.write({ autoName: { name: project.name } }) } : {}),
    };
  }

  async update({ id, olds, news }: DiffRequest, context: LifecycleContext): Promise<PropertyMap> {
    const state = projectState.read(olds);
    const inputs = projectInputs.read(news);
    const name = requireKnown(inputs.name, "name", "Project");
    const call = new Call(context, this.#accounts);
    await this.#clearCreations(call, id);
    const changes = call.journal.changes("project");
    const wanted = settingsOf({ name, status: inputs.status ?? declaredStatus });
    let current: ProjectState = state;
    if (changes.isInDoubt(id, settingsOf(state))) {
      const live = await findProject(id, call);
      if (live === undefined) {
        // The note stays until a refresh has seen it: otherwise the next deployment would end well.
        throw new LookupError(
          "project_gone",
          `Project ${id} is gone: an interrupted deployment deleted it, or somebody else did. ` +
            'Run "pulumi refresh", and then "pulumi up" to create it again.',
        );
      }
      current = { ...state, ...liveProperties(live) };
      changes.answered(id, settingsOf(live));
    }
    const isRenamed = current.name !== wanted.name;
    const isRevived = current.status !== wanted.status && wanted.status === declaredStatus;
    if (!isRenamed && !isRevived) {
      return projectState.write({ ...current, ...inputs, name, status: current.status });
    }
    const project = await changeProject(
      id,
      { ...(isRenamed ? { name } : {}), ...(isRevived ? { status: declaredStatus } : {}) },
      call,
    );
    return projectState.write({ ...inputs, ...liveProperties(project) });
  }

  async delete({ id, state: stored }: StoredResource, context: LifecycleContext): Promise<void> {
    const { report, urn } = context;
    const call = new Call(context, this.#accounts);
    if (this.#run.isKept(id)) {
      report.info(`Keeping project ${id}: another resource of this deployment has reused it.`);
      return;
    }
    if (!this.#run.isDeclared(urn)) {
      await this.#clearCreations(call, id);
    }
    const { name = id, onDelete } = projectState.read(stored);
    if (onDelete === "keep") {
      report.info(`The ${projectText({ id, name })} stays, as "onDelete" says.`);
      const changes = call.journal.changes("project");
      changes.settled(id);
      if (this.#run.isDeclared(urn)) {
        // The resource is replaced, and its successor must know whose project has its name.
        const { status } = projectState.read(stored);
        noteIfPossible(report, () => changes.starts(id, settingsOf({ name, status })));
        changes.answered(id, settingsOf({ name, status }));
      }
    } else if (onDelete === "archive") {
      await archive({ id, name }, call);
    } else {
      await deleteWithNote({ id, name }, call);
    }
  }

  hasLeftovers(context: LifecycleContext): boolean {
    const { journal } = new Call(context, this.#accounts);
    return journal.creations("project").hasToUndo((urn) => this.#run.isDeclared(urn));
  }

  async end(isUpdate: boolean | undefined, context: LifecycleContext): Promise<void> {
    const call = new Call(context, this.#accounts);
    const changes = call.journal.changes("project");
    changes.conclude();
    if (isUpdate === true) {
      changes.forgetLeftovers();
    }
    await undoLeftovers(call, {
      notesOf: ({ journal }) => journal.creations("project"),
      knows: (urn) => this.#run.isDeclared(urn),
      isUpdate,
      undo: (theirs) => this.#clearCreations(theirs, undefined),
    });
    changes.conclude();
  }

  /** Why a project that has our name may be this resource's; undefined when it is another's. */
  #ownershipOf(holder: Project, name: string, call: Call): Ownership | undefined {
    const { urn } = call.context;
    if (holder.name !== name || this.#run.otherHolder(holder.id, urn) !== undefined) {
      return undefined;
    }
    const isNoted = call.journal
      .creations("project")
      .pending()
      .some((creation) => creation.name === name && createdBy(creation, [holder]) !== undefined);
    // A replacement may just have archived or left it.
    const isReplaced = this.#run.isDeclared(urn) && call.journal.changes("project").isUnderWay(holder.id);
    if (isNoted || isReplaced) {
      return { isNoted: true };
    }
    return urn !== undefined && name === autoName(urn) ? { isNoted: false } : undefined;
  }

  /**
   * The project that this resource is to have. An earlier deployment may have created it and lost
   * the answer, or been killed before the state was written: it is reused then, and renamed if the
   * program gives another name by now.
   */
  async #findOrCreate(name: string, call: Call): Promise<Project> {
    const { signal } = call.context;
    const creations = call.journal.creations("project");
    for (const creation of creations.pending()) {
      const found = await findCreated(creation, call);
      if (found === undefined) {
        creations.notFound(creation);
      } else if (!this.#run.isKept(found.id)) {
        creations.answered(creation, found.id);
        return reuseProject(found, { name, isNoted: true }, call);
      }
    }
    const holder = await projectsOf(call).holderOf(name, { signal });
    if (holder === undefined) {
      return createProject(name, call);
    }
    const ownership = this.#ownershipOf(holder, name, call);
    if (ownership === undefined) {
      throw nameTaken(name, holder);
    }
    return reuseProject(holder, { name, ...ownership }, call);
  }

  /** Deletes what earlier runs created for the resource and no state has. `keptId` stays. */
  async #clearCreations(call: Call, keptId: string | undefined): Promise<void> {
    const creations = call.journal.creations("project");
    for (const creation of creations.pending()) {
      const found = await findCreated(creation, call);
      if (found === undefined) {
        creations.notFound(creation);
        continue;
      }
      const isOfAnother = this.#run.otherHolder(found.id, call.context.urn) !== undefined;
      if (found.id !== keptId && !isOfAnother && !this.#run.isKept(found.id)) {
        // With a note: a state may have it after all, and the next diff must find out.
        await deleteWithNote(found, call);
        call.context.report.info(
          `Deleted the ${projectText(found)}: an interrupted deployment had created it, but the program no longer declares it.`,
        );
      }
      creations.settled(creation);
    }
  }
}

/** Deletes a project, and notes that before and after. */
async function deleteWithNote(project: Pick<Project, "id" | "name">, call: Call): Promise<void> {
  const { id, name } = project;
  const notes = call.journal.changes("project");
  const earlier = notes.find(id);
  const settings = { name, status: "deleted" };
  noteIfPossible(call.context.report, () => notes.starts(id, settings));
  try {
    await deleteProject(project, call);
  } catch (error) {
    if (!(error instanceof OutcomeUnknownError)) {
      notes.refused(id, earlier);
    }
    throw error;
  }
  notes.answered(id, settings);
}

/** Archives a project, unless it is archived or gone already. */
async function archive({ id, name }: Pick<Project, "id" | "name">, call: Call): Promise<void> {
  const { report } = call.context;
  const project = await findProject(id, call);
  if (project === undefined) {
    report.info(`The ${projectText({ id, name })} is gone, so it was not archived.`);
  } else if (project.status !== declaredStatus) {
    report.info(`The ${projectText(project)} is already ${project.status}.`);
  } else {
    try {
      await changeProject(id, { status: "archived" }, call);
    } catch (error) {
      throw lastActive(project, error) ?? error;
    }
    report.info(`The ${projectText(project)} is archived. It keeps its name and what is in it.`);
  }
}
