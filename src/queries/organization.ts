/** Queries about the whole organization: they send no project, whatever the settings name. */
import type { ApiKey, OrganizationLimits, Project } from "../client/types.js";
import { InputError } from "../errors.js";
import type {
  GetApiKeyArgs,
  GetApiKeysArgs,
  GetOrganizationLimitsArgs,
  GetProjectArgs,
  GetProjectLimitsArgs,
  GetProjectsArgs,
} from "./arguments.js";
import { inWordsOf, projectById } from "./ids-and-names.js";
import type { Query } from "./query.js";
import type { LimitsOfProject } from "./results.js";

/** One project, by id or by exact name. */
export const projectQuery: Query<GetProjectArgs, Project> = {
  name: "getProject",
  takes: { exactlyOneOf: ["id", "name"] },
  scope: "organization",
  ask: (client, { id, name }) =>
    id === undefined ? client.projects.getByName(name) : projectById(client, id, "id", "name"),
};

const statuses: readonly string[] = ["active", "archived"];

/** The projects of the organization that the API key may see, over every page. */
export const projectsQuery: Query<GetProjectsArgs, { projects: Project[] }> = {
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

/** The caps that a project sets for itself. */
export const projectLimitsQuery: Query<GetProjectLimitsArgs, LimitsOfProject> = {
  name: "getProjectLimits",
  takes: { exactlyOneOf: ["projectId", "projectName"] },
  scope: "organization",
  ask: async (client, { projectId, projectName }) => {
    // The limits do not say whose they are, and the service may take a name for an id.
    const project =
      projectId === undefined
        ? await inWordsOf("projectName", "name", client.projects.getByName(projectName))
        : await projectById(client, projectId, "projectId", "projectName");
    const limits = await client.projects.limits(project.id);
    return { projectId: project.id, projectName: project.name, ...limits };
  },
};

/** What the organization may use, and what it uses now. */
export const organizationLimitsQuery: Query<GetOrganizationLimitsArgs, OrganizationLimits> = {
  name: "getOrganizationLimits",
  takes: { anyOf: [] },
  scope: "organization",
  ask: (client) => client.organization.limits(),
};

/** One API key, also an expired one. Its record has no secret. */
export const apiKeyQuery: Query<GetApiKeyArgs, ApiKey> = {
  name: "getApiKey",
  takes: { exactlyOneOf: ["id"] },
  scope: "organization",
  ask: (client, { id }) => client.apiKeys.get(id),
};

/** The API keys that the configured one may see, over every page. */
export const apiKeysQuery: Query<GetApiKeysArgs, { apiKeys: ApiKey[] }> = {
  name: "getApiKeys",
  takes: { anyOf: ["query", "name"] },
  scope: "organization",
  ask: async (client, args) => ({ apiKeys: [...(await client.apiKeys.list(args))] }),
};
