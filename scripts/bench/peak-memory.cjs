const { readFileSync } = require("node:fs");

/**
 * The most memory this process has taken so far. MB (2^20 bytes). Linux's own count where there is
 * one: `maxRSS` of a process begins with what the process that started it took.
 */
exports.peakMb = function peakMb() {
  try {
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))[1]) / 1024;
  } catch {
    return process.resourceUsage().maxRSS / 1024;
  }
};
