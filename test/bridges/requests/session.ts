import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ResourceKind } from "../../../src/bridges/kinds.js";
import type { Emulator } from "../../../src/emulator/index.js";

import { newEmulator } from "../../support/emulator.js";
import { PlayedResource, type ResourceOptions } from "../played-resource.js";
import { type Bridge, ProviderProcess, programFolder } from "../provider-process.js";
import type { ProviderFailure } from "../wire-messages.js";

/** The key of the program. No message may contain it. */
export const apiKey = "sk_of_this_organization";

/** One bridge, a program's folder and an emulator, through several runs of the engine. */
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

  /** Begins another run. The engine starts a process for each; here they share one. */
  async nextRun(): Promise<void> {
    this.#runs += 1;
    if (this.#bridge === "plugin") {
      await this.#provider.nextRun();
    }
  }

  /** The engine's Cancel. A process is of no more use then. */
  cancel(): Promise<void> {
    return this.#provider.cancel();
  }

  /** Ends the process and starts another one. */
  async restart(): Promise<void> {
    await this.#provider.kill();
    this.#provider = await startProvider(this.emulator, this.#bridge, this.#folder);
    this.#heard = 0;
  }

  /** A resource of the program, as the run under way asks about it. */
  resource(kind: ResourceKind, options: Omit<ResourceOptions, "kind"> = {}): PlayedResource {
    return new PlayedResource(this.#provider, { kind, run: String(this.#runs), ...options });
  }

  /** Writes a file of the folder `extension`. */
  write(file: string, content: string): void {
    const path = join(this.#folder, "extension", file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }

  /** Number of requests so far that change something. */
  get writes(): number {
    return this.emulator.requests.filter(({ method }) => method !== "GET").length;
  }

  /** Refuses the next request with this method. */
  refuse(method: string, status: number): void {
    const answer = { status, body: { code: "refused", message: "not this one" } };
    this.emulator.faults.add({ method, at: "before-commit", action: { answer } });
  }

  /** What the process logged since the last call of this. */
  heard() {
    const logged = this.#provider.logged.slice(this.#heard);
    this.#heard = this.#provider.logged.length;
    return logged.map(({ message, ...rest }) => ({ ...rest, message: message.trimEnd() }));
  }

  /** Resolves when the process has said something that matches since the last `heard`. */
  async said(pattern: RegExp): Promise<void> {
    while (!this.#provider.logged.slice(this.#heard).some(({ message }) => pattern.test(message))) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** What the process printed. */
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

/** The error that a call must end with. */
export function failureOf(work: Promise<unknown>): Promise<ProviderFailure> {
  return work.then(
    () => {
      throw new Error("The call succeeded.");
    },
    (error: ProviderFailure) => error,
  );
}
