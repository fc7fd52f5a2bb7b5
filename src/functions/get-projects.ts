import type * as pulumi from "@pulumi/pulumi";
import type { Project } from "../client/types.js";
import { InputError } from "../errors.js";
import type { InputsOf } from "./arguments.js";
import type { GetProjectResult } from "./get-project.js";
import { type FunctionDefinition, outputForm, plainForm } from "./invoke.js";

/** Which projects. Default: all. */
export interface GetProjectsArgs {
  /** Only projects whose name contains this, in upper or lower case. */
  readonly query?: string | undefined;
  /** Only projects with exactly this name, byte for byte. */
  readonly name?: string | undefined;
  /** Most projects to return, a whole number of at least 1. Default: all. */
  readonly limit?: number | undefined;
  /** Only projects with this status. Default: both. */
  readonly status?: "active" | "archived" | undefined;
}

/** Arguments of {@link getProjectsOutput}. */
export type GetProjectsOutputArgs = InputsOf<GetProjectsArgs>;

/** What {@link getProjects} finds. */
export interface GetProjectsResult {
  /** The projects, each once, in the service's order, which it does not publish. */
  readonly projects: GetProjectResult[];
}

const statuses: readonly string[] = ["active", "archived"];

const definition: FunctionDefinition<GetProjectsArgs, { projects: Project[] }> = {
  name: "getProjects",
  takes: { anyOf: ["query", "name", "limit", "status"] },
  scope: "organization",
  ask: async (client, args) => {
    // The client takes any status, as the service may add more. Here a typing error finds nothing.
    if (args.status !== undefined && !statuses.includes(args.status)) {
      const message = `"status" must be "active" or "archived". Leave it out for both.`;
      throw new InputError("argument_invalid", "status", message);
    }
    return { projects: [...(await client.projects.list(args))] };
  },
};

/**
 * Lists the projects of the organization that the API key may see, over every page.
 *
 * Rejects with `InputError` before any request, `ConfigError`, `ApiError`, and `ContractError` when
 * pages repeat or do not end.
 */
export function getProjects(
  args: GetProjectsArgs = {},
  options?: pulumi.InvokeOptions,
): Promise<GetProjectsResult> {
  return plainForm(definition, args, options);
}

/** As {@link getProjects}, for arguments that may be Outputs; unknown while one is. */
export function getProjectsOutput(
  args: GetProjectsOutputArgs = {},
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetProjectsResult> {
  return outputForm(definition, args, options);
}
