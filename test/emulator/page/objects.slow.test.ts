import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { testInBrowser } from "../../support/chromium.js";
import { newEmulator } from "../../support/emulator.js";
import { send, stored } from "../calls.js";
import { archive, filled, nouns } from "./filled.js";
import { pageOf, press, testControls, wait } from "./open-page.js";

jest.setTimeout(120_000);

describe("emulator: the objects of its page", () => {
  testControls(
    "the emulator's page changes a browser pool, points to the drift command, and shows the change",
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
        const change = page.locator(".change", { hasText: /renamed.*browser pool [A-Z]+ \d → \d$/ });
        await change.waitFor();
        await change.click();
        await page.locator("#side").getByRole("heading", { name: "renamed" }).waitFor();
      }
    },
  );

  testControls(
    "the emulator's page shows the log of a deployment as it grows, and why the deployment was stopped",
    "#objects/deployments",
    async (page, { deployments }) => {
      const [{ id } = { id: "" }] = deployments.list();
      await page.locator("a.object", { hasText: "agent" }).click();
      await page.locator("#side").getByRole("heading", { name: "agent" }).waitFor();
      expect(await page.locator("#side").getByText("Log").count()).toBe(0);
      deployments.log(id, "listening\n");
      await page.locator("#side").getByText("listening").waitFor();
      deployments.log(id, "<b>second line</b>\n");
      await page.locator("#side").getByText("<b>second line</b>").waitFor();
      deployments.stop(id, "stopped by hand");
      await page.locator("#side dd").getByText("stopped by hand").waitFor();
    },
  );

  testInBrowser("the emulator's page makes a new object of every kind but an extension", async () => {
    const emulator = await newEmulator();
    const page = await pageOf(emulator, "#objects");
    const values: Readonly<Record<string, string>> = {
      ...{ name: "fresh", appName: "fresh", domain: "shop.example", profileName: "buyer" },
      ...{ token: "ops_one", endpoint: "https://otlp.example.com" },
    };
    for (const noun of nouns) {
      await page.goto(`${emulator.url}/#objects/${noun}`);
      const make = page.getByRole("button", { name: /^New .+…$/ });
      if (noun === "extensions") {
        // Only an upload has the bytes.
        await wait(page, "extensions upload");
        expect(await make.count()).toBe(0);
        continue;
      }
      await make.click();
      for (const input of await page.locator("form[data-key=Create] input").all()) {
        const value = values[(await input.getAttribute("name")) ?? ""];
        await (value === undefined ? undefined : input.fill(value));
      }
      await press(page, "Create");
      await page.waitForURL(new RegExp(`#objects/${noun}/.+`));
      await page
        .locator("#side")
        .getByRole("heading", { name: /^(fresh|shop\.example)$/ })
        .waitFor();
    }
  });

  testInBrowser(
    "the emulator's page offers the states of a project, and keeps what changed after a reload",
    async () => {
      const emulator = await newEmulator();
      const { id } = emulator.createProject({ name: "spare" });
      const page = await pageOf(emulator, `#objects/projects/${id}`);
      await press(page, "Edit");
      await page.locator("select[name=status]").selectOption("archived");
      await press(page, "Save");
      await page.locator("#side").getByText("archived", { exact: true }).first().waitFor();
      await page.goto(`${emulator.url}/#objects`);
      await page.reload();
      await page.locator(".change", { hasText: /spare.*project STATUS active → archived/ }).waitFor();
    },
  );

  testInBrowser(
    "the emulator's page has a request as a command for curl, with the key of the shell",
    async () => {
      const emulator = await newEmulator();
      await send(emulator, "POST", "/org/projects", { name: "it's" });
      const page = await pageOf(emulator, "#activity");
      await page.locator("a.request").first().click();
      const command = await page.locator("#side code", { hasText: /^curl -X/ }).textContent();
      expect(command).toContain('-H "authorization: Bearer $BROWSER_INFRA_API_KEY"');
      const [key] = emulator.apiKeys;
      const { stdout } = spawnSync("sh", ["-c", `printf '%s\\n' ${command?.replace(/^curl -X/, "")}`], {
        encoding: "utf8",
        env: { PATH: process.env.PATH, BROWSER_INFRA_API_KEY: key },
      });
      expect(stdout.split("\n")).toEqual(expect.arrayContaining([`authorization: Bearer ${key}`]));
      expect(stdout).toContain(`POST\n${emulator.url}/org/projects\n`);
      expect(stdout).toContain(`-d\n{"name":"it's"}\n`);
    },
  );

  testControls(
    "the emulator's page renames and deletes an object of every kind",
    "",
    async (page, emulator, { project }) => {
      await stored(emulator, { name: "spare" });
      const renamable = nouns.filter((noun) => !/browserPools|authConnections|deployments/.test(noun));
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
          await press(
            page,
            /projects|credentialProviders|telemetryDestinations/.test(noun) ? "Edit" : "Rename",
          );
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
    },
  );

  testControls(
    "the emulator's page starts a login, submits the input, and cancels a second login",
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
      await page.getByLabel("Scenario").selectOption("second-factor");
      await press(page, "Start again");
      await press(page, "Cancel login");
      await steps.getByText("CANCELED").waitFor();
      expect(current().login?.status).toBe("CANCELED");
    },
  );

  testControls(
    "the emulator's page shows the files of an extension, and downloads the archive",
    "#objects/extensions",
    async (page) => {
      await page.locator("a.object").click();
      await wait(page, "content.js");
      await page.getByText("Manifest", { exact: true }).click();
      await wait(page, '"manifest_version": 3');
      await page.getByText("Record of the service").click();
      await wait(page, '"size_bytes"');
      const [download] = await Promise.all([page.waitForEvent("download"), press(page, "Download")]);
      expect(download.suggestedFilename()).toBe("reader.zip");
      expect(readFileSync(await download.path()).equals(archive)).toBe(true);
    },
  );

  testInBrowser("the emulator's page ends a login step that waits for time to pass", async () => {
    const emulator = await newEmulator({ speed: 0.01 });
    const { connection } = await filled(emulator);
    const page = await pageOf(emulator, `#objects/authConnections/${connection.id}`);
    await press(page, "Start login");
    await press(page, "Go on");
    await page.getByLabel("Password").waitFor();
  });
});
