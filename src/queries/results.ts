/**
 * What each query finds. Functions return it without null. `npm run generate:schema` reads the
 * results of the provider plugin's functions here.
 */
import type {
  ApiKey,
  AuthConnection,
  BrowserPool,
  Extension,
  OrganizationLimits,
  Project,
  ProjectLimits,
} from "../client/types.js";

/** The caps of a project, with its id and name. */
export type LimitsOfProject = ProjectLimits & {
  /** Id of the project. */
  readonly projectId: string;
  /** Name of the project. */
  readonly projectName: string;
};

/** What is told of an auth connection, which is no address of its login. */
export type AuthConnectionSummary = Pick<
  AuthConnection,
  | "id"
  | "domain"
  | "profileName"
  | "status"
  | "flowStatus"
  | "flowStep"
  | "flowType"
  | "flowExpiresAt"
  | "errorCode"
  | "errorMessage"
  | "canReauth"
>;

/** A project of the organization. */
export type GetProjectResult = WithoutNull<Project>;

/** What `getProjects` finds. */
export interface GetProjectsResult {
  /** The projects, each once, in the service's order, which it does not publish. */
  readonly projects: GetProjectResult[];
}

/**
 * The caps that a project sets for itself. `undefined`: the project sets no cap, so only the
 * organization's limit applies, which this does not show.
 */
export type GetProjectLimitsResult = WithoutNull<LimitsOfProject>;

/**
 * What the organization may use, and what it uses now. `undefined`: there is no such limit, or the
 * service does not say.
 */
export type GetOrganizationLimitsResult = WithoutNull<OrganizationLimits>;

/** The record of an API key, without its secret. */
export type GetApiKeyResult = WithoutNull<ApiKey>;

/** What `getApiKeys` finds. */
export interface GetApiKeysResult {
  /** The keys, newest first, each once and without its secret. */
  readonly apiKeys: GetApiKeyResult[];
}

/** An extension of the project that the settings name. */
export type GetExtensionResult = WithoutNull<Extension>;

/**
 * A browser pool of the project that the settings name: its settings, and how many of its browsers
 * are ready and leased at this moment.
 */
export type GetBrowserPoolResult = WithoutNull<BrowserPool>;

/** What `getBrowserPools` finds. */
export interface GetBrowserPoolsResult {
  /** The browser pools, each once, in the service's order, which it does not publish. */
  readonly browserPools: GetBrowserPoolResult[];
}

/**
 * The state of a profile's login at one domain. Members that begin with `flow`, and the error
 * members, describe the login in progress or else the last one. The addresses of the login page and
 * the live view are left out: whoever has them can log in or watch.
 */
export type GetAuthConnectionResult = WithoutNull<AuthConnectionSummary>;

/**
 * A record as functions return it: `undefined` where the client has null, because Pulumi leaves
 * `undefined` members out of a resource's inputs.
 */
export type WithoutNull<T> = T extends null
  ? undefined
  : T extends string | number | boolean | undefined
    ? T
    : unknown extends T
      ? unknown
      : { [Member in keyof T]: WithoutNull<T[Member]> };

/** The same record with `undefined` in place of every null, at any depth. Plain data only. */
export function withoutNull<T>(value: T): WithoutNull<T> {
  return convert(value) as WithoutNull<T>;
}

function convert(value: unknown): unknown {
  if (value === null) {
    return undefined;
  }
  if (Array.isArray(value)) {
    return value.map(convert);
  }
  if (typeof value !== "object") {
    return value;
  }
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, convert(member)]));
}
