import axe, { type AxeResults } from "axe-core";
import { testInBrowser } from "../../support/chromium.js";
import { newEmulator } from "../../support/emulator.js";
import { call, send, signed } from "../calls.js";
import { filled, nouns, secrets } from "./filled.js";
import { openAt, pageOf, wait, widths } from "./open-page.js";

describe("emulator: its page", () => {
  for (const width of widths) {
    testInBrowser(
      `the emulator's page is accessible and fits the screen, at ${width} pixels, in light and dark`,
      async () => {
        const full = await newEmulator();
        const { extension, pool, connection } = await filled(full);
        full.authConnections.startLogin(connection.id);
        await call(full, "GET", "/extensions");
        await send(full, "POST", "/none", {}).catch(() => undefined);
        full.browserPools.acquire(pool.id);
        const [first, lost] = full.requests;
        const own = await newEmulator({ apiKeys: ["sk_of_my_own"] });
        const empty = await newEmulator();
        const views = ["activity", "objects", "browsers", "faults", "clock", `activity/${first?.requestId}`];
        const details = [
          `extensions/${extension.id}`,
          `browserPools/${pool.id}`,
          `authConnections/${connection.id}`,
        ];
        // Every list is made by the same code.
        const lists = nouns.map((noun) => `${full.url}/#objects/${noun}`);
        const addresses = [
          ...[...views, `activity/${lost?.requestId}`].map((view) => `${full.url}/#${view}`),
          ...[...details, "profiles/none"].map((view) => `${full.url}/#objects/${view}`),
          ...["activity", "objects/extensions", "browsers", "faults"].map((view) => `${empty.url}/#${view}`),
          own.url,
          ...lists,
        ];
        const page = await pageOf(full, "", width);
        for (const address of addresses) {
          await page.goto(address);
          await page
            .locator("nav a[aria-current], #enter:not([hidden])")
            .first()
            .waitFor({ state: "attached" });
          await page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))");
          expect([address, await page.evaluate("document.documentElement.scrollWidth > innerWidth")]).toEqual(
            [address, false],
          );
          // The same code makes every list: the lists after the first have no element that is new.
          if (lists.indexOf(address) > 0) {
            continue;
          }
          if (await page.evaluate("typeof axe === 'undefined'")) {
            await page.evaluate(axe.source);
          }
          for (const colorScheme of ["light", "dark"] as const) {
            await page.emulateMedia({ colorScheme });
            // Nothing but contrast depends on the scheme.
            const rules = colorScheme === "light" ? "" : 'runOnly: ["color-contrast"]';
            const run = `axe.run({ resultTypes: ["violations"], preload: false, ${rules} })`;
            const { violations } = (await page.evaluate(run)) as AxeResults;
            const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
            const found = serious.map(({ id, nodes }) => [address, colorScheme, id, nodes[0]?.html]);
            expect(found).toEqual([]);
          }
        }
      },
    );
  }

  testInBrowser(
    "the emulator's page shows every kind of object, no secret, and markup in names as text",
    async () => {
      const emulator = await newEmulator();
      const { project, connection } = await filled(emulator);
      emulator.projects.rename(project.id, '<img src=x onerror="document.title=1">');
      const agent = { "user-agent": "<img src=x>" };
      await call(emulator, "GET", "/extensions/%3Cimg%20src=x%3E/metadata", agent);
      const page = await pageOf(emulator);
      const shown: Record<string, string> = {};
      const views = ["activity", `activity/${emulator.requests[0]?.requestId}`, "faults", "objects"];
      for (const view of [
        ...views,
        `objects/authConnections/${connection.id}`,
        ...nouns.map((noun) => `objects/${noun}`),
      ]) {
        await page.goto(`${emulator.url}/#${view}`);
        shown[view.replace("objects/", "")] = (await page.locator("body").textContent()) ?? "";
      }
      expect(await page.locator("img").count()).toBe(0);
      expect(shown).toMatchObject({
        projects: expect.stringContaining('<img src=x onerror="document.title=1">'),
        activity: expect.stringContaining("<img"),
        apiKeys: expect.stringContaining("sk_of_...789"),
        credentialProviders: expect.stringContaining("vault"),
        extensions: expect.stringContaining("reader"),
        browserPools: expect.stringContaining("crawlers"),
        profiles: expect.stringContaining("work"),
        proxies: expect.stringContaining("proxy.example.com"),
        credentials: expect.stringContaining("password"),
        telemetryDestinations: expect.stringContaining("X-Key"),
        deployments: expect.stringContaining("agent"),
        faults: expect.stringContaining("loses its response"),
      });
      const everything = (await page.content()) + JSON.stringify(shown);
      expect(Object.values(secrets).filter((secret) => everything.includes(secret))).toEqual([]);
    },
  );

  testInBrowser(
    "the emulator's page distinguishes a deleted object from an object beyond the newest 200",
    async () => {
      const emulator = await newEmulator();
      const { id } = emulator.profiles.ensure("oldest");
      for (let at = 0; at < 200; at += 1) {
        emulator.profiles.ensure(`newer-${at}`);
      }
      const page = await pageOf(emulator, `#objects/profiles/${id}`);
      await page.getByRole("heading", { name: "Not among the newest" }).waitFor();
      emulator.profiles.remove(id);
      await page.getByRole("heading", { name: "It is gone" }).waitFor();
    },
  );

  testInBrowser(
    "the emulator's page lists at most 200 requests, with the names of API key and project",
    async () => {
      const emulator = await newEmulator();
      const { key } = await filled(emulator);
      const page = await pageOf(emulator);
      for (let sent = 0; sent < 250; sent += 1) {
        await call(emulator, "GET", `/extensions/none-${sent}`);
      }
      await fetch(`${emulator.url}/profiles?query=x`, { headers: { authorization: `Bearer ${key.key}` } });
      await page.locator("a.request", { hasText: "/profiles200" }).waitFor();
      expect(await page.locator("a.request").count()).toBe(200);
      expect(await page.locator("section > header").first().textContent()).toMatch(
        /· key Shop · Shop1 request/,
      );
    },
  );

  testInBrowser(
    "the emulator's page asks for a key if sk_emulator is invalid, and refuses the key of a project",
    async () => {
      const emulator = await newEmulator({ apiKeys: ["sk_of_my_own"] });
      const { key } = emulator.createApiKey({ projectId: emulator.defaultProject.id });
      const page = await openAt(`${emulator.url}/#objects/profiles`);
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
      await page.getByText("Live", { exact: true }).waitFor();
      expect(await page.content()).not.toContain("sk_of_my_own");
    },
  );

  testInBrowser(
    "the emulator's page reports a stopped emulator, and continues with the next emulator on the port",
    async () => {
      const first = await newEmulator();
      first.profiles.ensure("old");
      const page = await pageOf(first, "#objects/profiles");
      await page.locator("a.object", { hasText: "old" }).click();
      await first.close();
      await wait(page, "The emulator does not respond. Trying again every second.");
      expect(await page.getByRole("button", { name: "Rename" }).isDisabled()).toBe(true);
      const next = await newEmulator({ port: Number(new URL(first.url).port) });
      next.profiles.ensure("new");
      await page.locator("a.object", { hasText: "new" }).waitFor();
      await page.getByText("Live", { exact: true }).waitFor();
      expect(await page.locator("a.object", { hasText: "old" }).count()).toBe(0);
    },
  );

  testInBrowser("the emulator's state cannot be read by a page of another origin", async () => {
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
