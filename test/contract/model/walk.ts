import type { EmulatedExtension, Emulator } from "../../../src/emulator/index.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { Ownership } from "../ownership.js";
import { type Operation, rulesOf } from "./operations.js";
import type { Organization } from "./organization.js";
import { OtherStack } from "./other-stack.js";
import {
  checksumOf,
  type Family,
  families,
  firstProgram,
  fixedName,
  organizationPart,
  type RegisteredSlot,
  registeredBy,
  type Slot,
  type WalkProgram,
  writeFolders,
} from "./walk-program.js";

/** Stack that a walk deploys to. */
export interface WalkedStack {
  /** Folder of the program. */
  readonly folder: string;
  /** Writes the program, but not the folders of the extensions. */
  write(resources: ReadonlyMap<Slot, RegisteredSlot>): void;
  /** Deploys. All commands return the failure, or undefined. */
  up(options: { refresh: boolean; replace?: Slot | undefined }): Promise<string | undefined>;
  refresh(): Promise<string | undefined>;
  destroy(options: { refresh: boolean }): Promise<string | undefined>;
  /** Changes in a preview, or undefined. */
  preview(): Promise<string | undefined>;
  /** Ends the current run, as SIGKILL or Ctrl-C does. */
  end(how: "kill" | "cancel"): void;
  /** State of a slot; undefined between deletion and creation of a replacement. */
  find(slot: Slot): { readonly id: string; readonly outputs: Readonly<Record<string, unknown>> } | undefined;
}

/** API keys of a walk's service: of the stack, and of an operator. */
export const walkKeys = ["sk_emulator", "sk_of_an_operator"] as const;

/** Content of the operator's objects, which no program declares. */
const contentOfOthers = 9;
const programOfOthers: WalkProgram = new Map(
  families.extensions.slots.map((slot) => [slot, { content: contentOfOthers, name: 0 }]),
);

/** Time between an operator's object and any request of the stack, longer than the precision of any clock. */
const farMs = 5_000;

/** Service that a walk deploys to, with {@link walkKeys}, and the contents besides extensions. */
export interface WalkedService {
  readonly emulator: Emulator;
  readonly organization: Organization;
}

/**
 * Starts with a program that declares every resource of a family. Walks through the operations and
 * then through an `up` with a refresh and no faults. Then the service must match the program.
 */
