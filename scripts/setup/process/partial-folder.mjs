import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { onInterrupt } from "./interrupt.mjs";

/**
 * Starts the name of every folder with unfinished work, which is of no use once its maker is gone.
 */
export const partialPrefix = "partial-";

/**
 * Gives the work an empty folder beside its target, so that one rename puts the complete result in
 * place. Removes the folder afterwards, also after a failure or an interrupt. After a kill it stays
 * until the next set-up.
 *
 * @template T
 * @param {string} parent the folder the result will be in.
 * @param {(folder: string) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withPartialFolder(parent, work) {
  const folder = mkdtempSync(join(parent, partialPrefix));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  const forget = onInterrupt(remove);
  try {
    return await work(folder);
  } finally {
    remove();
    forget();
  }
}

/**
 * Removes what killed set-ups left. Only for the holder of the folder's lock: then no other set-up
 * works in it.
 *
 * @param {string} parent
 */
export function removeLeftovers(parent) {
  for (const name of readdirSync(parent)) {
    if (name.startsWith(partialPrefix)) {
      rmSync(join(parent, name), { recursive: true, force: true, maxRetries: 3 });
    }
  }
}
