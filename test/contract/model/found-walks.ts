import type { Operation } from "./operations.js";
import type { families } from "./walk-program.js";

const up = { kind: "up", refresh: false, faults: [] } as const;

/**
 * Walk that once failed. Starts with all resources of the family: with "reader" under an automatic
 * and "writer" under a fixed name, for instance.
 */
interface FoundWalk {
  /** Failure of the walk. */
  readonly what: string;
  /** Default: extensions. */
  readonly family?: keyof typeof families;
  readonly operations: readonly Operation[];
  /**
   * Whether the failure depended on the engine, so that the played engine may not reproduce the
   * failure.
   */
  readonly ofTheEngine?: boolean;
}

export const foundWalks: readonly FoundWalk[] = [
  {
    what: "a refresh before a destroy kept what it had to delete",
    operations: [up, { kind: "destroy", refresh: true, faults: [] }],
    ofTheEngine: true,
  },
  {
    what: "a refresh kept what the program no longer declared",
    operations: [
      up,
      { kind: "withdraw", slot: "reader" },
      { kind: "withdraw", slot: "writer" },
      { ...up, refresh: true },
    ],
    ofTheEngine: true,
  },
  ...(["cancel after commit"] as const).map((mishap) => ({
    what: `an extension stayed deleted after "${mishap}" during its deletion`,
    operations: [
      up,
      { ...up, replace: "writer", faults: [{ method: "DELETE", mishap, nth: 1, times: 1 }] },
      up,
      { kind: "destroy", refresh: false, faults: [{ method: "DELETE", mishap, nth: 1, times: 1 }] },
      up,
    ] as const,
  })),
  ...[0, 1].map((content) => ({
    what: `a fixed name, with content ${content}, was refused without a command, because a former object that could not be deleted had it`,
    operations: [
      up,
      { kind: "rename", slot: "writer", name: 0 },
      { ...up, faults: [{ method: "DELETE", mishap: "refused 409", nth: 1, times: 1 }] },
      { kind: "declare", slot: "writer", content, name: 1 },
      up,
    ] as const,
  })),
  {
    what: "an API key that could not be renamed after its creation kept its one-time name",
    family: "organization",
    operations: [
      { ...up, faults: [{ method: "POST", mishap: "reset before reading", nth: 1, times: 1 }] },
      {
        ...up,
        faults: [
          { method: "PATCH", mishap: "refused 409", nth: 1, times: 2 },
          { method: "POST", mishap: "reset before reading", nth: 2, times: 1 },
        ],
      },
      { kind: "revert" },
      up,
    ],
  },
  {
    what: "a proxy was called unfinished although a rename without a response had named it",
    family: "logins",
    operations: [
      {
        kind: "up",
        refresh: false,
        faults: [
          { method: "PATCH", mishap: "forbidden", nth: 2, times: 1 },
          { method: "PATCH", mishap: "500 after commit", nth: 1, times: 1 },
        ],
      },
    ],
  },
];
