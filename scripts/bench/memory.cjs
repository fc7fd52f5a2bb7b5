const { readFileSync } = require("node:fs");

/**
 * The memory of a process, as Linux counts it. MB (2^20 bytes); NaN elsewhere.
 *
 * @param {"VmHWM" | "VmRSS" | "RssAnon"} kind
 * @param {number | "self"} [pid] default: this process.
 */
exports.memoryMb = function memoryMb(kind, pid = "self") {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const [, kilobytes] = new RegExp(`^${kind}:\\s+(\\d+) kB$`, "m").exec(status) ?? [];
    return Number(kilobytes) / 1024;
  } catch {
    return Number.NaN;
  }
};

/**
 * The most memory that this process has used so far. MB (2^20 bytes). Linux counts it itself;
 * `maxRSS` of a process starts with the memory of the process that started it.
 */
exports.peakMb = function peakMb() {
  return exports.memoryMb("VmHWM") || process.resourceUsage().maxRSS / 1024;
};
