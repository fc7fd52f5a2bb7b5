/**
 * Arguments and results of the functions. Types only: user programs import this file, and no code
 * of the client may enter the type check of user programs. Also read by `npm run generate:schema`.
 */

import type { AppVersion } from "../client/apps/app.js";
import type { Deployment } from "../client/apps/deployment.js";
import type { BrowserPool } from "../client/browsers/browser-pool.js";
import type { Extension } from "../client/browsers/extension.js";
import type { Profile } from "../client/browsers/profile.js";
import type { Proxy } from "../client/browsers/proxy.js";
import type { AuthConnection } from "../client/logins/auth-connection.js";
import type { Credential } from "../client/logins/credential.js";
import type { ApiKey } from "../client/organization/api-key.js";
import type { CredentialProvider } from "../client/organization/credential-provider.js";
import type { Entitlements } from "../client/organization/entitlements.js";
import type { OrganizationLimits, Project, ProjectLimits } from "../client/organization/project.js";
import type { TelemetryDestination } from "../client/organization/telemetry-destination.js";
import type { WithoutNull } from "../text/without-null.js";
import type { ExactlyOne, IdOrName, InProject } from "./forms.js";

/** Project to read: exactly one of id and name. */
export type GetProjectArgs = IdOrName;

/** A project of the organization. */
export type GetProjectResult = WithoutNull<Project>;

/** Filters for projects. Default: all projects. */
export interface GetProjectsArgs {
  /** Only projects whose name contains this string, in upper or lower case. */
  readonly query?: string | undefined;
  /** Only projects with exactly this name, byte for byte. */
  readonly name?: string | undefined;
  /** Maximum number of projects, a whole number of at least 1. Default: all. */
  readonly limit?: number | undefined;
  /** Only projects with this status. Default: both statuses. */
  readonly status?: "active" | "archived" | undefined;
}

/** Result of `getProjects`. */
export interface GetProjectsResult {
  /** Projects without duplicates, in the order of the service, which is not published. */
  readonly projects: GetProjectResult[];
}

/** Project of the limits: exactly one of id and name. */
export type GetProjectLimitsArgs = ExactlyOne<{
  /** Id of the project. */
  projectId: string;
  /** Exact name of the project, byte for byte: case, accents and spaces count. */
  projectName: string;
}>;

/**
 * Caps of a project. `undefined`: the project has no cap, so only the organization's limit applies,
 * which is not part of the result.
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
 * Limits and current usage of the organization. `undefined`: no limit, or not reported by the
 * service.
 */
export type GetOrganizationLimitsResult = WithoutNull<OrganizationLimits>;

/** No arguments: an API key belongs to one organization. */
export type GetEntitlementsArgs = Readonly<Record<string, never>>;

/**
 * Plan of the organization, with its features and limits, which already contain trial, status and
 * agreements. `undefined`: no limit, or not reported by the service.
 */
export type GetEntitlementsResult = WithoutNull<Entitlements>;

/** API key to read: exactly one of id and name. Several keys may share a name. */
export type GetApiKeyArgs = IdOrName;

/** The record of an API key, without its secret. */
export type GetApiKeyResult = WithoutNull<ApiKey>;

/** Filters for API keys. Default: all keys except deleted keys; expired keys are included. */
export interface GetApiKeysArgs {
  /** Only keys that match: part of the name, creator or project, an id or a masked key. */
  readonly query?: string | undefined;
  /** Only keys with exactly this name, byte for byte. Several keys may have one name. */
  readonly name?: string | undefined;
}

/** Result of `getApiKeys`. */
export interface GetApiKeysResult {
  /** API keys, newest first, without duplicates and without secrets. */
  readonly apiKeys: GetApiKeyResult[];
}

/** Extension to read: exactly one of id and name. */
export type GetExtensionArgs = InProject & IdOrName;

/** An extension of the project. */
export type GetExtensionResult = WithoutNull<Extension>;

/** Browser pool to read: exactly one of id and name. */
export type GetBrowserPoolArgs = InProject & IdOrName;

/**
 * A browser pool of the project: settings, and the current numbers of ready and leased browsers.
 */
export type GetBrowserPoolResult = WithoutNull<BrowserPool>;

/** Filters for browser pools. Default: all pools. */
export interface GetBrowserPoolsArgs extends InProject {
  /** Only pools whose name contains this string, in either case, or the pool with this id. */
  readonly query?: string | undefined;
  /** Only the pool with exactly this name, byte for byte. */
  readonly name?: string | undefined;
  /** Maximum number of pools, a whole number of at least 1. Default: all. */
  readonly limit?: number | undefined;
}

/** Result of `getBrowserPools`. */
export interface GetBrowserPoolsResult {
  /** Browser pools without duplicates, in the order of the service, which is not published. */
  readonly browserPools: GetBrowserPoolResult[];
}

/** Credential to read: exactly one of id and name. */
export type GetCredentialArgs = InProject & IdOrName;

/** A credential stored by the service, without the values. */
export type GetCredentialResult = WithoutNull<Credential>;

/** Version of an app to read. */
export interface GetAppArgs extends InProject {
  /** Name of the app, as the code declares it. */
  readonly name: string;
  /** Label of the version. Default: `latest`. */
  readonly version?: string | undefined;
}

/** A version of an app, with the deployment that serves the version. */
export type GetAppResult = WithoutNull<AppVersion>;

/** Deployment of an app to read. */
export interface GetAppDeploymentArgs extends InProject {
  /** Id of the deployment. */
  readonly id: string;
}

/** A deployment of an app, without the values of variables. */
export type GetAppDeploymentResult = WithoutNull<Deployment>;

/** Credential provider to read: exactly one of id and name. */
export type GetCredentialProviderArgs = IdOrName;

/** A credential provider of the organization, without the token. */
export type GetCredentialProviderResult = WithoutNull<CredentialProvider>;

/** Profile to read: exactly one of id and name. */
export type GetProfileArgs = InProject & IdOrName;

/** A browser profile of the project. */
export type GetProfileResult = WithoutNull<Profile>;

/** Proxy to read: exactly one of id and name. */
export type GetProxyArgs = InProject & IdOrName;

/** A proxy of the project, without secrets. */
export type GetProxyResult = WithoutNull<Proxy>;

/** Telemetry destination to read: exactly one of id and name. */
export type GetTelemetryDestinationArgs = IdOrName;

/** A telemetry destination of the organization, with the results of exports, without secrets. */
export type GetTelemetryDestinationResult = WithoutNull<TelemetryDestination>;

/** Auth connection to read. */
export interface GetAuthConnectionArgs extends InProject {
  /** Id of the auth connection. */
  readonly id: string;
}

/**
 * State of a profile's login at one domain. The `flow` and error members describe the login in
 * progress, or else the last login. The URLs of the login page and the live view are omitted:
 * anybody with a URL can log in or watch.
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
