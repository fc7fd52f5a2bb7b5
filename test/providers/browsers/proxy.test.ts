import { authorityCertificate, serverCertificate } from "../../support/certificates.js";
import { errorOf } from "../../support/error-of.js";
import { PlayedProgram } from "../played-program.js";

const password = "pr0xy-password-91";
const caBundle = authorityCertificate;
const own = { host: "proxy.example", port: 3128, username: "web" };
const custom = { type: "custom", name: "exit", config: { ...own, password } };

describe("a proxy", () => {
  let program: PlayedProgram;

  beforeEach(async () => {
    program = await PlayedProgram.start("Proxy");
  });

  const proxies = () => program.emulator.proxies.list();

  test("a proxy is created under a one-time name, and then renamed to the declared name", async () => {
    await program.up(custom);
    expect(proxies()).toMatchObject([
      { id: program.stored.id, name: "exit", config: { has_password: true } },
    ]);
    expect(program.writes).toEqual(["POST", "PATCH"]);
    expect(await program.up(custom)).toBe("same");
    expect(await program.up({ ...custom, name: "way out" })).toBe("update");
    expect(program.writes).toEqual(["POST", "PATCH", "PATCH"]);
  });

  test.each<[string, object]>([
    ["another password", { config: { ...own, password: "an0ther-password" } }],
    ["no password", { config: own }],
    ["certificates", { config: { ...own, password, caBundle } }],
    ["another host", { config: { ...own, password, host: "b.example" } }],
    ["another type", { type: "isp", config: { country: "DE" } }],
    ["another protocol", { protocol: "http" }],
    ["hosts without it", { bypassHosts: ["intranet.example"] }],
  ])("a proxy is replaced for %s, and the old proxy is deleted last", async (_what, more) => {
    await program.up(custom);
    const { id } = program.stored;
    expect(await program.up({ ...custom, ...more })).toBe("replace");
    expect(program.writes.slice(2)).toEqual(["POST", "PATCH", "DELETE"]);
    expect(proxies()).toMatchObject([{ id: program.stored.id }]);
    expect(program.stored.id).not.toBe(id);
    await program.refresh();
    expect(program.messages).toEqual([]);
    expect(await program.up({ ...custom, ...more })).toBe("same");
  });

  test("X2: the secrets of a proxy appear in no message, request log or list of proxies", async () => {
    const declared = { ...custom, config: { ...own, password, caBundle } };
    const said: string[] = [];
    const deploy = async (inputs: typeof declared | undefined, options = {}) => {
      await program.up(inputs, options).catch((error: Error) => said.push(error.message));
      said.push(...program.messages);
    };
    // The service repeats the refused value.
    const body = { code: "bad_request", message: `config.password ${password} is bad` };
    program.emulator.faults.add({
      method: "POST",
      at: "before-commit",
      times: 1,
      action: { answer: { status: 400, body } },
    });
    await deploy(declared);
    await deploy(declared, { isKilled: true });
    await deploy(declared);
    await deploy({ ...declared, name: "way out" }, { losesState: true });
    await deploy(declared);
    program.emulator.proxies.remove(program.stored.id);
    await program.refresh().catch(() => undefined);
    said.push(...program.messages, JSON.stringify(program.emulator.requests), JSON.stringify(proxies()));
    expect(said.join("\n")).not.toContain(password);
    expect(said.join("\n")).not.toContain(caBundle.split("\n")[1]);
    expect(said.join("\n")).toContain("[redacted]");
  });

  test("a proxy of a killed deployment is named with its delete command, and a new proxy is created", async () => {
    await program.upKilled(custom);
    const [left] = proxies();
    await program.up(custom);
    const ids = proxies().map(({ id }) => id);
    expect(ids.sort()).toEqual([String(left?.id), program.stored.id].sort());
    expect(program.warnings).toEqual([expect.stringContaining(`"browser-infra proxies delete ${left?.id}`)]);
  });

  test("a proxy of a different owner with the same name is left alone", async () => {
    const { id } = program.emulator.proxies.create({ type: "isp", name: "exit" });
    program.emulator.faults.add({ method: "POST", times: 1, at: "after-commit", action: "close" });
    await program.up(custom);
    expect(proxies().map((proxy) => proxy.id)).toEqual([program.stored.id, id]);
    await program.destroy();
    expect(proxies().map((proxy) => proxy.id)).toEqual([id]);
  });

  test("a proxy has the protocol https, declared or by default", async () => {
    const isp = { type: "isp", name: "exit" };
    await program.up(isp);
    const { id } = program.stored;
    expect(proxies()).toMatchObject([{ protocol: "https" }]);
    expect(await program.up({ ...isp, protocol: "https" })).toBe("update");
    await program.refresh();
    expect(await program.up({ ...isp, protocol: "https" })).toBe("same");
    expect(await program.up(isp)).toBe("update");
    expect(program.writes).toEqual(["POST", "PATCH"]);
    expect(await program.up({ ...isp, protocol: "http" })).toBe("replace");
    expect(program.stored.id).not.toBe(id);
  });

  test("undeclared settings of a proxy keep the values that the service chose", async () => {
    await program.up({ type: "isp", name: "exit" });
    await program.refresh();
    expect(program.messages).toEqual([]);
    expect(program.stored.outputs).not.toHaveProperty("config");
    expect(await program.up({ type: "isp", name: "exit" })).toBe("same");
    expect(await program.up({ type: "isp", name: "exit", bypassHosts: [] })).toBe("same");
    expect(await program.up({ type: "isp", name: "exit", config: { country: "US" } })).toBe("replace");
  });

  test("a proxy renamed outside gets the declared name back, and a deleted proxy is created again", async () => {
    await program.up(custom);
    program.emulator.proxies.rename(program.stored.id, "theirs");
    await program.refresh();
    expect(program.messages).toEqual([
      expect.stringContaining('renamed outside of this program: from "exit"'),
    ]);
    expect(await program.up(custom)).toBe("update");
    program.emulator.proxies.remove(program.stored.id);
    await program.refresh();
    expect(await program.up(custom)).toBe("create");
    expect(proxies()).toMatchObject([{ name: "exit" }]);
  });

  test("a proxy in use by an auth connection is not deleted, and the error names the connection", async () => {
    await program.up(custom);
    const { id } = program.stored;
    const { authConnections } = program.emulator;
    authConnections.create({ domain: "shop.example", profileName: "shopper", browser: { proxy: { id } } });
    const error = await errorOf(program.destroy());
    expect(error).toMatchObject({ serviceCode: "resource_in_use" });
    expect(error.message).toContain("shop.example");
    expect(error.message).toMatch(/Remove the object there first\..* Nothing was deleted\.$/);
  });

  test("a proxy is imported without its secrets, and a warning explains the effect of a declared password", async () => {
    const { id } = program.emulator.proxies.create({
      type: "custom",
      name: "exit",
      config: { ...own, password },
    });
    await program.import(id);
    expect(program.stored.inputs).toMatchObject({ name: "exit", type: "custom", config: own });
    expect(program.warnings).toEqual([expect.stringContaining('unless "ignoreChanges" names "config"')]);
    expect(await program.up({ ...custom, config: own })).toBe("same");
    expect(await program.up(custom)).toBe("replace");
  });

  test("every mistake in the inputs of a proxy is found at once, before any request, without a value in the failures", async () => {
    const found = await program.failures({
      type: "custom",
      name: " exit",
      config: { port: 99_999, password, country: "US" },
      bypassHosts: ["http://a.example"],
      nmae: "x",
    });
    expect(found).toEqual([
      expect.stringContaining('no input "nmae"'),
      expect.stringMatching(/^name: /),
      expect.stringMatching(/^bypassHosts\[0\]: /),
      expect.stringMatching(/^: .+"config.country"/),
      expect.stringMatching(/^: .+"config.host"/),
      expect.stringMatching(/^: .+"config.port"/),
    ]);
    const place = { state: "Bavaria", city: "New York", zip: "1", asn: "7922" };
    const problems = [
      '"config.country" is needed with a state, a city, a zip or an asn',
      '"config.state" must have two letters',
      '"config.city" must be in lower case and without spaces',
      '"config.zip" must have five digits',
      '"config.asn" must be the number of an autonomous system',
    ];
    expect(await program.failures({ type: "residential", config: place })).toEqual(
      problems.map((problem) => expect.stringContaining(problem)),
    );
    const mixed = { country: "US", state: "CA", zip: "94103", asn: "AS7922" };
    expect(await program.failures({ type: "residential", config: mixed })).toEqual([
      expect.stringContaining('"config.zip" cannot be given with a state or a city'),
      expect.stringContaining('"config.asn" cannot be given with a state or a city'),
    ]);
    const abroad = { type: "mobile", config: { country: "DE", state: "BY" } };
    expect(await program.failures(abroad)).toEqual([expect.stringContaining("must be in the country US")]);
    const secrets = { ...own, password: "four", caBundle: authorityCertificate + serverCertificate };
    expect(await program.failures({ type: "custom", config: secrets })).toEqual([
      expect.stringContaining('"config.password" must have at least 5 characters'),
      expect.stringContaining('"config.caBundle" must be certificates of certificate authorities in PEM'),
    ]);
    const many = { type: "isp", bypassHosts: [...Array(100).fill("a.example"), "10.0.0.1"] };
    expect(await program.failures(many)).toEqual([
      expect.stringContaining("must have at most 100 hosts"),
      expect.stringContaining("must be a hostname of at most 253 characters"),
    ]);
    expect(await program.failures({})).toEqual([expect.stringContaining('needs "type"')]);
    expect(await program.failures({ type: "isp", config: { colour: 1 } })).toEqual([
      expect.stringContaining('"config.colour" does not exist'),
    ]);
    expect(await program.failures({ type: "datacenter", protocol: "ftp", config: "x" })).toEqual([
      'type: The "type" cannot be "datacenter": the service removed this type in September 2026. Use "isp".',
      expect.stringMatching(/^protocol: /),
      expect.stringMatching(/^: The "config" must be an object/),
    ]);
    expect(found.join("\n")).not.toContain(password);
    expect(program.emulator.requests).toEqual([]);
  });
});
