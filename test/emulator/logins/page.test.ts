import { launchBrowser, openPage, testInBrowser } from "../../support/chromium.js";
import { shareEmulator } from "../../support/emulator.js";
import { json, send } from "../calls.js";

describe("emulator: login page", () => {
  const emulator = shareEmulator();
  /** Page of a new login, with all resources of the page. */
  async function page() {
    const { id } = emulator.authConnections.create({
      domain: "example.com",
      profileName: `p${Math.random()}`,
    });
    const login = emulator.authConnections.startLogin(id);
    const response = await fetch(login.hostedUrl);
    const html = await response.text();
    const loaded = [...html.matchAll(/(?:src|href)="(\/[^"]*)"/g)].map(([, path]) => path ?? "");
    return { id, login, response, html, loaded };
  }

  test("the login page is served at the URL of a login, without a key, and loads only from the emulator's origin", async () => {
    const { response, html, loaded } = await page();
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("content-security-policy")).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    for (const [name, value] of [
      ["referrer-policy", "no-referrer"],
      ["cache-control", "no-store"],
      ["x-content-type-options", "nosniff"],
      ["x-frame-options", "DENY"],
    ] as const) {
      expect(response.headers.get(name)).toBe(value);
    }
    expect(loaded.sort()).toEqual([
      "/_emulator/assets/login.css",
      "/_emulator/assets/login.mjs",
      "/_emulator/assets/theme.css",
    ]);
    expect(html).not.toMatch(/<style|<script(?! src)|\son\w+=|https?:/);
    expect(html).toMatch(/^<!doctype html>\n<html lang="en">/);
  });

  test("the script and the style of the login page request nothing from other origins", async () => {
    const { loaded } = await page();
    loaded.push("/_emulator/assets/elements.mjs");
    const files = new Map([
      ["text/css; charset=utf-8", ""],
      ["text/javascript; charset=utf-8", ""],
    ]);
    for (const path of loaded) {
      const response = await fetch(emulator.url + path);
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
      const mediaType = response.headers.get("content-type") ?? "";
      files.set(mediaType, `${files.get(mediaType)}${await response.text()}`);
    }
    expect(files.size).toBe(2);
    const script = files.get("text/javascript; charset=utf-8") ?? "";
    expect(script).not.toMatch(/innerHTML|insertAdjacentHTML|document\.write|eval\(|https?:\/\//);
    expect(files.get("text/css; charset=utf-8")).not.toMatch(/url\(|@import/);
  });

  testInBrowser("the login page accepts fields with any id, such as length or constructor", async () => {
    const ids = ["length", "item", "constructor", "title", "status", "step"];
    const { id } = emulator.authConnections.create({
      domain: "example.com",
      profileName: "odd names",
      scenario: {
        title: "Odd names",
        start: "ask",
        steps: {
          ask: {
            step: "AWAITING_INPUT",
            fields: ids.map((each) => ({ id: each, type: "text", label: `The ${each}` })),
            answers: [{ fields: Object.fromEntries(ids.map((each) => [each, `my ${each}`])), next: "end" }],
            next: "ask",
          },
          end: { step: "END", status: "SUCCESS" },
        },
      },
    });
    const browser = await launchBrowser();
    const page = await openPage(browser, emulator.authConnections.startLogin(id).hostedUrl);
    for (const each of ids) {
      const input = page.getByLabel(`The ${each}`, { exact: true });
      await input.waitFor();
      expect(await input.inputValue()).toBe("");
      await input.fill(`my ${each}`);
    }
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("heading", { name: "You are signed in" }).waitFor();
  });

  testInBrowser("the login page of an ended login tells the person to ask for a new link", async () => {
    const { id, login } = await page();
    emulator.authConnections.endLogin(id, { status: "CANCELED" });
    const browser = await launchBrowser();
    const shown = await openPage(browser, login.hostedUrl);
    await shown.getByRole("heading", { name: "This link no longer works" }).waitFor();
    await shown.getByText("ask for a new link").waitFor();
  });

  test("loading the login page changes nothing: the handoff code still works", async () => {
    const { id, login } = await page();
    await (await fetch(login.hostedUrl)).text();
    await fetch(login.hostedUrl, { method: "HEAD" });
    const { jwt } = await json<{ jwt: string }>(
      send(emulator, "POST", `/auth/connections/${id}/exchange`, { code: login.handoffCode }),
    );
    expect(jwt).toMatch(/^eyJ/);
  });
});
