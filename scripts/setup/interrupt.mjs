import { constants } from "node:os";

/**
 * What must happen when the user presses Ctrl-C, or the process is asked to end: children end, unfinished files go, locks are
 * given back, in the reverse order of their making. The handlers are in place only while something is registered, so that
 * a script that uses the set-up may have its own before and after.
 */
const actions = new Set();
const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
let interrupted = false;

/** True from the signal until the process ends: a child that ends now has not failed, it was ended. */
export function isInterrupted() {
  return interrupted;
}

/**
 * Registers an action for the case of an interrupt.
 *
 * @param {(signal: string) => void | Promise<void>} action
 * @returns {() => void} takes it back.
 */
export function onInterrupt(action) {
  if (actions.size === 0) {
    for (const signal of signals) {
      process.on(signal, end);
    }
  }
  // A fresh wrapper, so that one function registered twice is two entries.
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
  process.stderr.write("Interrupted. Nothing is left half-made; run the same command again to go on.\n");
  process.exit(128 + constants.signals[signal]);
}
