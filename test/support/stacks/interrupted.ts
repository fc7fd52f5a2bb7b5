import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packExtension } from "../../../src/archive/index.js";
import type { Emulator, FaultPoint } from "../../../src/emulator/index.js";
import type { Properties } from "../../bridges/wire-messages.js";
import { OtherStack } from "../../contract/model/other-stack.js";
import { Ownership } from "../../contract/ownership.js";
import { writeAppFolders } from "../../contract/rows/app-folders.js";
import {
  borrowedIds,
  type Contents,
  checksums,
  extensionFolders,
  furnish,
  kinds,
  type Sample,
  samples,
} from "../../contract/rows/samples.js";
import type { Bridge } from "./bridges.js";
import { programsFolder } from "./install-package.js";
import { killAll, processTree, until } from "./process-tree.js";
import { manifest, startService } from "./service.js";
import type { Stack } from "./stack.js";

const bin = join(programsFolder, "node_modules", ".bin");
const writes = ["POST", "PATCH", "PUT", "DELETE"];
const operatorKey = "sk_of_an_operator";
/** Time after an interruption that no precision of a clock can explain. */
const farMs = 5_000;
const always = { times: Number.POSITIVE_INFINITY } as const;

/** Inputs of a kind in a program; undefined: the program does not declare the kind. */
export type Inputs = (sample: Sample) => Properties | undefined;

export type End = "Ctrl-C" | "SIGTERM" | "no response" | "SIGKILL";

/** Pending operation in the output of `browser-infra pending --json`. */
export interface Finding {
  readonly name: string;
  readonly exists: boolean | null;
  readonly repair: readonly { readonly purpose: string; readonly commands: readonly string[] }[];
}

/** Objects of a kind by id, as a line per object. */
interface Difference {
  readonly expected: Contents;
  readonly found: Contents;
}

/** Stack with a resource of every kind that writes. The logical name is the kind. */
export class StackOfEveryKind {
  readonly stack: Stack;
  readonly emulator: Emulator;
  /** Objects that the stack may change, and requests that changed others. */
  readonly ownership: Ownership;
  /** Stack of an operator with another key. */
  readonly others: OtherStack;
  readonly #bridge: Bridge;
  #inputs: Inputs = () => undefined;
  #looksFirst = false;
  #files: readonly string[] = [];

  private constructor(bridge: Bridge, stack: Stack, emulator: Emulator) {
    this.#bridge = bridge;
    this.stack = stack;
    this.emulator = emulator;
    this.ownership = new Ownership(emulator, [operatorKey], borrowedIds);
    this.others = new OtherStack(emulator, stack.path(), operatorKey);
  }

  static async create(bridge: Bridge): Promise<StackOfEveryKind> {
    const { emulator, environment } = await startService({ apiKeys: ["sk_emulator", operatorKey] });
    furnish(emulator);
    const created = new StackOfEveryKind(bridge, await bridge.create(environment), emulator);
    for (const [folder, version] of Object.entries(extensionFolders)) {
      created.stack.write(`${folder}/manifest.json`, manifest(version));
      checksums.set(`./${folder}`, (await packExtension(created.stack.path(folder))).checksum);
    }
    await writeAppFolders(created.stack.path());
    created.declare(() => undefined);
    created.#files = created.#filesOfProgram();
    return created;
  }

  async remove(): Promise<void> {
    this.stack.remove();
    await this.emulator.close();
  }

  declare(inputs: Inputs): void {
    this.#inputs = inputs;
    const declared = kinds.flatMap((kind) => {
      const properties = inputs(samples[kind]);
      const options =
        properties && samples[kind].deletesFirst(properties) ? { deleteBeforeReplace: true } : {};
      return properties === undefined ? [] : [[kind, { type: kind, properties, options }] as const];
    });
    this.#bridge.declare(this.stack, Object.fromEntries(declared));
    if (this.#looksFirst) {
      const project = readFileSync(this.stack.path("Pulumi.yaml"), "utf8");
      this.stack.write("Pulumi.yaml", withRefreshAlways(project));
    }
  }

  /** Sets the option `refresh: always` in Pulumi.yaml, for the programs that follow. */
  lookFirst(): void {
    this.#looksFirst = true;
  }

  /** Writes the state to a file and reads the file, as on the way to another backend. */
  async exportAndImport(): Promise<void> {
    const file = join(this.stack.folder, "exported.json");
    await this.stack.succeed("stack", "export", "--file", file);
    await this.stack.succeed("stack", "import", "--file", file);
  }

  /** Makes an object of every kind as an operator, with the names of `first` and other settings. */
  async makeAsOthers(): Promise<Readonly<Record<string, string>>> {
    this.emulator.clock.advance(farMs);
    const made: Record<string, string> = {};
    for (const kind of kinds) {
      const { first, strangers }: Sample = samples[kind];
      const properties = strangers.differing ?? strangers.same ?? first;
      made[kind] = (await this.others.make({ type: strangers.kind ?? kind, properties })) ?? "";
    }
    return made;
  }

