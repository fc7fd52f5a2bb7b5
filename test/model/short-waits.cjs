// Loaded into a provider process before everything else: it waits a hundredth of the time between two looks or two tries, so that
// hundreds of runs with lost answers take seconds. What it waits for, and how often, stays the same.
const timers = require("node:timers/promises");

const { setTimeout: wait } = timers;
timers.setTimeout = (delayMs, ...rest) => wait(delayMs / 100, ...rest);
