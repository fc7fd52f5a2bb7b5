import { type ApiError, InputError, LookupError } from "../../errors.js";
import { quote } from "../../text/escape.js";
import type { CallOptions } from "../http/call.js";
import { jsonBody } from "../http/json.js";
import { changeRecord, readRecord } from "../http/record-calls.js";
import { isSameName, projectNameProblem, secretNameProblem } from "../names.js";
import { isMissingOperation } from "../not-found.js";
import type { Listing, ListOptions } from "../operations/list.js";
import { NamedOperations } from "../operations/named.js";
import { capOnWire, checkName, checkOneOf, invalidOption } from "../options.js";
import {
  type Project,
  type ProjectLimits,
  type ProjectStatus,
  projectLimitsSchema,
  projectSchema,
} from "./project.js";

export interface ProjectListOptions extends ListOptions {
  /** Only projects with the status. Default: all. The service has no such filter. */
  readonly status?: ProjectStatus | undefined;
}

/** Changes for `update`. Omitted settings stay unchanged. */
export interface ProjectChanges {
  /** New name, unique in the organization: 1 to 255 characters (code points) without / and %. */
  readonly name?: string | undefined;
  /** New status. The last active project of an organization cannot be archived. */
  readonly status?: "active" | "archived" | undefined;
}

/** Caps for `setLimits`. Omitted caps stay unchanged; null removes a cap. */
export interface ProjectLimitChanges {
  /** Browsers at the same time: a whole number of at least 1. */
  readonly maxConcurrentSessions?: number | null | undefined;
  /** App invocations at the same time: a whole number of at least 1. */
  readonly maxConcurrentInvocations?: number | null | undefined;
}

const projectNotFoundAdvice =
  "Check the project's id (a name is not an id; getByName finds by name), and that this API key has " +
  "access to the project.";

const nameConflictAdvice =
  "Project names are unique in the organization. Case and accents do not count, and archived projects keep their names.";

/**
 * The projects of the organization, whatever the client's project. Reads are retried, and so are
 * `update` and `setLimits`, which set absolute values. `create` and `delete` are sent once.
 *
 * Archived projects keep their names. If an active project and archived projects have the same
 * name, `getByName` returns the active project.
 */
export class ProjectOperations extends NamedOperations<Project, ProjectListOptions> {
  /**
   * Reads a project by id (`GET /org/projects/{id}`). The interface does not specify the operation:
   * in a service without the operation, finds the project in the list.
   *
   * Throws `ApiError` (no such project: `isNotFound`); `LookupError` `id_not_found` if the list
   * does not contain the project; and `ContractError` if the service took the id for a name, as new
   * services may.
   */
  override async get(id: string, options: CallOptions = {}): Promise<Project> {
    try {
      return await super.get(id, options);
    } catch (error) {
      if (isMissingOperation(error)) {
        return this.#findInList(id, options, error);
      }
      throw error;
    }
  }

  /**
   * Reads the caps that a project sets for itself (`GET /org/projects/{id}/limits`). Pass an id
   * returned by the service: any other string may be taken for a name, and the response does not
   * identify the project.
   */
  async limits(id: string, options: CallOptions = {}): Promise<ProjectLimits> {
    return readRecord(this.transport, {
      ...this.#limitsRequest(id, options),
      operation: `Reading the limits of the project "${id}"`,
    });
  }

  /**
   * Creates a project (`POST /org/projects`). Sent once, and again only while a rate limit refuses
   * the request.
   *
   * Throws `InputError` before any request; `ApiError` when the service refused (409: the name is
   * already used; 403: the API key is scoped to a project); `ConnectionError` when nothing was
   * sent; `OutcomeUnknownError` when the project may exist: look for the name with `holderOf`.
   */
  async create(name: string, options: CallOptions = {}): Promise<Project> {
    this.#checkName(name);
    return this.createNamed(name, {}, options, {
      unknownOutcomeAdvice: "Look for a project with this name; if there is none, create it again.",
      conflictAdvice: nameConflictAdvice,
      // The service may have trimmed the name.
      wrongIf: [
        (project) => !isSameName(project.name, name.trim()) && !isSameName(project.name, name),
        "it describes another project",
      ],
    });
  }

