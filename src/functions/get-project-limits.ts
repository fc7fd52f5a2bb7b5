import type * as pulumi from "@pulumi/pulumi";
import type { ProjectLimits } from "../client/types.js";
import type { ExactlyOne, InputsOf } from "./arguments.js";
import { type FunctionDefinition, outputForm, plainForm } from "./invoke.js";
import { projectById } from "./project-by-id.js";
import type { WithoutNull } from "./results.js";

/** Whose limits: exactly one of id and name. */
export type GetProjectLimitsArgs = ExactlyOne<{
  /** Id of the project. */
  projectId: string;
  /** Exact name of the project, byte for byte: case, accents and spaces count. */
  projectName: string;
}>;

/** Arguments of {@link getProjectLimitsOutput}. */
export type GetProjectLimitsOutputArgs = InputsOf<GetProjectLimitsArgs>;

/** The caps of a project, and which project it is. */
type LimitsOfProject = {
  /** Id of the project. */
  readonly projectId: string;
  /** Name of the project. */
  readonly projectName: string;
} & ProjectLimits;

/**
 * The caps that a project sets for itself. `undefined`: the project sets no cap, so only the
 * organization's limit applies, which this does not show.
 */
export type GetProjectLimitsResult = WithoutNull<LimitsOfProject>;

const definition: FunctionDefinition<GetProjectLimitsArgs, LimitsOfProject> = {
  name: "getProjectLimits",
  takes: { exactlyOneOf: ["projectId", "projectName"] },
  scope: "organization",
  ask: async (client, { projectId, projectName }) => {
    // The limits do not say whose they are, and the service may take a name for an id. So read the
    // project first.
    const project =
      projectId === undefined
        ? await client.projects.getByName(projectName)
        : await projectById(client, projectId, "projectId", "projectName");
    return {
      projectId: project.id,
      projectName: project.name,
      ...(await client.projects.limits(project.id)),
    };
  },
};

/**
 * Reads the caps that a project sets for itself. Where a cap is `undefined`, only the
 * organization's limit applies, which the service does not tell here.
 *
 * Reads the project first, so it rejects as `getProject` does.
 */
export function getProjectLimits(
  args: GetProjectLimitsArgs,
  options?: pulumi.InvokeOptions,
): Promise<GetProjectLimitsResult> {
  return plainForm(definition, args, options);
}

/**
 * As {@link getProjectLimits}, for arguments that may be Outputs. While one of them is unknown, it
 * asks nothing and its result is unknown.
 */
export function getProjectLimitsOutput(
  args: GetProjectLimitsOutputArgs,
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetProjectLimitsResult> {
  return outputForm(definition, args, options);
}
