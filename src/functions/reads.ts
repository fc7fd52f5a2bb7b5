/** Reads of the service, without Pulumi: shared by programs and the provider plugin. */
import type { BrowserInfraClient } from "../client/index.js";
import type * as notFound from "../client/not-found.js";
import type * as nearNames from "../client/operations/near-names.js";
import { checkProjectId, defaultProjectId, type Settings } from "../config.js";
import { type BrowserInfraError, ContractError, InputError, LookupError } from "../errors.js";
import { withoutAddresses } from "../text/redact.js";
import { type WithoutNull, withoutNull } from "../text/without-null.js";
import type { ArgumentRules, IdOrName, InProject } from "./forms.js";
import type * as types from "./signatures.js";

interface Read<Args, Found> {
  readonly rules: ArgumentRules;
  /** Whether the read is limited to one project. Otherwise: the whole organization. */
  readonly isInProject: boolean;
  /** Sends the read with checked arguments. Null in the result: no value. */
  readonly send: (client: BrowserInfraClient, args: Args) => Promise<Found>;
}

type RulesOf<Args> = Readonly<Record<keyof NoInfer<Args>, ArgumentRules[string]>>;

/** Read without a project, so that an outdated project setting does no harm. */
function organizationRead<Args, Found>(
  takes: RulesOf<Args>,
  ask: Read<Args, Found>["send"],
): Read<Args, Found> {
  return { rules: takes, isInProject: false, send: ask };
}

/** Read in the project of the argument `projectId`, else of the settings, else of the API key. */
function projectRead<Args extends InProject, Found>(
  takes: RulesOf<Omit<Args, "projectId">>,
  ask: Read<Args, Found>["send"],
): Read<Args, Found> {
  return { rules: { ...takes, projectId: "any" }, isInProject: true, send: ask };
}

const idOrName = { id: "one", name: "one" } as const;

export const reads = {
  getApiKey: organizationRead(idOrName, (client, args: types.GetApiKeyArgs) =>
    findRecord("an API key", client.apiKeys, args),
  ),

  getApp: projectRead(
    { name: "one", version: "any" },
    async ({ apps }, { name, version = "latest" }: types.GetAppArgs) => {
      const found = await apps.find(name, version);
      if (found === undefined) {
        const message = `No deployment serves version "${version}" of an app "${name}". Check name, version and project: "browser-infra apps list" shows all.`;
        throw new LookupError("app_not_found", message);
      }
      return found;
    },
  ),

  getAppDeployment: projectRead({ id: "one" }, ({ deployments }, { id }: types.GetAppDeploymentArgs) =>
    deployments.get(id),
  ),

  getApiKeys: organizationRead({ query: "any", name: "any" }, async (client, args: types.GetApiKeysArgs) => ({
    apiKeys: [...(await client.apiKeys.list(args))],
  })),

  getAuthConnection: projectRead({ id: "one" }, async (client, { id }: types.GetAuthConnectionArgs) => {
    const { domain, profileName, status, canReauth, errorCode, errorMessage, ...others } =
      await client.authConnections.get(id).catch(async (error) => {
        const { nearDomainAdvice, isNotFound } = partsForFailures();
        const advice = isNotFound(error) ? await nearDomainAdvice(id, client.authConnections) : "";
        throw advice === "" ? error : (error as BrowserInfraError).withAdvice(advice);
      });
    const { flowStatus, flowStep, flowType, flowExpiresAt } = others;
    return {
      ...{ id, domain, profileName, status, canReauth, flowStatus, flowStep, flowType, flowExpiresAt },
      errorCode: errorCode && withoutAddresses(errorCode),
      errorMessage: errorMessage && withoutAddresses(errorMessage),
    };
  }),

  getBrowserPool: projectRead(idOrName, (client, args: types.GetBrowserPoolArgs) =>
    findRecord("a browser pool", client.browserPools, args),
  ),

  getBrowserPools: projectRead(
    { query: "any", name: "any", limit: "any" },
    async (client, { projectId: _project, ...args }: types.GetBrowserPoolsArgs) => ({
      browserPools: [...(await client.browserPools.list(args))],
    }),
  ),

  getEntitlements: organizationRead({}, (client, _none: types.GetEntitlementsArgs) =>
    client.organization.entitlements(),
  ),

  getExtension: projectRead(idOrName, (client, args: types.GetExtensionArgs) =>
    findRecord("an extension", client.extensions, args),
  ),

  getOrganizationLimits: organizationRead({}, (client, _none: types.GetOrganizationLimitsArgs) =>
    client.organization.limits(),
  ),

  getCredential: projectRead(idOrName, async ({ credentials }, args: types.GetCredentialArgs) => {
    const found = await findRecord("a credential", credentials, args);
    // A list does not contain the names of the values.
    return args.id === undefined ? credentials.get(found.id) : found;
  }),
  getCredentialProvider: organizationRead(idOrName, (client, args: types.GetCredentialProviderArgs) =>
    findRecord("a credential provider", client.credentialProviders, args),
  ),
  getProfile: projectRead(idOrName, (client, args: types.GetProfileArgs) =>
    findRecord("a profile", client.profiles, args),
  ),
  getProject: organizationRead(idOrName, (client, args: types.GetProjectArgs) =>
    findRecord("a project", client.projects, args),
  ),

  getProjectLimits: organizationRead(
    { projectId: "one", projectName: "one" },
    async (client, { projectId, projectName }: types.GetProjectLimitsArgs) => {
      // The limits do not contain the project, and the service may accept a name as an id.
      const which = projectId === undefined ? { name: projectName } : { id: projectId };
      const { id, name } = await findRecord("a project", client.projects, which).catch((error: unknown) => {
        throw error instanceof InputError ? withLimitsArguments(error) : error;
      });
      return { projectId: id, projectName: name, ...(await client.projects.limits(id)) };
    },
  ),

  getProjects: organizationRead(
    { query: "any", name: "any", limit: "any", status: "any" },
    async (client, args: types.GetProjectsArgs) => {
      // The client accepts any status, for future ones. Here, a typing error would find nothing.
      if (!["active", "archived", undefined].includes(args.status)) {
        const message = `"status" must be "active" or "archived". Leave it out for both.`;
        throw new InputError("argument_invalid", "status", message);
      }
      return { projects: [...(await client.projects.list(args))] };
    },
  ),
  getProxy: projectRead(idOrName, (client, args: types.GetProxyArgs) =>
    findRecord("a proxy", client.proxies, args),
  ),

  getTelemetryDestination: organizationRead(idOrName, (client, args: types.GetTelemetryDestinationArgs) =>
    findRecord("a telemetry destination", client.telemetryDestinations, args),
  ),
};

