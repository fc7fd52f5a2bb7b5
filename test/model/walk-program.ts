import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packExtension } from "../../src/archive/index.js";

/** The extensions a program of a walk may declare, by logical name. */
export const slots = ["reader", "writer"] as const;
export type Slot = (typeof slots)[number];

/** What a program says about one extension. */
export interface DeclaredExtension {
  /** Number of the content of its folder. */
  readonly content: number;
  /** Number of its fixed name; 0 for an automatic one. */
  readonly name: number;
}

/** A program: the slots it declares. */
export type WalkProgram = ReadonlyMap<Slot, DeclaredExtension>;

/** Fixed name number `number` of a slot; undefined for 0. No two slots share one. */
export function fixedName(slot: Slot, number: number): string | undefined {
  return number === 0 ? undefined : `${slot}-fixed-${number}`;
}

/** Writes the folders of a program into `folder`, each slot's below its own name. */
export function writeFolders(folder: string, program: WalkProgram): void {
  for (const slot of slots) {
    rmSync(join(folder, slot), { recursive: true, force: true });
    const declared = program.get(slot);
    if (declared !== undefined) {
      mkdirSync(join(folder, slot));
      const manifest = { manifest_version: 3, name: "Walker", version: `1.0.${declared.content}` };
      writeFileSync(join(folder, slot, "manifest.json"), JSON.stringify(manifest));
    }
  }
}

/** The checksum of what a declared slot's folder packs to. */
export async function checksumOf(folder: string, slot: Slot): Promise<string> {
  return (await packExtension(join(folder, slot))).checksum;
}
