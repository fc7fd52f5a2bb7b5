import Kernel from "@onkernel/sdk";
import { shareEmulator } from "../../support/emulator.js";
import { extensionZip } from "../../support/stored-zip.js";
import { call, json, refusal, send, signed } from "../calls.js";

interface Route {
  readonly method: string;
  readonly path: string;
}

describe("emulator: unsupported members, parameters and operations", () => {
  const emulator = shareEmulator();
  // The login page is no operation of the service.
  const isOfPage = ({ path }: Route) => path.startsWith("/login/");
  const routes = async () =>
    (await json<Route[]>(call(emulator, "GET", "/_emulator/routes"))).filter((route) => !isOfPage(route));
  const invalid = { status: 400, code: "bad_request", inner: "invalid_input" };

  test("an unknown member in the body of any operation is refused by name", async () => {
    const withBody = (await routes()).filter(
      ({ method, path }) => method !== "GET" && !/^(extensions|deployments)$/.test(path.slice(1)),
    );
    expect(withBody.length).toBeGreaterThan(15);
    for (const { method, path } of withBody) {
      // Further members of a proxy depend on the type.
      const type = `${method} ${path}` === "POST /proxies" ? { type: "isp" } : {};
      const answer = await send(emulator, method, path, { unheard_of: true, ...type });
      // Reported beside the missing members.
      expect([method, path, answer.status, await answer.text()]).toEqual([
        method,
        path,
        400,
        expect.stringContaining('unknown member \\"unheard_of\\"'),
      ]);
    }
  });

  test("an unknown parameter in the query of any operation is refused by name", async () => {
    for (const { method, path } of (await routes()).filter(({ method }) => method === "GET")) {
      const answer = await call(emulator, method, `${path}?unheard_of=1`);
      expect([path, await refusal(answer)]).toEqual([
        path,
        { ...invalid, message: 'The query has an unknown parameter "unheard_of".' },
      ]);
    }
  });

  test.each([
    [
      "POST",
      "/auth/connections",
      { domain: "a.example", profile_name: "x", browser: { memory: 1 } },
      "memory",
    ],
    [
      "POST",
      "/auth/connections",
      { domain: "a.example", profile_name: "x", health_check: false },
      "health_check",
    ],
    ["POST", "/auth/connections/none/login", { skill_mode: "off" }, "skill_mode"],
    ["POST", "/auth/connections/none/login", { save_credentials: true }, "save_credentials"],
    ["POST", "/browser_pools", { size: 1, viewport: { width: 1, height: 1, depth: 8 } }, "depth"],
    ["POST", "/browser_pools", { size: 1, extensions: [{ name: "a", version: "1" }] }, "version"],
    ["POST", "/browser_pools", { size: 1, telemetry: { browser: { sound: { enabled: true } } } }, "sound"],
    ["POST", "/browser_pools/none/acquire", { telemetry: { enabled: true } }, "telemetry"],
    ["PATCH", "/browsers/none", { proxy_id: "none" }, "proxy_id"],
    ["POST", "/org/projects", { name: "x", status: "archived" }, "status"],
    ["PATCH", "/org/projects/Default/limits", { max_vaults: 1 }, "max_vaults"],
    ["PATCH", "/org/limits", { max_concurrent_sessions: 9 }, "max_concurrent_sessions"],
    ["POST", "/org/api_keys", { name: "x", scopes: ["all"] }, "scopes"],
  ])(
    "the request %s %s with the body %j is refused, and the message names %s",
    async (method, path, body, member) => {
      const answer = await refusal(await send(emulator, method, path, body));
      expect(answer).toEqual({ ...invalid, message: expect.stringContaining(member) });
    },
  );

  test("an unknown field of an upload is refused by name, and nothing is stored", async () => {
    const form = new FormData();
    form.set("file", new Blob([extensionZip()]), "x.zip");
    form.set("version", "2");
    const answer = await fetch(`${emulator.url}/extensions`, {
      method: "POST",
      body: form,
      headers: signed(emulator),
    });
    expect(await refusal(answer)).toEqual({
      ...invalid,
      message: 'The form has an unknown field "version".',
    });
    expect(emulator.extensions.list()).toEqual([]);
  });

  test("the official client gets 501 for an operation that is not emulated, and does not retry", async () => {
    const kernel = new Kernel({ apiKey: "sk_emulator", baseURL: emulator.url });
    const before = emulator.requests.length;
    await expect(kernel.invocations.retrieve("none")).rejects.toMatchObject({ status: 501 });
    expect(emulator.requests.length).toBe(before + 1);
  });
});