  /**
   * Deploys, and ends the deployment when the service has committed a write of every kind without
   * any response. `at`: with `before-reading`, no write reaches the service. `expected`: number of writes to wait
   * for. Returns the output.
   */
  async strike(
    end: End,
    { at = "after-commit", expected = kinds.length }: { at?: FaultPoint; expected?: number } = {},
  ): Promise<string> {
    const { emulator, stack } = this;
    let committed = 0;
    const count = () => {
      committed += 1;
      if (end === "no response" && committed === expected) {
        // For the rest of the run, the service is unreachable.
        emulator.faults.add({ ...always, method: "GET", at: "before-reading", action: "reset" });
      }
    };
    for (const method of writes) {
      emulator.faults.add({ ...always, method, at, action: { call: count } });
      const action = end === "no response" ? "reset" : "hang";
      emulator.faults.add({ ...always, method, at, action });
    }
    const running = stack.start("up", "--yes", "--skip-preview", "--parallel", "32");
    if (end !== "no response") {
      await until(() => committed >= expected);
      if (end === "SIGKILL") {
        killAll(processTree(running.pid));
      } else {
        running.signal(end === "SIGTERM" ? "SIGTERM" : "SIGINT");
      }
    }
    const { exitCode, output } = await running.ended;
    expect({ exitCode, output }).not.toMatchObject({ exitCode: 0 });
    emulator.faults.clear();
    if (end === "SIGKILL") {
      await stack.succeed("cancel", "--yes");
    } else {
      expect(this.#filesOfProgram()).toEqual(this.#files);
    }
    return output;
  }

  async pending(): Promise<readonly Finding[]> {
    return (await this.#pending()).pending;
  }

  /** Runs the command that makes Pulumi forget the pending operations. */
  async forgetPending(): Promise<void> {
    const { pending, clear } = await this.#pending();
    if (pending.length > 0) {
      await this.#shell(clear);
      expect(await this.pending()).toEqual([]);
    }
  }

  /** Whether `browser-infra drift` names the pending operations. */
  async isNamedByDrift(): Promise<boolean> {
    const { output } = await this.stack.runScript(join(bin, "browser-infra"), "drift", "--json");
    return JSON.parse(output).pending;
  }

  async #pending(): Promise<{ readonly pending: readonly Finding[]; readonly clear: string }> {
    const { output, exitCode } = await this.stack.runScript(join(bin, "browser-infra"), "pending", "--json");
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
    return JSON.parse(output);
  }

  /** Runs commands from messages in the folder of the program. */
  async #shell(...commands: readonly string[]): Promise<void> {
    const script = ["set -ex", `export PATH="${bin}:$PATH"`, ...commands].join("\n");
    const { exitCode, output } = await this.stack.runScript("/bin/bash", "-c", script);
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
  }

  /** Runs the commands of all findings: for a purpose, otherwise the first commands. */
  async repair(findings: readonly Finding[], purpose: string): Promise<void> {
    const chosen = findings.map(({ repair }) => repair.find((each) => each.purpose === purpose) ?? repair[0]);
    const commands = new Set(chosen.flatMap((each) => each?.commands ?? []));
    // Deployments last: a deployment would create an object that is to be imported or deleted.
    const isDeployment = (command: string) => Number(command.startsWith("pulumi up"));
    const ordered = [...commands].sort((one, other) => isDeployment(one) - isDeployment(other));
    const script = ordered.map((command) =>
      /^pulumi (up|import) /.test(command) ? `${command} --yes --skip-preview` : command,
    );
    await this.#shell(...script);
  }

  /** Runs the commands of a message that delete objects not declared by the program. */
  async deleteNamed(message: string): Promise<void> {
    const added = Object.values(this.differences()).flatMap(({ expected, found }) =>
      Object.keys(found).filter((id) => expected[id] === undefined),
    );
    const commands = Array.from(message.matchAll(/"(browser-infra [a-z-]+ delete (\w+)[^"]*)"/g))
      .filter(([, , id = ""]) => added.includes(id))
      .map(([, command]) => `${command} --yes`);
    await this.#shell(...new Set(commands));
  }

  /** Differences between the service and the program, by kind, except the kinds in `without`. */
  differences(without: readonly string[] = []): Readonly<Record<string, Difference>> {
    const resources = this.stack.resources();
    const compared = kinds.filter((kind) => !without.includes(kind));
    const wrong = compared.flatMap((kind) => {
      const sample: Sample = samples[kind];
      const properties = this.#inputs(sample);
      const inState = resources.find(
        ({ urn, type }) => type.endsWith(`:${kind}`) && urn.endsWith(`::${kind}`),
      );
      const declared =
        properties === undefined
          ? {}
          : inState?.id === undefined
            ? { [kind]: "is not in the state" }
            : sample.declared(properties, { id: inState.id, outputs: inState.outputs ?? {} }, kind);
      const expected = { ...sample.before, ...declared };
      const found = this.#foundOf(sample);
      return this.#isSame(found, expected) ? [] : [[kind, { expected, found }] as const];
    });
    return Object.fromEntries(wrong);
  }

  #foundOf(sample: Sample): Record<string, string> {
    // Auth connections create the named profiles.
    const isDeclared = ([, text]: [string, string]) =>
      sample.kind !== "Profile" || !/^(buyer|seller) /.test(text);
    return Object.fromEntries(Object.entries(sample.found(this.emulator)).filter(isDeclared));
  }

  #isSame(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
    return [...new Set([...Object.keys(one), ...Object.keys(other)])].every((id) => one[id] === other[id]);
  }

  #filesOfProgram(): string[] {
    return readdirSync(this.stack.path(".")).sort();
  }
}

/** Text of a Pulumi.yaml, in JSON or YAML, with the option. */
function withRefreshAlways(project: string): string {
  return project.startsWith("{")
    ? JSON.stringify({ ...JSON.parse(project), options: { refresh: "always" } })
    : `${project.replace(/\noptions:[\s\S]*/, "")}\noptions:\n  refresh: always\n`;
}
