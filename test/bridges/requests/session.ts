import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ResourceKind } from "../../../src/bridges/kinds.js";
import type { Emulator } from "../../../src/emulator/index.js";

import { newEmulator } from "../../support/emulator.js";
import { PlayedResource, type ResourceOptions } from "../played-resource.js";
import { type Bridge, ProviderProcess, programFolder } from "../provider-process.js";
import type { ProviderFailure } from "../wire-messages.js";

/** Key of the program. No message may contain the key. */
export const apiKey = "sk_of_this_organization";

/** Bridge, program folder and emulator, through several runs of the engine. */
export class Session {
  readonly emulator: Emulator;
  readonly #bridge: Bridge;
  readonly #folder: string;
  #provider: ProviderProcess;
  #runs = 0;
  #heard = 0;

  private constructor(emulator: Emulator, bridge: Bridge, folder: string, provider: ProviderProcess) {
    this.emulator = emulator;
    this.#bridge = bridge;
    this.#folder = folder;
    this.#provider = provider;
  }

  static async start(bridge: Bridge): Promise<Session> {
    const emulator = await newEmulator({ apiKeys: [apiKey], speed: 50 });
    const folder = programFolder();
    return new Session(emulator, bridge, folder, await startProvider(emulator, bridge, folder));
  }

  async stop(): Promise<void> {
    await this.#provider.stop();
    await this.emulator.close();
  }

  /** Begins with an empty service and a folder `extension` of one file. */
  async reset(): Promise<void> {
    this.emulator.faults.clear();
    for (const { id } of this.emulator.browserPools.list()) {
      this.emulator.browserPools.remove(id);
    }
    for (const { id } of this.emulator.extensions.list()) {
      this.emulator.extensions.remove(id);
    }
    rmSync(join(this.#folder, "extension"), { recursive: true, force: true });
    this.write("manifest.json", '{ "manifest_version": 3, "name": "Reader", "version": "1.0.0" }');
    await this.nextRun();
  }

  /** Begins a new run. The engine starts a process per run; here the runs share a process. */
  async nextRun(): Promise<void> {
    this.#runs += 1;
    if (this.#bridge === "plugin") {
      await this.#provider.nextRun();
    }
  }

  /** Sends the engine's Cancel. The process is unusable afterwards. */
  cancel(): Promise<void> {
    return this.#provider.cancel();
  }

  /** Kills the process and starts a new process. */
  async restart(): Promise<void> {
    await this.#provider.kill();
    this.#provider = await startProvider(this.emulator, this.#bridge, this.#folder);
    this.#heard = 0;
  }

  /** Resource of the program in the current run. */
  resource(kind: ResourceKind, options: Omit<ResourceOptions, "kind"> = {}): PlayedResource {
    return new PlayedResource(this.#provider, { kind, run: String(this.#runs), ...options });
  }

  /** Writes a file of the folder `extension`. */
  write(file: string, content: string): void {
    const path = join(this.#folder, "extension", file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }

  /** Number of requests so far, except GET. */
  get writes(): number {
    return this.emulator.requests.filter(({ method }) => method !== "GET").length;
  }

  /** Refuses the next request with `method`. */
  refuse(method: string, status: number): void {
    const answer = { status, body: { code: "refused", message: "not this one" } };
    this.emulator.faults.add({ method, at: "before-commit", action: { answer } });
  }

  /** Messages logged by the process since the last call of `heard`. */
  heard() {
    const logged = this.#provider.logged.slice(this.#heard);
    this.#heard = this.#provider.logged.length;
    return logged.map(({ message, ...rest }) => ({ ...rest, message: message.trimEnd() }));
  }

  /** Resolves once the process has logged a matching message since the last `heard`. */
  async said(pattern: RegExp): Promise<void> {
    while (!this.#provider.logged.slice(this.#heard).some(({ message }) => pattern.test(message))) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** Output of the process. */
  get output(): string {
    return this.#provider.output;
  }
}

function startProvider(emulator: Emulator, bridge: Bridge, folder: string): Promise<ProviderProcess> {
  const setting = bridge === "plugin" ? "baseUrl" : "browser-infra:baseUrl";
  return ProviderProcess.start(folder, {
    bridge,
    configuration: { [setting]: emulator.url },
    environment: { BROWSER_INFRA_API_KEY: apiKey },
    isAttached: bridge === "plugin",
  });
}

/** Error of a failed call. Throws if the call succeeds. */
export function failureOf(work: Promise<unknown>): Promise<ProviderFailure> {
  return work.then(
    () => {
      throw new Error("The call succeeded.");
    },
    (error: ProviderFailure) => error,
  );
}
