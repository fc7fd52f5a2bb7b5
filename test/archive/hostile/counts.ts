import { hostileFolders } from "./folders.js";
import { hostileZips, soundZip } from "./zips.js";

/** How many zips with one bit flipped are tried: one for each bit of a small zip. */
export const flippedBits = soundZip.length * 8;

/**
 * How many of them are refused. In the others, the bit is one that no reader of the list of files
 * looks at: a date, a version, a mode, or a field of a local header that the list has as well.
 */
export const refusedFlips = 1_683;

/** A row of the table in docs/reliability.md. */
interface Row {
  readonly what: string;
  readonly tried: number;
  readonly refused: number;
}

/** How many of each kind are tried. The tests of this folder hold that so many are refused. */
function rowsOf(tried: readonly { readonly kind: string }[]): Row[] {
  const counts = new Map<string, number>();
  for (const { kind } of tried) {
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts].map(([what, count]) => ({ what, tried: count, refused: count }));
}

/** The rows of the two tables. */
export const folderRows: readonly Row[] = rowsOf(hostileFolders);
export const zipRows: readonly Row[] = [
  ...rowsOf(hostileZips),
  {
    what: "A zip of three entries, cut short at every byte",
    tried: soundZip.length,
    refused: soundZip.length,
  },
  { what: "The same zip with each bit flipped", tried: flippedBits, refused: refusedFlips },
];
