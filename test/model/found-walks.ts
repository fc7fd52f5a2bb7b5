import type { Operation } from "./operations.js";
import type { Slot } from "./walk-program.js";

const up = { kind: "up", refresh: false, faults: [] } as const;

/** Walks that once ended wrong, each with what it was. A walk starts with "reader" under an automatic and "writer" under a fixed name. */
export const foundWalks: readonly { readonly what: string; readonly operations: readonly Operation[] }[] = [
  {
    what: "a refresh before a destroy kept what was to be deleted",
    operations: [up, { kind: "destroy", refresh: true, faults: [] }],
  },
  {
    what: "a refresh kept what the program had ceased to declare",
    operations: [
      up,
      { kind: "withdraw", slot: "reader" },
      { kind: "withdraw", slot: "writer" },
      { ...up, refresh: true },
    ],
  },
];

/** After it, the name of "writer" belongs to its last version, of which the state does not know. */
export const killedWhilePuttingBack: readonly Operation[] = [
  up,
  { kind: "edit", slot: "writer", content: 1 },
  {
    ...up,
    faults: [
      { method: "POST", mishap: "refused 400", nth: 1, times: 1 },
      { method: "POST", mishap: "kill after commit", nth: 1, times: 1 },
    ],
  },
];

/** Leaves an upload in the service that no later run looks for: its content is declared nowhere any more. */
export function editedAfterKill(slot: Slot): readonly Operation[] {
  return [
    up,
    { kind: "edit", slot, content: 1 },
    { ...up, faults: [{ method: "POST", mishap: "kill after commit", nth: 1, times: 1 }] },
    { kind: "edit", slot, content: 2, atOnce: true },
    up,
  ];
}
