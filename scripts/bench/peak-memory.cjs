const { readFileSync } = require("node:fs");

/**
 * The most memory that this process has used so far. MB (2^20 bytes). Linux counts it itself;
 * `maxRSS` of a process starts with the memory of the process that started it.
 */
exports.peakMb = function peakMb() {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
    if (kilobytes !== undefined) {
      return Number(kilobytes) / 1024;
    }
  } catch {
    // Not Linux.
  }
  return process.resourceUsage().maxRSS / 1024;
};
