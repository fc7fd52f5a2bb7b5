/**
 * Adds a test with a requirement that not every machine meets. `missing`: reason why this machine
 * does not; undefined if the requirement is met. Unmet, the test fails in CI and is skipped
 * elsewhere.
 */
export function testWhereAvailable(title: string, missing: string | undefined, run: () => void): void {
  if (missing === undefined) {
    test(title, run);
  } else if (process.env.CI) {
    test(title, () => {
      throw new Error(`CI must have this. ${missing}`);
    });
  } else {
    leaveOut(title, missing);
  }
}

/**
 * Adds a skipped test. The reason is printed, and is part of the name, which the end of "npm test"
 * lists.
 */
export function leaveOut(title: string, missing: string): void {
  console.warn(`Not tested: ${title}. ${missing}`);
  test.todo(`${title} (not tested: ${missing})`);
}
