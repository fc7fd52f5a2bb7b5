import { readFileSync } from "node:fs";
import axe, { type AxeResults } from "axe-core";
import type { Browser, Page } from "playwright-core";
import type { Emulator } from "../../../src/emulator/index.js";
import { launchBrowser, openPage, testInBrowser } from "../../support/chromium.js";
import { newEmulator } from "../../support/emulator.js";
import { call, send, signed, stored } from "../calls.js";
import { archive, filled, nouns, secrets } from "./filled.js";

jest.setTimeout(120_000);

/** Widths at which every control is used: a desk, and a telephone. */
const widths = [1280, 375];

describe("emulator: its page", () => {
  let browser: Browser | undefined;

  // An open page follows its emulator, which takes time from the next test.
  afterEach(() => Promise.all(browser?.contexts().map((context) => context.close()) ?? []));

  /** The page of an emulator, at a view. */
  async function pageOf({ url }: Emulator, hash = "", width = 1280): Promise<Page> {
    browser ??= await launchBrowser();
    const page = await openPage(browser, "about:blank");
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${url}/${hash}`);
    await page.getByText("Live", { exact: true }).waitFor();
    return page;
  }

  /** Adds a test of controls, which runs at both widths, with a filled emulator. */
  function testControls(
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

  const press = (page: Page, name: string | RegExp) =>
    page.getByRole("button", { name, exact: true }).click();
  const wait = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
  /** Names of a project's objects, as programs see the objects. */
  const status = async (emulator: Emulator, method = "GET", path = "/extensions") =>
    (await call(emulator, method, path).catch(() => undefined))?.status;

  for (const width of widths) {
    testInBrowser(
      `has no serious problem of access and nothing beside the screen, at ${width} pixels, in both schemes`,
      async () => {
        const full = await newEmulator();
        const { extension, pool, connection } = await filled(full);
        full.authConnections.startLogin(connection.id);
        await call(full, "GET", "/extensions");
        await send(full, "POST", "/none", {}).catch(() => undefined);
        const [first, lost] = full.requests;
        const own = await newEmulator({ apiKeys: ["sk_of_my_own"] });
        const empty = await newEmulator();
        const views = ["activity", "objects", "faults", "clock", `activity/${first?.requestId}`];
        const details = [
          `extensions/${extension.id}`,
          `browserPools/${pool.id}`,
          `authConnections/${connection.id}`,
        ];
        const lists = width === 1280 ? nouns : [];
        const addresses = [
          ...[...views, `activity/${lost?.requestId}`].map((view) => `${full.url}/#${view}`),
          ...[...lists, ...details, "profiles/none"].map((view) => `${full.url}/#objects/${view}`),
          ...["activity", "objects/extensions", "faults"].map((view) => `${empty.url}/#${view}`),
          own.url,
        ];
        const page = await pageOf(full, "", width);
        for (const address of addresses) {
          await page.goto("about:blank");
          await page.goto(address);
          await page.locator("nav a[aria-current], .asking #enter").first().waitFor({ state: "attached" });
          expect([address, await page.evaluate("document.documentElement.scrollWidth > innerWidth")]).toEqual(
            [address, false],
          );
          await page.evaluate(axe.source);
          for (const colorScheme of ["light", "dark"] as const) {
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
  }

  testInBrowser("shows every kind, no secret, and names of others as text", async () => {
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
      shown[view.replace("objects/", "")] = (await page.locator("main").textContent()) ?? "";
    }
    expect(await page.locator("img").count()).toBe(0);
    expect(shown).toMatchObject({
      projects: expect.stringContaining('<img src=x onerror="document.title=1">'),
      activity: expect.stringContaining("<img"),
      apiKeys: expect.stringContaining("sk_of_...789"),
      extensions: expect.stringContaining("reader"),
      browserPools: expect.stringContaining("crawlers"),
      profiles: expect.stringContaining("work"),
      proxies: expect.stringContaining("proxy.example.com"),
      credentials: expect.stringContaining("password"),
      faults: expect.stringContaining("loses its answer"),
    });
    const everything = (await page.content()) + JSON.stringify(shown);
    expect(Object.values(secrets).filter((secret) => everything.includes(secret))).toEqual([]);
  });

  testControls("lists requests in runs, filters, pauses and forgets them", "", async (page, emulator) => {
    await call(emulator, "GET", "/extensions", { "user-agent": "one/1" });
    await send(emulator, "POST", "/profiles", { name: "made" }, { "user-agent": "two/2 node" });
    await call(emulator, "GET", "/extensions/none/metadata", { "user-agent": "two/2 node" });
    await page.getByRole("heading", { name: "two/2", exact: true }).waitFor();
    await page.getByRole("heading", { name: "one/1", exact: true }).waitFor();
    await page.getByRole("img", { name: "2 requests, 1 created, 1 refused" }).waitFor();
    await wait(page, "made · created");
    const rows = page.locator("a.request");
    await press(page, /^Errors 1$/);
    expect(await rows.allTextContents()).toEqual([expect.stringContaining("/extensions/none/metadata404")]);
    await press(page, /^Writes \d$/);
    await page.locator("a.request", { hasText: "404" }).waitFor({ state: "detached" });
    await page.getByLabel("Filter requests").fill("made");
    expect(await rows.count()).toBe(1);
    await page.getByLabel("Filter requests").fill("nothing like it");
    await press(page, "Show all");
    expect(await rows.count()).toBeGreaterThan(2);
    await press(page, "Pause");
    await call(emulator, "GET", "/profiles");
    await wait(page, "Paused · 1 new");
    expect(await page.locator("a.request", { hasText: "/profiles200" }).count()).toBe(0);
    await press(page, "Resume");
    await page.locator("a.request", { hasText: "/profiles200" }).waitFor();
    await press(page, "Forget all requests");
    await wait(page, "Nothing has asked yet");
    expect(emulator.requests).toEqual([]);
  });

  testControls(
    "opens a request, leads to its object, and fails the next one like it",
    "",
    async (page, emulator) => {
      emulator.faults.add({ method: "POST", path: "/profiles", at: "after-commit", action: "reset" });
      await send(emulator, "POST", "/profiles", { name: "lost" }).catch(() => undefined);
      await page.locator("a.request", { hasText: "no answer" }).click();
      const side = page.locator("#side");
      await side.getByText("The service had done the work: lost was created.").waitFor();
      await side.getByText('"name": "lost"').waitFor();
      const text = (await side.textContent()) ?? "";
      expect(text).toContain(emulator.requests.at(-1)?.requestId);
      expect(text).toContain("authorization[hidden]");
      await side.getByRole("link", { name: "lost" }).click();
      await side.getByRole("heading", { name: "lost" }).waitFor();
      await side.getByRole("link", { name: "POST /profiles" }).click();
      await press(page, "Fail the next one like it");
      await press(page, "Add fault");
      await wait(page, /The next POST \/profiles loses its answer, 0 of 1 used/);
      await send(emulator, "POST", "/profiles", { name: "again" }).catch(() => undefined);
      await wait(page, /The next POST \/profiles loses its answer, 1 of 1 used/);
    },
  );

  testControls(
    "adds faults as sentences, which apply, count, and are removed",
    "#faults",
    async (page, emulator) => {
      for (const [what, expected] of [
        ["loses its answer", undefined],
        ["never arrives", undefined],
        ["answers 500 internal_error", 500],
        ["answers 429 rate_limited", 429],
      ] as const) {
        await page.getByLabel("What happens").selectOption(what);
        await page.getByLabel("Method").selectOption("GET");
        await page.getByLabel("Path begins with").fill("/extensions");
        await page.getByLabel("How often").selectOption("always");
        await press(page, "Add fault");
        await wait(page, new RegExp(`Every GET /extensions ${what}, used 0 times`));
        expect(await status(emulator)).toBe(expected);
        expect(await status(emulator, "GET", "/profiles")).toBe(200);
        await wait(page, /used 1 times/);
        await press(page, `Remove: GET /extensions ${what}`);
        await wait(page, "No fault waits");
        expect(await status(emulator)).toBe(200);
      }
      await page.getByText("The same for a test or a seed").click();
      for (const what of ["waits 5 seconds", "gets half an answer", "hangs"]) {
        await page.getByLabel("Method").selectOption("request");
        await page.getByLabel("Path begins with").fill("");
        await page.getByLabel("How often").selectOption("3 times");
        await page.getByLabel("What happens").selectOption(what);
        await press(page, "Add fault");
        await wait(page, new RegExp(`The next request ${what}, 0 of 3 used`));
      }
      expect(JSON.parse((await page.locator("#rule").textContent()) ?? "")).toEqual({
        ...{ at: "before-commit", action: "hang", times: 3 },
      });
      await press(page, "Remove all");
      await wait(page, "No fault waits");
    },
  );

  testControls(
    "moves the clock, so that a key expires, and takes it back",
    "#clock",
    async (page, emulator, { key }) => {
      const headers = { authorization: `Bearer ${key.key}` };
      const days = () => Math.round((emulator.clock.now().getTime() - Date.now()) / 3_600_000) / 24;
      await press(page, "+1 hour");
      await wait(page, /\+1 hour from this machine/);
      await press(page, "+1 day");
      await wait(page, /\+1 day from this machine/);
      await press(page, "+30 days");
      await wait(page, /\+31 days from this machine/);
      expect(days()).toBeCloseTo(31 + 1 / 24, 1);
      expect((await fetch(`${emulator.url}/extensions`, { headers })).status).toBe(401);
      await page.getByLabel("Date and time (UTC)").fill("2100-01-02T03:04:05");
      await press(page, "Set");
      await wait(page, "2100-01-02 03:04");
      await press(page, "Back to now");
      await wait(page, "The time of this machine.");
      expect((await fetch(`${emulator.url}/extensions`, { headers })).status).toBe(200);
    },
  );

  testControls(
    "changes an object, which is drift, and shows what changed",
    "#objects/browserPools",
    async (page, emulator, { pool }) => {
      await page.getByLabel("Filter objects").fill("nothing like it");
      await press(page, "Show all");
      await page.locator("a.object", { hasText: "crawlers" }).click();
      await press(page, "Edit");
      await page.getByLabel("size", { exact: true }).fill("0");
      await press(page, "Save");
      await page.getByRole("alert").getByText("size").waitFor();
      await page.getByLabel("size", { exact: true }).fill("2");
      await page.getByLabel("name", { exact: true }).fill("renamed");
      await page.getByLabel("stealth", { exact: true }).check();
      await press(page, "Save");
      await page.locator("#side").getByRole("heading", { name: "renamed" }).waitFor();
      await wait(page, "npx browser-infra drift");
      expect(emulator.browserPools.get(pool.id)).toMatchObject({ size: 2, name: "renamed", stealth: true });
      await press(page, "Edit");
      await page.getByLabel("size", { exact: true }).fill("9");
      await press(page, "Cancel");
      await press(page, "Fill");
      await page.locator("#side dd").getByText("2", { exact: true }).nth(1).waitFor();
      emulator.browserPools.acquire(pool.id);
      await page.getByRole("button", { name: /^Release / }).click();
      await page.locator("#side").getByText("LEASED").nth(1).waitFor({ state: "detached" });
      await page.goto(`${emulator.url}/#objects`);
      if (page.viewportSize()?.width === 1280) {
        await page.locator(".change", { hasText: "renamed" }).waitFor();
        await page.locator(".change", { hasText: "renamed" }).click();
        await page.locator("#side").getByRole("heading", { name: "renamed" }).waitFor();
      }
    },
  );

  testControls("renames and deletes an object of every kind", "", async (page, emulator, { project }) => {
    await stored(emulator, { name: "spare" });
    const renamable = nouns.filter((noun) => !/browserPools|authConnections/.test(noun));
    const side = page.locator("#side");
    emulator.browserPools.list().map(({ id }) => emulator.browserPools.remove(id));
    for (const noun of nouns) {
      await page.goto(`${emulator.url}/#objects/${noun}`);
      const row = page.locator("a.object").first();
      await row.waitFor({ timeout: 5000 }).catch(() => undefined);
      if ((await row.count()) === 0) {
        expect(noun).toBe("browserPools");
        continue;
      }
      await row.click();
      if (renamable.includes(noun)) {
        await press(page, noun === "projects" ? "Edit" : "Rename");
        await page.getByLabel("name", { exact: true }).fill(`new-${noun}`);
        await page.keyboard.press("Enter");
        await side.getByRole("heading", { name: `new-${noun}` }).waitFor();
      }
      await press(page, "Delete…");
      expect(await page.evaluate("document.activeElement.textContent")).toBe("Keep");
      await press(page, "Keep");
      await press(page, "Delete…");
      await press(page, "Delete");
      await side
        .getByText(noun === "apiKeys" ? "deleted" : "It is gone")
        .first()
        .waitFor();
      await wait(page, "npx browser-infra drift");
    }
    expect(emulator.projects.list().map(({ id }) => id)).not.toContain(project.id);
    expect(emulator.credentials.list()).toEqual([]);
    expect(emulator.authConnections.list()).toEqual([]);
  });

  testControls(
    "starts a login, answers it, and lets it fail",
    "#objects/authConnections",
    async (page, emulator, { connection }) => {
      await page.locator("a.object").click();
      const current = () => emulator.authConnections.get(connection.id);
      await page.getByLabel("Scenario").selectOption("second-factor");
      await press(page, "Start login");
      await page.getByLabel("Email or username").fill("ada");
      await page.getByLabel("Password").fill("any");
      await press(page, "Submit");
      await press(page, "Text message");
      await page.getByLabel("Code from the message").fill("000000");
      await page.keyboard.press("Enter");
      await wait(page, "That code is not correct.");
      const link = page.getByRole("link", { name: "Open its page (once)" });
      expect(await link.getAttribute("href")).toBe(current().login?.hostedUrl);
      await page.getByLabel("Code from the message").fill("123456");
      await press(page, "Submit");
      const steps = page.locator(".steps code");
      await steps.getByText("SUCCESS").waitFor();
      expect((await steps.allTextContents()).slice(0, 4)).toEqual([
        ...["DISCOVERING", "AWAITING_INPUT", "SUBMITTING", "AWAITING_INPUT"],
      ]);
      expect(current().status).toBe("AUTHENTICATED");
      await press(page, "Sign out");
      await page.locator("#side dd").getByText("NEEDS_AUTH").waitFor();
      await page.getByLabel("Scenario").selectOption("expiry");
      await press(page, "Start again");
      await press(page, "Cancel login");
      await steps.getByText("CANCELED").waitFor();
      expect(current().login?.status).toBe("CANCELED");
    },
  );

  testInBrowser("ends a step of a login that waits for something else", async () => {
    const emulator = await newEmulator({ speed: 0.01 });
    const { connection } = await filled(emulator);
    const page = await pageOf(emulator, `#objects/authConnections/${connection.id}`);
    await press(page, "Start login");
    await press(page, "Go on");
    await page.getByLabel("Password").waitFor();
  });

  testControls("shows the files of an extension, and downloads it", "#objects/extensions", async (page) => {
    await page.locator("a.object").click();
    await wait(page, "content.js");
    await page.getByText("Manifest", { exact: true }).click();
    await wait(page, '"manifest_version": 3');
    await page.getByText("What the service says").click();
    await wait(page, '"size_bytes"');
    const [download] = await Promise.all([page.waitForEvent("download"), press(page, "Download")]);
    expect(download.suggestedFilename()).toBe("reader.zip");
    expect(readFileSync(await download.path()).equals(archive)).toBe(true);
  });

  testControls("saves the state as a seed, and resets it", "#clock", async (page, emulator) => {
    const [download] = await Promise.all([page.waitForEvent("download"), press(page, "Save as seed")]);
    expect(JSON.parse(readFileSync(await download.path(), "utf8"))).toMatchObject({
      browserPools: [{ name: "crawlers", extensions: ["reader"] }],
    });
    await wait(page, 'Extension "reader": save the archive as reader.zip, beside the seed.');
    await press(page, "Reset…");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Keep");
    await press(page, "Keep");
    expect(emulator.profiles.list()).toHaveLength(1);
    await press(page, "Reset…");
    await press(page, "Reset");
    await wait(page, /^2 objects, 0 faults/);
    expect(emulator.profiles.list()).toEqual([]);
  });

  testControls("copies a command", "#clock", async (page, emulator) => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: emulator.url });
    await page.getByRole("button", { name: /^Copy: export/ }).click();
    await wait(page, "Copied");
    await expect(page.evaluate("navigator.clipboard.readText()")).resolves.toBe(
      `export BROWSER_INFRA_BASE_URL=${emulator.url}\nexport BROWSER_INFRA_API_KEY=sk_emulator`,
    );
  });

  testControls(
    "is used with the keyboard alone, and keeps the focus while rows arrive",
    "#objects/profiles",
    async (page, emulator) => {
      emulator.profiles.ensure("second");
      await page.locator("a.object", { hasText: "second" }).waitFor();
      const focused = () => page.evaluate("document.activeElement.textContent") as Promise<string>;
      const isWide = page.viewportSize()?.width === 1280;
      await page.keyboard.press("/");
      expect(await page.evaluate("document.activeElement.id")).toBe("search");
      await page.keyboard.press("Escape");
      await page.locator("a.object", { hasText: "second" }).focus();
      await page.keyboard.press("ArrowDown");
      expect(await focused()).toContain("work");
      emulator.profiles.ensure("third");
      await page.locator("a.object", { hasText: "third" }).waitFor();
      expect(await focused()).toContain("work");
      await page.keyboard.press("Enter");
      await page.locator("#side").getByRole("heading", { name: "work" }).waitFor();
      expect(await page.evaluate("document.activeElement.id")).toBe(isWide ? "" : "side");
      await page.keyboard.press("Escape");
      await page.getByRole("heading", { name: "Profiles" }).waitFor();
      expect(await page.evaluate("document.activeElement.id")).toBe("title");
      await page.goto(`${emulator.url}/#clock`);
      await page.getByText("goes to the filter").click();
      await page.goto(`${emulator.url}/#objects`);
      await page.keyboard.press("/");
      expect(await page.evaluate("document.activeElement.id")).not.toBe("search");
      for (const view of ["Activity", "Objects", "Faults", "Clock"]) {
        await page
          .getByRole("link", { name: new RegExp(`^${view}`) })
          .first()
          .click();
        await page
          .getByRole("heading", { name: new RegExp(`^${view}`) })
          .first()
          .waitFor();
      }
      expect(await page.title()).toBe("Clock and data – Emulator");
    },
  );

  testInBrowser("calls nothing gone that is only older than what it shows", async () => {
    const emulator = await newEmulator();
    const { id } = emulator.profiles.ensure("oldest");
    for (let at = 0; at < 200; at += 1) {
      emulator.profiles.ensure(`newer-${at}`);
    }
    const page = await pageOf(emulator, `#objects/profiles/${id}`);
    await page.getByRole("heading", { name: "Not among the newest" }).waitFor();
    emulator.profiles.remove(id);
    await page.getByRole("heading", { name: "It is gone" }).waitFor();
  });

  testInBrowser("lists 200 requests at most, with the name of their key and project", async () => {
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
  });

  testInBrowser(
    "asks for a key where the usual one is not valid, and takes no key of a project",
    async () => {
      const emulator = await newEmulator({ apiKeys: ["sk_of_my_own"] });
      const { key } = emulator.createApiKey({ projectId: emulator.defaultProject.id });
      browser ??= await launchBrowser();
      const page = await openPage(browser, `${emulator.url}/#objects/profiles`);
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

  testInBrowser("says that the emulator is gone, and continues with the next one", async () => {
    const first = await newEmulator();
    first.profiles.ensure("old");
    const page = await pageOf(first, "#objects/profiles");
    await page.locator("a.object", { hasText: "old" }).click();
    await first.close();
    await wait(page, "The emulator is gone. Trying again every second.");
    expect(await page.getByRole("button", { name: "Rename" }).isDisabled()).toBe(true);
    const next = await newEmulator({ port: Number(new URL(first.url).port) });
    next.profiles.ensure("new");
    await page.locator("a.object", { hasText: "new" }).waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
    expect(await page.locator("a.object", { hasText: "old" }).count()).toBe(0);
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
