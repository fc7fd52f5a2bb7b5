import { errorOf } from "../../support/error-of.js";
import { PlayedProgram } from "../played-program.js";

const shop = { domain: "shop.example", profileName: "buyer" };

/** Every setting, with values that differ from the service's defaults. */
const settings = {
  loginUrl: "https://shop.example/login",
  allowedDomains: ["sso.example"],
  credential: { name: "shop-login" },
  healthChecks: false,
  healthCheckInterval: 7200,
  autoReauth: false,
  saveCredentials: false,
  recordSession: true,
  proxyId: "",
  region: "eu-west",
  stealth: false,
  telemetry: { console: true, system: false },
  telemetryDestinationId: "",
};

describe("an auth connection", () => {
  let program: PlayedProgram;

  beforeEach(async () => {
    program = await PlayedProgram.start("AuthConnection");
    settings.proxyId = program.emulator.proxies.create({ type: "isp" }).id;
    const destination = { name: "logs", endpoint: "https://otlp.example.com" };
    settings.telemetryDestinationId = program.emulator.telemetryDestinations.create(destination).id;
    program.emulator.credentials.create({ name: "shop-login", domain: "shop.example", fields: {} });
  });

  const connections = () => program.emulator.authConnections.list();
  const live = () => program.emulator.authConnections.get(program.stored.id);
  const bodies = () =>
    program.emulator.requests.filter(({ method }) => method === "POST" || method === "PATCH").length;

  test("an auth connection has the declared settings, and the service's defaults for undeclared settings", async () => {
    await program.up(shop);
    expect(program.stored.outputs).toEqual({ ...shop, name: "shop.example/buyer" });
    expect(live()).toMatchObject({
      ...shop,
      healthChecks: true,
      healthCheckInterval: 3600,
      recordSession: false,
    });
    expect(await program.up({ ...shop, ...settings })).toBe("update");
    expect(live()).toMatchObject({
      loginUrl: settings.loginUrl,
      allowedDomains: ["sso.example"],
      credential: { name: "shop-login" },
      healthCheckInterval: 7200,
      autoReauth: false,
      browser: { region: "eu-west", stealth: false, proxy: { id: settings.proxyId } },
    });
    await program.refresh();
    expect(program.messages).toEqual([]);
    expect(await program.up({ ...shop, ...settings })).toBe("same");
    expect(program.stored.outputs).toMatchObject(settings);
  });

  test("settings that leave the program return to the default, except the interval of health checks", async () => {
    const { credential } = settings;
    await program.up({ ...shop, ...settings });
    expect(await program.up({ ...shop, credential })).toBe("update");
    expect(live()).toMatchObject({
      loginUrl: null,
      allowedDomains: [],
      healthChecks: true,
      healthCheckInterval: 7200,
      autoReauth: true,
      saveCredentials: true,
      recordSession: false,
      browser: { region: "us-east", stealth: true, proxy: { mode: "default" } },
    });
    expect(program.stored.outputs).toEqual({ ...shop, credential, name: "shop.example/buyer" });
    expect(await program.up({ ...shop, credential })).toBe("same");
  });

  test("a change of the telemetry keeps what is declared besides, and a destination that the program never declared", async () => {
    const { telemetryDestinationId } = settings;
    const captured = () => live().browser.telemetry;
    const toDestination = { otlp: { destination: { id: telemetryDestinationId } } };
    await program.up({ ...shop, telemetry: { page: true } });
    expect(captured()).toEqual({ enabled: true, browser: { page: { enabled: true } } });
    program.emulator.authConnections.update(program.stored.id, {
      browser: { telemetry: { enabled: true, browser: { page: { enabled: true } }, export: toDestination } },
    });
    expect(await program.up({ ...shop, telemetry: { network: true } })).toBe("update");
    expect(captured()).toEqual({
      enabled: true,
      browser: { network: { enabled: true } },
      export: toDestination,
    });
    expect(await program.up({ ...shop, telemetryDestinationId })).toBe("update");
    expect(captured()).toEqual({ enabled: true, export: toDestination });
    expect(await program.up({ ...shop, telemetryDestinationId, telemetry: {} })).toBe("update");
    expect(await program.up({ ...shop, telemetry: {} })).toBe("update");
    expect(captured()).toEqual({ enabled: true, export: { otlp: { enabled: false } } });
    await program.refresh();
    expect(program.messages).toEqual([]);
    expect(await program.up(shop)).toBe("update");
    expect(captured()).toEqual({ enabled: false });
    expect(await program.up(shop)).toBe("same");
  });

  test("logins of a connection use no proxy as declared, then a proxy, then the choice of the service", async () => {
    const { proxyId } = settings;
    await program.up({ ...shop, proxyMode: "direct" });
    expect(live().browser.proxy).toEqual({ mode: "direct" });
    expect(await program.up({ ...shop, proxyMode: "direct" })).toBe("same");
    expect(await program.up({ ...shop, proxyId })).toBe("update");
    expect(live().browser.proxy).toMatchObject({ id: proxyId });
    expect(await program.up({ ...shop, proxyMode: "direct" })).toBe("update");
    expect(await program.up(shop)).toBe("update");
    expect(live().browser.proxy).toEqual({ mode: "default" });
    expect(
      await program.failures({ ...shop, proxyId, proxyMode: "direct", telemetry: { control: "on" } }),
    ).toEqual([
      expect.stringContaining('"telemetry.control"'),
      expect.stringContaining('"proxyMode" is given together with proxyId'),
    ]);
    const off = { captcha: false, connection: false, control: false, system: false };
    expect(await program.failures({ ...shop, telemetry: off })).toEqual([
      expect.stringContaining('"telemetry" switches off every category'),
    ]);
  });

  test("an auth connection is replaced when the credential leaves the program", async () => {
    await program.up({ ...shop, credential: settings.credential });
    expect(await program.up(shop)).toBe("replace");
    expect(connections()).toMatchObject([{ id: program.stored.id, credential: null }]);
  });

  test("drift of declared settings is reported, and outside changes of undeclared settings are not", async () => {
    await program.up({ ...shop, recordSession: false });
    program.emulator.authConnections.update(program.stored.id, {
      autoReauth: false,
      healthCheckInterval: 900,
    });
    await program.refresh();
    expect(program.messages).toEqual([]);
    program.emulator.authConnections.update(program.stored.id, { recordSession: true });
    await program.refresh();
    expect(program.messages).toEqual([
      `Auth connection ${program.stored.id} was changed outside of this program: its recordSession.`,
    ]);
    expect(await program.up({ ...shop, recordSession: false })).toBe("update");
    expect(live()).toMatchObject({ recordSession: false, autoReauth: false, healthCheckInterval: 900 });
  });

  test("a different spelling of the same domains is no change", async () => {
    await program.up({ ...shop, allowedDomains: ["www.sso.example", "*.login.example"] });
    expect(live().allowedDomains).toEqual(["sso.example", "login.example"]);
    const sent = bodies();
    await program.refresh();
    expect(program.messages).toEqual([]);
    const same = { ...shop, domain: "Shop.example", allowedDomains: ["sso.example", "login.example"] };
    expect(await program.up(same)).not.toBe("replace");
    expect(bodies()).toBe(sent);
  });

  test("an auth connection that exists outside of the program is reported with its id, and nothing is created", async () => {
    const { id } = program.emulator.authConnections.create(shop);
    const { warnings } = await program.preview(shop);
    expect(warnings.join()).toContain(`${id}) already exists, and a project can have only one`);
    const error = await errorOf(program.up(shop));
    expect(error).toMatchObject({ name: "ConflictError", code: "name_taken" });
    expect(error.message).toContain("import it by its id");
    expect(connections()).toHaveLength(1);
  });

  test("a second auth connection of the program with the same domain and profile is refused", async () => {
    const { failures } = await program.preview(shop, {
      others: { twin: { ...shop, domain: "SHOP.example" } },
    });
    expect(failures.join()).toContain("A project can have only one. Remove one of them.");
  });

  test("an import has the settings that differ from the service's defaults", async () => {
    const { id } = program.emulator.authConnections.create({
      ...shop,
      credential: settings.credential,
      healthCheckInterval: 7200,
      recordSession: true,
    });
    await program.import(id);
    const declared = {
      ...shop,
      credential: settings.credential,
      healthCheckInterval: 7200,
      recordSession: true,
    };
    expect(program.stored.inputs).toMatchObject({ ...declared, name: "shop.example/buyer" });
    expect(await program.up(declared)).toBe("same");
  });

  test("every mistake in the inputs of an auth connection is found at once, before any request", async () => {
    const wrong = {
      domain: "https://shop.example/",
      profileName: "b".repeat(256),
      loginUrl: "shop",
      allowedDomains: ["ok.example", "a b"],
      credential: { name: "a", provider: "b" },
      healthCheckInterval: 10,
      region: "mars",
      stealth: "yes",
      name: "shop",
      nmae: "shop",
    };
    const failures = await program.failures(wrong);
    expect(failures.map((failure) => failure.split(":")[0]).sort()).toEqual(
      ["", "allowedDomains[1]", ...Object.keys(wrong).filter((input) => !/nmae|allowed/.test(input))].sort(),
    );
    expect(await program.failures({})).toEqual([
      'domain: An AuthConnection needs "domain".',
      'profileName: An AuthConnection needs "profileName".',
    ]);
    expect(program.emulator.requests).toEqual([]);
  });

  describe("in a replacement", () => {
    beforeEach(async () => {
      await program.up(shop);
      program.emulator.authConnections.update(live().id, {
        saveCredentials: false,
        allowedDomains: ["pay.example"],
        browser: { stealth: true, region: "eu-west", proxy: { id: settings.proxyId } },
      });
    });

    test("a replacement loses undeclared settings, and preview and row name the settings with their values", async () => {
      const news = { ...shop, profileName: "seller" };
      const loses = expect.stringMatching(
        /loses these undeclared settings .+: allowedDomains = \["pay\.example"\], .*saveCredentials = false/,
      );
      await program.preview(news);
      expect(program.messages).toContainEqual(loses);
      await program.up(news);
      expect(program.messages).toContainEqual(loses);
      expect(live()).toMatchObject({ profileName: "seller", saveCredentials: true, allowedDomains: [] });
      expect(await program.up(news)).toBe("same");
    });

    test("a new profileName replaces the auth connection, and the preview warns of the lost login", async () => {
      const { warnings } = await program.preview({ ...shop, profileName: "seller" });
      expect(warnings).toEqual([
        expect.stringMatching(
          /"profileName" changes from "buyer" to "seller"\. The new connection is logged out/,
        ),
      ]);
    });
  });

  test("a new profileName replaces no auth connection if the service has renamed the profile itself", async () => {
    await program.up(shop);
    const { id } = live();
    const renamed = { ...(await read(id)), profile_name: "seller" };
    const rule = { method: "GET", at: "before-commit", times: 9 } as const;
    program.emulator.faults.add({
      ...rule,
      path: `/auth/connections/${id}`,
      action: { answer: { status: 200, body: renamed } },
    });
    program.emulator.faults.add({
      ...rule,
      path: "/auth/connections",
      action: { answer: { status: 200, body: [renamed] } },
    });
    await program.up({ ...shop, profileName: "seller" });
    expect(program.stored.id).toBe(id);
    expect(program.writes.filter((method) => method !== "GET")).toEqual(["POST"]);
    expect(program.messages).toContainEqual(
      expect.stringContaining("the service has carried the new name over"),
    );
  });

  /** Connection in the service's response. */
  async function read(id: string): Promise<object> {
    const headers = { authorization: `Bearer ${program.emulator.apiKeys[0]}` };
    return (await (
      await fetch(`${program.emulator.url}/auth/connections/${id}`, { headers })
    ).json()) as object;
  }
});
