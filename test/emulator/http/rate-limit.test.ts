import { newEmulator } from "../../support/emulator.js";

describe("the emulator's rate limit", () => {
  test("a request beyond the rate limit gets 429, with Retry-After in whole seconds", async () => {
    const emulator = await newEmulator({ requestsPerSecond: 0.1 });
    const ask = () =>
      fetch(`${emulator.url}/extensions`, { headers: { authorization: `Bearer ${emulator.apiKeys[0]}` } });
    const [first, second, third] = [await ask(), await ask(), await ask()];
    expect([first.status, second.status, third.status]).toEqual([200, 429, 429]);
    expect(second.headers.get("retry-after")).toBe("10");
    expect(second.headers.get("x-request-id")).toBe(emulator.requests[1]?.requestId);
    expect(await second.json()).toEqual({
      code: "rate_limited",
      message: "More than 0.1 requests in a second.",
    });
    expect(emulator.requests.map(({ status }) => status)).toEqual([200, 429, 429]);
  });

  test("every response of an emulator with a rate limit has the numbers of allowed and remaining requests", async () => {
    const emulator = await newEmulator({ requestsPerSecond: 2.5 });
    const ask = () => fetch(`${emulator.url}/extensions`);
    const headers = (await Promise.all([ask(), ask(), ask()])).map(({ headers }) => [
      headers.get("x-ratelimit-limit"),
      headers.get("x-ratelimit-remaining"),
    ]);
    expect(headers).toEqual([
      ["150", "1"],
      ["150", "0"],
      ["150", "0"],
    ]);
    await emulator.close();
    const unlimited = await newEmulator();
    expect((await fetch(unlimited.url)).headers.has("x-ratelimit-limit")).toBe(false);
  });

  test("the rate limit admits all requests of one second at once", async () => {
    const emulator = await newEmulator({ requestsPerSecond: 5 });
    const statuses = await Promise.all(
      Array.from({ length: 5 }, async () => (await fetch(`${emulator.url}/extensions`)).status),
    );
    // Without a key, but not refused by the limit.
    expect(statuses).toEqual([401, 401, 401, 401, 401]);
  });
});
