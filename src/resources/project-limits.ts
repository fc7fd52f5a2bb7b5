import * as pulumi from "@pulumi/pulumi";
import { resourceType } from "../bridges/dynamic/contract.js";
import { declare } from "../bridges/dynamic/declare.js";
import type { limitsState } from "../providers/project-limits/properties.js";
import { getResource, type LookedUp, type ResourceState } from "./lookup.js";
import { giveUndefined, isOfKind, type Noun, registration } from "./registration.js";

/** Arguments of {@link ProjectLimits}. At least one of the limits is needed. */
export interface ProjectLimitsArgs {
  /**
   * Id of the project. Another id replaces the resource: the former project gets its previous
   * limits back. Two resources of a program cannot set the limits of the same project.
   */
  readonly projectId: pulumi.Input<string>;
  /**
   * Browsers at the same time, on demand and reserved by browser pools together: at least 1.
   * Declared without a value, it means no cap of the project's own, as in `uncapped`. Left out, it
   * is not managed. 0 is refused, because the service reads it as "no cap".
   */
  readonly maxConcurrentSessions?: pulumi.Input<number | null | undefined>;
  /**
   * App invocations at the same time: at least 1. Declared without a value, it means no cap of the
   * project's own. Left out, it is not managed. 0 is refused, because the service reads it as "no
   * cap".
   */
  readonly maxConcurrentInvocations?: pulumi.Input<number | null | undefined>;
  /**
   * Limits that the project is not to have: `maxConcurrentSessions`, `maxConcurrentInvocations`.
   * The same as a limit that is declared without a value, which many languages cannot do.
   */
  readonly uncapped?: pulumi.Input<
    pulumi.Input<"maxConcurrentSessions" | "maxConcurrentInvocations">[] | undefined
  >;
  /**
   * What becomes of the limits when this resource is deleted: `restore` (the default) restores the
   * previous ones, `keep` leaves them. Changing it sends nothing.
   */
  readonly onDelete?: pulumi.Input<"restore" | "keep" | undefined>;
}

/** @internal What its classes know of it. */
export const projectLimits = {
  kind: "ProjectLimits",
  outputs: {
    projectId: true,
    maxConcurrentSessions: true,
    maxConcurrentInvocations: true,
    uncapped: true,
    onDelete: true,
  },
  insteadOfImport: "Leave the option out: ProjectLimits manages the limits of any project that exists.",
  // A forced replacement, which no diff announces, gives a provider no old state. If the old
  // resource is deleted first, it restores the previous limits, and the new one finds them there.
  deletesFirst: () => true,
} satisfies Noun<typeof limitsState>;

/** What is known of limits that {@link ProjectLimits.get} looks up. The project's id is enough. */
export type ProjectLimitsState = ResourceState<ProjectLimits>;

/** What {@link ProjectLimits.get} finds. */
export type FoundProjectLimits = LookedUp<ProjectLimitsResource, "onDelete">;

/** The outputs and the lookup of a project's limits, which are the same for both bridges. */
export abstract class ProjectLimitsResource extends pulumi.CustomResource {
  /** Id of the project; the same as `id`. */
  declare readonly projectId: pulumi.Output<string>;
  /** Browsers at the same time; undefined when there is no cap, or it is not managed. */
  declare readonly maxConcurrentSessions: pulumi.Output<number | undefined>;
  /** App invocations at the same time; undefined when there is no cap, or it is not managed. */
  declare readonly maxConcurrentInvocations: pulumi.Output<number | undefined>;
  /** Managed limits that the project does not have; undefined when it has all of them. */
  declare readonly uncapped: pulumi.Output<
    ("maxConcurrentSessions" | "maxConcurrentInvocations")[] | undefined
  >;
  /** What becomes of the limits on delete. Undefined for a lookup by `get`. */
  declare readonly onDelete: pulumi.Output<"restore" | "keep">;

  /** Looks up limits that this program does not manage. `id`: the project's id, not its name. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: ProjectLimitsState,
    opts?: pulumi.CustomResourceOptions,
  ): FoundProjectLimits {
    return getResource<ProjectLimitsArgs, FoundProjectLimits>(this, name, id, state, opts);
  }

  /** Whether `value` is a ProjectLimits, from this copy of the package or from another. */
  static override isInstance(value: unknown): value is ProjectLimits {
    return isOfKind("ProjectLimits", value);
  }
}

/**
 * The caps that a project sets for itself, below the limit of the organization. Only those that are
 * declared are managed; all others stay as they are.
 *
 * - What the caps were before is remembered, and restored when the resource is deleted, unless
 *   `onDelete` says otherwise, or they were changed outside of the program since. The same happens to a cap
 *   that the program no longer declares.
 * - A refresh finds caps that were changed outside of the program; the next deployment corrects
 *   them. Caps that are not declared are no drift.
 */
export class ProjectLimits extends ProjectLimitsResource {
  /** The type token, for policies and aliases. */
  static readonly __pulumiType = resourceType("ProjectLimits");

  constructor(name: string, args: ProjectLimitsArgs, opts?: pulumi.CustomResourceOptions) {
    super(...registration(declare, projectLimits, name, args, opts));
    giveUndefined(this);
  }
}