export async function walk(
  stack: WalkedStack,
  { emulator, organization }: WalkedService,
  family: Family,
  operations: readonly Operation[],
): Promise<void> {
  const slots: readonly Slot[] = family.slots;
  let program = firstProgram(family);
  let deployed: WalkProgram = program;
  const deletedOutside = new Set<string>();
  const toldSteps: string[] = [];
  /** Whether the error of a deletion without a response requires a refresh. */
  let needsRefresh = false;
  const [, operatorKey] = walkKeys;
  const ownership = new Ownership(emulator, [operatorKey]);
  const folderOfOthers = temporaryFolder();
  writeFolders(folderOfOthers, programOfOthers);
  const others = new OtherStack(emulator, folderOfOthers, operatorKey);
  const idsOfOthers = new Set<string>();

  const service = (): readonly EmulatedExtension[] =>
    emulator.extensions.list().filter(({ id }) => !idsOfOthers.has(id));
  /** Whether the service contains an object for a resource that is not in the state. */
  const isOutOfReach = (slot: Slot) =>
    stack.find(slot) === undefined &&
    (service().some(({ name }) => name?.startsWith(`${slot}-`)) || organization.holdsAnythingOf(slot));

  try {
    stack.write(registeredBy(program, organization));
    writeFolders(stack.folder, program);
    for (const operation of [...operations, { kind: "up", refresh: true, faults: [] } as const]) {
      toldSteps.push(JSON.stringify(operation));
      await step(operation);
    }
  } catch (error) {
    (error as Error).message += `\nThe walk:\n${toldSteps.join("\n")}`;
    throw error;
  }

  async function makeAsOthers(slot: Slot, name: number): Promise<void> {
    const made: WalkProgram = new Map([[slot, { content: contentOfOthers, name }]]);
    const registered = registeredBy(made, organization).get(slot);
    if (registered === undefined || registered.type === "ProjectLimits") {
      return;
    }
    emulator.clock.advance(farMs);
    const id = await others.make(registered);
    emulator.clock.advance(farMs);
    if (id !== undefined) {
      idsOfOthers.add(id);
      organization.ignore(id);
    }
  }

  function deleteInService(id: string): void {
    if (emulator.extensions.list().some((extension) => extension.id === id)) {
      emulator.extensions.remove(id);
    }
    organization.deleteOutside(id);
  }

  async function step(operation: Operation): Promise<void> {
    if (operation.kind === "declare") {
      const { slot, content, name } = operation;
      program = new Map([...program, [slot, { content, name }]]);
    } else if (operation.kind === "edit") {
      const { slot, content } = operation;
      const declared = program.get(slot);
      if (declared !== undefined) {
        program = new Map([...program, [slot, { ...declared, content }]]);
      }
    } else if (operation.kind === "rename") {
      const { slot, name } = operation;
      const declared = program.get(slot);
      if (declared !== undefined) {
        program = new Map([...program, [slot, { ...declared, name }]]);
      }
    } else if (operation.kind === "revert") {
      const stays = [...program].filter(([slot]) => !deployed.has(slot) && isOutOfReach(slot));
      program = new Map([...deployed, ...stays]);
    } else if (operation.kind === "withdraw") {
      if (!isOutOfReach(operation.slot)) {
        program = new Map([...program].filter(([slot]) => slot !== operation.slot));
      }
    } else if (operation.kind === "delete outside") {
      const { id, outputs } = stack.find(operation.slot) ?? {};
      // After a rotation, key and resource have different ids.
      const present = String(outputs?.keyId ?? id);
      deleteInService(present);
      deletedOutside.add(present);
    } else if (operation.kind === "make as others") {
      await makeAsOthers(operation.slot, operation.name);
    } else {
      await run(operation);
    }
  }

  async function run(operation: Extract<Operation, { kind: "up" | "refresh" | "destroy" }>): Promise<void> {
    if (operation.kind === "destroy" && slots.some(isOutOfReach)) {
      return;
    }
    stack.write(registeredBy(program, organization));
    writeFolders(stack.folder, program);
    const faults = operation.kind === "refresh" ? [] : operation.faults;
    const rules = faults.flatMap((fault) => rulesOf(fault, (how) => stack.end(how)));
    for (const rule of rules) {
      emulator.faults.add(rule);
    }
    const failure =
      operation.kind === "refresh"
        ? await stack.refresh()
        : await stack[operation.kind]({ ...operation, refresh: operation.refresh || needsRefresh });
    emulator.faults.clear();
    ownership.allow(...organization.limitedProjects);
    expect(ownership.violations()).toEqual([]);
    needsRefresh = failure?.includes('again with "--refresh"') === true;
    if (failure !== undefined) {
      if (faults.length === 0 && !asksForRefresh(failure, operation)) {
        const toDelete = deletionIn(failure);
        if (toDelete === undefined || slots.some((slot) => stack.find(slot)?.id === toDelete)) {
          throw new Error(`A faultless ${operation.kind} failed: ${failure}`);
        }
        deleteInService(toDelete);
        await run(operation);
      }
      return;
    }
    if (operation.kind === "up") {
      deployed = program;
      if (faults.length === 0 || !organization.isUnsettled()) {
        await expectExactly(program, operation.refresh);
      }
    } else if (operation.kind === "destroy") {
      await expectExactly(new Map(), true);
    }
  }

  /** Expects the service to match the program exactly, and an empty preview. */
  async function expectExactly(declared: WalkProgram, afterRefresh: boolean): Promise<void> {
    const expected: string[] = [];
    for (const slot of slots) {
      const resource = declared.get(slot);
      const id = stack.find(slot)?.id;
      if ((id === undefined) !== (resource === undefined)) {
        throw new Error(`The state has ${id} for ${slot}.`);
      }
      // Only a refresh notices a deletion outside of the program.
      const isThere = afterRefresh || !deletedOutside.has(id ?? "");
      if (resource !== undefined && isThere && isExtension(slot)) {
        const name = fixedName(slot, resource.name) ?? `${slot}-<7 digits>`;
        expected.push(`${id} ${name} ${await checksumOf(stack.folder, slot)}`);
      }
    }
    const found = service().map(
      ({ id, name, checksum }) => `${id} ${name?.replace(/-[0-9a-f]{7}$/, "-<7 digits>")} ${checksum}`,
    );
    expect(found.sort()).toEqual(expected.sort());
    const part = organizationPart(declared);
    const inState = (slot: string) => stack.find(slot as Slot) ?? {};
    const gone = afterRefresh ? [] : [...deletedOutside];
    expect(organization.found(part, inState)).toEqual(organization.declared(part, inState, gone));
    if (declared === program) {
      expect(await stack.preview()).toBeUndefined();
    }
  }
}

function isExtension(slot: Slot): boolean {
  return families.extensions.slots.some((each) => each === slot);
}

/** Id of an orphan, from the deletion command in an error. */
function deletionIn(failure: string): string | undefined {
  return /(?:is taken by|already exists).*"browser-infra [a-z-]+ delete ([^\s"]+)/.exec(failure)?.[1];
}

/** Whether a deployment without a refresh failed with a request for a refresh. */
function asksForRefresh(failure: string, operation: Operation): boolean {
  return operation.kind === "up" && !operation.refresh && /pulumi (up --)?refresh/.test(failure);
}
