import * as pulumi from "@pulumi/pulumi";
import type { limitsState } from "../../providers/organization/project-limits/properties.js";
import { dynamicBridge } from "../dynamic-bridge.js";
import { type GetArguments, getResource, type LookedUp, type ResourceState } from "../lookup.js";
import { isOfKind, nullsToUndefined, type ResourceDeclaration, registration } from "../registration.js";
import { resourceType } from "../type-token.js";

/** Arguments of {@link ProjectLimits}. At least one of the limits is needed. */
export interface ProjectLimitsArgs {
  /**
   * Id of the project. A change replaces the resource and, unless `onDelete` is `keep`, restores the
   * previous limits of the old project. Two resources of a program cannot set the limits of the same project.
   */
  readonly projectId: pulumi.Input<string>;
  /**
   * Maximum concurrent browsers, on demand and reserved by browser pools together: at least 1.
   * Declared without a value: no project cap, as in `uncapped`. Undeclared: not managed. 0 is
   * refused, because the service reads 0 as "no cap".
   */
  readonly maxConcurrentSessions?: pulumi.Input<number | null | undefined>;
  /**
   * Maximum concurrent app invocations: at least 1. Declared without a value: no project cap, as in
   * `uncapped`. Undeclared: not managed. 0 is refused, because the service reads 0 as "no cap".
   */
  readonly maxConcurrentInvocations?: pulumi.Input<number | null | undefined>;
  /**
   * Limits to remove from the project: `maxConcurrentSessions`, `maxConcurrentInvocations`.
   * Equivalent to a limit declared without a value, which many languages cannot express.
   */
  readonly uncapped?: pulumi.Input<
    pulumi.Input<"maxConcurrentSessions" | "maxConcurrentInvocations">[] | undefined
  >;
  /**
   * Action on delete. `restore` (default): restores the previous limits. `keep`: leaves the limits
   * unchanged. A change of this input sends no request.
   */
  readonly onDelete?: pulumi.Input<"restore" | "keep" | undefined>;
}

/** @internal Kind and outputs, for the classes of both bridges. */
export const projectLimits = {
  kind: "ProjectLimits",
  outputs: {
    projectId: true,
    maxConcurrentSessions: true,
    maxConcurrentInvocations: true,
    uncapped: true,
    onDelete: true,
  },
  importAdvice: "Leave the option out: ProjectLimits manages the limits of any project that exists.",
  // A forced replacement appears in no diff and gives the provider no old state. Deleting the old
  // resource first restores the previous limits, for the new resource to record.
  deletesFirst: () => true,
} satisfies ResourceDeclaration<typeof limitsState>;

/** State for {@link ProjectLimits.get}. Optional: the id of the project is enough. */
export type ProjectLimitsState = ResourceState<ProjectLimits>;

/** Result of {@link ProjectLimits.get}. */
export type FoundProjectLimits = LookedUp<ProjectLimitsResource, "onDelete">;

/** Outputs and lookup of a project's limits, shared by both bridges. */
export abstract class ProjectLimitsResource extends pulumi.CustomResource {
  /** Id of the project; the same as `id`. */
  declare readonly projectId: pulumi.Output<string>;
  /** Maximum concurrent browsers; undefined without a cap, or if not managed. */
  declare readonly maxConcurrentSessions: pulumi.Output<number | undefined>;
  /** Maximum concurrent app invocations; undefined without a cap, or if not managed. */
  declare readonly maxConcurrentInvocations: pulumi.Output<number | undefined>;
  /** Managed limits without a cap; undefined if every managed limit has a cap. */
  declare readonly uncapped: pulumi.Output<
    ("maxConcurrentSessions" | "maxConcurrentInvocations")[] | undefined
  >;
  /** Action on delete. Undefined for a lookup by `get`. */
  declare readonly onDelete: pulumi.Output<"restore" | "keep">;

  /** Looks up limits that this program does not manage. `id`: the project's id, not its name. */
  static get(...args: GetArguments<ProjectLimitsState>): FoundProjectLimits {
    return getResource<FoundProjectLimits>(this, ...args);
  }

  /** Whether `value` is a ProjectLimits, from any copy of the package. */
  static override isInstance(value: unknown): value is ProjectLimits {
    return isOfKind("ProjectLimits", value);
  }
}

/**
 * Caps of a project, below the limit of the organization. Only declared caps are managed;
 * undeclared caps stay unchanged.
 *
 * - Deleting the resource restores the previous caps, unless `onDelete` is `keep` or the caps have
 *   since been changed outside of the program. Removing a cap from the program restores the
 *   previous cap likewise.
 * - A refresh finds caps that were changed outside of the program; the next deployment corrects the
 *   caps. Undeclared caps are not drift.
 */
export class ProjectLimits extends ProjectLimitsResource {
  /** Type token, for policies and aliases. */
  static readonly __pulumiType = resourceType("ProjectLimits");

  constructor(name: string, args: ProjectLimitsArgs, opts?: pulumi.CustomResourceOptions) {
    super(...registration(dynamicBridge, projectLimits, name, args, opts));
    nullsToUndefined(this);
  }
}
