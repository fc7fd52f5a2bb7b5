import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packExtension } from "../../src/archive/index.js";
import type { Emulator } from "../../src/emulator/index.js";
import { ProviderProcess, programFolder } from "../bridges/provider-process.js";
import type { Properties } from "../bridges/wire-messages.js";
import type { DriverName } from "../model/drivers/driver.js";
import { LifecycleDriver } from "../model/drivers/lifecycle-driver.js";
import { ProcessDriver } from "../model/drivers/process-driver.js";
import { PlayedEngine, type Registered, type RunOptions } from "../model/played-engine.js";
import { newEmulator } from "../support/emulator.js";
import { checksums, extensionFolders, furnish, neighbour, type Sample, samples, tidy } from "./samples.js";

/** What a program declares of the kind under test, by logical names. */
export type Program = Readonly<Record<string, Properties>>;

/** The logical name that most programs use. */
export const main = "main";

/** The configured secret. */
const configuredKey = `sk_live_${"fedcba9876543210".repeat(2)}`;

/** A service, a program's folder and an engine. One stage serves all tests of a file. */
export class Stage {
  readonly emulator: Emulator;
  readonly engine: PlayedEngine;
  readonly folder: string;
  /** What the runs since the last `tidy` have said, and why they failed. */
  reported: string[] = [];
  #sample: Sample = samples.Project;
  #program: Program = {};
  /** The program's own files. */
  readonly #files: readonly string[];

  private constructor(emulator: Emulator, engine: PlayedEngine) {
    this.emulator = emulator;
    this.engine = engine;
    this.folder = engine.folder;
    this.#files = readdirSync(this.folder);
  }

  static async open(driver: DriverName): Promise<Stage> {
    const emulator = await newEmulator({ apiKeys: [configuredKey] });
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

  /** A stage for one test, which deletes what existed before any program. */
  static async alone(
    driver: DriverName,
    sample: Sample,
    play: (stage: Stage) => Promise<void>,
  ): Promise<void> {
    const stage = await Stage.open(driver);
    try {
      stage.begin(sample);
      await play(stage);
    } finally {
      await stage.close();
    }
  }

  async close(): Promise<void> {
    await this.engine.stop();
    rmSync(this.folder, { recursive: true, force: true });
    await this.emulator.close();
  }

  /** Makes everything as it was, for a test of this kind. */
  begin(sample: Sample): void {
    this.engine.reset();
    tidy(this.emulator);
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

  /** Deploys. Returns why that failed. */
  up(options: RunOptions = {}): Promise<string | undefined> {
    return this.#reporting(this.engine.up(options));
  }

  /** Deploys, which must succeed. */
  async succeed(program: Program = this.#program, aliases: readonly string[] = []): Promise<void> {
    this.declare(program, aliases);
    expect(await this.up()).toBeUndefined();
  }

  destroy(): Promise<string | undefined> {
    return this.#reporting(this.engine.destroy());
  }

  refresh(): Promise<string | undefined> {
    return this.#reporting(this.engine.refresh());
  }

  async #reporting(run: Promise<string | undefined>): Promise<string | undefined> {
    const failure = await run;
    this.reported.push(...this.engine.said.map(({ message }) => message), ...(failure ? [failure] : []));
    return failure;
  }

  /** Id of what the state has of a resource. */
  idOf(logicalName = main): string {
    const { id, outputs } = this.engine.find(logicalName) ?? {};
    // A rotated key has another id than its resource.
    return String(outputs?.keyId ?? id);
  }

  /** Writes that the service has received until now. */
  get writes(): number {
    return this.emulator.requests.filter(({ method }) => method !== "GET").length;
  }

  /** The service holds exactly what the program declares, and a preview is empty. */
  async expectDeclared(): Promise<void> {
    expect(this.#sample.found(this.emulator)).toEqual(this.#expected());
    await this.#expectKeysToWork();
    expect(await this.engine.previewed()).toMatchObject({ steps: [], failures: [] });
  }

  /** The service holds what it held before any program, and no run has left a file. */
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

  /** Whether a run has named an id with its previous value, or with a command that helps. */
  hasReported(id: string): boolean {
    const help = this.#sample.reportedAs?.(id) ?? /"(?:browser-infra|pulumi) [^"]+"/;
    return this.reported.some((text) => text.includes(id) && text.search(help) >= 0);
  }

  /** A person runs the command that a message names: deletes an object, or restores settings. */
  repair(id: string): void {
    const { before = {}, remove } = this.#sample;
    if (before[id] === undefined) {
      remove?.(this.emulator, id);
    } else {
      tidy(this.emulator);
    }
  }

  /** The service accepts the secret of each key in the state. */
  async #expectKeysToWork(): Promise<void> {
    for (const { kind, outputs } of this.engine.state) {
      if (kind === "ApiKey") {
        // The plugin's answer marks the secret.
        const { value = outputs.key } = outputs.key as { value?: unknown };
        const headers = { authorization: `Bearer ${value}` };
        const { status } = await fetch(`${this.emulator.url}/extensions`, { headers });
        expect(status).toBe(200);
      }
    }
  }
}
