import { delimiter } from "node:path";

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
/** Language host and Maven project installed by `npm run test:all -- java`; otherwise empty. */
export const javaFolder = process.env.BROWSER_INFRA_TEST_JAVA ?? "";

/** Folder of language hosts as new as the Pulumi CLI, for commands that older hosts lack; otherwise empty. */
const newHosts = process.env.BROWSER_INFRA_TEST_HOSTS ?? "";

/** Environment of commands with the hosts of {@link testWithNewHosts}, and with the settings of npm for an install. */
export function newHostsEnvironment(): NodeJS.ProcessEnv {
  const ofNpm = Object.entries(process.env).filter(([name]) => /^npm_config_/i.test(name));
  return { ...Object.fromEntries(ofNpm), PATH: [newHosts, process.env.PATH].join(delimiter) };
}

/** Adds a test of commands such as `pulumi package add` in TypeScript, skipped without such hosts. */
export function testWithNewHosts(title: string, run: () => Promise<void>): void {
  if (newHosts === "") {
    leaveOut(title, "Set BROWSER_INFRA_TEST_HOSTS to a folder of language hosts as new as the Pulumi CLI.");
  } else {
    test(title, run, 20 * 60_000);
  }
}

/** Adds a test that runs programs in Python or Go, and is skipped without the {@link sdks}. */
export function testWithSdks(title: string, run: () => Promise<void>): void {
  testWithSuite("languages", sdks, title, run);
}

/** Adds a test that runs programs in Java, and is skipped without the {@link javaFolder}. */
export function testWithJava(title: string, run: () => Promise<void>): void {
  // Each command of the Pulumi CLI runs Maven twice.
  testWithSuite("java", javaFolder, title, run, 20 * 60_000);
}

function testWithSuite(
  suite: string,
  installed: string,
  title: string,
  run: () => Promise<void>,
  limitMs?: number,
): void {
  if (installed === "") {
    leaveOut(title, `"npm run test:all -- ${suite}" installs the SDK, and runs it.`);
  } else {
    test(title, run, limitMs);
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

/** Whether the contract plays all stories, of which `npm test` plays a third: in `npm run test:all -- slow`. */
export const isWhole = process.env.BROWSER_INFRA_TEST_WHOLE === "1";
