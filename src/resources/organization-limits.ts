import * as pulumi from "@pulumi/pulumi";
import { resourceType } from "../bridges/dynamic/contract.js";
import { declare } from "../bridges/dynamic/declare.js";
import type { organizationLimitsState } from "../providers/organization-limits/properties.js";
import { getResource, type LookedUp, type ResourceState } from "./lookup.js";
import { giveUndefined, isOfKind, type Noun, registration } from "./registration.js";

/** Arguments of {@link OrganizationLimits}. */
export interface OrganizationLimitsArgs {
  /**
   * Browsers at the same time in each project that sets no cap of its own, present and future ones:
   * at least 1, and at most what the organization may use. Without a value, there is no such cap. 0
   * is refused, because the service reads it as "no cap".
   */
  readonly defaultProjectMaxConcurrentSessions?: pulumi.Input<number | null | undefined>;
  /**
   * What becomes of the cap when this resource is deleted: `restore` (the default) restores the
   * previous one, `keep` leaves it. Changing it sends nothing.
   */
  readonly onDelete?: pulumi.Input<"restore" | "keep" | undefined>;
}

/** @internal What its classes know of it. */
export const organizationLimits = {
  kind: "OrganizationLimits",
  outputs: { defaultProjectMaxConcurrentSessions: true, onDelete: true },
  insteadOfImport:
    "Leave the option out: OrganizationLimits manages the limits of the organization as they are.",
  // As those of a project: a forced replacement must find the previous limits.
  deletesFirst: () => true,
} satisfies Noun<typeof organizationLimitsState>;

/** What is known of limits that {@link OrganizationLimits.get} looks up. The id is enough. */
export type OrganizationLimitsState = ResourceState<OrganizationLimits>;

/** What {@link OrganizationLimits.get} finds. */
export type FoundOrganizationLimits = LookedUp<OrganizationLimitsResource, "onDelete">;

/** The outputs and the lookup of the organization's limits, the same for both bridges. */
export abstract class OrganizationLimitsResource extends pulumi.CustomResource {
  /** The cap of projects without one of their own; undefined when there is none. */
  declare readonly defaultProjectMaxConcurrentSessions: pulumi.Output<number | undefined>;
  /** What becomes of the cap on delete. Undefined for a lookup by `get`. */
  declare readonly onDelete: pulumi.Output<"restore" | "keep">;

  /** Looks up the limits without managing them. `id`: `organization`. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: OrganizationLimitsState,
    opts?: pulumi.CustomResourceOptions,
  ): FoundOrganizationLimits {
    return getResource<OrganizationLimitsArgs, FoundOrganizationLimits>(this, name, id, state, opts);
  }

  /** Whether `value` is an OrganizationLimits, from this copy of the package or from another. */
  static override isInstance(value: unknown): value is OrganizationLimits {
    return isOfKind("OrganizationLimits", value);
  }
}

/**
 * The limit of the organization that a request can change: the default cap of its projects. There
 * is one organization for each API key, so a program declares one of these at most.
 *
 * - What the cap was before is remembered, and restored when the resource is deleted, unless
 *   `onDelete` says otherwise, or it was changed outside of the program since.
 * - A refresh finds a cap that was changed outside of the program; the next deployment corrects it.
 */
export class OrganizationLimits extends OrganizationLimitsResource {
  /** The type token, for policies and aliases. */
  static readonly __pulumiType = resourceType("OrganizationLimits");

  constructor(name: string, args?: OrganizationLimitsArgs, opts?: pulumi.CustomResourceOptions) {
    super(...registration(declare, organizationLimits, name, args, opts));
    giveUndefined(this);
  }
}
