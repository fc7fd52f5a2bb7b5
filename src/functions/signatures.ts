/**
 * What each function takes and finds. Types alone: programs of users import them, and nothing of
 * the client may come with them into their type check. `npm run generate:schema` reads them too.
 */

import type { ApiKey } from "../client/records/api-key.js";
import type { AuthConnection } from "../client/records/auth-connection.js";
import type { BrowserPool } from "../client/records/browser-pool.js";
import type { Extension } from "../client/records/extension.js";
import type { Profile } from "../client/records/profile.js";
import type { OrganizationLimits, Project, ProjectLimits } from "../client/records/project.js";
import type { Proxy } from "../client/records/proxy.js";
import type { ExactlyOne, IdOrName, InProject, WithoutNull } from "./forms.js";

/** Which project: exactly one of id and name. */
export type GetProjectArgs = IdOrName;

/** A project of the organization. */
export type GetProjectResult = WithoutNull<Project>;

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

/** What `getProjects` finds. */
export interface GetProjectsResult {
  /** The projects, each once, in the service's order, which it does not publish. */
  readonly projects: GetProjectResult[];
}

/** Whose limits: exactly one of id and name. */
export type GetProjectLimitsArgs = ExactlyOne<{
  /** Id of the project. */
  projectId: string;
  /** Exact name of the project, byte for byte: case, accents and spaces count. */
  projectName: string;
}>;

/**
 * The caps that a project sets for itself. `undefined`: the project sets no cap, so only the
 * organization's limit applies, which this does not show.
 */
export type GetProjectLimitsResult = WithoutNull<
  ProjectLimits & {
    /** Id of the project. */
    readonly projectId: string;
    /** Name of the project. */
    readonly projectName: string;
  }
>;

/** No arguments: an API key belongs to one organization. */
export type GetOrganizationLimitsArgs = Readonly<Record<string, never>>;

/**
 * What the organization may use, and what it uses now. `undefined`: there is no such limit, or the
 * service does not say.
 */
export type GetOrganizationLimitsResult = WithoutNull<OrganizationLimits>;

/** Which API key. */
export interface GetApiKeyArgs {
  /** Id of the key. Not its name, which several keys may share, and not its secret. */
  readonly id: string;
}

/** The record of an API key, without its secret. */
export type GetApiKeyResult = WithoutNull<ApiKey>;

/** Which API keys. Default: all but deleted ones; expired ones are included. */
export interface GetApiKeysArgs {
  /** Only keys found for this: part of the name, creator or project, an id or a masked key. */
  readonly query?: string | undefined;
  /** Only keys with exactly this name, byte for byte. Several keys may have one name. */
  readonly name?: string | undefined;
}

/** What `getApiKeys` finds. */
export interface GetApiKeysResult {
  /** The keys, newest first, each once and without its secret. */
  readonly apiKeys: GetApiKeyResult[];
}

/** Which extension: exactly one of id and name. */
export type GetExtensionArgs = InProject & IdOrName;

/** An extension of the project. */
export type GetExtensionResult = WithoutNull<Extension>;

/** Which browser pool: exactly one of id and name. */
export type GetBrowserPoolArgs = InProject & IdOrName;

/**
 * A browser pool of the project: its settings, and how many of its browsers are ready and leased at
 * this moment.
 */
export type GetBrowserPoolResult = WithoutNull<BrowserPool>;

/** Which browser pools. Default: all. */
export interface GetBrowserPoolsArgs extends InProject {
  /** Only pools whose name contains this, in upper or lower case, or the one with this id. */
  readonly query?: string | undefined;
  /** Only the pool with exactly this name, byte for byte. */
  readonly name?: string | undefined;
  /** Most pools to return, a whole number of at least 1. Default: all. */
  readonly limit?: number | undefined;
}

/** What `getBrowserPools` finds. */
export interface GetBrowserPoolsResult {
  /** The browser pools, each once, in the service's order, which it does not publish. */
  readonly browserPools: GetBrowserPoolResult[];
}

/** Which profile: exactly one of id and name. */
export type GetProfileArgs = InProject & IdOrName;

/** A browser profile of the project. */
export type GetProfileResult = WithoutNull<Profile>;

/** Which proxy: exactly one of id and name. */
export type GetProxyArgs = InProject & IdOrName;

/** A proxy of the project, without its secrets. */
export type GetProxyResult = WithoutNull<Proxy>;

/** Which auth connection. */
export interface GetAuthConnectionArgs extends InProject {
  /** Id of the auth connection. */
  readonly id: string;
}

/**
 * The state of a profile's login at one domain. Members that begin with `flow`, and the error
 * members, describe the login in progress or else the last one. The addresses of the login page and
 * the live view are left out: whoever has them can log in or watch.
 */
export type GetAuthConnectionResult = WithoutNull<
  Pick<
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
  >
>;
