import type * as pulumi from "@pulumi/pulumi";
import type { AuthConnection } from "../client/types.js";
import { withoutAddresses } from "../text/redact.js";
import type { InputsOf } from "./arguments.js";
import { type FunctionDefinition, outputForm, plainForm } from "./invoke.js";
import type { WithoutNull } from "./results.js";

/** Which auth connection. */
export interface GetAuthConnectionArgs {
  /** Id of the auth connection. */
  readonly id: string;
}

/** Arguments of {@link getAuthConnectionOutput}. */
export type GetAuthConnectionOutputArgs = InputsOf<GetAuthConnectionArgs>;

/** The members of an auth connection that a function returns. */
const members = [
  "id",
  "domain",
  "profileName",
  "status",
  "flowStatus",
  "flowStep",
  "flowType",
  "flowExpiresAt",
  "errorCode",
  "errorMessage",
  "canReauth",
] as const;

type AuthConnectionSummary = Pick<AuthConnection, (typeof members)[number]>;

/**
 * The state of a profile's login at one domain. Members that begin with `flow`, and the error
 * members, describe the login in progress or else the last one. The addresses of the login page and
 * the live view are left out: whoever has them can log in or watch.
 */
export type GetAuthConnectionResult = WithoutNull<AuthConnectionSummary>;

const definition: FunctionDefinition<GetAuthConnectionArgs, AuthConnectionSummary> = {
  name: "getAuthConnection",
  takes: { exactlyOneOf: ["id"] },
  scope: "project",
  ask: async (client, { id }) => {
    const connection = await client.authConnections.get(id);
    const summary = Object.fromEntries(members.map((name) => [name, connection[name]]));
    return {
      ...(summary as unknown as AuthConnectionSummary),
      errorCode: connection.errorCode && withoutAddresses(connection.errorCode),
      errorMessage: connection.errorMessage && withoutAddresses(connection.errorMessage),
    };
  },
};

/**
 * Reads the state of an auth connection, for programs that decide by it. To wait for a login,
 * declare a `LoginFlow`.
 *
 * Rejects with `InputError` before any request; `ConfigError`; `ApiError`, such as `not_found`.
 */
export function getAuthConnection(
  args: GetAuthConnectionArgs,
  options?: pulumi.InvokeOptions,
): Promise<GetAuthConnectionResult> {
  return plainForm(definition, args, options);
}

/** As {@link getAuthConnection}, for arguments that may be Outputs; unknown while one is. */
export function getAuthConnectionOutput(
  args: GetAuthConnectionOutputArgs,
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetAuthConnectionResult> {
  return outputForm(definition, args, options);
}
