import { existsSync, readFileSync } from "node:fs";

/**
 * The part of jest's JSON report that the scripts read.
 *
 * @typedef {object} JestReport
 * @property {number} numRuntimeErrorTestSuites test files that could not be loaded.
 * @property {{ assertionResults: { status: string, title: string, fullName: string }[] }[]}
 *   testResults
 *
 * @typedef {{ passed: number, failed: number, skipped: string[] }} TestCounts `skipped`: full
 *   names.
 */

/**
 * Counts the tests in jest's JSON report. A test file that could not be loaded counts as one
 * failure; without a report all counts are zero.
 *
 * @param {string} path
 * @returns {TestCounts}
 */
export function countTests(path) {
  /** @type {TestCounts} */
  const counts = { passed: 0, failed: 0, skipped: [] };
  if (!existsSync(path)) {
    return counts;
  }
  /** @type {JestReport} */
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

/**
 * `12 passed, 0 failed`, and `, 3 skipped` if there are any.
 *
 * @param {TestCounts} counts
 */
export function summaryLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ""}`;
}
