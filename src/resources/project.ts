import * as pulumi from "@pulumi/pulumi";
import { resourceType } from "../bridges/dynamic/contract.js";
import { declare } from "../bridges/dynamic/declare.js";
import type { projectState } from "../providers/project/properties.js";
import { getResource, type LookedUp, type ResourceState } from "./lookup.js";
import { giveUndefined, importFile, isOfKind, type Noun, registration } from "./registration.js";

/** Arguments of a {@link Project}. */
export interface ProjectArgs {
  /**
   * Name, unique in the organization whatever its case and accents: 1 to 255 characters (Unicode
   * code points), without `/` and `%`, and without whitespace at the start or the end. Another name
   * renames the project in place. Default: `<logical name>-<7 hexadecimal digits>`, which stays.
   */
  readonly name?: pulumi.Input<string | undefined>;
  /**
   * What becomes of the project when this resource is deleted: `delete` (the default) deletes it,
   * which the service refuses while it owns anything; `archive` keeps it and what is in it, out of
   * use; `keep` leaves it as it is. Changing it sends nothing.
   */
  readonly onDelete?: pulumi.Input<"delete" | "archive" | "keep" | undefined>;
}

/** @internal What its classes know of it. */
export const project = {
  kind: "Project",
  outputs: {
    name: true,
    status: true,
    createdAt: true,
    updatedAt: true,
    onDelete: true,
  },
  insteadOfImport: importFile("projects"),
  // Names are unique, so in a forced replacement the old project must go first, and before it what
  // is in it.
  deletesFirst: () => true,
} satisfies Noun<typeof projectState>;

/** What is known of a project that {@link Project.get} looks up. Its id is enough. */
export type ProjectState = ResourceState<Project>;

/** What {@link Project.get} finds. */
export type FoundProject = LookedUp<ProjectResource, "onDelete">;

/** The outputs and the lookup of a project, which are the same for both bridges. */
export abstract class ProjectResource extends pulumi.CustomResource {
  /** Name of the project. */
  declare readonly name: pulumi.Output<string>;
  /** `active`. Of a lookup by `get` also `archived`; the service may add more. */
  declare readonly status: pulumi.Output<string>;
  /** What becomes of the project on delete. Undefined for a lookup by `get`. */
  declare readonly onDelete: pulumi.Output<"delete" | "archive" | "keep">;
  /** When the project was created, ISO 8601; undefined if not readable. */
  declare readonly createdAt: pulumi.Output<string | undefined>;
  /** When its name or status last changed, ISO 8601; undefined if not readable. */
  declare readonly updatedAt: pulumi.Output<string | undefined>;

  /** Looks up a project that this program does not manage. `id`: the project's id, not its name. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: ProjectState,
    opts?: pulumi.CustomResourceOptions,
  ): FoundProject {
    return getResource<ProjectArgs, FoundProject>(this, name, id, state, opts);
  }

  /** Whether `value` is a Project, from this copy of the package or from another. */
  static override isInstance(value: unknown): value is Project {
    return isOfKind("Project", value);
  }
}

/**
 * A project of the organization: what is in one is separate from all others. Needs an API key of
 * the whole organization.
 *
 * - Pass `project.id` as `projectId` to what belongs in it, such as an `Extension`. Pulumi then
 *   creates it after the project and deletes it before.
 * - A project that is not empty, or the last active one, cannot be deleted. The error says what is
 *   in it.
 * - A refresh finds a project that was renamed, archived or deleted outside of the program. The
 *   next deployment names it, makes it active or creates it again.
 */
export class Project extends ProjectResource {
  /** The type token, for policies and aliases. */
  static readonly __pulumiType = resourceType("Project");

  constructor(name: string, args?: ProjectArgs, opts?: pulumi.CustomResourceOptions) {
    super(...registration(declare, project, name, args, opts));
    giveUndefined(this);
  }
}
