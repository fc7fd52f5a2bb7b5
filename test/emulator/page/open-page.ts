import type { Browser, Page } from "playwright-core";
import type { Emulator } from "../../../src/emulator/index.js";
import { launchBrowser, openPage, testInBrowser } from "../../support/chromium.js";
import { newEmulator } from "../../support/emulator.js";
import { filled } from "./filled.js";

/** Widths at which every control is used: a desk, and a telephone. */
export const widths = [1280, 375];

let browser: Browser | undefined;

// An open page follows its emulator, which takes time from the next test.
afterEach(() => Promise.all(browser?.contexts().map((context) => context.close()) ?? []));

/** Opens an address in a window of a width, in the one browser of the test file. */
export async function openAt(address: string, width = 1280): Promise<Page> {
  browser ??= await launchBrowser();
  const page = await openPage(browser, "about:blank");
  await page.setViewportSize({ width, height: 800 });
  await page.goto(address);
  return page;
}

/** Opens the page of an emulator at a view, and waits for the first data. */
export async function pageOf({ url }: Emulator, hash = "", width?: number): Promise<Page> {
  const page = await openAt(`${url}/${hash}`, width);
  await page.getByText("Live", { exact: true }).waitFor();
  return page;
}

/** Adds a test of controls at every width. The emulator has a record of every kind, and no fault. */
export function testControls(
  name: string,
  hash: string,
  run: (page: Page, emulator: Emulator, made: Awaited<ReturnType<typeof filled>>) => Promise<void>,
): void {
  for (const width of widths) {
    testInBrowser(`${name}, at ${width} pixels`, async () => {
      const emulator = await newEmulator({ speed: 20 });
      const made = await filled(emulator);
      emulator.faults.clear();
      await run(await pageOf(emulator, hash, width), emulator, made);
    });
  }
}

/** Presses a button. */
export const press = (page: Page, name: string | RegExp) =>
  page.getByRole("button", { name, exact: true }).click();

/** Waits for text anywhere on the page. */
export const wait = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
