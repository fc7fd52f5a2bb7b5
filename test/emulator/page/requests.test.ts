import { useEmulator } from "../../support/emulator.js";
import { call, json, send, stored } from "../calls.js";
import { filled, secrets } from "./filled.js";

type Row = Readonly<Record<string, unknown>>;

interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

describe("emulator: details of a request", () => {
  const emulator = useEmulator();

  /** Contents of the newest request, with the text of the response. */
  async function contents() {
    const { requestId = "" } = emulator.requests.at(-1) ?? {};
    const response = await call(emulator, "GET", `/_emulator/requests/${requestId}`);
    const text = await response.text();
    return { text, ...(JSON.parse(text) as Message & { query: Row; answer?: Message }) };
  }

  test("the request log has the program, the duration, the created object and the fault of a request", async () => {
    emulator.faults.add({ method: "POST", path: "/profiles", at: "after-commit", action: "reset" });
    const agent = { "user-agent": "pulumi-browser-infra/0.1.0" };
    await send(emulator, "POST", "/profiles", { name: "lost" }, agent).catch(() => undefined);
    const { id } = await json<{ id: string }>(send(emulator, "POST", "/profiles", { name: "kept" }), 201);
    const lost = emulator.profiles.list().find(({ name }) => name === "lost");
    expect(emulator.requests).toMatchObject([
      { program: agent["user-agent"], createdId: lost?.id, fault: "fault-1", status: null },
      { createdId: id, fault: null, status: 201, tookMs: expect.any(Number) },
    ]);
  });

  test("the details of a request contain headers, query and bodies, without the API key", async () => {
    await send(emulator, "POST", "/profiles?x=1", { name: "work" }, { "x-kernel-project": "Default" });
    expect(await contents()).toMatchObject({
      query: { x: "1" },
      headers: { authorization: "[hidden]", "x-kernel-project": "Default" },
      body: { name: "work" },
      answer: { headers: { "content-type": "application/json" }, body: { code: "bad_request" } },
    });
    expect((await contents()).text).not.toContain("sk_emulator");
  });

  test("the details of a request contain no secret of credentials, proxies, new API keys and logins", async () => {
    const { connection } = await filled(emulator);
    const texts: string[] = [];
    const sent: [string, object][] = [
      ["/credentials", { name: "b", domain: "example.com", values: { password: secrets.value } }],
      ["/org/api_keys", { name: "new" }],
      [`/auth/connections/${connection.id}/login`, {}],
      [`/auth/connections/${connection.id}/submit`, { field_values: { username: secrets.value } }],
      [
        "/proxies",
        {
          name: "p",
          type: "custom",
          config: { host: "a.example", port: 1, username: "ada", password: secrets.proxyPassword },
        },
      ],
    ];
    const created: Row[] = [];
    for (const [path, body] of sent) {
      created.push((await (await send(emulator, "POST", path, body)).json()) as Row);
      texts.push((await contents()).text);
    }
    const { hosted_url: hostedUrl } = created[2] ?? {};
    const [, code = ""] = /code=([^&]+)/.exec(String(hostedUrl)) ?? [];
    expect(code).not.toBe("");
    const hidden = [...Object.values(secrets), String(created[1]?.key), code];
    expect(texts.filter((text) => hidden.some((secret) => text.includes(secret)))).toEqual([]);
    await fetch(String(hostedUrl));
    expect((await contents()).query).toEqual({ code: "[hidden]" });
    expect(texts[0]).toContain('"values":{"password":"[hidden]"}');
  });

  test("the details of a request show a form as names and sizes, and a large or unreadable body as a size", async () => {
    const { id } = await stored(emulator, { name: "reader" });
    expect((await contents()).body).toEqual({ file: expect.stringMatching(/^\d+ bytes$/), name: "reader" });
    await call(emulator, "GET", `/extensions/${id}`);
    expect((await contents()).answer?.body).toMatch(/^\d+ bytes that are not JSON$/);
    await send(emulator, "POST", "/profiles", { name: "x".repeat(20_000) });
    expect((await contents()).body).toBe("20011 bytes, not kept");
  });

  test("the details of the newest 200 requests are kept, and dropped when the requests are forgotten", async () => {
    await call(emulator, "GET", "/profiles");
    const [first] = emulator.requests;
    const path = `/_emulator/requests/${first?.requestId}`;
    for (let sent = 0; sent < 199; sent += 1) {
      await call(emulator, "GET", "/profiles");
    }
    expect((await call(emulator, "GET", path)).status).toBe(200);
    await call(emulator, "GET", "/profiles");
    expect((await call(emulator, "GET", path)).status).toBe(404);
    const last = `/_emulator/requests/${emulator.requests.at(-1)?.requestId}`;
    await call(emulator, "DELETE", "/_emulator/requests");
    expect((await call(emulator, "GET", last)).status).toBe(404);
  });
});
