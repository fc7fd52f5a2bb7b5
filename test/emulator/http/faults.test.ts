import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { request } from "undici";
import type { Emulator, FaultPoint, FaultRule } from "../../../src/emulator/index.js";
import { useEmulator } from "../../support/emulator.js";
import { extensionZip } from "../../support/stored-zip.js";
import { call, refusal, stored, upload } from "../calls.js";

/**
 * Sends raw bytes. Returns everything received until the connection ends, and the error at the end.
 */
async function raw(emulator: Emulator, text: string) {
  const socket = connect(Number(new URL(emulator.url).port), "127.0.0.1").setEncoding("latin1");
  let received = "";
  let error: string | undefined;
  socket.on("data", (chunk: string) => {
    received += chunk;
  });
  socket.on("error", ({ code }: NodeJS.ErrnoException) => {
    error = code;
  });
  socket.write(text);
  await once(socket, "close").catch(() => once(socket, "close"));
  return { received, error };
}

const list = "GET /extensions HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer sk_emulator\r\n\r\n";

/** Code of the connection error in undici; undefined after a complete answer. */
async function brokenCode(answer: Promise<unknown>): Promise<unknown> {
  return answer.then(
    () => undefined,
    (reason: Error & { code?: unknown }) =>
      (reason.cause as { code?: unknown } | undefined)?.code ?? reason.code,
  );
}

