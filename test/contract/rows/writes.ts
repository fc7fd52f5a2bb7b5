import type { Properties } from "../../bridges/wire-messages.js";
import type { Sample } from "./samples.js";

/** Write to the service, and inputs of the resource in the programs around the write. */
export interface Write {
  readonly method: "POST" | "PATCH" | "DELETE";
  /** Position among the writes with this method. Default: 1. */
  readonly nth?: number;
  /** Inputs in the previous program. Undefined: the program does not declare the resource. */
  readonly before?: Properties | undefined;
  readonly after?: Properties | undefined;
  readonly changed: Properties;
  /** Whether the deployment replaces the resource, even if nothing differs. */
  readonly isForced?: boolean;
}

/** Writes that a kind of resource sends, by description. */
export function writesOf(sample: Sample): Readonly<Record<string, Write>> {
  const { first, changed, third, moved, automatic, automaticMoved, rotated, methods } = sample;
  const { create, change, remove } = methods;
  // For borrowed settings, both writes of a replacement have the same method.
  const isBorrowed = create === remove;
  const deletesFirst = sample.deletesFirst(first);
  const second = isBorrowed ? { nth: 2 } : {};
  const replacement = (after: Properties, isForced = false) => {
    const around = { before: first, after, changed: third, isForced };
    return {
      deletion: { method: remove, ...around, ...(deletesFirst ? {} : second) },
      creation: { method: create, ...around, ...(deletesFirst ? second : {}) },
    };
  };
  const forced = sample.refusesForce ? undefined : replacement(first, true);
  const replaced = moved && replacement(moved);
  const writes: Record<string, Write | undefined> = {
    "the creation": { method: create, after: first, changed: third },
    "the creation under an automatic name": automatic && { method: create, after: automatic, changed: third },
    "the change": changed && { method: change, before: first, after: changed, changed: third },
    "the rotation": rotated && { method: create, before: first, after: rotated, changed: third },
    "the deletion": { method: remove, before: first, changed: third },
    "the deletion of a replacement": replaced?.deletion,
    "the creation of a replacement": replaced?.creation,
    "the deletion of a replacement under an automatic name": automaticMoved && {
      method: remove,
      before: automatic,
      after: automaticMoved,
      changed: third,
    },
    "the creation of a replacement under an automatic name": automaticMoved && {
      method: create,
      before: automatic,
      after: automaticMoved,
      changed: third,
    },
    "the deletion of a forced replacement": forced?.deletion,
    "the creation of a forced replacement": forced?.creation,
  };
  return Object.fromEntries(
    Object.entries(writes).flatMap(([name, write]) => (write === undefined ? [] : [[name, write]])),
  );
}
