/** What can be asked of the service, free of Pulumi: programs and the provider plugin ask alike. */
import type { BrowserInfraClient, Project } from "../client/index.js";
import { checkProjectId, defaultProjectId, type Settings } from "../config.js";
import { ContractError, InputError, LookupError } from "../errors.js";
import { withoutAddresses } from "../text/redact.js";
import { type ArgumentRules, type InProject, type WithoutNull, withoutNull } from "./forms.js";
import type * as types from "./signatures.js";

/** A question to the service. */
interface Read<Args, Found> {
  /** Which arguments it takes. */
  readonly takes: ArgumentRules;
  /** Whether it looks in one project, and not in the whole organization. */
  readonly isInProject: boolean;
  /** Asks with arguments that were checked. Null in the answer means that there is no value. */
  readonly ask: (client: BrowserInfraClient, args: Args) => Promise<Found>;
}

type RulesOf<Args> = Readonly<Record<keyof NoInfer<Args>, ArgumentRules[string]>>;

/** A read that sends no project, so that an outdated project setting does not break it. */
function ofOrganization<Args, Found>(takes: RulesOf<Args>, ask: Read<Args, Found>["ask"]): Read<Args, Found> {
  return { takes, isInProject: false, ask };
}

/** A read in the project that its argument names, else the settings, else the API key. */
function ofProject<Args extends InProject, Found>(
  takes: RulesOf<Omit<Args, "projectId">>,
  ask: Read<Args, Found>["ask"],
): Read<Args, Found> {
  return { takes: { ...takes, projectId: "any" }, isInProject: true, ask };
}

/** Every read by the name of its function. */
export const reads = {
  getApiKey: ofOrganization({ id: "one" }, (client, { id }: types.GetApiKeyArgs) => client.apiKeys.get(id)),

  getApiKeys: ofOrganization({ query: "any", name: "any" }, async (client, args: types.GetApiKeysArgs) => ({
    apiKeys: [...(await client.apiKeys.list(args))],
  })),

  getAuthConnection: ofProject({ id: "one" }, async (client, { id }: types.GetAuthConnectionArgs) => {
    const { domain, profileName, status, canReauth, errorCode, errorMessage, ...others } =
      await client.authConnections.get(id);
    const { flowStatus, flowStep, flowType, flowExpiresAt } = others;
    return {
      ...{ id, domain, profileName, status, canReauth, flowStatus, flowStep, flowType, flowExpiresAt },
      errorCode: errorCode && withoutAddresses(errorCode),
      errorMessage: errorMessage && withoutAddresses(errorMessage),
    };
  }),

  getBrowserPool: ofProject({ id: "one", name: "one" }, (client, { id, name }: types.GetBrowserPoolArgs) =>
    id === undefined
      ? client.browserPools.getByName(name)
      : byId("a browser pool", id, client.browserPools.get(id), () => client.browserPools.holderOf(id)),
  ),

  getBrowserPools: ofProject(
    { query: "any", name: "any", limit: "any" },
    async (client, { projectId: _project, ...args }: types.GetBrowserPoolsArgs) => ({
      browserPools: [...(await client.browserPools.list(args))],
    }),
  ),

  getExtension: ofProject({ id: "one", name: "one" }, (client, { id, name }: types.GetExtensionArgs) =>
    id === undefined
      ? client.extensions.getByName(name)
      : byId("an extension", id, client.extensions.get(id), () => undefined),
  ),

  getOrganizationLimits: ofOrganization({}, (client, _none: types.GetOrganizationLimitsArgs) =>
    client.organization.limits(),
  ),

  getProfile: ofProject({ id: "one", name: "one" }, (client, { id, name }: types.GetProfileArgs) =>
    id === undefined
      ? client.profiles.getByName(name)
      : byId("a profile", id, client.profiles.get(id), () => client.profiles.holderOf(id)),
  ),
  getProject: ofOrganization({ id: "one", name: "one" }, findProject),

  getProjectLimits: ofOrganization(
    { projectId: "one", projectName: "one" },
    async (client, { projectId, projectName }: types.GetProjectLimitsArgs) => {
      // The limits do not say whose they are, and the service may take a name for an id.
      const which = projectId === undefined ? { name: projectName } : { id: projectId };
      const { id, name } = await findProject(client, which).catch((error: unknown) => {
        throw error instanceof InputError ? inWordsOfLimits(error) : error;
      });
      return { projectId: id, projectName: name, ...(await client.projects.limits(id)) };
    },
  ),

  getProjects: ofOrganization(
    { query: "any", name: "any", limit: "any", status: "any" },
    async (client, args: types.GetProjectsArgs) => {
      // The client takes any, as the service may add more. Here a typing error finds nothing.
      if (!["active", "archived", undefined].includes(args.status)) {
        const message = `"status" must be "active" or "archived". Leave it out for both.`;
        throw new InputError("argument_invalid", "status", message);
      }
      return { projects: [...(await client.projects.list(args))] };
    },
  ),
  getProxy: ofProject({ id: "one", name: "one" }, (client, { id, name }: types.GetProxyArgs) =>
    id === undefined
      ? client.proxies.getByName(name)
      : byId("a proxy", id, client.proxies.get(id), () => client.proxies.holderOf(id)),
  ),
};

