import * as pulumi from "@pulumi/pulumi";
import type { projectState } from "../../providers/organization/project/properties.js";
import { dynamicBridge } from "../dynamic-bridge.js";
import { type GetArguments, getResource, type LookedUp, type ResourceState } from "../lookup.js";
import { isOfKind, nullsToUndefined, type ResourceDeclaration, registration } from "../registration.js";
import { resourceType } from "../type-token.js";

/** Arguments of a {@link Project}. */
export interface ProjectArgs {
  /**
   * Name, unique in the organization regardless of case and accents: 1 to 255 characters (Unicode
   * code points), without `/` and `%`, and without whitespace at the start or the end. A change
   * renames the project in place. Default: `<logical name>-<7 hexadecimal digits>`, which never
   * changes.
   */
  readonly name?: pulumi.Input<string | undefined>;
  /**
   * Id or name of an existing project to manage instead of creating a project; needs `name`. The deployment
   * changes the project to what is declared, and fails if no change leads there. From then on, the project
   * belongs to this resource. Counts only when the resource is created, so `adopt` may stay in the
   * program. A preview shows the project. Default: a new project.
   */
  readonly adopt?: pulumi.Input<string | undefined>;
  /**
   * Action on delete. `delete` (default): deletes the project; the service refuses a project that
   * is not empty. `archive`: archives the project with its contents. `keep`: leaves the project
   * unchanged. A change of this input sends no request.
   */
  readonly onDelete?: pulumi.Input<"delete" | "archive" | "keep" | undefined>;
}

/** @internal Kind and outputs, for the classes of both bridges. */
export const project = {
  kind: "Project",
  outputs: {
    name: true,
    status: true,
    createdAt: true,
    updatedAt: true,
    onDelete: true,
  },
  importAdvice: { group: "projects" },
  // Names are unique, so a forced replacement must delete the contents first, then the old project.
  deletesFirst: () => true,
} satisfies ResourceDeclaration<typeof projectState>;

/** State for {@link Project.get}. Optional: the id of the project is enough. */
export type ProjectState = ResourceState<Project>;

/** Result of {@link Project.get}. */
export type FoundProject = LookedUp<ProjectResource, "onDelete">;

/** Outputs and lookup of a project, shared by both bridges. */
export abstract class ProjectResource extends pulumi.CustomResource {
  /** Name of the project. */
  declare readonly name: pulumi.Output<string>;
  /** `active`; after a refresh or in a lookup by `get` also `archived`. The service may add more. */
  declare readonly status: pulumi.Output<string>;
  /** Action on delete. Undefined for a lookup by `get`. */
  declare readonly onDelete: pulumi.Output<"delete" | "archive" | "keep">;
  /** Creation time, ISO 8601; undefined if not readable. */
  declare readonly createdAt: pulumi.Output<string | undefined>;
  /** Time of the last change of name or status, ISO 8601; undefined if not readable. */
  declare readonly updatedAt: pulumi.Output<string | undefined>;

  /** Looks up a project that this program does not manage. `id`: the project's id, not its name. */
  static get(...args: GetArguments<ProjectState>): FoundProject {
    return getResource<FoundProject>(this, ...args);
  }

  /** Whether `value` is a Project, from any copy of the package. */
  static override isInstance(value: unknown): value is Project {
    return isOfKind("Project", value);
  }
}

/**
 * A project of the organization. The contents of a project are separate from all other projects.
 * Requires an API key of the whole organization.
 *
 * - Pass `project.id` as `projectId` to the resources of the project, such as an `Extension`.
 *   Pulumi then creates these resources after the project and deletes them before.
 * - A project that is not empty, or the last active one, cannot be deleted. The error lists the
 *   contents.
 * - A refresh finds a project that was renamed, archived or deleted outside of the program. The
 *   next deployment restores the name, reactivates the project or recreates the project.
 */
export class Project extends ProjectResource {
  /** Type token, for policies and aliases. */
  static readonly __pulumiType = resourceType("Project");

  constructor(name: string, args?: ProjectArgs, opts?: pulumi.CustomResourceOptions) {
    super(...registration(dynamicBridge, project, name, args, opts));
    nullsToUndefined(this);
  }
}
