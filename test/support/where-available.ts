/**
 * A test of what not every machine has. `missing` says why it is not here; undefined when it is.
 * CI must have it, so there the test fails. Elsewhere it is left out.
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
 * A test that does not run. The reason is printed, and it is in the name, which the end of "npm
 * test" lists.
 */
export function leaveOut(title: string, missing: string): void {
  console.warn(`Not tested: ${title}. ${missing}`);
  test.todo(`${title} (not tested: ${missing})`);
}
