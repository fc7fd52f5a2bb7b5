import * as pulumi from "@pulumi/pulumi";
import { Proxy } from "../../../../src/index.js";
import { awaited, entries, MockedEngine } from "../mocked-engine.js";

const password = "pr0xy-password";
const custom = { host: "proxy.example", port: 3128, password, caBundle: "PEM" };

let engine: MockedEngine;

beforeEach(async () => {
  engine = await MockedEngine.start("prx_1", { name: "exit-1a2b3c4" });
});

/** Configuration as sent to the engine: a secret is an object with a signature. */
const sentConfig = () => {
  const fields = engine.requests[0]?.object?.fieldsMap ?? [];
  const [, config] = fields.find(([name]) => name === "config") ?? [];
  return JSON.stringify(config);
};

describe.each(entries)("Proxy of $entry", ({ classes, typeOf }) => {
  test("is registered under the type of its entry, and created before the old one goes", async () => {
    const { id, name, type } = new classes.Proxy("exit", { type: "isp" });
    expect(await awaited(pulumi.all([id, name, type]))).toEqual(["prx_1", "exit-1a2b3c4", "isp"]);
    expect(engine.requests).toMatchObject([{ type: typeOf("Proxy"), deletebeforereplace: false }]);
  });

  test.each<[string, pulumi.Input<typeof custom>]>([
    ["at hand", custom],
    ["an Output", pulumi.output(custom)],
    ["a Promise", Promise.resolve(custom)],
  ])("marks the secrets of a configuration that is %s", async (_how, config) => {
    await awaited(new classes.Proxy("exit", { type: "custom", config }).urn);
    const signed = sentConfig().split("1b47061264138c4ac30d75fd1eb44270");
    expect(signed.length).toBeGreaterThan(1);
    // Before the first signature there is nothing secret.
    expect(signed[0]).not.toContain(password);
  });

  test("shows what is no secret", async () => {
    await awaited(new classes.Proxy("exit", { type: "custom", config: custom }).urn);
    // Each secret has a signature, and the surrounding object has none.
    expect(sentConfig().match(/1b47061264138c4ac30d75fd1eb44270/g)).toHaveLength(2);
  });

  test("is looked up by its id, and told apart from other resources", async () => {
    const proxy = classes.Proxy.get("theirs", "ckx0000000000000000000a1");
    expect(await awaited(proxy.id)).toBe("ckx0000000000000000000a1");
    expect(classes.Proxy.isInstance(proxy)).toBe(true);
    expect(classes.Profile.isInstance(proxy)).toBe(false);
  });
});

test("a Proxy as a dynamic resource says why it has no option import", () => {
  expect(() => new Proxy("exit", { type: "isp" }, { import: "prx_1" })).toThrow(
    "browser-infra import proxies",
  );
});