describe("emulator: faults", () => {
  const emulator = useEmulator();
  test("a reset fault before the commit stores nothing, and a reset fault after the commit leaves the extension", async () => {
    const reset = async (at: FaultPoint) => {
      emulator.faults.add({ method: "POST", path: "/extensions", at, action: "reset" });
      return brokenCode(upload(emulator, { name: at }).then((response) => response.text()));
    };
    expect(await reset("before-reading")).toMatch(/ECONNRESET|EPIPE/);
    expect(await reset("before-commit")).toBe("ECONNRESET");
    expect(emulator.extensions.list()).toEqual([]);
    expect(await reset("after-commit")).toBe("ECONNRESET");
    expect(await reset("while-answering")).toBe("ECONNRESET");
    expect(emulator.extensions.list().map(({ name }) => name)).toEqual(["while-answering", "after-commit"]);
    expect(emulator.requests.map(({ status, bodyBytes }) => [status, bodyBytes > 0])).toEqual([
      [null, false],
      [null, true],
      [null, true],
      [201, true],
    ]);
  });

  test("a reset fault sends a TCP reset, and a close fault does not", async () => {
    emulator.faults.add({ at: "before-reading", action: "reset" });
    emulator.faults.add({ at: "before-reading", action: "close" });
    expect(await raw(emulator, list)).toEqual({ received: "", error: "ECONNRESET" });
    expect(await raw(emulator, list)).toEqual({ received: "", error: undefined });
  });

  test.each<FaultPoint>(["before-reading", "before-commit", "after-commit"])(
    "a close fault %s ends the connection of an upload regularly, without a byte of response",
    async (at) => {
      emulator.faults.add({ at, action: "close" });
      expect(await brokenCode(upload(emulator, { bytes: extensionZip("", 1_000_000) }))).toBe(
        "UND_ERR_SOCKET",
      );
      expect(emulator.extensions.list()).toHaveLength(at === "after-commit" ? 1 : 0);
    },
  );

  test.each(["close", "end"] as const)(
    "a fault with the action %s while answering sends the headers and half of the body",
    async (action) => {
      emulator.faults.add({ at: "while-answering", action });
      const { received, error } = await raw(emulator, "GET /nowhere HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
      const [headers = "", body = ""] = received.split("\r\n\r\n");
      const length = Number(/content-length: (\d+)/.exec(headers)?.[1]);
      expect(headers).toMatch(/^HTTP\/1\.1 501 /);
      expect(body.length).toBe(Math.floor(length / 2));
      expect(error).toBeUndefined();
    },
  );

  test.each([0, 10])(
    "a response truncated after %i bytes announces the length of the whole body",
    async (truncateAfterBytes) => {
      await stored(emulator, { name: "a" });
      emulator.faults.add({ path: "/extensions/a", at: "while-answering", action: { truncateAfterBytes } });
      const { received } = await raw(emulator, list.replace("/extensions", "/extensions/a/metadata"));
      const [headers = "", body = ""] = received.split("\r\n\r\n");
      expect(headers).toMatch(/content-length: 1\d\d/);
      expect(body).toHaveLength(truncateAfterBytes);
      expect((await call(emulator, "GET", "/extensions/a")).status).toBe(200);
    },
  );

  test.each<FaultPoint>(["before-reading", "before-commit", "after-commit", "while-answering"])(
    "a hang fault %s sends no more bytes, and ends when the emulator closes",
    async (at) => {
      const handle = emulator.faults.add({ at, action: "hang" });
      const abandoned = raw(emulator, list);
      let settled = false;
      void abandoned.then(() => {
        settled = true;
      });
      while (handle.hits === 0) {
        await new Promise(setImmediate);
      }
      expect((await call(emulator, "GET", "/extensions")).status).toBe(200);
      expect(settled).toBe(false);
      const start = performance.now();
      await emulator.close();
      expect(performance.now() - start).toBeLessThan(4_000);
      const { received } = await abandoned;
      expect(received.startsWith("HTTP/1.1 200 ")).toBe(at === "while-answering");
      expect(received).not.toContain("[]");
    },
  );

  test("an answer fault after the commit replaces the response by the rule's status, headers and body", async () => {
    const body = "<html>Gateway timeout</html>";
    emulator.faults.add({
      method: "POST",
      at: "after-commit",
      action: { answer: { status: 504, body, headers: { "Content-Type": "text/html", "Retry-After": "7" } } },
    });
    const response = await upload(emulator, { name: "a" });
    expect([
      response.status,
      response.headers.get("content-type"),
      response.headers.get("retry-after"),
    ]).toEqual([504, "text/html", "7"]);
    expect(response.headers.get("x-browser-infra-emulator")).toBe("1");
    expect(await response.text()).toBe(body);
    expect(emulator.extensions.list()).toHaveLength(1);
    expect(emulator.requests.at(-1)?.status).toBe(504);
  });

  test("an answer fault sends a body as JSON, bytes or text, or sends no body", async () => {
    const answer = async (body?: unknown, status = 200) => {
      emulator.faults.add({ at: "before-reading", action: { answer: { status, body } } });
      const { headers, body: sent, statusCode } = await request(`${emulator.url}/extensions`);
      return [statusCode, headers["content-type"], await sent.text()];
    };
    expect(await answer({ code: "rate_limited" }, 429)).toEqual([
      429,
      "application/json",
      '{"code":"rate_limited"}',
    ]);
    expect(await answer(null)).toEqual([200, "application/json", "null"]);
    expect(await answer(Buffer.from("PK"))).toEqual([200, "application/octet-stream", "PK"]);
    expect(await answer("text")).toEqual([200, "text/plain; charset=utf-8", "text"]);
    expect(await answer()).toEqual([200, undefined, ""]);
    expect(await answer("dropped", 204)).toEqual([204, "text/plain; charset=utf-8", ""]);
    expect(await answer(undefined, 302)).toEqual([302, undefined, ""]);
  });

  test("an answer fault before reading reaches the sender of a large upload", async () => {
    emulator.faults.add({
      at: "before-reading",
      action: { answer: { status: 503, body: { code: "busy" } } },
    });
    const response = await upload(emulator, { bytes: extensionZip("", 4_000_000) });
    expect(await refusal(response)).toMatchObject({ status: 503, code: "busy" });
    expect(emulator.extensions.list()).toEqual([]);
  });

  test("a delay fault holds a request for the given time, and the request then continues", async () => {
    emulator.faults.add({ at: "before-commit", action: { delayMs: 80 } });
    emulator.faults.add({ at: "while-answering", action: { delayMs: 80 } });
    const start = performance.now();
    await stored(emulator, { name: "slow" });
    expect(performance.now() - start).toBeGreaterThan(150);
  });

  test("the function of a fault is awaited, gets the request, and can read the objects stored so far", async () => {
    const seen: unknown[] = [];
    for (const at of ["before-reading", "before-commit", "after-commit", "while-answering"] as const) {
      emulator.faults.add({
        at,
        action: {
          call: async ({ method, path, status, bodyBytes }) => {
            await new Promise(setImmediate);
            seen.push([at, method, path, status, bodyBytes > 0, emulator.extensions.list().length]);
          },
        },
      });
    }
    await stored(emulator, { name: "a" });
    expect(seen).toEqual([
      ["before-reading", "POST", "/extensions", null, false, 0],
      ["before-commit", "POST", "/extensions", null, true, 0],
      ["after-commit", "POST", "/extensions", null, true, 1],
      ["while-answering", "POST", "/extensions", 201, true, 1],
    ]);
  });

  test("a fault function that throws causes a response 500 with the message of the error", async () => {
    const action = {
      call: () => {
        throw new Error("by the test");
      },
    };
    for (const at of ["before-reading", "before-commit", "after-commit"] as const) {
      emulator.faults.add({ at, action });
      expect(await refusal(await call(emulator, "GET", "/extensions"))).toMatchObject({
        status: 500,
        code: "internal_error",
        message: "The emulator failed: by the test",
      });
    }
    emulator.faults.add({ at: "while-answering", action });
    await expect(call(emulator, "GET", "/extensions").then((response) => response.text())).rejects.toThrow();
  });

  test("a fault rule applies from the nth matching request on, as many times as the rule allows", async () => {
    await stored(emulator, { name: "a" });
    const handle = emulator.faults.add({
      method: "GET",
      path: /^\/extensions\/a$/,
      nth: 2,
      times: 2,
      at: "before-reading",
      action: { answer: { status: 500 } },
    });
    const statuses = [];
    for (const path of ["/a", "/a/metadata", "/a", "/a", "/a"]) {
      statuses.push((await call(emulator, "GET", `/extensions${path}`)).status);
    }
    expect(statuses).toEqual([200, 200, 500, 500, 200]);
    expect(handle.hits).toBe(2);
  });

  test("a fault rule applies once by default, always with times Infinity, and never after a removal", async () => {
    const action = { answer: { status: 500 } };
    const status = async () => (await call(emulator, "GET", "/extensions")).status;
    emulator.faults.add({ at: "before-reading", action });
    expect([await status(), await status()]).toEqual([500, 200]);
    const handle = emulator.faults.add({ at: "before-reading", action, times: Number.POSITIVE_INFINITY });
    expect([await status(), await status()]).toEqual([500, 500]);
    handle.remove();
    expect(await status()).toBe(200);
    emulator.faults.add({ at: "before-reading", action });
    emulator.faults.clear();
    expect([await status(), handle.hits]).toEqual([200, 2]);
  });

  test("a refused request does not reach the commit, and a fault after the commit does not count the request", async () => {
    const handle = emulator.faults.add({ method: "POST", at: "after-commit", action: "reset" });
    expect((await upload(emulator, { name: "a b" })).status).toBe(400);
    expect((await upload(emulator, { headers: { authorization: "Bearer x" } })).status).toBe(401);
    expect(handle.hits).toBe(0);
    expect(await brokenCode(upload(emulator, { name: "a" }))).toBe("ECONNRESET");
    expect((await upload(emulator, { name: "a" })).status).toBe(409);
    expect(handle.hits).toBe(1);
  });

  test("a hung request ends without a status when the client disconnects", async () => {
    const handle = emulator.faults.add({ at: "before-commit", action: "hang" });
    const socket: Socket = connect(Number(new URL(emulator.url).port), "127.0.0.1");
    socket.write(list);
    while (handle.hits === 0) {
      await new Promise(setImmediate);
    }
    socket.destroy();
    expect((await call(emulator, "GET", "/extensions")).status).toBe(200);
    expect(emulator.requests[0]?.status).toBeNull();
  });

  test.each<[string, unknown]>([
    ["at", { at: "sometimes", action: "reset" }],
    ["method", { at: "before-reading", method: "get", action: "reset" }],
    ["path", { at: "before-reading", path: "extensions", action: "reset" }],
    ["nth", { at: "before-reading", nth: 0, action: "reset" }],
    ["times", { at: "before-reading", times: 0.5, action: "reset" }],
    ["afterEvents", { at: "while-answering", afterEvents: -1, action: "reset" }],
    ["afterEvents", { at: "before-reading", afterEvents: 1, action: "reset" }],
    ["action", { at: "before-reading", action: "explode" }],
    ["action", { at: "before-commit", action: "end" }],
    ["action", { at: "before-reading", action: {} }],
    ["action", { at: "before-reading", action: { answer: { status: 101 } } }],
    ["action", { at: "before-reading", action: { truncateAfterBytes: 1 } }],
    ["action", { at: "while-answering", action: { truncateAfterBytes: -1 } }],
    ["action", { at: "while-answering", action: { answer: { status: 200 } } }],
    ["action", { at: "before-reading", action: { delayMs: Number.NaN } }],
    ["action", { at: "before-reading", action: { call: "later" } }],
  ])("a fault rule with a bad %s is refused: %j", (property, rule) => {
    expect(() => emulator.faults.add(rule as FaultRule)).toThrow(
      expect.objectContaining({ name: "InputError", code: "fault_invalid", property }),
    );
  });
});
