import * as pulumi from "@pulumi/pulumi";
import type { destinationState } from "../../providers/organization/telemetry-destination/telemetry-destination.js";
import { dynamicBridge } from "../dynamic-bridge.js";
import { type GetArguments, getResource, type LookedUp, type ResourceState } from "../lookup.js";
import { isOfKind, nullsToUndefined, type ResourceDeclaration, registration } from "../registration.js";
import { resourceType } from "../type-token.js";

/** Arguments of a {@link TelemetryDestination}. */
export interface TelemetryDestinationArgs {
  /**
   * Name, unique in the organization regardless of case and accents: 1 to 255 letters, digits, dots,
   * underscores and hyphens, not in the form of an id. A change renames the destination in place;
   * the service may refuse the new name while an auth connection selects the old name. Default:
   * `<logical name>-<7 hexadecimal digits>`, which never changes.
   */
  readonly name?: pulumi.Input<string | undefined>;
  /**
   * Id or name of an existing destination to manage instead of creating a destination; needs `name`. The deployment
   * changes the destination to what is declared, and fails if no change leads there. From then on, the destination
   * belongs to this resource. Counts only when the resource is created, so `adopt` may stay in the
   * program. A preview shows the destination. Default: a new destination.
   */
  readonly adopt?: pulumi.Input<string | undefined>;
  /**
   * Base URL that receives OTLP, such as `https://otlp.example.com`: http or https, at most 2048
   * characters, without `/v1/logs`, `/v1/traces` or `/v1/metrics` at the end, user name, password,
   * query and fragment. The service exports to public addresses only, and follows no redirects.
   */
  readonly endpoint: pulumi.Input<string>;
  /** Description, at most 1024 characters. Default: none. */
  readonly description?: pulumi.Input<string | undefined>;
  /**
   * Values of the HTTP headers of every export, by name: at most 32, and 8192 bytes of names and
   * values. Always a secret: the state encrypts them, and no diff shows them. But Pulumi's SDK logs
   * the inputs of a program, secrets in plain text: `--json`, `--debug` and `-v=7` show the values.
   * If anybody else can read those logs, use `headersFromEnv` or `headersFromConfig`. Undeclared
   * headers are removed. Default: none.
   */
  readonly headers?: pulumi.Input<{ readonly [header: string]: pulumi.Input<string> } | undefined>;
  /**
   * Names of environment variables by header, such as `{ "X-Api-Key": "OTLP_KEY" }`. The provider
   * reads the value in the environment of Pulumi, so the value reaches no log and no state. The next
   * deployment sends a changed value. If a variable is not set, the preview fails. A variable of
   * Pulumi (`PULUMI_…`) and the variables of the deployment's own key are refused.
   */
  readonly headersFromEnv?: pulumi.Input<{ readonly [header: string]: pulumi.Input<string> } | undefined>;
  /**
   * Names of secret settings of the stack by header, as `headersFromEnv`. Namespace:
   * `pulumi-nodejs:`, or for the plugin and the SDKs `browser-infra:`. Pulumi passes settings of no
   * other namespace to the process of a provider.
   */
  readonly headersFromConfig?: pulumi.Input<{ readonly [header: string]: pulumi.Input<string> } | undefined>;
}

/** @internal Kind and outputs, for the classes of both bridges. */
export const telemetryDestination = {
  kind: "TelemetryDestination",
  outputs: {
    name: true,
    endpoint: true,
    description: true,
    headers: "secret",
    headersFromEnv: true,
    headersFromConfig: true,
    createdAt: true,
  },
  importAdvice: { group: "telemetry-destinations" },
  // Names are unique in the organization.
  deletesFirst: () => true,
} satisfies ResourceDeclaration<typeof destinationState>;

/** State for {@link TelemetryDestination.get}. Optional: the id is enough. */
export type TelemetryDestinationState = ResourceState<TelemetryDestination>;

/** Result of {@link TelemetryDestination.get}. The service never shows the values of headers. */
export type FoundTelemetryDestination = LookedUp<TelemetryDestinationResource, "headers">;

/** Outputs and lookup of a telemetry destination, shared by both bridges. */
export abstract class TelemetryDestinationResource extends pulumi.CustomResource {
  /** Name of the destination. */
  declare readonly name: pulumi.Output<string>;
  /** Base URL that receives OTLP. */
  declare readonly endpoint: pulumi.Output<string>;
  /** Description; undefined if there is none. */
  declare readonly description: pulumi.Output<string | undefined>;
  /** Declared `headers`, without headers given by name. A secret. Undefined for a lookup by `get`. */
  declare readonly headers: pulumi.Output<Readonly<Record<string, string>>>;
  /** Names of environment variables by header; undefined if there are none. */
  declare readonly headersFromEnv: pulumi.Output<Readonly<Record<string, string>> | undefined>;
  /** Names of settings of the stack by header; undefined if there are none. */
  declare readonly headersFromConfig: pulumi.Output<Readonly<Record<string, string>> | undefined>;
  /** Creation time, ISO 8601; undefined if not readable. */
  declare readonly createdAt: pulumi.Output<string | undefined>;

  /** Looks up a destination that this program does not manage. `id`: the id, not the name. */
  static get(...args: GetArguments<TelemetryDestinationState>): FoundTelemetryDestination {
    return getResource<FoundTelemetryDestination>(this, ...args);
  }

  /** Whether `value` is a TelemetryDestination, from any copy of the package. */
  static override isInstance(value: unknown): value is TelemetryDestination {
    return isOfKind("TelemetryDestination", value);
  }
}

/**
 * A receiver of telemetry over OTLP, for the whole organization. Pass `destination.id` as
 * `telemetryDestinationId` to a `BrowserPool` or an `AuthConnection`. Requires an API key of the
 * whole organization.
 *
 * - The service does not delete a destination in use. The error contains the service's reason.
 * - The service never shows the value of a header. So a refresh does not find a value that was
 *   changed elsewhere. A refresh finds added and removed headers, and the next deployment restores
 *   the declared headers.
 * - The results of exports change all the time, so they are no outputs. Run
 *   `browser-infra telemetry-destinations get` to see them.
 */
export class TelemetryDestination extends TelemetryDestinationResource {
  /** Type token, for policies and aliases. */
  static readonly __pulumiType = resourceType("TelemetryDestination");

  constructor(name: string, args: TelemetryDestinationArgs, opts?: pulumi.CustomResourceOptions) {
    super(...registration(dynamicBridge, telemetryDestination, name, args, opts));
    nullsToUndefined(this);
  }
}
