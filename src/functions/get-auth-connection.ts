import type * as pulumi from "@pulumi/pulumi";
import { withoutAddresses } from "../without-addresses.js";
import type { InputsOf } from "./arguments.js";
import { type FunctionDefinition, outputForm, plainForm } from "./two-forms.js";

/** Which auth connection. */
export interface GetAuthConnectionArgs {
  /** Id of the auth connection. */
  readonly id: string;
}

/** Arguments of {@link getAuthConnectionOutput}. */
export type GetAuthConnectionOutputArgs = InputsOf<GetAuthConnectionArgs>;

/**
 * How a profile's login at one domain stands now. Members that begin with `flow`, and those after them, are of the login under way or
 * the last one; null where the service says nothing. The addresses of the login page and the live view are not among them: they let in
 * whoever has them, and only a `LoginFlow` keeps them secret.
 */
export interface GetAuthConnectionResult {
  readonly id: string;
  /** Domain the login is for. */
  readonly domain: string;
  /** Browser profile that is logged in. */
  readonly profileName: string;
  /** `AUTHENTICATED` or `NEEDS_AUTH`; the service may add others. */
  readonly status: string;
  /** `IN_PROGRESS`, `SUCCESS`, `FAILED`, `EXPIRED` or `CANCELED`; null when no login is under way and none is known. */
  readonly flowStatus: string | null;
  /** What the login is doing: `DISCOVERING`, `AWAITING_INPUT`, `AWAITING_EXTERNAL_ACTION`, `SUBMITTING` or `COMPLETED`. */
  readonly flowStep: string | null;
  /** `LOGIN`, or `REAUTH` where the service logs in again by itself. */
  readonly flowType: string | null;
  /** When the login under way ends by itself, as an ISO 8601 date-time. */
  readonly flowExpiresAt: string | null;
  /** Why the last login failed, as the service's code. */
  readonly errorCode: string | null;
  /** The same in the service's words. */
  readonly errorMessage: string | null;
  /** Whether the service has what it needs to log in again by itself. */
  readonly canReauth: boolean | null;
}

const definition: FunctionDefinition<GetAuthConnectionArgs, GetAuthConnectionResult> = {
  name: "getAuthConnection",
  takes: { exactlyOneOf: ["id"] },
  scope: "project",
  ask: async (client, { id }) => {
    const connection = await client.authConnections.get(id);
    return {
      id: connection.id,
      domain: connection.domain,
      profileName: connection.profileName,
      status: connection.status,
      flowStatus: connection.flowStatus,
      flowStep: connection.flowStep,
      flowType: connection.flowType,
      flowExpiresAt: connection.flowExpiresAt,
      errorCode: connection.errorCode && withoutAddresses(connection.errorCode),
      errorMessage: connection.errorMessage && withoutAddresses(connection.errorMessage),
      canReauth: connection.canReauth,
    };
  },
};

/**
 * Reads how an auth connection stands, for programs that decide by its status. To wait for a login, declare a `LoginFlow`.
 *
 * Rejects with `InputError` before any request; `ConfigError`; `ApiError`, such as `not_found`.
 */
export function getAuthConnection(
  args: GetAuthConnectionArgs,
  options?: pulumi.InvokeOptions,
): Promise<GetAuthConnectionResult> {
  return plainForm(definition, args, options);
}

/** As {@link getAuthConnection}, for arguments that may be Outputs; not known, and nothing is asked, while one of them is not. */
export function getAuthConnectionOutput(
  args: GetAuthConnectionOutputArgs,
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetAuthConnectionResult> {
  return outputForm(definition, args, options);
}
