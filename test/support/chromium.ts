import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { leaveOut } from "./where-available.js";

/** Commands of the packages of Chromium and Chrome. */
const commands = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** Where Chrome is on a Mac, where it has no command on PATH. */
const macPath = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/** Longest wait of a test for what it expects on a page, in milliseconds. */
const pageMsMax = 30_000;

const executablePath = findChromium();

/**
 * A test in the Chromium or Chrome of this machine. Without one it is left out, also in CI, whose
 * machine needs no browser.
 */
export function testInBrowser(name: string, run: () => Promise<void>): void {
  if (executablePath === undefined) {
    leaveOut(name, "This machine has no Chromium and no Chrome.");
  } else {
    test(name, run);
  }
}

const browsers: Browser[] = [];

afterAll(() => Promise.all(browsers.map((browser) => browser.close())));

/** Starts that browser, with these options of its command line. It is closed for you. */
export async function launchBrowser(args: string[] = []): Promise<Browser> {
  const browser = await chromium.launch({
    args,
    ...(executablePath !== undefined && { executablePath }),
    timeout: pageMsMax,
    // Its sandbox does not work for root, the user in most containers.
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

/**
 * Path of the Chromium or Chrome of this machine, PATH first, or undefined. Nothing is downloaded.
 */
function findChromium(): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const paths = folders.flatMap((folder) => commands.map((command) => join(folder, command)));
  return [...paths, macPath].find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
