import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packExtension } from "../../../src/archive/index.js";
import type { Emulator } from "../../../src/emulator/index.js";
import { ProviderProcess, programFolder } from "../../bridges/provider-process.js";
import type { Properties } from "../../bridges/wire-messages.js";
import { newEmulator } from "../../support/emulator.js";
import type { DriverName } from "../model/drivers/driver.js";
import { LifecycleDriver } from "../model/drivers/lifecycle-driver.js";
import { ProcessDriver } from "../model/drivers/process-driver.js";
import { OtherStack } from "../model/other-stack.js";
import { PlayedEngine, type Registered, type RunOptions } from "../model/played-engine.js";
import { Ownership } from "../ownership.js";
import { writeAppFolders } from "./app-folders.js";
import {
  borrowedIds,
  checksums,
  extensionFolders,
  furnish,
  neighbour,
  restoreBorrowed,
  type Sample,
  samples,
} from "./samples.js";

/** Inputs of resources of the kind under test, by logical name. */
export type Program = Readonly<Record<string, Properties>>;

/** Logical name in most programs. */
export const main = "main";

/** Configured secret key of the stack. */
const configuredKey = `sk_live_${"fedcba9876543210".repeat(2)}`;

/** Key of an operator, who is a stranger to the stack. */
const operatorKey = "sk_of_an_operator";

/** Service, program folder and engine. A stage serves all tests of a file. */
export class Stage {
  readonly emulator: Emulator;
  readonly engine: PlayedEngine;
  readonly folder: string;
  /** Stack of an operator with another key. */
  readonly others: OtherStack;
  /** Objects that the stack may change, and requests that changed others. */
  ownership: Ownership;
  /** Messages and failures of the runs since `begin`. */
  reported: string[] = [];
  #sample: Sample = samples.Project;
  #program: Program = {};
  #writes = 0;
  #lastRequest: string | undefined;
  /** Names of the program's own files. */
  readonly #files: readonly string[];

  private constructor(emulator: Emulator, engine: PlayedEngine) {
    this.emulator = emulator;
    this.engine = engine;
    this.folder = engine.folder;
    this.others = new OtherStack(emulator, this.folder, operatorKey);
    this.ownership = this.#newOwnership();
    this.#files = readdirSync(this.folder);
  }

  static async open(driver: DriverName): Promise<Stage> {
    const emulator = await newEmulator({ apiKeys: [configuredKey, operatorKey], speed: 1000 });
    furnish(emulator);
    const environment = { BROWSER_INFRA_BASE_URL: emulator.url, BROWSER_INFRA_API_KEY: emulator.apiKeys[0] };
    const isHere = driver === "in process";
    const folder = isHere ? mkdtempSync(join(tmpdir(), "browser-infra-contract-")) : programFolder();
    for (const [name, version] of Object.entries(extensionFolders)) {
      mkdirSync(join(folder, name));
      const manifest = { manifest_version: 3, name: "Reader", version };
      writeFileSync(join(folder, name, "manifest.json"), JSON.stringify(manifest));
      checksums.set(`./${name}`, (await packExtension(join(folder, name))).checksum);
    }
    await writeAppFolders(folder);
    const NODE_OPTIONS = `--require ${join(__dirname, "../model/short-waits.cjs")}`;
    const made = isHere
      ? new LifecycleDriver(folder, environment)
      : new ProcessDriver(driver, () =>
          ProviderProcess.start(folder, {
            bridge: driver,
            isAttached: driver === "plugin",
            environment: { ...environment, NODE_OPTIONS },
          }),
        );
    return new Stage(emulator, new PlayedEngine(folder, made));
  }

  async close(): Promise<void> {
    await this.engine.stop();
    rmSync(this.folder, { recursive: true, force: true });
    await this.emulator.close();
  }

  /** Restores the initial state and service, for a test of a kind. */
  begin(sample: Sample): void {
    this.engine.reset();
    this.others.reset();
    this.emulator.reset();
    furnish(this.emulator);
    this.#lastRequest = undefined;
    this.ownership = this.#newOwnership();
    this.#sample = sample;
    this.reported = [];
  }

  declare(program: Program, aliases: readonly string[] = [], others: Record<string, Registered> = {}): void {
    const { kind: type, deletesFirst } = this.#sample;
    this.#program = program;
    const resources = Object.entries(program).map(([name, properties]): [string, Registered] => {
      const options = { aliases, ...(deletesFirst(properties) ? { deleteBeforeReplace: true } : {}) };
      return [name, { type, properties, options }];
    });
    this.engine.write(new Map([["neighbour", neighbour], ...resources, ...Object.entries(others)]));
  }