export type ReadName = keyof typeof reads;

/** The arguments of a read, and what it finds. */
export type ArgsOf<Name extends ReadName> = Parameters<(typeof reads)[Name]["ask"]>[1];
export type FoundBy<Name extends ReadName> = WithoutNull<Awaited<ReturnType<(typeof reads)[Name]["ask"]>>>;

/**
 * Asks with arguments that were checked. The answer has no null: what has no value is undefined.
 *
 * Rejects with `InputError`, whose `property` is the argument, before any request; with
 * `ConfigError`, `LookupError`, `ApiError` and the other errors of the client.
 */
export async function ask(
  name: ReadName,
  args: object,
  settings: Settings,
  client: BrowserInfraClient,
): Promise<object> {
  const read = reads[name] as Read<object, object>;
  const { projectId } = args as InProject;
  const project = projectId === undefined ? defaultProjectId : () => checkedProjectId(projectId);
  const found = await read.ask(client.inProject(read.isInProject ? project(settings) : undefined), args);
  return withoutNull(found);
}

function checkedProjectId(projectId: string): string {
  try {
    return checkProjectId(projectId);
  } catch (error) {
    throw new InputError("id_invalid", "projectId", (error as Error).message);
  }
}

/**
 * What was found for an id. The service may take a name in its place, which the client reports as
 * an answer about another object, or does not find at all. `named` looks for that.
 */
async function byId<T extends { readonly id: string }>(
  noun: string,
  id: string,
  answer: Promise<T>,
  named: () => Promise<{ readonly id: string } | undefined> | undefined,
): Promise<T> {
  let found: { readonly id: string } | undefined;
  try {
    const record = await answer;
    if (record.id === id) {
      return record;
    }
    found = record;
  } catch (error) {
    found = error instanceof ContractError || error instanceof LookupError ? await named() : undefined;
    if (found === undefined) {
      throw error;
    }
  }
  const message = `"id" is ${noun}'s name; its id is ${found.id}. Pass that id, or pass the name as "name".`;
  throw new InputError("id_invalid", "id", message);
}

function findProject({ projects }: BrowserInfraClient, { id, name }: types.GetProjectArgs): Promise<Project> {
  return id === undefined
    ? projects.getByName(name)
    : byId("a project", id, projects.get(id), async () => (await projects.list({ name: id, limit: 1 }))[0]);
}

/** The same about the arguments of `getProjectLimits`, whose names differ. */
function inWordsOfLimits({ code, property, message, cause }: InputError): InputError {
  const words: Readonly<Record<string, string>> = { id: "projectId", name: "projectName" };
  const text = message.replace(/"(id|name)"/g, (_all, word: string) => `"${words[word]}"`);
  return new InputError(code, words[property] ?? property, text, { cause });
}
