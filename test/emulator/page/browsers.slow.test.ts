import axe, { type AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import type { Emulator } from "../../../src/emulator/index.js";
import { testInBrowser } from "../../support/chromium.js";
import { newEmulator } from "../../support/emulator.js";
import { uploadBroken } from "../browsers/sessions/broken-extensions.js";
import { clientOf, firstPage, playedSite } from "../browsers/sessions/played-site.js";
import { openAt, pageOf, press, testControls, wait, widths } from "./open-page.js";

/** A lease of a pool whose extensions are broken, and a session of its own, both in real browsers. */
async function leased(emulator: Emulator) {
  const client = clientOf(emulator);
  const extensions = [...(await uploadBroken(emulator))];
  const start_url = await playedSite();
  await client.browserPools.create({ name: "crew", size: 1, headless: true, start_url, extensions });
  const lease = await client.browserPools.acquire("crew", { name: "checkout" });
  const own = await client.browsers.create({ headless: false, timeout_seconds: 600 });
  return { client, lease, own, site: start_url };
}

const card = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const fact = (page: Page, name: string, label: string) =>
  card(page, name)
    .locator("dt", { hasText: new RegExp(`^${label}$`) })
    .locator("+ dd");

/** Whether the page fits the screen and has no serious problem of accessibility, in light and dark. */
async function problemsOf(page: Page): Promise<unknown[]> {
  const found: unknown[] = [await page.evaluate("document.documentElement.scrollWidth > innerWidth")];
  await page.evaluate(axe.source);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations } = (await page.evaluate("axe.run()")) as AxeResults;
    const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
    found.push(...serious.map(({ id, nodes }) => [colorScheme, id, nodes[0]?.html]));
  }
  return found;
}

describe("emulator: the browsers of its page", () => {
  for (const width of widths) {
    testInBrowser(
      `the emulator's page shows the picture of each leased browser, and why its extensions do nothing, at ${width} pixels`,
      async () => {
        const emulator = await newEmulator({ browser: true });
        const { lease, own, site } = await leased(emulator);
        const page = await pageOf(emulator, "#browsers", width);
        for (const name of ["checkout", own.session_id]) {
          const picture = card(page, name).getByRole("img", { name: `Page of ${name}` });
          await picture.waitFor();
          // Zero for a picture that the security policy refuses.
          await expect(
            picture.evaluate((image: { naturalWidth?: number }) => image.naturalWidth),
          ).resolves.toBe(1920);
        }
        await fact(page, "checkout", "Address").getByText(`${site}/`).waitFor();
        await fact(page, "checkout", "Title").getByText("Site").waitFor();
        const extensions = fact(page, "checkout", "Extensions");
        await extensions.getByText("The worker did not start.").waitFor();
        expect(await extensions.locator("p").allTextContents()).toEqual([
          "content ",
          "Error: no cart on this page at script.js:1:7",
          "worker ",
          "The worker did not start.",
          "whole no error",
        ]);
        expect(await fact(page, "checkout", "Pool").textContent()).toBe("crew");
        expect(await fact(page, own.session_id, "Pool").textContent()).toBe("none");
        expect(await fact(page, "checkout", "Leased by").textContent()).toBe("key Given at start");
        expect(await fact(page, "checkout", "Since").textContent()).toMatch(/^20.* UTC$/);
        expect(await problemsOf(page)).toEqual([false]);

        const agent = await firstPage(lease.cdp_ws_url);
        await fact(page, "checkout", "Clients").getByText("1").waitFor();
        await agent.evaluate(
          "document.title = 'Paid'; setTimeout(() => { throw new Error('the cart broke') })",
        );
        await fact(page, "checkout", "Title").getByText("Paid").waitFor();
        await card(page, "checkout").getByText("Errors of pages: 1").click();
        await card(page, "checkout").getByText("the cart broke").waitFor();

        // Where there is a display, the browser of the session has an address for a person.
        expect(own.browser_live_view_url).toBe(`${emulator.url}/#browsers/${own.session_id}`);
        await page.goto(`${own.browser_live_view_url}`);
        await card(page, "checkout").waitFor({ state: "detached" });
        await card(page, own.session_id).getByRole("button", { name: "End…" }).click();
        await press(page, "Keep");
        await card(page, own.session_id).getByRole("button", { name: "End…" }).click();
        await press(page, "End");
        await wait(page, "It is gone");
        await page.getByRole("link", { name: "← Browsers" }).click();
        await card(page, "checkout").waitFor();
        expect(emulator.browsers.list().map(({ id }) => id)).toEqual([lease.session_id]);
      },
    );
  }

  testInBrowser(
    "the emulator's page asks for pictures only while the view is visible, and not while the display is paused",
    async () => {
      const emulator = await newEmulator({ browser: true });
      await clientOf(emulator).browsers.create({ name: "checkout", headless: true, timeout_seconds: 600 });
      const page = await openAt("about:blank");
      let pictures = 0;
      page.on("request", (request) => {
        pictures += Number(request.url().endsWith("/picture"));
      });
      /** Waits for a number of messages of the emulator, which come once a second. */
      const messages = async (count: number) => {
        for (let second = 0; second < count; second += 1) {
          const hasNotText = `${await page.locator("#now").textContent()}`;
          await page.locator("#now", { hasNotText }).waitFor();
        }
      };
      /** Number of pictures in the time of three messages, once the last picture is there. */
      const asked = async () => {
        await messages(1);
        const before = pictures;
        await messages(3);
        return pictures - before;
      };
      await page.goto(`${emulator.url}/#browsers`);
      await card(page, "checkout").getByRole("img").waitFor();
      expect(await asked()).toBeGreaterThanOrEqual(2);
      await press(page, "Pause");
      expect(await asked()).toBe(0);
      await press(page, "Resume");
      expect(await asked()).toBeGreaterThanOrEqual(2);
      await page.goto(`${emulator.url}/#faults`);
      expect(await asked()).toBe(0);
    },
  );

  testControls(
    "the emulator's page says why a lease has no browser and how to start browsers, and ends the lease",
    "#browsers",
    async (page, emulator, { pool }) => {
      await wait(page, "No leased browser");
      const { sessionId } = emulator.browserPools.acquire(pool.id);
      await card(page, sessionId).getByText("The emulator starts no browsers").waitFor();
      await wait(page, "npx browser-infra emulator --browser");
      expect(await fact(page, sessionId, "Leased by").textContent()).toBe("a test");
      expect(await fact(page, sessionId, "Extensions").textContent()).toBe("reader ");
      await page.goto(`${emulator.url}/#objects/browserPools/${pool.id}`);
      await page.getByRole("link", { name: sessionId }).click();
      await card(page, sessionId).getByRole("button", { name: "End…" }).click();
      await wait(page, `End ${sessionId}? Its clients lose the browser.`);
      await press(page, "End");
      await wait(page, "It is gone");
      expect(emulator.browserPools.get(pool.id).acquiredCount).toBe(0);
    },
  );
});
