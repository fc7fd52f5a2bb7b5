/**
 * What each query takes, as types alone: programs of users import them, and nothing of the client
 * may come with them into their type check. `npm run generate:schema` reads them too.
 */

/** Arguments of which exactly one is given. */
export type ExactlyOne<Args> = {
  [Given in keyof Args]: { readonly [Name in Given]: Args[Name] } & {
    readonly [Name in Exclude<keyof Args, Given>]?: undefined;
  };
}[keyof Args];

/** Which project: exactly one of id and name. */
export type GetProjectArgs = ExactlyOne<{
  /** Id of the project, 24 characters of a-z and 0-9 at the service. */
  id: string;
  /** Exact name, byte for byte: case, accents and spaces count. */
  name: string;
}>;

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

/** Whose limits: exactly one of id and name. */
export type GetProjectLimitsArgs = ExactlyOne<{
  /** Id of the project. */
  projectId: string;
  /** Exact name of the project, byte for byte: case, accents and spaces count. */
  projectName: string;
}>;

/** No arguments: an API key belongs to one organization. */
export type GetOrganizationLimitsArgs = Readonly<Record<string, never>>;

/** Which API key. */
export interface GetApiKeyArgs {
  /** Id of the key. Not its name, which several keys may share, and not its secret. */
  readonly id: string;
}

/** Which API keys. Default: all but deleted ones; expired ones are included. */
export interface GetApiKeysArgs {
  /** Only keys found for this: part of the name, creator or project, an id or a masked key. */
  readonly query?: string | undefined;
  /** Only keys with exactly this name, byte for byte. Several keys may have one name. */
  readonly name?: string | undefined;
}

/** Which extension: exactly one of id and name. */
export type GetExtensionArgs = ExactlyOne<{
  /** Id of the extension, 24 characters of a-z and 0-9 at the service. */
  id: string;
  /** Exact name, byte for byte. */
  name: string;
}>;

/** Which browser pool: exactly one of id and name. */
export type GetBrowserPoolArgs = ExactlyOne<{
  /** Id of the browser pool, 24 characters of a-z and 0-9 at the service. */
  id: string;
  /** Exact name, byte for byte. */
  name: string;
}>;

/** Which browser pools. Default: all. */
export interface GetBrowserPoolsArgs {
  /** Only pools whose name contains this, in upper or lower case, or the one with this id. */
  readonly query?: string | undefined;
  /** Only the pool with exactly this name, byte for byte. */
  readonly name?: string | undefined;
  /** Most pools to return, a whole number of at least 1. Default: all. */
  readonly limit?: number | undefined;
}

/** Which auth connection. */
export interface GetAuthConnectionArgs {
  /** Id of the auth connection. */
  readonly id: string;
}