export type ReadName = keyof typeof reads;

/** Arguments and result of a read. */
export type ArgsOf<Name extends ReadName> = Parameters<(typeof reads)[Name]["send"]>[1];
export type ResultOf<Name extends ReadName> = WithoutNull<Awaited<ReturnType<(typeof reads)[Name]["send"]>>>;

/**
 * Sends a read with checked arguments. The result contains undefined in place of null.
 *
 * Rejects with `InputError`, whose `property` is the argument, before any request; with
 * `ConfigError`, `LookupError`, `ApiError` and the other errors of the client.
 */
export async function sendRead(
  name: ReadName,
  args: object,
  settings: Settings,
  client: BrowserInfraClient,
): Promise<object> {
  const read = reads[name] as Read<object, object>;
  const { projectId } = args as InProject;
  const project = projectId === undefined ? defaultProjectId : () => checkedProjectId(projectId);
  const asked = read.isInProject ? project(settings) : undefined;
  try {
    return withoutNull(await read.send(client.inProject(asked), args));
  } catch (error) {
    throw await client.explainRefusal(error);
  }
}

/** Parts of the client that explain a failure. Loads the parts late, and not by `import()`, for Jest. */
function partsForFailures() {
  return {
    ...(require("../client/operations/near-names.js") as typeof nearNames),
    ...(require("../client/not-found.js") as typeof notFound),
  };
}

function checkedProjectId(projectId: string): string {
  try {
    return checkProjectId(projectId);
  } catch (error) {
    throw new InputError("id_invalid", "projectId", (error as Error).message);
  }
}

/**
 * Record with an id or with an exact name. The service may accept a name in place of the id. The
 * client then returns a record with a different id, or throws.
 */
async function findRecord<T extends { readonly id: string }>(
  noun: string,
  operations: nearNames.NamedList & {
    readonly get: (id: string) => Promise<T>;
    readonly getByName: (name: string) => Promise<T>;
    readonly holderOf: (name: string) => Promise<T | undefined>;
  },
  { id, name }: IdOrName,
): Promise<T> {
  if (id === undefined) {
    return operations.getByName(name);
  }
  let found: T | undefined;
  try {
    found = await operations.get(id);
    if (found.id === id) {
      return found;
    }
  } catch (error) {
    const { nearNameAdvice, isNotFound } = partsForFailures();
    const mayBeName = error instanceof ContractError || error instanceof LookupError || isNotFound(error);
    found = mayBeName ? await operations.holderOf(id) : undefined;
    if (found === undefined) {
      const advice = mayBeName ? await nearNameAdvice(noun.replace(/^an? /, ""), id, operations) : "";
      throw advice === "" ? error : (error as BrowserInfraError).withAdvice(advice);
    }
  }
  const message = `"id" is ${noun}'s name; its id is ${found.id}. Pass that id, or pass the name as "name".`;
  throw new InputError("id_invalid", "id", message);
}

/** Translates an error about `id` or `name` to the argument names of `getProjectLimits`. */
function withLimitsArguments({ code, property, message, cause }: InputError): InputError {
  const words: Readonly<Record<string, string>> = { id: "projectId", name: "projectName" };
  const text = message.replace(/"(id|name)"/g, (_all, word: string) => `"${words[word]}"`);
  return new InputError(code, words[property] ?? property, text, { cause });
}