  /** Deploys. Returns the failure, if any. */
  up(options: RunOptions = {}): Promise<string | undefined> {
    return this.#reporting(this.engine.up(options));
  }

  /** Deploys, and expects success. */
  async succeed(program: Program = this.#program, aliases: readonly string[] = []): Promise<void> {
    this.declare(program, aliases);
    expect(await this.up()).toBeUndefined();
  }

  destroy(options: RunOptions = {}): Promise<string | undefined> {
    return this.#reporting(this.engine.destroy(options));
  }

  refresh(): Promise<string | undefined> {
    return this.#reporting(this.engine.refresh());
  }

  #newOwnership(): Ownership {
    return new Ownership(this.emulator, [operatorKey], borrowedIds);
  }

  /** Records the messages of a run, which must not have changed an object of others. */
  async #reporting(run: Promise<string | undefined>): Promise<string | undefined> {
    const failure = await run;
    expect(this.ownership.violations()).toEqual([]);
    this.reported.push(...this.engine.said.map(({ message }) => message), ...(failure ? [failure] : []));
    return failure;
  }

  /** Id of a resource's object, from the state. */
  idOf(logicalName = main): string {
    const { id, outputs } = this.engine.find(logicalName) ?? {};
    // After a rotation, key and resource have different ids.
    return String(outputs?.keyId ?? id);
  }

  /**
   * Number of writes received by the service. The test of a credential provider is none. Counted
   * from the last look, because the emulator keeps a limited number of requests.
   */
  get writes(): number {
    const { requests } = this.emulator;
    const known = requests.findLastIndex(({ requestId }) => requestId === this.#lastRequest);
    const writes = requests
      .slice(known + 1)
      .filter(({ method, path }) => method !== "GET" && !path.endsWith("/test"));
    this.#lastRequest = requests.at(-1)?.requestId;
    this.#writes += writes.length;
    return this.#writes;
  }

  /** Expects the service to match the program exactly, an empty preview, and a state without marks. */
  async expectDeclared(): Promise<void> {
    expect(this.#sample.found(this.emulator)).toEqual(this.#expected());
    await this.#expectKeysToWork();
    expect(await this.engine.previewed()).toMatchObject({ steps: [], failures: [] });
    for (const { outputs } of this.engine.state) {
      expect(outputs).toEqual(expect.not.objectContaining({ unfinished: expect.anything() }));
      expect(outputs).toEqual(expect.not.objectContaining({ lost: expect.anything() }));
    }
  }

  /** Expects the service to match the contents before any program, and no files of a run. */
  expectNothing(): void {
    this.#program = {};
    expect(this.#sample.found(this.emulator)).toEqual(this.#expected());
    expect(readdirSync(this.folder)).toEqual(this.#files);
  }

  /** Objects and settings in the service that differ from the declaration, by id. */
  differences(): readonly string[] {
    const found = this.#sample.found(this.emulator);
    const expected = this.#expected();
    const ids = new Set([...Object.keys(found), ...Object.keys(expected)]);
    return [...ids].filter((id) => found[id] !== expected[id]);
  }

  #expected(): Record<string, string> {
    const declared = Object.entries(this.#program).map(([name, properties]) => {
      const inState = this.engine.find(name);
      return inState === undefined
        ? { [`${name} is not in the state`]: "" }
        : this.#sample.declared(properties, inState, name);
    });
    return Object.assign({}, this.#sample.before, ...declared);
  }

  /** Whether a run reported an id with the previous value, or with a repair command. */
  hasReported(id: string): boolean {
    const help = this.#sample.reportedAs?.(id) ?? /"(?:browser-infra|pulumi) [^"]+"/;
    return this.reported.some((text) => text.includes(id) && text.search(help) >= 0);
  }

  /** Plays a person who runs the command in a message: deletes an object, or restores settings. */
  repair(id: string): void {
    const { before = {}, remove } = this.#sample;
    if (before[id] === undefined) {
      remove?.(this.emulator, id);
    } else {
      restoreBorrowed(this.emulator);
    }
  }

  /** Expects the service to accept the secrets of all keys in the state. */
  async #expectKeysToWork(): Promise<void> {
    for (const { kind, outputs } of this.engine.state) {
      if (kind === "ApiKey") {
        // The plugin's answer marks the secret.
        const { value = outputs.key } = outputs.key as { value?: unknown };
        const headers = { authorization: `Bearer ${value}` };
        const { status } = await fetch(`${this.emulator.url}/auth/context`, { headers });
        expect(status).toBe(200);
      }
    }
  }
}
