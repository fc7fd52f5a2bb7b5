import type { Emulator } from "../../../src/emulator/index.js";
import { newEmulator } from "../../support/emulator.js";
import { call, json, refusal, send } from "../calls.js";

interface Started {
  readonly id: string;
  readonly hosted_url: string;
  readonly handoff_code: string;
  readonly flow_expires_at: string;
}

describe("emulator: logins", () => {
  let emulator: Emulator;
  let clockMs: number;
  beforeEach(async () => {
    clockMs = Date.parse("2026-06-01T12:00:00Z");
    emulator = await newEmulator({ now: () => new Date(clockMs) });
  });

  const connection = (scenario = "password") =>
    emulator.authConnections.create({ domain: "example.com", profileName: "work", scenario }).id;
  const login = (id: string) => send(emulator, "POST", `/auth/connections/${id}/login`, {});
  const submit = (id: string, body: unknown, headers = {}) =>
    send(emulator, "POST", `/auth/connections/${id}/submit`, body, headers);
  const exchange = (id: string, body: unknown) =>
    fetch(`${emulator.url}/auth/connections/${id}/exchange`, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    });
  /** Starts a login and advances to the step that requests input. */
  async function asking(scenario?: string) {
    const id = connection(scenario);
    const started = await json<Started>(login(id));
    emulator.authConnections.proceed(id);
    return started;
  }

  test("the response to a login request has the page's URL, the handoff code, the kind of login and the expiry", async () => {
    const id = connection();
    const started = await json<Started>(login(id));
    expect(started).toEqual({
      id,
      flow_type: "LOGIN",
      hosted_url: `${emulator.url}/login/${id}?code=${started.handoff_code}`,
      flow_expires_at: "2026-06-01T12:20:00.000Z",
      handoff_code: expect.stringMatching(/^[a-z0-9]{32}$/),
      live_view_url: "https://browser.example/live/password",
    });
    expect(await json(call(emulator, "GET", `/auth/connections/${id}`))).toMatchObject({
      flow_status: "IN_PROGRESS",
      flow_step: "DISCOVERING",
      flow_expires_at: started.flow_expires_at,
      hosted_url: started.hosted_url,
      live_view_url: "https://browser.example/live/password",
      browser_session_id: expect.stringMatching(/^[a-z0-9]{24}$/),
    });
  });

  test("a second login is refused while the first is in progress, and accepted after expiry or cancellation", async () => {
    const id = connection();
    const first = await json<Started>(login(id));
    expect(await refusal(await login(id))).toMatchObject({ status: 409, code: "conflict" });
    clockMs += 1_200_000;
    const second = await json<Started>(login(id));
    expect(second.handoff_code).not.toBe(first.handoff_code);
    emulator.authConnections.endLogin(id, { status: "CANCELED" });
    expect((await login(id)).status).toBe(200);
  });

  test("a login accepts an empty body or no body", async () => {
    const id = connection();
    for (const body of ["{}", undefined]) {
      const response = await fetch(`${emulator.url}/auth/connections/${id}/login`, {
        method: "POST",
        ...(body !== undefined && { body }),
        headers: { authorization: "Bearer sk_emulator", "content-type": "application/json" },
      });
      expect(response.status).toBe(200);
      emulator.authConnections.endLogin(id, { status: "CANCELED" });
    }
  });

  test("a login submission is accepted in every published form, even with empty fields beside an older form", async () => {
    for (const body of [
      { field_values: { username: "ann", password: "x" } },
      { fields: { username: "ann", password: "x" } },
      { selected_choice_id: "google" },
      { sso_provider: "github" },
      { fields: {}, sso_button_selector: '//button[@id="google"]' },
    ]) {
      const { id } = await asking("single-sign-on");
      const response = await submit(id, body);
      expect([response.status, await response.json()]).toEqual([202, { accepted: true }]);
      expect(emulator.authConnections.get(id).login?.step).toBe("SUBMITTING");
      emulator.authConnections.remove(id);
    }
  });

  test("a login submission in several forms at once, or with wrong input, gets 400 and changes nothing", async () => {
    const { id } = await asking("single-sign-on");
    const refused = async (body: unknown, message: string) => {
      expect(await refusal(await submit(id, body))).toEqual({
        status: 400,
        code: "bad_request",
        inner: "invalid_input",
        message: expect.stringContaining(message),
      });
    };
    await refused({}, "in exactly one way");
    await refused(
      { field_values: { username: "a", password: "b" }, selected_choice_id: "google" },
      "got field_values, selected_choice_id",
    );
    await refused({ fields: {}, selected_choice_id: "google" }, "got selected_choice_id, fields");
    await refused({ sso_provider: "google", sso_button_selector: "//x" }, "in exactly one way");
    await refused({ fields: { username: "ann" } }, "is missing password");
    await refused({ fields: { username: "ann", password: "" } }, "is missing password");
    await refused({ field_values: { user: "ann" } }, "It asks for username, password");
    await refused({ selected_choice_id: "okta" }, "no choice with the given");
    await refused({ mfa_option_id: "sms" }, "no choice with the given");
    await refused({ field_values: { username: 1 } }, "must be a string");
    await refused({ values: {} }, 'unknown member "values"');
    expect(emulator.authConnections.get(id).login?.step).toBe("AWAITING_INPUT");
  });

  test("a submission without a login gets 404, and an unexpected submission gets 400 stale_interaction", async () => {
    const id = connection();
    const body = { field_values: { username: "ann", password: "x" } };
    expect(await refusal(await submit(id, body))).toMatchObject({ status: 404, code: "no_active_flow" });
    await login(id);
    expect(await refusal(await submit(id, body))).toMatchObject({ status: 400, code: "stale_interaction" });
    emulator.authConnections.proceed(id);
    const { interaction_id } = await json<{ interaction_id: string }>(
      call(emulator, "GET", `/auth/connections/${id}`),
    );
    expect(interaction_id).toMatch(/^mai_/);
    expect(await refusal(await submit(id, { ...body, interaction_id: "mai_other" }))).toMatchObject({
      code: "stale_interaction",
    });
    expect((await submit(id, { ...body, interaction_id })).status).toBe(202);
    emulator.authConnections.endLogin(id, { status: "CANCELED" });
    expect(await refusal(await submit(id, body))).toMatchObject({ status: 404, code: "no_active_flow" });
  });

  test("a handoff code gives a token once, without an API key, and then gets 410", async () => {
    const { id, handoff_code: code } = await asking();
    expect(await refusal(await exchange(id, {}))).toMatchObject({ status: 400 });
    expect(await refusal(await exchange(id, { code: "wrong" }))).toMatchObject({ status: 404 });
    expect(await refusal(await exchange("other", { code }))).toMatchObject({ status: 404 });
    const given = await json<{ jwt: string; invocation_id: string }>(exchange(id, { code }));
    expect(given).toEqual({
      jwt: expect.stringMatching(/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/),
      invocation_id: emulator.authConnections.get(id).login?.id,
    });
    expect(await refusal(await exchange(id, { code }))).toMatchObject({ status: 410, code: "gone" });
    emulator.authConnections.endLogin(id, { status: "CANCELED" });
    for (const status of ["CANCELED", "SUCCESS", "FAILED", "EXPIRED"] as const) {
      const unused = await json<Started>(login(id));
      emulator.authConnections.endLogin(id, { status });
      expect(await refusal(await exchange(id, { code: unused.handoff_code }))).toMatchObject({ status: 410 });
      await login(id);
      expect(await refusal(await exchange(id, { code: unused.handoff_code }))).toMatchObject({ status: 410 });
      emulator.authConnections.endLogin(id, { status: "CANCELED" });
    }
  });

  test("a handoff token reads, follows and submits to one auth connection for 30 minutes, and nothing else", async () => {
    const { id, handoff_code: code } = await asking();
    const { jwt } = await json<{ jwt: string }>(exchange(id, { code }));
    const bearer = { authorization: `Bearer ${jwt}` };
    expect(await json(call(emulator, "GET", `/auth/connections/${id}`, bearer))).toMatchObject({ id });
    const stream = await call(emulator, "GET", `/auth/connections/${id}/events`, bearer);
    expect(stream.status).toBe(200);
    await stream.body?.cancel();
    expect((await submit(id, { field_values: { username: "a", password: "b" } }, bearer)).status).toBe(202);
    const other = emulator.authConnections.create({ domain: "example.com", profileName: "other" });
    expect((await call(emulator, "GET", `/auth/connections/${other.id}`, bearer)).status).toBe(403);
    for (const [method, path] of [
      ["GET", "/auth/connections"],
      ["GET", "/extensions"],
      ["GET", "/org/projects"],
      ["DELETE", `/auth/connections/${id}`],
    ] as const) {
      expect([path, (await call(emulator, method, path, bearer)).status]).toEqual([path, 401]);
    }
    for (const [method, path] of [
      ["PATCH", `/auth/connections/${id}`],
      ["POST", `/auth/connections/${id}/login`],
    ] as const) {
      expect([path, (await send(emulator, method, path, {}, bearer)).status]).toEqual([path, 401]);
    }
    const [head = "", , signature = ""] = jwt.split(".");
    const forged = `${head}.${Buffer.from(JSON.stringify({ sub: id, exp: 9e9 })).toString("base64url")}.${signature}`;
    expect(
      (await call(emulator, "GET", `/auth/connections/${id}`, { authorization: `Bearer ${forged}` })).status,
    ).toBe(401);
    clockMs += 1_799_000;
    expect((await call(emulator, "GET", `/auth/connections/${id}`, bearer)).status).toBe(200);
    clockMs += 1_000;
    expect((await call(emulator, "GET", `/auth/connections/${id}`, bearer)).status).toBe(401);
  });

  test("a handoff token ends with the next login of the auth connection, and with the auth connection", async () => {
    const tokenOf = async ({ id, handoff_code: code }: Started) => {
      const { jwt } = await json<{ jwt: string }>(exchange(id, { code }));
      return { authorization: `Bearer ${jwt}` };
    };
    const first = await asking();
    const { id } = first;
    const former = await tokenOf(first);
    emulator.authConnections.endLogin(id, { status: "CANCELED" });
    expect((await call(emulator, "GET", `/auth/connections/${id}`, former)).status).toBe(200);
    const bearer = await tokenOf(await json<Started>(login(id)));
    emulator.authConnections.proceed(id);
    const values = { field_values: { username: "a", password: "b" } };
    expect(await refusal(await submit(id, values, former))).toMatchObject({ status: 401 });
    expect((await submit(id, values, bearer)).status).toBe(202);
    emulator.authConnections.remove(id);
    expect(await refusal(await submit(id, values, bearer))).toMatchObject({ status: 404 });
  });

  test("an API key in the form of a handoff token is accepted as an API key", async () => {
    await emulator.close();
    const key = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1In0.c2ln";
    emulator = await newEmulator({ apiKeys: [key] });
    const id = connection();
    const { status } = await call(emulator, "GET", `/auth/connections/${id}`, {
      authorization: `Bearer ${key}`,
    });
    expect(status).toBe(200);
  });

  test("a submission without a choice is refused and changes nothing when only choices are offered", async () => {
    const { id } = await asking("push");
    await submit(id, { field_values: { username: "ann", password: "x" } });
    emulator.authConnections.proceed(id);
    expect(emulator.authConnections.get(id).login?.step).toBe("AWAITING_EXTERNAL_ACTION");
    for (const body of [{ fields: {} }, { field_values: {} }]) {
      expect(await refusal(await submit(id, body))).toMatchObject({
        status: 400,
        message: expect.stringContaining("asks for a choice"),
      });
    }
    expect(emulator.authConnections.get(id).login?.step).toBe("AWAITING_EXTERNAL_ACTION");
  });

  test("an expired login has the status EXPIRED in every read, even if nobody followed the login", async () => {
    const { id } = await asking("expiry");
    clockMs += 20_000;
    expect(await json(call(emulator, "GET", `/auth/connections/${id}`))).toMatchObject({
      flow_status: "EXPIRED",
      flow_step: "AWAITING_INPUT",
      flow_expires_at: null,
      fields: null,
    });
    expect(await refusal(await submit(id, { field_values: { password: "x" } }))).toMatchObject({
      status: 404,
    });
  });

  test("a login that gets no input before the timeout of a step ends as EXPIRED", async () => {
    const { id } = await asking();
    emulator.clock.advance(599_999);
    expect(emulator.authConnections.get(id).login?.status).toBe("IN_PROGRESS");
    emulator.clock.advance(1);
    expect(emulator.authConnections.get(id).login?.status).toBe("EXPIRED");
  });

  test("the request log contains no handoff code, no token and no submitted value of a login", async () => {
    const { id, handoff_code: code, hosted_url } = await asking();
    await (await fetch(hosted_url)).text();
    const { jwt } = await json<{ jwt: string }>(exchange(id, { code }));
    const bearer = { authorization: `Bearer ${jwt}` };
    await submit(id, { field_values: { username: "canary-name", password: "canary-password" } }, bearer);
    await call(emulator, "GET", `/auth/connections/${id}`, bearer);
    const log = JSON.stringify(emulator.requests);
    expect(emulator.requests.length).toBeGreaterThan(4);
    for (const secret of [code, jwt, "canary", "?code"]) {
      expect(log).not.toContain(secret);
    }
  });

  test("faults apply to login requests as to other requests", async () => {
    const id = connection();
    emulator.faults.add({
      method: "POST",
      path: /\/login$/,
      at: "before-commit",
      action: { answer: { status: 503 } },
    });
    expect((await login(id)).status).toBe(503);
    expect(emulator.authConnections.get(id).login).toBeNull();
    emulator.faults.add({ method: "POST", path: /\/login$/, at: "after-commit", action: "reset" });
    await expect(login(id)).rejects.toThrow();
    expect(emulator.authConnections.get(id).login?.status).toBe("IN_PROGRESS");
  });
});
