import { request } from "node:http";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { shareEmulator } from "../../support/emulator.js";
import { call, json, stored } from "../calls.js";

/** Piece of a body that is blank in JSON. */
const mebibyte = Buffer.alloc(1_048_576, " ");
const pieces = 300;

describe("emulator: a body of 300 MiB", () => {
  const emulator = shareEmulator();

  /** Sends 300 MiB to a route; returns status and body of the response. */
  function sendLarge(method: string, path: string, headers: Readonly<Record<string, string>>) {
    return new Promise<{ readonly status: number | undefined; readonly body: string }>((resolve, reject) => {
      const sending = request(`${emulator.url}${path}`, {
        method,
        headers: { authorization: "Bearer sk_emulator", ...headers },
      });
      sending.on("error", reject);
      sending.on("response", (response) => {
        text(response).then((body) => resolve({ status: response.statusCode, body }), reject);
      });
      Readable.from(Array(pieces).fill(mebibyte)).pipe(sending);
    });
  }

  const announced = { "content-length": String(pieces * mebibyte.byteLength) };

  test("a body of 300 MiB that announces the length gets 413 from every route", async () => {
    const routes = await json<{ method: string; path: string }[]>(call(emulator, "GET", "/_emulator/routes"));
    const control = ["POST /_emulator/reset", "PUT /_emulator/clock", "GET /health", "GET /"];
    const all = [...routes.map(({ method, path }) => `${method} ${path}`), ...control];
    expect(all.length).toBeGreaterThan(60);
    await stored(emulator, { name: "kept" });
    for (const route of all) {
      const [method = "", path = ""] = route.split(" ");
      const { status, body } = await sendLarge(method, path.replace(/:\w+/g, "kept"), announced);
      expect([route, status, JSON.parse(body).code]).toEqual([route, 413, "payload_too_large"]);
    }
    expect(emulator.extensions.list()).toHaveLength(1);
  });

  test.each(["POST /extensions", "POST /profiles", "GET /profiles", "DELETE /extensions/kept"])(
    "a body of 300 MiB without an announced length gets 413 from %s",
    async (route) => {
      const [method = "", path = ""] = route.split(" ");
      const { status, body } = await sendLarge(method, path, { "transfer-encoding": "chunked" });
      expect([status, JSON.parse(body).code]).toEqual([413, "payload_too_large"]);
    },
  );
});
