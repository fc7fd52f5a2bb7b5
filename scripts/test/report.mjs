import { existsSync, readFileSync } from "node:fs";

/**
 * Counts the tests in jest's JSON report. A test file that could not be loaded is one failure; a missing report counts nothing.
 *
 * @param {string} path
 * @returns {{ passed: number, failed: number, skipped: string[] }} `skipped`: the full names.
 */
export function countTests(path) {
  const counts = { passed: 0, failed: 0, skipped: [] };
  if (!existsSync(path)) {
    return counts;
  }
  const report = JSON.parse(readFileSync(path, "utf8"));
  counts.failed += report.numRuntimeErrorTestSuites;
  for (const { assertionResults } of report.testResults) {
    for (const { status, fullName } of assertionResults) {
      if (status === "passed") {
        counts.passed += 1;
      } else if (status === "failed") {
        counts.failed += 1;
      } else {
        counts.skipped.push(fullName);
      }
    }
  }
  return counts;
}

/** `12 passed, 0 failed`, with `, 3 skipped` only where some were. */
export function summaryLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ""}`;
}
