import { Accounts } from "../client/accounts.js";
import type { BrowserInfraClient } from "../client/index.js";
import { resolveSettings, type Settings } from "../config.js";
import type { LifecycleContext } from "./lifecycle.js";

/** Gives a client for a project; undefined means the project the key belongs to. */
export type ClientFor = (projectId: string | undefined) => BrowserInfraClient;

/** The clients of one provider process, with the settings that are in force for each resource. */
export class Connections {
  readonly #accounts = new Accounts();

  /**
   * A client for `projectId`; undefined means the project the key belongs to. Throws `ConfigError`
   * for a bad setting.
   */
  clientFor(projectId: string | undefined, context: LifecycleContext): BrowserInfraClient {
    return this.#accounts.clientFor(settingsFor(context)).inProject(projectId);
  }
}

/** The settings in force for a resource: the stack configuration, then the environment. Throws ConfigError. */
export function settingsFor(context: LifecycleContext): Settings {
  return resolveSettings({ configuration: context.configuration, environment: context.environment });
}
