import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packExtension } from "../../../src/archive/index.js";
import { type Organization, type OrganizationProgram, profileNames } from "./organization.js";

/** Logical names in programs of a walk, and methods of requests with faults, by family. */
export const families = {
  extensions: { slots: ["reader", "writer"], methods: ["POST", "POST", "DELETE", "GET"] },
  organization: {
    slots: ["shop", "caps", "agents", "crew", "logs"],
    methods: ["POST", "POST", "PATCH", "PATCH", "DELETE", "GET"],
  },
  logins: {
    slots: ["visitor", "exit", "login", "web", "vault"],
    methods: ["POST", "POST", "PATCH", "PATCH", "DELETE", "GET"],
  },
} as const;
export type Family = (typeof families)[keyof typeof families];
export type Slot = Family["slots"][number];

/** Declaration of a resource, as numbers. Every kind uses both. */
export interface DeclaredSlot {
  /** Number of the folder content, of the limits, or of further settings. */
  readonly content: number;
  /**
   * Number of the fixed name; 0: automatic name. For limits: second cap; for connections: profile.
   */
  readonly name: number;
}

/** Program: the declared slots. */
export type WalkProgram = ReadonlyMap<Slot, DeclaredSlot>;

/** Resource as registered by a program. */
export interface RegisteredSlot {
  readonly type: "Extension" | ReturnType<Organization["resources"]>[string]["type"];
  readonly properties: Readonly<Record<string, unknown>>;
  readonly options: { readonly deleteBeforeReplace?: boolean };
}

/** First program of a walk: all slots, with and without fixed names. */
export function firstProgram(family: Family): WalkProgram {
  const slots: readonly Slot[] = family.slots;
  return new Map(slots.map((slot, name) => [slot, { content: 0, name }]));
}

/** Fixed name number `number` of a slot; undefined for 0. Slots never share a name. */
export function fixedName(slot: Slot, number: number): string | undefined {
  return number === 0 ? undefined : `${slot}-fixed-${number}`;
}

/** Declared resources, except extensions. */
export function organizationPart(program: WalkProgram): OrganizationProgram {
  const only = <D>(slot: Slot, make: (declared: DeclaredSlot, name: string | undefined) => D) => {
    const declared = program.get(slot);
    return declared === undefined ? {} : { [slot]: make(declared, fixedName(slot, declared.name)) };
  };
  return {
    projects: only("shop", (_, name) => ({ name })),
    limits: only("caps", ({ content, name }) => ({
      sessions: 5 + content,
      invocations: [undefined, 8, 7][name],
    })),
    apiKeys: only("agents", ({ content }, name) => ({ round: content, name })),
    pools: only("crew", ({ content }, name) => ({ size: 1 + content, name })),
    profiles: only("visitor", (_, name) => ({ name })),
    proxies: only("exit", ({ content }, name) => ({ country: ["DE", "US", "FR"][content] ?? "GB", name })),
    credentials: only("login", ({ content }, name) => ({ password: `word ${content}`, name })),
    destinations: only("logs", ({ content }, name) => ({ key: `word ${content}`, name })),
    providers: only("vault", ({ content }, name) => ({ token: `ops_${content}`, priority: content, name })),
    connections: only("web", ({ content, name }) => ({
      profileName: profileNames[name] ?? "buyer",
      healthCheckInterval: 3600 + content,
    })),
  };
}

/** Resources of a program, as registered with the engine. */
export function registeredBy(
  program: WalkProgram,
  organization: Organization,
): ReadonlyMap<Slot, RegisteredSlot> {
  const others: Record<string, RegisteredSlot> = organization.resources(organizationPart(program));
  return new Map(
    [...program].sort().map(([slot, { name: number }]) => {
      const name = fixedName(slot, number);
      const extension: RegisteredSlot = {
        type: "Extension",
        properties: { path: `./${slot}`, ...(name === undefined ? {} : { name }) },
        // As in the class Extension.
        options: name === undefined ? {} : { deleteBeforeReplace: true },
      };
      return [slot, others[slot] ?? extension];
    }),
  );
}

/** Writes the extension folders of a program into `folder`, named after the slots. */
export function writeFolders(folder: string, program: WalkProgram): void {
  for (const slot of families.extensions.slots) {
    rmSync(join(folder, slot), { recursive: true, force: true });
    const declared = program.get(slot);
    if (declared !== undefined) {
      mkdirSync(join(folder, slot));
      const manifest = { manifest_version: 3, name: "Walker", version: `1.0.${declared.content}` };
      writeFileSync(join(folder, slot, "manifest.json"), JSON.stringify(manifest));
    }
  }
}

/** Checksum of the packed folder of a declared slot. */
export async function checksumOf(folder: string, slot: Slot): Promise<string> {
  return (await packExtension(join(folder, slot))).checksum;
}
