import { type ApiError, LookupError } from "../../errors.js";
import { quote } from "../../text/escape.js";
import type { CallOptions } from "../http/call.js";
import { pathSegment } from "../http/path.js";
import { isMissingOperation, readRecord } from "../http/read-record.js";
import { invalidOption } from "../options.js";
import type { Project, ProjectLimits, ProjectStatus } from "../types.js";
import { projectLimitsSchema, projectSchema } from "../wire/records.js";
import { type Listing, ListOperations, type ListOptions } from "./list.js";

/** Options of the lists of projects. */
export interface ProjectListOptions extends ListOptions {
  /** Only projects with this status. Default: all. The service has no such filter. */
  readonly status?: ProjectStatus | undefined;
}

const ifNotFound =
  "Check the project's id (a name is not an id; getByName finds by name), and that this API key has " +
  "access to the project.";

/** The projects of the organization, whatever project the client is in. Only reads. */
export class ProjectOperations extends ListOperations<Project, ProjectListOptions> {
  /**
   * Reads one project by id (`GET /org/projects/{id}`). The interface does not specify that
   * operation: in a service without it, finds the project in the list.
   *
   * Throws `ApiError`; `isNotFound` tells whether it is gone; `LookupError` `id_not_found` if it is
   * not in the list; and `ContractError` if the service took the id for a name, as new ones may.
   */
  async get(id: string, options: CallOptions = {}): Promise<Project> {
    try {
      return await readRecord(this.transport, {
        path: projectPath(id),
        operation: `Reading the project "${id}"`,
        ifNotFound,
        schema: projectSchema,
        mistake: (project) =>
          project.id === id ? undefined : "it describes another project, as when a name is given for the id",
        signal: options.signal,
      });
    } catch (error) {
      if (isMissingOperation(error)) {
        return this.#inList(id, options, error);
      }
      throw error;
    }
  }

  /**
   * Finds one project by its exact name, byte for byte. If an active project and archived ones have
   * the name, returns the active one. Throws `LookupError` `name_not_found` or `name_ambiguous`,
   * which list what the service found, with ids.
   */
  async getByName(name: string, options: CallOptions = {}): Promise<Project> {
    return this.oneNamed(name, options, ({ status }) => status === "active");
  }

  /**
   * Reads the caps that a project sets for itself (`GET /org/projects/{id}/limits`). Pass an id
   * that the service returned: it may take any other for a name, and does not say whose limits.
   */
  async limits(id: string, options: CallOptions = {}): Promise<ProjectLimits> {
    return readRecord(this.transport, {
      path: `${projectPath(id)}/limits`,
      operation: `Reading the limits of the project "${id}"`,
      ifNotFound,
      schema: projectLimitsSchema,
      signal: options.signal,
    });
  }

  async #inList(id: string, { signal }: CallOptions, cause: ApiError): Promise<Project> {
    try {
      for await (const project of this.iterate({ signal })) {
        if (project.id === id) {
          return project;
        }
      }
    } catch (error) {
      // Without the list too, the base URL is probably wrong, and the first refusal says so best.
      throw isMissingOperation(error) ? cause : error;
    }
    const message =
      `There is no project with the id ${this.transport.clean(quote(id))} in the list of projects, which was ` +
      `searched because the service cannot read a single project (status ${cause.status}). ${ifNotFound}`;
    throw new LookupError("id_not_found", message, { cause });
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
      keep: status === undefined ? undefined : (project) => project.status === status,
    };
  }
}

function projectPath(id: string): string {
  return `/org/projects/${pathSegment("id", id, "the project's id")}`;
}
