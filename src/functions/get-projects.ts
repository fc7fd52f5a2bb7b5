import type * as pulumi from "@pulumi/pulumi";
import { InputError } from "../errors.js";
import type { InputsOf } from "./arguments.js";
import type { GetProjectResult } from "./get-project.js";
import { type FunctionDefinition, outputForm, plainForm } from "./two-forms.js";

/** Which projects; default all. */
export interface GetProjectsArgs {
  /** Only projects whose name contains this text, in either case. */
  readonly query?: string | undefined;
  /** Only projects with exactly this name, byte for byte. */
  readonly name?: string | undefined;
  /** Projects wanted at most, a whole number from 1. Default: all. */
  readonly limit?: number | undefined;
  /** Only projects of this status. Default: archived ones as well. */
  readonly status?: "active" | "archived" | undefined;
}

/** Arguments of {@link getProjectsOutput}. */
export type GetProjectsOutputArgs = InputsOf<GetProjectsArgs>;

/** What {@link getProjects} finds. */
export interface GetProjectsResult {
  /** The projects in the service's order, which it does not publish. Each is there once. */
  readonly projects: GetProjectResult[];
}

const statuses: readonly string[] = ["active", "archived"];

const definition: FunctionDefinition<GetProjectsArgs, GetProjectsResult> = {
  name: "getProjects",
  takes: { anyOf: ["query", "name", "limit", "status"] },
  scope: "organization",
  ask: async (client, args) => {
    // The client takes any, for the service may add to them; here a slip of the pen would find nothing without a word.
    if (args.status !== undefined && !statuses.includes(args.status)) {
      throw new InputError(
        "argument_invalid",
        "status",
        `"status" is neither "active" nor "archived". Give one of them, or leave it out for both.`,
      );
    }
    return { projects: [...(await client.projects.list(args))] };
  },
};

/**
 * Lists the projects of the organization that the API key may see, over every page.
 *
 * Rejects with `InputError` before any request, `ConfigError`, `ApiError`, and `ContractError` when pages repeat or do not end.
 */
export function getProjects(
  args: GetProjectsArgs = {},
  options?: pulumi.InvokeOptions,
): Promise<GetProjectsResult> {
  return plainForm(definition, args, options);
}

/** As {@link getProjects}, for arguments that may be Outputs; not known, and nothing is asked, while one of them is not. */
export function getProjectsOutput(
  args: GetProjectsOutputArgs = {},
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetProjectsResult> {
  return outputForm(definition, args, options);
}
