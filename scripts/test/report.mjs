import { existsSync, readFileSync } from "node:fs";

/**
 * Part of jest's JSON report that the scripts read.
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
 * Tests in jest's JSON report. A test file that could not be loaded counts as a failed test;
 * without a report, the list is empty.
 *
 * @param {string} path
 * @returns {{ status: string, title: string, fullName: string }[]} `status`: `passed`, `failed`, or
 *   a different value for a test that did not run.
 */
export function readTests(path) {
  if (!existsSync(path)) {
    return [];
  }
  /** @type {JestReport} */
  const { numRuntimeErrorTestSuites, testResults } = JSON.parse(readFileSync(path, "utf8"));
  const title = "a test file that cannot be loaded";
  const unloadable = { status: "failed", title, fullName: title };
  return [
    ...testResults.flatMap(({ assertionResults }) => assertionResults),
    ...Array(numRuntimeErrorTestSuites).fill(unloadable),
  ];
}

/**
 * Counts the tests in jest's JSON report.
 *
 * @param {string} path
 * @returns {TestCounts}
 */
export function countTests(path) {
  const tests = readTests(path);
  const passed = tests.filter(({ status }) => status === "passed").length;
  const failed = tests.filter(({ status }) => status === "failed").length;
  const others = tests.filter(({ status }) => status !== "passed" && status !== "failed");
  return { passed, failed, skipped: others.map(({ fullName }) => fullName) };
}

/**
 * `12 passed, 0 failed`, and `, 3 skipped` if there are any.
 *
 * @param {TestCounts} counts
 */
export function summaryLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ""}`;
}
