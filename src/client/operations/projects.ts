import { InputError } from "../../errors.js";
import type { CallOptions } from "../http/exchange.js";
import { pathSegment } from "../http/path.js";
import { readRecord } from "../http/read-record.js";
import type { Project, ProjectLimits, ProjectStatus } from "../types.js";
import { projectLimitsSchema, projectSchema } from "../wire/project.js";
import { pickByName } from "./find-by-name.js";
import { type Listing, ListOperations, type ListOptions } from "./list.js";

/** What the lists of projects take. */
export interface ProjectListOptions extends ListOptions {
  /** Only projects of this status; archived ones are listed too unless it says otherwise. The service has no such filter, so every page is read. */
  readonly status?: ProjectStatus | undefined;
}

const ifNotFound =
  "Check the project's id (a name is not an id, and getByName finds by name), and that this API key may see the project.";

/** The projects of the organization, whatever project the client is in. All are reads (`/org/projects`), repeated after passing faults. */
export class ProjectOperations extends ListOperations<Project, ProjectListOptions> {
  /**
   * Reads one project by id (`GET /org/projects/{id}`). Newer generations of the service take a name in its place; an answer with another id
   * than was asked for is a `ContractError`. Throws `ApiError`; `isNotFound` tells whether it is gone.
   */
  async get(id: string, options: CallOptions = {}): Promise<Project> {
    return readRecord(this.transport, {
      path: `/org/projects/${projectSegment(id)}`,
      doing: `Reading the project "${id}"`,
      ifNotFound,
      schema: projectSchema,
      mistaken: (project) =>
        project.id === id
          ? undefined
          : "it describes another project, as when a name is given in place of the id",
      signal: options.signal,
    });
  }

  /**
   * Finds one project by its exact name, byte for byte. Among an active project and archived ones of the very same name the active one is meant.
   * Throws `LookupError` with code `name_not_found`, or `name_ambiguous` when several have the name; both list what the service found, with ids.
   */
  async getByName(name: string, options: CallOptions = {}): Promise<Project> {
    return pickByName(
      await this.namedLoosely(name, options),
      name,
      "project",
      (text) => this.transport.clean(text),
      ({ status }) => status === "active",
    );
  }

  /**
   * Reads the caps a project sets for itself (`GET /org/projects/{id}/limits`); null means none, and the organization's limit applies.
   * The answer does not say whose limits it holds, and newer generations of the service take a name for the id: give an id that the service gave.
   */
  async limits(id: string, options: CallOptions = {}): Promise<ProjectLimits> {
    return readRecord(this.transport, {
      path: `/org/projects/${projectSegment(id)}/limits`,
      doing: `Reading the limits of the project "${id}"`,
      ifNotFound,
      schema: projectLimitsSchema,
      signal: options.signal,
    });
  }

  protected override listing({ status }: ProjectListOptions): Listing<Project> {
    if (status !== undefined && (typeof status !== "string" || status === "")) {
      throw new InputError(
        "option_invalid",
        "status",
        '"status" must be a status such as "active" or "archived", or be left out.',
      );
    }
    return {
      path: "/org/projects",
      noun: "projects",
      schema: projectSchema,
      keep: status === undefined ? undefined : (project) => project.status === status,
    };
  }
}

function projectSegment(id: string): string {
  return pathSegment("id", id, "the project's id");
}
