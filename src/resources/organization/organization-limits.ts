import * as pulumi from "@pulumi/pulumi";
import type { organizationLimitsState } from "../../providers/organization/organization-limits/properties.js";
import { dynamicBridge } from "../dynamic-bridge.js";
import { type GetArguments, getResource, type LookedUp, type ResourceState } from "../lookup.js";
import { isOfKind, nullsToUndefined, type ResourceDeclaration, registration } from "../registration.js";
import { resourceType } from "../type-token.js";

/** Arguments of {@link OrganizationLimits}. */
export interface OrganizationLimitsArgs {
  /**
   * Maximum concurrent browsers in each project that sets no cap, present or future: at least 1, at
   * most the limit of the organization. Without a value: no default cap. 0 is refused, because the
   * service reads 0 as "no cap".
   */
  readonly defaultProjectMaxConcurrentSessions?: pulumi.Input<number | null | undefined>;
  /**
   * Action on delete. `restore` (default): restores the previous cap. `keep`: leaves the cap
   * unchanged. A change of this input sends no request.
   */
  readonly onDelete?: pulumi.Input<"restore" | "keep" | undefined>;
}

/** @internal Kind and outputs, for the classes of both bridges. */
export const organizationLimits = {
  kind: "OrganizationLimits",
  outputs: { defaultProjectMaxConcurrentSessions: true, onDelete: true },
  importAdvice:
    "Leave the option out: OrganizationLimits manages the limits of the organization as they are.",
  // As for ProjectLimits: a forced replacement must find the previous limits.
  deletesFirst: () => true,
} satisfies ResourceDeclaration<typeof organizationLimitsState>;

/** State for {@link OrganizationLimits.get}. Optional: the id is enough. */
export type OrganizationLimitsState = ResourceState<OrganizationLimits>;

/** Result of {@link OrganizationLimits.get}. */
export type FoundOrganizationLimits = LookedUp<OrganizationLimitsResource, "onDelete">;

/** Outputs and lookup of the organization's limits, shared by both bridges. */
export abstract class OrganizationLimitsResource extends pulumi.CustomResource {
  /** Default cap of projects that set no cap; undefined if there is none. */
  declare readonly defaultProjectMaxConcurrentSessions: pulumi.Output<number | undefined>;
  /** Action on delete. Undefined for a lookup by `get`. */
  declare readonly onDelete: pulumi.Output<"restore" | "keep">;

  /** Looks up the limits without managing them. `id`: `organization`. */
  static get(...args: GetArguments<OrganizationLimitsState>): FoundOrganizationLimits {
    return getResource<FoundOrganizationLimits>(this, ...args);
  }

  /** Whether `value` is an OrganizationLimits, from any copy of the package. */
  static override isInstance(value: unknown): value is OrganizationLimits {
    return isOfKind("OrganizationLimits", value);
  }
}

/**
 * The default cap of the organization's projects, the only limit of an organization that a request
 * can change. An API key belongs to one organization, so a program declares at most one
 * OrganizationLimits per organization.
 *
 * - Deleting the resource restores the previous cap, unless `onDelete` is `keep` or the cap has
 *   since been changed outside of the program.
 * - A refresh finds a cap that was changed outside of the program; the next deployment corrects it.
 */
export class OrganizationLimits extends OrganizationLimitsResource {
  /** Type token, for policies and aliases. */
  static readonly __pulumiType = resourceType("OrganizationLimits");

  constructor(name: string, args?: OrganizationLimitsArgs, opts?: pulumi.CustomResourceOptions) {
    super(...registration(dynamicBridge, organizationLimits, name, args, opts));
    nullsToUndefined(this);
  }
}