  /**
   * Changes the name of a project, the status, or both (`PATCH /org/projects/{id}`), with retries,
   * and returns the project as stored by the service.
   *
   * Throws `InputError` before any request; `ApiError` (409: the name is already used, or
   * `last_active_project`) or `ConnectionError` when nothing has changed; `OutcomeUnknownError`
   * when the project may have the old or the new settings.
   */
  async update(id: string, { name, status }: ProjectChanges, options: CallOptions = {}): Promise<Project> {
    if (name !== undefined) {
      this.#checkName(name);
    }
    if (name === undefined && status === undefined) {
      throw new InputError("changes_missing", "changes", 'Give "name", "status", or both.');
    }
    checkOneOf("status", status, ["active", "archived"]);
    const conflictAdvice =
      name === undefined ? "An organization keeps at least one active project." : nameConflictAdvice;
    return this.change(id, { name, status }, options, { conflictAdvice });
  }

  /**
   * Deletes a project by id (`DELETE /org/projects/{id}`). The project must own nothing and must
   * not be the last active project. Sent once, and again only while a rate limit refuses the
   * request.
   *
   * Throws `ApiError` (409: `project_not_empty`, `last_active_project`; no such project:
   * `isNotFound`), and `OutcomeUnknownError` when the project may be deleted.
   */
  override async delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.remove(id, options, {
      conflictAdvice:
        "Only an empty project can be deleted, and not the last active project. Delete the contents first, or archive the project.",
    });
  }

  /**
   * Sets caps of a project (`PATCH /org/projects/{id}/limits`), with retries, and returns all caps.
   * Null is sent as 0, which the service reads as "no cap"; the number 0 is refused for that
   * reason.
   *
   * Throws `InputError` before any request; `ApiError` or `ConnectionError` when nothing has
   * changed; `OutcomeUnknownError` when the caps may be the old or the new caps.
   */
  async setLimits(
    id: string,
    changes: ProjectLimitChanges,
    options: CallOptions = {},
  ): Promise<ProjectLimits> {
    const { maxConcurrentSessions, maxConcurrentInvocations } = changes;
    const body = jsonBody({
      max_concurrent_sessions: capOnWire("maxConcurrentSessions", maxConcurrentSessions),
      max_concurrent_invocations: capOnWire("maxConcurrentInvocations", maxConcurrentInvocations),
    });
    return changeRecord(this.transport, {
      ...this.#limitsRequest(id, options),
      operation: `Setting the limits of the project "${id}"`,
      unknownOutcomeAdvice:
        "The project has either the old limits or the new limits. Setting the limits again is safe.",
      body,
      wrongIf: [
        (limits) =>
          [
            [maxConcurrentSessions, limits.maxConcurrentSessions],
            [maxConcurrentInvocations, limits.maxConcurrentInvocations],
          ].some(([sent, is]) => sent !== undefined && is !== sent),
        "its limits differ from the sent limits",
      ],
    });
  }

  /** Request about the limits of a project. The response does not identify the project. */
  #limitsRequest(id: string, options: CallOptions) {
    const { path, notFoundAdvice, signal } = this.request(id, options);
    return { path: `${path}/limits`, notFoundAdvice, schema: projectLimitsSchema, signal };
  }

  #checkName(name: string): void {
    checkName("project", this.transport.isSecret(name) ? secretNameProblem : projectNameProblem(name));
  }

  async #findInList(id: string, { signal }: CallOptions, cause: ApiError): Promise<Project> {
    try {
      for await (const project of this.iterate({ signal })) {
        if (project.id === id) {
          return project;
        }
      }
    } catch (error) {
      // Without the list too, the base URL is probably wrong, and the first refusal explains best.
      throw isMissingOperation(error) ? cause : error;
    }
    const message =
      `There is no project with the id ${this.transport.clean(quote(id))} in the list of projects, which was ` +
      `searched because the service cannot read a single project (status ${cause.status}). ${projectNotFoundAdvice}`;
    throw new LookupError("id_not_found", message, { cause });
  }

  /** @internal */
  protected override isPreferred({ status }: Project): boolean {
    return status === "active";
  }

  /** @internal */
  protected override listing({ status }: ProjectListOptions): Listing<Project> {
    if (status !== undefined && (typeof status !== "string" || status === "")) {
      throw invalidOption("status", 'a status such as "active" or "archived"');
    }
    return {
      path: "/org/projects",
      noun: "project",
      schema: projectSchema,
      notFoundAdvice: projectNotFoundAdvice,
      isIncluded: status === undefined ? undefined : (project) => project.status === status,
    };
  }
}
