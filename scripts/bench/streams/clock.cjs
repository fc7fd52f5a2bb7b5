/**
 * A clock that shows the same time in every process of a machine and that nobody can set.
 * Milliseconds, with a fraction.
 */
exports.nowMs = function nowMs() {
  return Number(process.hrtime.bigint()) / 1e6;
};
