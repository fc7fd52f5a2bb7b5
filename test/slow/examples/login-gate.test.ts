import { cpSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Browser } from "playwright-core";
import { launchBrowser, openPage, testInBrowser } from "../../support/chromium.js";
import { useEmulator } from "../../support/emulator.js";
import { Stack } from "../../support/stacks/stack.js";

const example = resolve(__dirname, "../../../examples/login-gate");

describe("examples/login-gate, with the real engine", () => {
  const emulator = useEmulator({ speed: 5 });
  let stack: Stack;
  let browser: Browser | undefined;

  beforeEach(async () => {
    stack = await Stack.create(
      { BROWSER_INFRA_BASE_URL: emulator.url, BROWSER_INFRA_API_KEY: emulator.apiKeys[0] },
      readFileSync(join(example, "Pulumi.yaml"), "utf8"),
    );
    cpSync(example, stack.path(), { recursive: true });
  });

  afterEach(async () => {
    await browser?.close();
    browser = undefined;
    stack.remove();
  });

  /** Starts a login of a new connection, and a deployment that waits for the login. */
  function deploy(scenario: string, ...configuration: string[]) {
    const { id } = emulator.authConnections.create({
      domain: "shop.example",
      profileName: "buyer",
      scenario,
    });
    emulator.authConnections.startLogin(id);
    const settings = [`connectionId=${id}`, ...configuration].flatMap((setting) => ["--config", setting]);
    return { id, running: stack.start("up", "--yes", "--skip-preview", ...settings) };
  }

  /** Address that the deployment shows to the person. */
  async function addressShownBy(running: ReturnType<Stack["start"]>): Promise<string> {
    let ended = false;
    void running.ended.then(() => {
      ended = true;
    });
    for (;;) {
      const [, address] = /open (http\S+\/login\/\S+) - /.exec(running.output()) ?? [];
      if (address !== undefined) {
        return address;
      }
      if (ended) {
        throw new Error(`The deployment ended without an address:\n${running.output()}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async function outputs(): Promise<unknown> {
    return await stack.outputs();
  }

  testInBrowser(
    "examples/login-gate continues after a person has logged in at the printed address, in a real browser",
    async () => {
      const { id, running } = deploy("second-factor");
      const address = await addressShownBy(running);
      browser = await launchBrowser();
      const page = await openPage(browser, address);
      await page.getByLabel("Email or username").pressSequentially("ada@shop.example");
      await page.getByLabel("Password", { exact: true }).pressSequentially("any password");
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByRole("button", { name: "Text message" }).click();
      await page.getByRole("textbox").pressSequentially("000000");
      await page.getByRole("button", { name: "Continue" }).click();
      // After a wrong code, the page requests the code again, and nothing is deployed meanwhile.
      await page.getByRole("alert").waitFor();
      expect(emulator.extensions.list()).toEqual([]);
      await page.getByRole("textbox").fill("123456");
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByRole("heading", { name: "You are signed in" }).waitFor();

      const { exitCode, output } = await running.ended;
      expect(`${exitCode} ${output}`).toMatch(/^0 /);
      expect(emulator.authConnections.get(id).status).toBe("AUTHENTICATED");
      const [extension] = emulator.extensions.list();
      expect(await outputs()).toEqual({ loginStatus: "SUCCESS", extensionId: extension?.id });
    },
  );

  test("examples/login-gate deploys nothing before the login, and destroy keeps the auth connection", async () => {
    const { id, running } = deploy("password");
    await addressShownBy(running);
    while (emulator.authConnections.get(id).login?.step !== "AWAITING_INPUT") {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(emulator.extensions.list()).toEqual([]);
    emulator.authConnections.submit(id, { username: "ada", password: "any" });
    const { exitCode, output } = await running.ended;
    expect(`${exitCode} ${output}`).toMatch(/^0 /);
    expect(emulator.extensions.list()).toHaveLength(1);

    await stack.up("--expect-no-changes", "--config", `connectionId=${id}`);
    await stack.destroy();
    expect(emulator.extensions.list()).toEqual([]);
    expect(emulator.authConnections.get(id).status).toBe("AUTHENTICATED");
  });

  test("examples/login-gate stops when the login fails, and continues with onFailure=continue", async () => {
    const { id, running } = deploy("captcha");
    const { exitCode, output } = await running.ended;
    expect(exitCode).not.toBe(0);
    expect(output).toContain("failed: captcha_blocked");
    expect(emulator.extensions.list()).toEqual([]);

    await stack.up("--config", `connectionId=${id}`, "--config", "onFailure=continue");
    expect(await outputs()).toMatchObject({ loginStatus: "FAILED" });
    expect(emulator.extensions.list()).toHaveLength(1);
  });

  test("a preview of examples/login-gate without a connection id names the missing setting", async () => {
    const { exitCode, output } = await stack.preview();
    expect(exitCode).not.toBe(0);
    expect(output).toContain("connectionId");
    expect(emulator.requests).toEqual([]);
  });
});
