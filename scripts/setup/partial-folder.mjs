import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { onInterrupt } from "./interrupt.mjs";

/** Every folder with a name that begins so is unfinished work, and worthless once its maker is gone. */
export const partialPrefix = "partial-";

/**
 * Gives the work an empty folder beside its target, so that a rename puts the result in place whole, and removes it afterwards,
 * also after a failure or an interrupt. After a kill it stays until the next set-up.
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

/** Removes what killed set-ups left. Only for the holder of the folder's lock: nobody else's work is unfinished there. */
export function removeLeftovers(parent) {
  for (const name of readdirSync(parent)) {
    if (name.startsWith(partialPrefix)) {
      rmSync(join(parent, name), { recursive: true, force: true, maxRetries: 3 });
    }
  }
}
