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

/** Folder of the SDKs installed by `npm run test:all -- languages`; otherwise empty. */
export const sdks = process.env.BROWSER_INFRA_TEST_SDKS ?? "";

/** Adds a test that runs programs in Python or Go, and is skipped without the {@link sdks}. */
export function testWithSdks(title: string, run: () => Promise<void>): void {
  if (sdks === "") {
    leaveOut(title, '"npm run test:all -- languages" installs the SDKs for Python and Go, and runs it.');
  } else {
    test(title, run);
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
