import type * as pulumi from "@pulumi/pulumi";
import type { ProjectLimits } from "../client/types.js";
import type { ExactlyOne, InputsOf } from "./arguments.js";
import { type FunctionDefinition, outputForm, plainForm } from "./invoke.js";
import { projectById } from "./name-as-id.js";
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

/** The caps of a project, with its id and name. */
type LimitsOfProject = ProjectLimits & {
  /** Id of the project. */
  readonly projectId: string;
  /** Name of the project. */
  readonly projectName: string;
};

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
    // The limits do not say whose they are, and the service may take a name for an id.
    const project =
      projectId === undefined
        ? await client.projects.getByName(projectName)
        : await projectById(client, projectId, "projectId", "projectName");
    const limits = await client.projects.limits(project.id);
    return { projectId: project.id, projectName: project.name, ...limits };
  },
};

/** Reads the caps that a project sets for itself, after the project. Rejects as `getProject`. */
export function getProjectLimits(
  args: GetProjectLimitsArgs,
  options?: pulumi.InvokeOptions,
): Promise<GetProjectLimitsResult> {
  return plainForm(definition, args, options);
}

/** As {@link getProjectLimits}, for arguments that may be Outputs; unknown while one is. */
export function getProjectLimitsOutput(
  args: GetProjectLimitsOutputArgs,
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetProjectLimitsResult> {
  return outputForm(definition, args, options);
}
