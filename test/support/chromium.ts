import { type Browser, chromium, type Page } from "playwright-core";
import { findChromium } from "../../src/chromium/find.js";
import { leaveOut } from "./where-available.js";

/** Longest wait of a test for the start of a browser or for a page, in milliseconds. */
const pageMsMax = 30_000;

/** Path of the Chromium or Chrome of this machine; undefined without one. */
export const browserPath = findChromium(process.env.PATH);

/**
 * Adds a test in the Chromium or Chrome of this machine. Skipped without a browser, also in CI,
 * where no browser is required.
 */
export function testInBrowser(name: string, run: () => Promise<void>): void {
  if (browserPath === undefined) {
    leaveOut(name, "This machine has no Chromium and no Chrome.");
  } else {
    test(name, run);
  }
}

/** Adds tests in the Chromium or Chrome of this machine. Skipped as {@link testInBrowser} skips. */
export function describeInBrowser(name: string, tests: () => void): void {
  if (browserPath === undefined) {
    leaveOut(name, "This machine has no Chromium and no Chrome.");
  } else {
    describe(name, tests);
  }
}

const browsers: Browser[] = [];

afterAll(() => Promise.all(browsers.map((browser) => browser.close())));

/** Starts the browser with command line options `args`. Closed after the last test of the file. */
export async function launchBrowser(args: string[] = []): Promise<Browser> {
  const browser = await chromium.launch({
    args,
    ...(browserPath !== undefined && { executablePath: browserPath }),
    timeout: pageMsMax,
    // The sandbox does not work for root, the user in most containers.
    chromiumSandbox: process.getuid?.() !== 0,
  });
  browsers.push(browser);
  return browser;
}

/** Opens an address in a new page. */
export async function openPage(browser: Browser, address: string): Promise<Page> {
  const page = await browser.newPage();
  page.setDefaultTimeout(pageMsMax);
  await page.goto(address);
  return page;
}
