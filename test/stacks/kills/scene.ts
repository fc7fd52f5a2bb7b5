import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { packExtension } from "../../../src/archive/index.js";
import type { Emulator } from "../../../src/emulator/index.js";
import {
  Organization,
  type OrganizationContents,
  type OrganizationProgram,
  withoutDigits,
} from "../../model/organization.js";
import { filesBelow } from "../../support/files-below.js";
import { killAll, type RunningProcess } from "../process-tree.js";
import { startService } from "../service.js";
import { Stack, type StateResource } from "../stack.js";
import { reference, type YamlResource } from "../yaml-program.js";
import { type KillMoment, type KillTarget, killDeployment, tellingCalls } from "./killed-deployment.js";

/** What a program says about one extension. */
export interface DeclaredExtension {
  /** Number of the content of its folder. */
  readonly content: number;
  /** Its fixed name; undefined for an automatic one. */
  readonly name?: string | undefined;
}

/** A program, by logical names. Each name of a key belongs to a key of its own. */
export interface Program extends OrganizationProgram {
  readonly extensions?: Readonly<Record<string, DeclaredExtension>>;
  readonly keys?: Readonly<Record<string, string>>;
}

/** A program, its stack and the service, while deployments are killed. */
export class Scene {
  readonly emulator: Emulator;
  readonly stack: Stack;
  readonly #organization: Organization;
  #program: Program = {};
  /** API keys that a program has left out. Its deployment may have been killed. */
  readonly #leftOut = new Set<string>();
  /** Ids of the API keys, by logical name. They exist from the first declaration on. */
  readonly #keyIds = new Map<string, string>();
  readonly #processes: RunningProcess[] = [];
  #isLocked = false;

  private constructor(emulator: Emulator, stack: Stack) {
    this.emulator = emulator;
    this.stack = stack;
    this.#organization = new Organization(emulator);
  }

