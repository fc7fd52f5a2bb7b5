import type * as pulumi from "@pulumi/pulumi";
import type { ExactlyOne, InputsOf } from "./arguments.js";
import { projectById } from "./project-by-id.js";
import { type FunctionDefinition, outputForm, plainForm } from "./two-forms.js";

/** Whose limits: exactly one of id and name. */
export type GetProjectLimitsArgs = ExactlyOne<{
  /** Id of the project. */
  projectId: string;
  /** Exact name of the project, byte for byte: case, accents and spaces count. */
  projectName: string;
}>;

/** Arguments of {@link getProjectLimitsOutput}. */
export type GetProjectLimitsOutputArgs = InputsOf<GetProjectLimitsArgs>;

/** The caps a project sets for itself. Null: it sets none, and the limit of the organization applies, which this does not show. */
export interface GetProjectLimitsResult {
  /** Id of the project. */
  readonly projectId: string;
  /** Name of the project. */
  readonly projectName: string;
  /** Browsers at once, on demand and reserved by browser pools together; null for no cap of its own. */
  readonly maxConcurrentSessions: number | null;
  /** App invocations at once; null for no cap of its own. */
  readonly maxConcurrentInvocations: number | null;
  /** @deprecated Pooled browsers count toward `maxConcurrentSessions`; always null once the organization has the unified limit. */
  readonly maxPooledSessions: number | null;
}

const definition: FunctionDefinition<GetProjectLimitsArgs, GetProjectLimitsResult> = {
  name: "getProjectLimits",
  takes: { exactlyOneOf: ["projectId", "projectName"] },
  scope: "organization",
  ask: async (client, { projectId, projectName }) => {
    // The limits do not say whose they are, and the service may take a name for an id: so the project comes first.
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
 * Reads the caps a project sets for itself. Null means that it sets none and the organization's limit applies, so a program that needs so
 * many browsers takes null for enough or asks whoever runs the organization.
 *
 * Reads the project first, so it rejects as `getProject` does.
 */
export function getProjectLimits(
  args: GetProjectLimitsArgs,
  options?: pulumi.InvokeOptions,
): Promise<GetProjectLimitsResult> {
  return plainForm(definition, args, options);
}

/** As {@link getProjectLimits}, for arguments that may be Outputs; not known, and nothing is asked, while one of them is not. */
export function getProjectLimitsOutput(
  args: GetProjectLimitsOutputArgs,
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetProjectLimitsResult> {
  return outputForm(definition, args, options);
}
