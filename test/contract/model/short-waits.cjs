// Loaded into a provider process before everything else. Divides the time between two looks or two
// attempts by a hundred, so that hundreds of runs with lost replies take seconds. What the process
// waits for, and how often, stays the same.
const timers = require("node:timers/promises");

const { setTimeout: wait } = timers;
timers.setTimeout = (delayMs, ...rest) => wait(delayMs / 100, ...rest);