  /**
   * Opens a scene, lets `play` use it, and ends every process that is left. `tells`: variables of
   * the shell with which a provider process tells what it does.
   */
  static async play(
    play: (scene: Scene) => Promise<void>,
    tells: NodeJS.ProcessEnv = tellingCalls,
  ): Promise<void> {
    const { emulator, environment } = await startService();
    const scene = new Scene(emulator, await Stack.createYaml({ ...environment, ...tells }));
    try {
      await play(scene);
    } finally {
      killAll(scene.#processes);
      scene.stack.remove();
      await emulator.close();
    }
  }

  /** Writes the program. A key that it names for the first time is created under another name. */
  declare(program: Program): void {
    const { extensions = {}, keys = {}, apiKeys = {} } = program;
    const resources: Record<string, YamlResource> = this.#organization.resources(program);
    for (const [logicalName, { content, name }] of Object.entries(extensions)) {
      rmSync(this.stack.path(logicalName), { recursive: true, force: true });
      const manifest = { manifest_version: 3, name: logicalName, version: `1.0.${content}` };
      this.stack.write(`${logicalName}/manifest.json`, JSON.stringify(manifest));
      resources[logicalName] = { type: "Extension", properties: { path: `./${logicalName}`, name } };
    }
    for (const [logicalName, name] of Object.entries(keys)) {
      const properties = { keyId: this.#keyId(logicalName), name };
      resources[logicalName] = { type: "ApiKeyName", properties };
    }
    const secrets = Object.keys(apiKeys).map((name) => [name, reference(`${name}.key`)]);
    this.stack.declare(resources, { outputs: Object.fromEntries(secrets) });
    for (const name of Object.keys(this.#program.apiKeys ?? {})) {
      if (apiKeys[name] === undefined) {
        this.#leftOut.add(name);
      }
    }
    this.#program = program;
  }

  #keyId(logicalName: string): string {
    const known = this.#keyIds.get(logicalName);
    const id = known ?? this.#organization.createApiKey(originalName(logicalName));
    this.#keyIds.set(logicalName, id);
    return id;
  }

  /** Deploys and kills. Returns whether the moment came, and what the command printed. */
  async kill(target: KillTarget, moment: KillMoment) {
    const { processes, ...end } = await killDeployment(this.stack, this.emulator, { target, moment });
    this.#processes.push(...processes);
    this.#isLocked = end.isKilled;
    return end;
  }

  /**
   * Deploys, and kills when the service has answered the first request with this method, and before
   * the engine has written that to the state.
   */
  async killAfterAnswer(method: "POST" | "DELETE" | "PATCH", target: KillTarget): Promise<void> {
    const { isKilled, output } = await this.kill(target, { at: "answered", method, write: 1 });
    if (!isKilled) {
      throw new Error(`The deployment was not killed at its first ${method}:\n${output}`);
    }
  }

  /** Runs the CLI. It must end with 0. Unlocks the stack first if its last owner was killed. */
  async succeed(...args: string[]): Promise<string> {
    await this.#unlock();
    return this.stack.succeed(...args);
  }

  async #unlock(): Promise<void> {
    if (this.#isLocked) {
      // The file backend's lock survives its owner.
      await this.stack.succeed("cancel", "--yes");
      this.#isLocked = false;
    }
  }

  /** What a preview would change; undefined for nothing. */
  async changesInPreview(): Promise<string | undefined> {
    await this.#unlock();
    const { exitCode, output } = await this.stack.preview("--expect-no-changes");
    return exitCode === 0 ? undefined : output;
  }

  /**
   * One deployment, after which the service holds exactly what the program declares. A project that
   * a killed deployment deleted asks for a refresh first: with it went what it contained.
   */
  async converge({ refresh = false, preview = false, obeys = false } = {}): Promise<void> {
    const options = [...(refresh ? ["--refresh"] : []), ...(preview ? [] : ["--skip-preview"])];
    const output = await this.succeed("up", "--yes", ...options);
    if (obeys) {
      this.#obey(output);
    }
    await this.expectDeclared();
  }

  /** Does what a deployment advises about what no state knows, as a person would. */
  #obey(output: string): void {
    for (const [, noun, id = ""] of output.matchAll(/"browser-infra (\S+) delete (\S+?)["\s]/g)) {
      if (noun === "extensions") {
        // The CLI prints a message twice.
        if (this.emulator.extensions.list().some((each) => each.id === id)) {
          this.emulator.extensions.remove(id);
        }
      } else {
        this.#organization.deleteOutside(id);
      }
    }
    for (const [, id = ""] of output.matchAll(
      /set the limits of project (\S+), .*maxConcurrentSessions 3/g,
    )) {
      this.#organization.restoreLimits(id);
    }
  }

  /** The service holds exactly what the program declares, and a preview is empty. */
  async expectDeclared(): Promise<void> {
    const { extensions = {}, keys = {} } = this.#program;
    const inState = (logicalName: string) => this.#inState(logicalName);
    const declared: Contents = {
      extensions: [],
      keys: {},
      previousNames: {},
      organization: this.#organization.declared(this.#program, inState, this.#goneWithDeletions()),
    };
    for (const [logicalName, { name }] of Object.entries(extensions)) {
      const { id = "no id in the state", outputs } = this.#inState(logicalName);
      const { checksum } = await packExtension(this.stack.path(logicalName));
      declared.extensions.push(`${name ?? `${logicalName}-<7 digits>`} ${id} ${checksum}`);
      expect(outputs).toMatchObject({ checksum });
    }
    declared.extensions.sort();
    const found: Contents = {
      extensions: this.#extensionsInService(),
      keys: {},
      previousNames: {},
      organization: this.#organization.found(this.#program, inState),
    };
    for (const [logicalName, id] of this.#keyIds) {
      const name = keys[logicalName];
      declared.keys[logicalName] = name ?? originalName(logicalName);
      found.keys[logicalName] = this.#nameOfKey(id);
      if (name !== undefined) {
        declared.previousNames[logicalName] = originalName(logicalName);
        found.previousNames[logicalName] = this.#inState(logicalName).outputs?.previousName;
      }
    }
    expect(found).toEqual(declared);
    await this.#expectKeysToWork();
    expect(await this.changesInPreview()).toBeUndefined();
  }

  /**
   * Previous keys that a deletion of their resource has deleted before it was killed. Nothing
   * restores them when the program goes back; the present key is the last one to go.
   */
  #goneWithDeletions(): string[] {
    const records = this.emulator.apiKeyRecords.list();
    const live = new Set(records.flatMap(({ id, deletedAt }) => (deletedAt === null ? [id] : [])));
    return [...this.#leftOut]
      .filter((name) => this.#program.apiKeys?.[name] !== undefined)
      .flatMap((name) => this.previousKeys(name).map(({ id }) => id))
      .filter((id) => !live.has(id));
  }

  async #expectKeysToWork(): Promise<void> {
    if (Object.keys(this.#program.apiKeys ?? {}).length > 0) {
      const shown = await this.succeed("stack", "output", "--json", "--show-secrets");
      expect(await this.#organization.refusedKeys(JSON.parse(shown))).toEqual([]);
    }
  }

  /**
   * Destroys everything: the service is empty, and every key and every limit is what it was before.
   */
  async destroy(): Promise<void> {
    await this.succeed("destroy", "--yes", "--skip-preview");
    const names = [...this.#keyIds].map(([logicalName, id]) => [logicalName, this.#nameOfKey(id)]);
    expect(this.emulator.extensions.list()).toEqual([]);
    const nothing = [{}, (logicalName: string) => this.#inState(logicalName)] as const;
    expect(this.#organization.found(...nothing)).toEqual(this.#organization.declared(...nothing));
    expect(names).toEqual([...this.#keyIds.keys()].map((name) => [name, originalName(name)]));
    expect(this.stack.resources().filter(({ type }) => !type.startsWith("pulumi:"))).toEqual([]);
  }

  /** Id of the extension that the state has for a resource. */
  idOf(logicalName: string): string | undefined {
    return this.#inState(logicalName).id;
  }

  /** What the state has of the keys that rotations of an API key replaced. */
  previousKeys(logicalName: string): readonly { readonly id: string }[] {
    return (this.#inState(logicalName).outputs?.previousKeys ?? []) as readonly { readonly id: string }[];
  }

  /** Files of the journal that mention a string, in their names or their contents. */
  notesAbout(text: string): readonly string[] {
    return this.#notes().filter((file) => file.includes(text) || readFileSync(file, "utf8").includes(text));
  }

  /** Whether a file of the journal consists of exactly the bytes with this checksum. */
  isSaved(checksum: string | null | undefined): boolean {
    return this.#notes().some(
      (file) => createHash("sha256").update(readFileSync(file)).digest("hex") === checksum,
    );
  }

  #notes(): readonly string[] {
    const folder = this.stack.path(".browser-infra");
    return existsSync(folder) ? filesBelow(folder) : [];
  }

  /** What the state has for a resource that the program declares. */
  #inState(logicalName: string): StateResource {
    const all = this.stack.resources().filter(({ urn }) => urn.endsWith(`::${logicalName}`));
    const [only] = all;
    if (only === undefined || all.length > 1 || JSON.stringify(only).includes('"pendingReplacement":true')) {
      throw new Error(`The state has not exactly one "${logicalName}": ${JSON.stringify(all, undefined, 2)}`);
    }
    return only;
  }

  #extensionsInService(): string[] {
    return this.emulator.extensions
      .list()
      .map(({ id, name, checksum }) => `${withoutDigits(name)} ${id} ${checksum}`)
      .sort();
  }

  #nameOfKey(id: string): string | undefined {
    return this.emulator.apiKeyRecords.list().find((key) => key.id === id)?.name;
  }
}

/** What the service holds, for a comparison that shows everything that is wrong at once. */
interface Contents {
  /** Each as "<name> <id> <checksum>". */
  readonly extensions: string[];
  readonly keys: Record<string, string | undefined>;
  readonly previousNames: Record<string, unknown>;
  readonly organization: OrganizationContents;
}

/** The name that a key has before any program names it. */
function originalName(logicalName: string): string {
  return `${logicalName} before`;
}
