import { once } from "node:events";
import type Kernel from "@onkernel/sdk";
import { WebSocket } from "ws";
import { describeInBrowser } from "../../../support/chromium.js";
import { shareEmulator } from "../../../support/emulator.js";
import { clientOf, connect, firstPage, playedSite } from "./played-site.js";

describeInBrowser("emulator with a browser: clients of a leased browser", () => {
  const emulator = shareEmulator({ browser: true, allowedOrigins: ["http://localhost:3000"] });
  let client: Kernel;
  let site = "";

  beforeAll(async () => {
    client = clientOf(emulator);
    site = await playedSite();
  });

  const newSession = (more: object = {}) =>
    client.browsers.create({ headless: true, timeout_seconds: 600, ...more });

  /** Status of the answer to a client that connects; 101 if the client is connected. */
  const statusAt = async (address: string, options: object = {}) => {
    const socket = new WebSocket(address, options);
    const status = await Promise.race([
      once(socket, "open").then(() => 101),
      once(socket, "unexpected-response").then(([, response]) => response.statusCode as number),
    ]);
    socket.terminate();
    return status;
  };

  test("two clients work at once, each in its own context, and one leaves the other at work", async () => {
    const { cdp_ws_url: address, session_id } = await newSession();
    const [one, other] = [await connect(address), await connect(address)];
    const [mine, theirs] = [await one.newContext(), await other.newContext()];
    const [page, theirPage] = [await mine.newPage(), await theirs.newPage()];
    await page.goto(`${site}/login`);
    await theirPage.goto(site);
    expect([await page.context().cookies(), await theirPage.context().cookies()]).toEqual([
      [expect.objectContaining({ name: "user" })],
      [],
    ]);
    await one.close();
    await theirPage.setContent('<iframe srcdoc="<b>inside</b>"></iframe>');
    expect(await theirPage.frameLocator("iframe").locator("b").textContent()).toBe("inside");
    expect((await theirPage.screenshot()).length).toBeGreaterThan(1_000);
    await client.browsers.deleteByID(session_id);
  });

  test("only the address of the answer opens a browser", async () => {
    const { cdp_ws_url: address, session_id } = await newSession();
    const { host, port } = new URL(address);
    const changed = (change: (url: URL) => void) => {
      const url = new URL(address);
      change(url);
      return url.href;
    };
    const refused = {
      "without a token": [changed((url) => url.searchParams.delete("token"))],
      "with another token": [changed((url) => url.searchParams.set("token", "a".repeat(32)))],
      "of another session": [changed((url) => url.searchParams.set("session", "a".repeat(24)))],
      "at another path": [changed((url) => (url.pathname = "/browser/other"))],
      "from a foreign page": [address, { origin: "https://example.com" }],
      "under a foreign name": [address, { headers: { host: "example.com" } }],
    } satisfies Record<string, [string, object?]>;
    for (const [what, [url, options]] of Object.entries(refused)) {
      expect([what, await statusAt(url, options)]).toEqual([what, 404]);
    }
    expect(await statusAt(address)).toBe(101);
    expect(await statusAt(address, { origin: "http://localhost:3000" })).toBe(101);
    expect(await statusAt(address.replace(host, `localhost:${port}`))).toBe(101);
    await client.browsers.deleteByID(session_id);
    expect(await statusAt(address)).toBe(404);
  });

  test("the address has the host under which the client reaches the emulator", async () => {
    const { port } = new URL(emulator.url);
    const created = await fetch(`http://localhost:${port}/browsers`, {
      ...{ method: "POST", body: JSON.stringify({ headless: true }) },
      headers: { authorization: "Bearer sk_emulator", "content-type": "application/json" },
    });
    const { cdp_ws_url, session_id } = (await created.json()) as Record<string, string>;
    expect(cdp_ws_url).toMatch(new RegExp(`^ws://localhost:${port}/browser/cdp\\?`));
    await client.browsers.deleteByID(String(session_id));
  });

  test("a message that is no call, of a foreign session, or about extensions gets an error", async () => {
    const { cdp_ws_url: address, session_id } = await newSession();
    const socket = new WebSocket(address);
    await once(socket, "open");
    const answerTo = async (message: string) => {
      socket.send(message);
      return JSON.parse(String((await once(socket, "message"))[0]));
    };
    const errors = {
      "no JSON": [-32_700, "Message must be a valid JSON"],
      '{"id":1,"method":"Runtime.enable","sessionId":"ABC"}': [-32_001, "Session with given id not found."],
      '{"id":2,"method":"Extensions.loadUnpacked","params":{"path":"/etc"}}': [
        -32_000,
        "Method not available.",
      ],
    } satisfies Record<string, [number, string]>;
    for (const [message, [code, text]] of Object.entries(errors)) {
      expect((await answerTo(message)).error).toEqual({ code, message: text });
    }
    expect(await answerTo('{"id":3,"method":"Browser.getVersion"}')).toMatchObject({
      ...{ id: 3, result: { protocolVersion: "1.3" } },
    });
    socket.close();
    await client.browsers.deleteByID(session_id);
  });

  test("a client that reads slowly gets everything, in order, and does not fill the memory", async () => {
    const { cdp_ws_url: address, session_id } = await newSession();
    const socket = new WebSocket(address, { maxPayload: 2 ** 28 });
    await once(socket, "open");
    const send = (id: number, method: string, params: object, sessionId?: string) =>
      socket.send(JSON.stringify({ id, method, params, sessionId }));
    const lengths: number[] = [];
    let attached = "";
    const all = new Promise<void>((resolve) => {
      socket.on("message", (data) => {
        const { id, result, method, params } = JSON.parse(String(data));
        if (method === "Target.attachedToTarget") {
          attached = params.sessionId;
        } else if (id === 1) {
          send(2, "Target.attachToTarget", { targetId: result.targetId, flatten: true });
        } else if (id === 2) {
          socket.pause();
          for (let count = 0; count < 12; count += 1) {
            send(10 + count, "Runtime.evaluate", { expression: `"x".repeat(8e6 + ${count})` }, attached);
          }
          setTimeout(() => socket.resume(), 1_500);
        } else if (id >= 10) {
          lengths.push(result.result.value.length);
          if (lengths.length === 12) {
            resolve();
          }
        }
      });
    });
    send(1, "Target.createTarget", { url: "about:blank" });
    await all;
    expect(lengths).toEqual(Array.from({ length: 12 }, (_, index) => 8e6 + index));
    socket.close();
    await client.browsers.deleteByID(session_id);
  });

  test("the time of a session stands still while a client is connected", async () => {
    const { cdp_ws_url: address, session_id } = await newSession({ timeout_seconds: 60 });
    const browser = await connect(address);
    emulator.clock.advance(120_000);
    expect((await client.browsers.retrieve(session_id)).session_id).toBe(session_id);
    await browser.close();
    // The emulator learns of the end of the connection from the connection.
    while ((await client.browsers.retrieve(session_id).catch(() => undefined)) !== undefined) {
      emulator.clock.advance(10_000);
    }
    expect(await statusAt(address)).toBe(404);
  });

  test("five browsers start at once", async () => {
    const sessions = await Promise.all(Array.from({ length: 5 }, () => newSession()));
    const titles = sessions.map(async ({ cdp_ws_url: address, session_id }) => {
      const page = await firstPage(address);
      await page.goto(site);
      const title = await page.title();
      await client.browsers.deleteByID(session_id);
      return title;
    });
    expect(await Promise.all(titles)).toEqual(Array(5).fill("Site"));
  });
});
