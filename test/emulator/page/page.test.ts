import { readFileSync } from "node:fs";
import axe, { type AxeResults } from "axe-core";
import type { Browser, Page } from "playwright-core";
import type { Emulator } from "../../../src/emulator/index.js";
import { launchBrowser, openPage, testInBrowser } from "../../support/chromium.js";
import { newEmulator } from "../../support/emulator.js";
import { call, signed } from "../calls.js";
import { archive, filled, nouns, secrets } from "./filled.js";

jest.setTimeout(120_000);

/** Views. The lists of the nouns have one look, as does the list of requests. */
const views = ["requests", ...nouns, "faults", "clock"];

describe("emulator: its page", () => {
  let browser: Browser | undefined;

  // An open page follows its emulator, which takes time from the next test.
  afterEach(() => Promise.all(browser?.contexts().map((context) => context.close()) ?? []));

  /** The page of an emulator, at a view. */
  async function pageOf({ url }: Emulator, hash = ""): Promise<Page> {
    browser ??= await launchBrowser();
    const page = await openPage(browser, `${url}/${hash}`);
    await page.getByText("Connected", { exact: true }).waitFor();
    return page;
  }

  /** The texts of all cells, by row. */
  const cells = (page: Page) =>
    page.evaluate(
      '[...document.querySelectorAll("tbody tr")].map((row) => Array.from(row.children, (cell) => cell.textContent))',
    ) as Promise<string[][]>;

  testInBrowser(
    "has no serious problem of access on any view, filled and empty, and in dark colors on each kind of view",
    async () => {
      const full = await newEmulator();
      const { extension, pool } = await filled(full);
      await call(full, "GET", "/extensions");
      const own = await newEmulator({ apiKeys: ["sk_of_my_own"] });
      const empty = await newEmulator();
      const details = [`extensions/${extension.id}`, `browserPools/${pool.id}`];
      const page = await pageOf(full);
      await page.emulateMedia({ reducedMotion: "reduce" });
      const addresses = [
        ...[...views, ...details].map((view) => `${full.url}/#${view}`),
        ...["requests", "extensions"].map((view) => `${empty.url}/#${view}`),
      ];
      for (const address of [...addresses, own.url]) {
        await page.goto("about:blank");
        await page.goto(address);
        await page.locator("nav a[aria-current], #enter:not([hidden])").waitFor();
        await page.evaluate(axe.source);
        const isLikeOthers = nouns.some((noun) => address.endsWith(`#${noun}`));
        for (const colorScheme of isLikeOthers ? (["light"] as const) : (["light", "dark"] as const)) {
          await page.emulateMedia({ colorScheme });
          // Nothing but contrast depends on the scheme.
          const rules = colorScheme === "light" ? "{}" : '{ runOnly: ["color-contrast"] }';
          const { violations } = (await page.evaluate(`axe.run(${rules})`)) as AxeResults;
          const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
          const found = serious.map(({ id, nodes }) => [address, colorScheme, id, nodes[0]?.html]);
          expect(found).toEqual([]);
        }
      }
    },
  );

  testInBrowser("shows every kind, no secret, and names of others as text", async () => {
    const emulator = await newEmulator();
    const { project } = await filled(emulator);
    emulator.projects.rename(project.id, '<img src=x onerror="document.title=1">');
    const page = await pageOf(emulator);
    const shown: Record<string, string> = {};
    for (const view of views) {
      await page.goto(`${emulator.url}/#${view}`);
      shown[view] = (await page.locator("main").textContent()) ?? "";
    }
    expect(shown.projects).toContain('<img src=x onerror="document.title=1">');
    expect(await page.locator("img").count()).toBe(0);
    expect(shown).toMatchObject({
      apiKeys: expect.stringContaining("sk_of_...789"),
      extensions: expect.stringContaining("reader"),
      browserPools: expect.stringContaining("crawlers"),
      profiles: expect.stringContaining("work"),
      proxies: expect.stringContaining("proxy.example.com"),
      credentials: expect.stringContaining("password"),
      faults: expect.stringContaining("after-commit"),
    });
    const everything = (await page.content()) + JSON.stringify(shown);
    expect(Object.values(secrets).filter((secret) => everything.includes(secret))).toEqual([]);
  });

  testInBrowser("adds a fault, which strikes, counts, and is removed", async () => {
    const emulator = await newEmulator();
    const page = await pageOf(emulator, "#faults");
    const status = async () => (await call(emulator, "GET", "/extensions").catch(() => undefined))?.status;
    for (const [what, expected] of [
      ["Answer 500", 500],
      ["Answer 429", 429],
      ["Lost reply", undefined],
      ["Lost request", undefined],
    ] as const) {
      await page.getByLabel("What happens").selectOption(what);
      await page.getByLabel("Method").selectOption("GET");
      await page.getByLabel("Path begins with").fill("/extensions");
      await page.getByLabel("Times").selectOption("always");
      await page.getByRole("button", { name: "Add fault" }).click();
      const remove = page.getByRole("button", { name: /^Remove fault-/ });
      await remove.waitFor();
      expect(await status()).toBe(expected);
      expect((await call(emulator, "GET", "/profiles")).status).toBe(200);
      await page.getByRole("cell", { name: "1", exact: true }).last().waitFor();
      await remove.click();
      await page.getByText("There are none.").waitFor();
      expect(await status()).toBe(200);
    }
    await page.getByLabel("What happens").selectOption("Delay of 5 seconds");
    await page.getByRole("button", { name: "Add fault" }).click();
    await page.getByText('{"delayMs":5000}').waitFor();
    await page.getByRole("button", { name: "Remove all" }).click();
    await page.getByText("There are none.").waitFor();
  });

  testInBrowser("moves the clock, so that a key expires, and takes it back", async () => {
    const emulator = await newEmulator();
    const { key } = await filled(emulator);
    const headers = { authorization: `Bearer ${key.key}` };
    const status = async () => (await fetch(`${emulator.url}/extensions`, { headers })).status;
    const page = await pageOf(emulator, "#clock");
    expect(await status()).toBe(200);
    await page.getByLabel("Date and time (UTC)").fill("2100-01-02T03:04:05");
    await page.getByRole("button", { name: "Move the clock" }).click();
    await page.getByText("2100-01-02 03:04").waitFor();
    expect(await status()).toBe(401);
    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByRole("cell", { name: "expired" }).waitFor();
    await page.getByRole("link", { name: "Clock" }).click();
    await page.getByRole("button", { name: "Back to the system's time" }).click();
    await page.getByText("2100-01-02").waitFor({ state: "detached" });
    expect(await status()).toBe(200);
  });

  testInBrowser("fills a pool and shows its browsers", async () => {
    const emulator = await newEmulator();
    const { pool } = await filled(emulator);
    const page = await pageOf(emulator, "#browserPools");
    expect(await cells(page)).toEqual([["crawlers", "Default", "1", "0", "3", expect.anything(), "Fill"]]);
    const fill = page.getByRole("button", { name: "Fill crawlers" });
    await fill.focus();
    await page.keyboard.press("Enter");
    await page.locator("td:nth-child(3)", { hasText: "3" }).waitFor();
    expect(await page.evaluate("document.activeElement.ariaLabel")).toBe("Fill crawlers");
    await page.getByRole("link", { name: "crawlers" }).click();
    await page.getByRole("heading", { name: "Browsers", exact: true }).waitFor();
    expect(await cells(page)).toHaveLength(3);
    emulator.browserPools.remove(pool.id);
    await page.getByRole("heading", { name: "It is gone" }).waitFor();
  });

  testInBrowser("calls nothing gone that is only older than what it shows", async () => {
    const emulator = await newEmulator();
    const { id } = emulator.profiles.ensure("oldest");
    for (let at = 0; at < 200; at += 1) {
      emulator.profiles.ensure(`newer-${at}`);
    }
    const page = await pageOf(emulator, `#profiles/${id}`);
    await page.getByRole("heading", { name: "Not among the newest" }).waitFor();
    emulator.profiles.remove(id);
    await page.getByRole("heading", { name: "It is gone" }).waitFor();
  });

  testInBrowser("shows the files and the manifest of an extension, and downloads it", async () => {
    const emulator = await newEmulator();
    await filled(emulator);
    const page = await pageOf(emulator, "#extensions");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download reader" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("reader.zip");
    expect(readFileSync(await download.path()).equals(archive)).toBe(true);
    await page.getByRole("link", { name: "reader" }).click();
    await page.getByRole("cell", { name: "content.js" }).waitFor();
    expect((await page.locator("main").textContent()) ?? "").toContain('"manifest_version": 3');
    expect(new URL(page.url()).hash).toMatch(/^#extensions\/[a-z0-9]{24}$/);
  });

  testInBrowser("shows a login as it moves, with a link to its page", async () => {
    const emulator = await newEmulator();
    const { connection } = await filled(emulator);
    const page = await pageOf(emulator, "#authConnections");
    const { hostedUrl } = emulator.authConnections.startLogin(connection.id);
    const link = page.getByRole("link", { name: "Open" });
    await page.getByRole("cell", { name: "AWAITING_INPUT" }).waitFor();
    expect(await link.getAttribute("href")).toBe(hostedUrl);
    emulator.authConnections.endLogin(connection.id, { status: "SUCCESS" });
    await page.getByRole("cell", { name: "SUCCESS" }).waitFor();
    expect(await link.count()).toBe(0);
  });

  testInBrowser("lists requests live, with the name of their key, 200 at most", async () => {
    const emulator = await newEmulator();
    const { key } = await filled(emulator);
    const page = await pageOf(emulator);
    for (let sent = 0; sent < 250; sent += 1) {
      await call(emulator, "GET", `/extensions/none-${sent}`);
    }
    await fetch(`${emulator.url}/profiles?query=x`, { headers: { authorization: `Bearer ${key.key}` } });
    await page.getByRole("cell", { name: "/profiles", exact: true }).waitFor();
    const rows = await cells(page);
    expect(rows).toHaveLength(200);
    expect(rows[0]).toEqual([expect.any(String), "GET", "/profiles", "200", "Shop", "Shop"]);
    expect(rows[1]).toEqual([
      expect.any(String),
      "GET",
      "/extensions/none-249",
      "404",
      "Given at start",
      "Default",
    ]);
    await page.getByRole("button", { name: "Forget all" }).click();
    await page.getByText("There are none.").waitFor();
    expect(emulator.requests).toEqual([]);
  });

  testInBrowser(
    "asks for a key where the usual one is not valid, and takes no key of a project",
    async () => {
      const emulator = await newEmulator({ apiKeys: ["sk_of_my_own"] });
      const { key } = emulator.createApiKey({ projectId: emulator.defaultProject.id });
      browser ??= await launchBrowser();
      const page = await openPage(browser, `${emulator.url}/#profiles`);
      const input = page.getByLabel("API key of the whole organization");
      for (const [typed, answer] of [
        ["sk_wrong", "The API key is not valid."],
        [key, "scoped to a project"],
      ] as const) {
        await input.fill(typed);
        await page.keyboard.press("Enter");
        await page.getByText(answer).waitFor();
      }
      await input.fill("sk_of_my_own");
      await page.getByRole("button", { name: "Show the emulator" }).click();
      await page.getByRole("heading", { name: "Profiles" }).waitFor();
      await page.reload();
      await page.getByText("Connected", { exact: true }).waitFor();
      expect(await page.content()).not.toContain("sk_of_my_own");
    },
  );

  testInBrowser("says that the emulator is gone, and continues with the next one", async () => {
    const first = await newEmulator();
    first.profiles.ensure("old");
    const page = await pageOf(first, "#profiles");
    await page.getByRole("link", { name: "old" }).waitFor();
    await first.close();
    await page.getByText("The emulator is gone. Trying again…").waitFor();
    const next = await newEmulator({ port: Number(new URL(first.url).port) });
    next.profiles.ensure("new");
    await page.getByRole("link", { name: "new" }).waitFor();
    await page.getByText("Connected", { exact: true }).waitFor();
    expect(await page.getByRole("link", { name: "old" }).count()).toBe(0);
  });

  testInBrowser("is usable at 375 pixels and with the keyboard alone", async () => {
    const emulator = await newEmulator();
    await filled(emulator);
    const page = await pageOf(emulator, "#extensions");
    await page.setViewportSize({ width: 375, height: 700 });
    const isWider = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
    expect(isWider).toBe(false);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Projects" }).waitFor();
    expect(await page.evaluate("document.activeElement.id")).toBe("title");
    expect(await page.title()).toBe("Projects – Emulator");
  });

  testInBrowser("cannot be read by a page of another origin", async () => {
    const emulator = await newEmulator();
    const other = await newEmulator();
    const page = await pageOf(other);
    const read = await page.evaluate(
      ([url, headers]) =>
        fetch(`${url}/_emulator/state`, { headers }).then(
          () => "read",
          () => "refused",
        ),
      [emulator.url, signed(emulator)] as const,
    );
    expect(read).toBe("refused");
  });
});
