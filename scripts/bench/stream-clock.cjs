/**
 * A clock that every process of a machine reads the same, and that nobody sets. Milliseconds, with
 * a fraction.
 */
exports.nowMs = function nowMs() {
  return Number(process.hrtime.bigint()) / 1e6;
};
