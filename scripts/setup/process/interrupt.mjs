import { constants } from "node:os";

/**
 * What must happen when the user presses Ctrl-C, or the process is asked to end: children end,
 * unfinished files go, locks are released, the last one registered first. The handlers are in place
 * only while something is registered, so that a script that uses the set-up can have its own before
 * and after.
 *
 * @type {Set<(signal: NodeJS.Signals) => void | Promise<void>>}
 */
const actions = new Set();
/** @type {readonly NodeJS.Signals[]} */
const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
let interrupted = false;

/**
 * True from the signal until the process ends: a child that ends now was stopped, it did not fail.
 */
export function isInterrupted() {
  return interrupted;
}

/**
 * Registers an action for the case of an interrupt.
 *
 * @param {(signal: NodeJS.Signals) => void | Promise<void>} action
 * @returns {() => void} removes the action.
 */
export function onInterrupt(action) {
  if (actions.size === 0) {
    for (const signal of signals) {
      process.on(signal, end);
    }
  }
  // A new wrapper each time, so that one function registered twice is two entries.
  /** @param {NodeJS.Signals} signal */
  const entry = (signal) => action(signal);
  actions.add(entry);
  return () => {
    actions.delete(entry);
    if (actions.size === 0 && !interrupted) {
      for (const signal of signals) {
        process.off(signal, end);
      }
    }
  };
}

/** @param {NodeJS.Signals} signal */
async function end(signal) {
  if (interrupted) {
    return;
  }
  interrupted = true;
  for (const action of [...actions].reverse()) {
    try {
      await action(signal);
    } catch {
      // The next action matters more than a message: leftovers are removed by the next run.
    }
  }
  process.stderr.write(
    "Interrupted. No unfinished files are left. Run the same command again to continue.\n",
  );
  process.exit(128 + constants.signals[signal]);
}
