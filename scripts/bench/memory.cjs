const { readFileSync } = require("node:fs");

/**
 * The most memory that this process has used so far. MB (2^20 bytes). On Linux, the system counts
 * the process alone; `maxRSS` starts with the memory of the process that started this process.
 */
exports.peakMb = function peakMb() {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
    return Number(kilobytes) / 1024;
  } catch {
    return process.resourceUsage().maxRSS / 1024;
  }
};
