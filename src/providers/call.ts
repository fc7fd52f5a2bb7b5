import { createHash } from "node:crypto";
import { Accounts } from "../client/accounts.js";
import type { BrowserInfraClient } from "../client/index.js";
import { resolveSettings, type Settings } from "../config.js";
import { Entries } from "./core/entries.js";
import { JournalFiles, journalPlace } from "./journal/files.js";
import type { LifecycleContext } from "./lifecycle.js";

/** For the bridges, which make one for all life cycles of a process. */
export { Accounts };

/** The settings that a configuration gives, and their account. */
interface ResolvedConfiguration {
  readonly settings: Settings;
  /** Keeps the entries of one account apart from another's: a digest of address and API key. */
  readonly account: string;
}

/**
 * By the configuration that each was read from: a plugin is configured once for hundreds of calls.
 * The environment, which settings also come from, is the process's own and stays the same.
 */
const resolvedConfigurations = new WeakMap<LifecycleContext["configuration"], ResolvedConfiguration>();

/** One call that the engine makes of a life cycle: its context, and what its settings lead to. */
export class Call {
  readonly context: LifecycleContext;
  readonly #accounts: Accounts;

  /** `accounts`: those of the process, so that all resources share connections and retry budget. */
  constructor(context: LifecycleContext, accounts: Accounts) {
    this.context = context;
    this.#accounts = accounts;
  }

  /** The stack configuration, then the environment. Throws `ConfigError`. */
  get settings(): Settings {
    return this.#resolved.settings;
  }

  get #resolved(): ResolvedConfiguration {
    const { configuration } = this.context;
    let resolved = resolvedConfigurations.get(configuration);
    if (resolved === undefined) {
      const settings = resolveSettings(this.context);
      const digest = createHash("sha256").update(`${settings.baseUrl}\0${settings.apiKey}`).digest("hex");
      // The only part of the key that is ever written.
      resolved = { settings, account: digest.slice(0, 16) };
      resolvedConfigurations.set(configuration, resolved);
    }
    return resolved;
  }

  /** What resources of a kind leave on disk. Throws `ConfigError`. */
  entries(kind: string): Entries {
    const { urn, deployment } = this.context;
    const { settings, account } = this.#resolved;
    const files = new JournalFiles(journalPlace(this.context));
    return new Entries(files, { urn, deployment, baseUrl: settings.baseUrl, account }, kind);
  }

  /** What each request of the call takes: it ends when the engine cancels. */
  get options(): { readonly signal: AbortSignal } {
    return { signal: this.context.signal };
  }

  /** The same call for another resource of the program. */
  about(urn: string | undefined): Call {
    return new Call({ ...this.context, urn }, this.#accounts);
  }

  /** The same call, which another signal ends. */
  until(signal: AbortSignal): Call {
    return new Call({ ...this.context, signal }, this.#accounts);
  }

  /** The client of the account, the same one in every call. Throws `ConfigError`. */
  get account(): BrowserInfraClient {
    return this.#accounts.clientFor(this.settings);
  }

  /** A client for a project; undefined means the project of the API key. Throws `ConfigError`. */
  clientFor(projectId: string | undefined): BrowserInfraClient {
    return this.account.inProject(projectId);
  }
}
