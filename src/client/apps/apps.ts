import type { CallOptions } from "../http/call.js";
import { checkFilter, type Listing, ListOperations, type PagedOptions } from "../operations/list.js";
import { type AppVersion, appVersionSchema } from "./app.js";

export interface AppListOptions extends PagedOptions {
  /** Only versions of the named app. */
  readonly appName?: string | undefined;
  /** Only versions with the label. */
  readonly version?: string | undefined;
}

/**
 * The versions of the apps of a project (`/apps`), with the deployments that serve the versions. Apps come
 * and go with deployments. Reads are retried.
 *
 * Source: the service's published description.
 */
export class AppOperations extends ListOperations<AppVersion, AppListOptions> {
  /**
   * Finds a version of an app, by the exact name and label. Undefined: no deployment serves the version.
   * Throws `InputError` before any request, and `ApiError`.
   */
  async find(appName: string, version: string, options: CallOptions = {}): Promise<AppVersion | undefined> {
    const rows = await this.list({ appName, version, ...options });
    return rows.find((row) => row.appName === appName && row.version === version);
  }

  /** @internal */
  protected override listing({ appName, version }: AppListOptions): Listing<AppVersion> {
    checkFilter("appName", appName);
    checkFilter("version", version);
    return {
      path: "/apps",
      noun: "app version",
      schema: appVersionSchema,
      parameters: { app_name: appName, version },
      isLookup: appName !== undefined && version !== undefined,
    };
  }
}
