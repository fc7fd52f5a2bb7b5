import { spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { withFasterSdk } from "../faster/faster-node.js";
import { filesBelow } from "../files-below.js";
import { programsFolder } from "./install-package.js";
import { keyService, keyServiceUrl } from "./key-service.js";
import { killAll, processesBelow, processTree } from "./process-tree.js";
import { type YamlProgram, type YamlResource, yamlProject } from "./yaml-program.js";

/**
 * Pulumi.yaml of a program in plain JavaScript, which starts faster than a program that Pulumi must
 * compile.
 */
export const javaScriptProject = `
name: shop
runtime:
  name: nodejs
  options:
    typescript: false
`;

/**
 * Files that "pulumi stack init" writes, by content of Pulumi.yaml. All stacks have the same files,
 * so the command runs once per test file.
 */
const emptyStacks = new Map<string, Promise<ReadonlyMap<string, Buffer>>>();

/** Result of a run of the CLI. */
export interface CliRun {
  readonly exitCode: number | null;
  /** Both streams in the order of arrival, without terminal codes. */
  readonly output: string;
}

/** A resource in the state file. */
export interface StateResource {
  readonly urn: string;
  readonly id?: string;
  readonly type: string;
  readonly inputs?: Record<string, unknown>;
  readonly outputs?: Record<string, unknown>;
  /** Whether the object still awaits deletion, after a replacement. */
  readonly delete?: boolean;
  /** Whether the object was deleted before the creation of the replacement. */
  readonly pendingReplacement?: boolean;
}

/** An extension in the state file. */
export interface DeployedExtension extends StateResource {
  readonly id: string;
  readonly outputs: Record<string, unknown>;
}

/**
 * A program and a stack, driven by the real Pulumi CLI in separate folders: the program below the
 * folder in which the packed package is installed, the state in a file backend, and an empty home.
 */
export class Stack {
  #environment: NodeJS.ProcessEnv;
  /** Folder for all files of this stack: program, state, home, temporary files. */
  readonly folder: string;
  #program: string;

  private constructor(folder: string, environment: NodeJS.ProcessEnv) {
    this.folder = folder;
    this.#program = join(folder, "program");
    this.#environment = environment;
  }

  /**
   * Creates a stack. `environment`: exports of the shell, for instance the settings of the
   * provider. `project`: content of Pulumi.yaml, by default for a program in JavaScript.
   */
  static async create(environment: NodeJS.ProcessEnv = {}, project = javaScriptProject): Promise<Stack> {
    const folder = mkdtempSync(join(programsFolder, "stack-"));
    for (const name of ["program", "state", "home", "tmp"]) {
      mkdirSync(join(folder, name));
    }
    const stack = new Stack(folder, {
      PATH: process.env.PATH,
      HOME: join(folder, "home"),
      TMPDIR: join(folder, "tmp"),
      PULUMI_HOME: join(folder, "home", ".pulumi"),
      PULUMI_BACKEND_URL: `file://${join(folder, "state")}`,
      // Always named, because the selected stack belongs to the program's folder, and a program may
      // move.
      PULUMI_STACK: "dev",
      ...(await keyService()),
      // For stacks that a test creates by itself.
      PULUMI_CONFIG_PASSPHRASE: "passphrase of a test",
      PULUMI_SKIP_UPDATE_CHECK: "true",
      PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
      PULUMI_DISABLE_REGISTRY_RESOLVE: "true",
      // The CLI and the language hosts end before garbage collection would pay off.
      GOGC: "400",
      // The programs in TypeScript are our examples; "npm test" checks the types before.
      PULUMI_NODEJS_TRANSPILE_ONLY: "true",
      ...withFasterSdk(environment),
    });
    stack.write("Pulumi.yaml", project);
    const known = emptyStacks.get(project);
    if (known === undefined) {
      const made = stack
        .succeed("stack", "init", "dev", "--secrets-provider", keyServiceUrl)
        .then(() => stack.#filesOfEmptyStack());
      emptyStacks.set(project, made);
      await made;
    } else {
      for (const [file, content] of await known) {
        mkdirSync(dirname(join(folder, file)), { recursive: true });
        writeFileSync(join(folder, file), content);
      }
    }
    return stack;
  }

  /** Creates a stack for a YAML program. {@link declare} writes the program. */
  static createYaml(environment: NodeJS.ProcessEnv = {}): Promise<Stack> {
    return Stack.create(environment, yamlProject({}));
  }

  /** Writes the YAML program of a stack. `resources`: by logical name. */
  declare(resources: Readonly<Record<string, YamlResource>>, program?: YamlProgram): void {
    this.write("Pulumi.yaml", yamlProject(resources, program));
  }

  #filesOfEmptyStack(): ReadonlyMap<string, Buffer> {
    const files = ["program", "state"].flatMap((part) => filesBelow(join(this.folder, part)));
    return new Map(files.map((file) => [relative(this.folder, file), readFileSync(file)]));
  }

  /** Path of a file of the program. */
  path(...parts: string[]): string {
    return resolve(this.#program, ...parts);
  }

  /** Writes a file of the program. */
  write(file: string, content: string | Uint8Array): void {
    mkdirSync(dirname(this.path(file)), { recursive: true });
    writeFileSync(this.path(file), content);
  }

  /** Exports variables in the shell of this stack, for the commands that follow. */
  export(environment: NodeJS.ProcessEnv): void {
    this.#environment = { ...this.#environment, ...environment };
  }

  /** Moves the program to another folder, like a colleague's checkout. */
  moveProgram(): void {
    const moved = join(this.folder, "elsewhere", "program");
    cpSync(this.#program, moved, { recursive: true });
    rmSync(this.#program, { recursive: true });
    this.#program = moved;
  }

  /** Runs the CLI and waits for the end. */
  run(...args: string[]): Promise<CliRun> {
    return this.start(...args).ended;
  }

  /** Runs the CLI. Rejects with the output unless the exit code is 0. */
  async succeed(...args: string[]): Promise<string> {
    const { exitCode, output } = await this.run(...args);
    if (exitCode !== 0) {
      throw new Error(`"pulumi ${args.join(" ")}" ended with ${exitCode}:\n${output}`);
    }
    return output;
  }

  /** Runs the CLI with `input` on standard input, as a person enters a secret. */
  async succeedWithInput(input: string, ...args: string[]): Promise<void> {
    const running = this.start(...args);
    running.write(input);
    const { exitCode, output } = await running.ended;
    if (exitCode !== 0) {
      throw new Error(`"pulumi ${args.join(" ")}" ended with ${exitCode}:\n${output}`);
    }
  }

  /** Runs a script of the program, as a pipeline does, and waits for the end. */
  runScript(file: string, ...args: string[]): Promise<CliRun> {
    return this.#spawn(this.path(file), args).ended;
  }

  /** Starts the CLI in a separate process group, for tests of interruptions. */
  start(...args: string[]) {
    return this.#spawn("pulumi", ["--non-interactive", "--color=never", ...args]);
  }

  #spawn(command: string, args: readonly string[]) {
    const child = spawn(command, args, {
      cwd: this.#program,
      env: this.#environment,
      stdio: ["pipe", "pipe", "pipe"],
      detached: true,
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    const ended = new Promise<CliRun>((resolveRun, reject) => {
      child.once("error", reject);
      child.once("close", (exitCode) => resolveRun({ exitCode, output }));
    });
    return {
      /** Id of the command's process; undefined if the command could not be started. */
      pid: child.pid,
      ended,
      output: () => output,
      write: (text: string) => child.stdin.end(text),
      /** Sends a signal to the command only, as Ctrl-C in a terminal does. */
      signal: (signal: NodeJS.Signals) => child.kill(signal),
      /** Ends the command and all processes below at once, as a power failure does. */
      kill: () => killAll(processTree(child.pid)),
      /** Ids of the processes below the command, which a killed command leaves behind. */
      processes: () => processesBelow(child.pid),
      /** Stops reading the output of the command, as `pulumi up | head -1` does. */
      stopReading: () => child.stdout.destroy(),
      /** Ids of Pulumi's dynamic provider processes, and of provider plugins, below the command. */
      providers: () => [
        ...processesBelow(child.pid, "/cmd/dynamic-provider"),
        ...processesBelow(child.pid, "/plugin/plugin.cjs"),
      ],
    };
  }

  up(...args: string[]): Promise<string> {
    return this.succeed("up", "--yes", "--skip-preview", ...args);
  }

  /** Deploys. Rejects unless the deployment fails. Returns the output as a single line. */
  async failingUp(...args: string[]): Promise<string> {
    const { exitCode, output } = await this.run("up", "--yes", "--skip-preview", ...args);
    if (exitCode === 0) {
      throw new Error(`The deployment succeeded:\n${output}`);
    }
    return output.replace(/\s+/g, " ");
  }

  destroy(...args: string[]): Promise<string> {
    return this.succeed("destroy", "--yes", "--skip-preview", ...args);
  }

  refresh(...args: string[]): Promise<string> {
    return this.succeed("refresh", "--yes", "--skip-preview", ...args);
  }

  preview(...args: string[]): Promise<CliRun> {
    return this.run("preview", "--diff", ...args);
  }

  /** Previews. Rejects with the output unless there is nothing to do. */
  expectNoChanges(...args: string[]): Promise<string> {
    return this.succeed("preview", "--diff", "--expect-no-changes", ...args);
  }

  /** Outputs of the stack; secret outputs only with `--show-secrets`. */
  // biome-ignore lint/suspicious/noExplicitAny: a test knows what its program exports.
  async outputs(...args: string[]): Promise<any> {
    return JSON.parse(await this.succeed("stack", "output", "--json", ...args));
  }

  /** Resources in the state file, with encrypted secrets. */
  resources(): StateResource[] {
    return JSON.parse(readFileSync(this.#stateFile, "utf8")).checkpoint.latest?.resources ?? [];
  }

  /**
   * Runs a command, then restores the state file: the engine ends normally, but the snapshot is
   * lost. For a provider, a full disk has the same effect. Returns the run.
   */
  async losingState(...args: string[]): Promise<CliRun> {
    const saved = readFileSync(this.#stateFile);
    const run = await this.run(...args);
    writeFileSync(this.#stateFile, saved);
    return run;
  }

  get #stateFile(): string {
    const [project = ""] = readdirSync(join(this.folder, "state", ".pulumi", "stacks"));
    return join(this.folder, "state", ".pulumi", "stacks", project, "dev.json");
  }

  /** Throws while the attribute file of Pulumi's backend, beside the state file, is empty. */
  #readAttributes(): void {
    const file = `${this.#stateFile}.attrs`;
    if (existsSync(file)) {
      JSON.parse(readFileSync(file, "utf8"));
    }
  }

  /** Whether the state file is readable. During a write by the engine, the file is incomplete. */
  hasCompleteState(): boolean {
    try {
      this.resources();
      this.#readAttributes();
      return true;
    } catch {
      return false;
    }
  }

  /** Extensions in the state, in the order of the logical names. */
  extensions(): DeployedExtension[] {
    return this.resources()
      .filter(
        (resource): resource is DeployedExtension =>
          resource.type.endsWith(":Extension") && resource.id !== undefined && resource.outputs !== undefined,
      )
      .sort((one, other) => one.urn.localeCompare(other.urn));
  }

  /** The only extension in the state. */
  extension(): DeployedExtension {
    const found = this.extensions();
    const [extension] = found;
    if (found.length !== 1 || extension === undefined) {
      throw new Error(`The state holds ${found.length} extensions.`);
    }
    return extension;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
