import { readFileSync } from "node:fs";
import type { Emulator, FaultAction, FaultPoint } from "../../../src/emulator/index.js";
import { call, send } from "../calls.js";
import { press, testControls, wait } from "./open-page.js";

jest.setTimeout(120_000);

type NameOf<Action> = Action extends string ? Action : keyof Action;

/** A point, an action and their words on the page, for each action. */
const effects: Readonly<Record<NameOf<FaultAction>, readonly [FaultPoint, FaultAction, string]>> = {
  reset: ["after-commit", "reset", "loses its response"],
  close: ["before-reading", "close", "never arrives"],
  end: ["while-answering", "end", "gets half a response"],
  hang: ["before-commit", "hang", "hangs"],
  answer: ["before-commit", { answer: { status: 503 } }, "answers 503"],
  truncateAfterBytes: ["while-answering", { truncateAfterBytes: 9 }, "gets half a response"],
  delayMs: ["before-commit", { delayMs: 2_000 }, "waits 2 seconds"],
  call: ["before-commit", { call: () => {} }, "calls the test"],
};

describe("emulator: requests, faults, clock and data of its page", () => {
  /** Status of a program's request; undefined without a response. */
  const status = async (emulator: Emulator, path = "/extensions") =>
    (await call(emulator, "GET", path).catch(() => undefined))?.status;

  testControls(
    "the emulator's page groups requests by program and command, filters, pauses and forgets them",
    "",
    async (page, emulator) => {
      await call(emulator, "GET", "/extensions", { "user-agent": "one/1 (pulumi up)" });
      await send(emulator, "POST", "/profiles", { name: "made" }, { "user-agent": "two/2 node" });
      await call(emulator, "GET", "/extensions/none/metadata", { "user-agent": "two/2 node" });
      await page.getByRole("heading", { name: "two/2", exact: true }).waitFor();
      await page.getByRole("heading", { name: "pulumi up", exact: true }).waitFor();
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
      await wait(page, "No requests yet");
      expect(emulator.requests).toEqual([]);
    },
  );

  testControls(
    "the emulator's page shows a request, links to the created object, and makes a similar request fail",
    "",
    async (page, emulator) => {
      emulator.faults.add({ method: "POST", path: "/profiles", at: "after-commit", action: "reset" });
      await send(emulator, "POST", "/profiles", { name: "lost" }).catch(() => undefined);
      await page.locator("a.request", { hasText: "no response" }).click();
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
      await wait(page, /The next POST \/profiles loses its response, 0 of 1 used/);
      await send(emulator, "POST", "/profiles", { name: "again" }).catch(() => undefined);
      await wait(page, /The next POST \/profiles loses its response, 1 of 1 used/);
    },
  );

  testControls(
    "the emulator's page adds faults that apply, counts every use, and removes the faults",
    "#faults",
    async (page, emulator) => {
      for (const [what, expected] of [
        ["loses its response", undefined],
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
        expect(await status(emulator, "/profiles")).toBe(200);
        await wait(page, /used 1 times/);
        await press(page, `Remove: GET /extensions ${what}`);
        await wait(page, "No fault waits");
        expect(await status(emulator)).toBe(200);
      }
      await page.getByText("The same for a test or a seed").click();
      for (const what of ["waits 5 seconds", "gets half a response", "hangs"]) {
        await page.getByLabel("Method").selectOption("request");
        await page.getByLabel("Path begins with").fill("");
        await page.getByLabel("How often").selectOption("3 times");
        await page.getByLabel("What happens").selectOption(what);
        await press(page, "Add fault");
        await wait(page, new RegExp(`The next request ${what}, 0 of 3 used`));
      }
      expect(JSON.parse((await page.locator("#rule pre").textContent()) ?? "")).toEqual({
        ...{ at: "before-commit", action: "hang", times: 3 },
      });
      await press(page, "Remove all");
      await wait(page, "No fault waits");
    },
  );

  testControls(
    "the emulator's page says for each action of a fault what happens",
    "#faults",
    async (page, emulator) => {
      for (const [at, action, words] of Object.values(effects)) {
        const fault = emulator.faults.add({ at, action });
        await wait(page, new RegExp(`The next request ${words}, 0 of 1 used`));
        fault.remove();
      }
    },
  );

  testControls(
    "the emulator's page moves the clock past a key's expiry and back to the present",
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
    "the emulator's page saves the state as a seed, and resets the emulator",
    "#clock",
    async (page, emulator) => {
      const [download] = await Promise.all([page.waitForEvent("download"), press(page, "Save as seed")]);
      expect(JSON.parse(readFileSync(await download.path(), "utf8"))).toMatchObject({
        browserPools: [{ name: "crawlers", extensions: [{ name: "reader" }] }],
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
    },
  );

  testControls("the emulator's page copies a command to the clipboard", "#clock", async (page, emulator) => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: emulator.url });
    await page.getByRole("button", { name: /^Copy: export/ }).click();
    await wait(page, "Copied");
    await expect(page.evaluate("navigator.clipboard.readText()")).resolves.toBe(
      `export BROWSER_INFRA_BASE_URL=${emulator.url}\nexport BROWSER_INFRA_API_KEY=sk_emulator`,
    );
  });

  testControls(
    "the emulator's page works with the keyboard alone, and keeps the focus while rows arrive",
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
});
