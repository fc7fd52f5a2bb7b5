import * as pulumi from "@pulumi/pulumi";
import { setAllConfig } from "@pulumi/pulumi/runtime/config.js";
import type { BrowserEnvironmentArgs } from "../../../src/index.js";
import { environmentKinds } from "../../../src/resources/browser-environment.js";
import { errorOf } from "../../support/error-of.js";
import { awaited, entries, MockedEngine } from "./mocked-engine.js";

const everything: BrowserEnvironmentArgs = {
  size: 2,
  maxConcurrentSessions: 5,
  extensions: { reader: "./reader", blocker: "./blocker" },
  domain: "shop.example",
};

describe.each(entries)("a BrowserEnvironment of $entry", ({ classes, typeOf }) => {
  let engine: MockedEngine;

  beforeEach(async () => {
    engine = await MockedEngine.start("id_1", { key: "sk_agents" });
  });

  async function declare(args: BrowserEnvironmentArgs) {
    const environment = new classes.BrowserEnvironment("shop", args);
    await awaited(environment.poolId);
    await awaited(environment.connectionId);
    return environment;
  }

  function inputsOf(name: string): Record<string, unknown> {
    return engine.registered.find((each) => each.name === name)?.inputs ?? {};
  }

  test("a BrowserEnvironment declares its children below itself, each under the component's name and a fixed suffix", async () => {
    await declare(everything);
    const [component, ...children] = engine.requests;
    expect(component).toMatchObject({ type: "browser-infra:index:BrowserEnvironment", name: "shop" });
    expect(Object.fromEntries(children.map(({ name, type }) => [name, type]))).toEqual({
      "shop-project": typeOf("Project"),
      "shop-limits": typeOf("ProjectLimits"),
      "shop-key": typeOf("ApiKey"),
      "shop-profile": typeOf("Profile"),
      "shop-extension-blocker": typeOf("Extension"),
      "shop-extension-reader": typeOf("Extension"),
      "shop-pool": typeOf("BrowserPool"),
      "shop-connection": typeOf("AuthConnection"),
    });
    for (const { parent } of children) {
      expect(parent).toMatch(/::browser-infra:index:BrowserEnvironment::shop$/);
    }
    expect(inputsOf("shop-key")).toMatchObject({ daysToExpire: 90, rotateBeforeDays: 30 });
    expect(inputsOf("shop-pool")).toMatchObject({ size: 2, extensionIds: ["id_1", "id_1"] });
  });

  test("a BrowserEnvironment without limits, extensions and a domain has neither of them", async () => {
    const environment = await declare({ size: 1 });
    const names = engine.registered.map(({ name }) => name);
    expect(names.sort()).toEqual(["shop", "shop-key", "shop-pool", "shop-profile", "shop-project"]);
    expect(await awaited(environment.connectionId)).toBeUndefined();
  });

  test("the outputs of a BrowserEnvironment are the ids, the name of the profile, and the key as a secret", async () => {
    const environment = await declare(everything);
    expect(await awaited(environment.projectId)).toBe("id_1");
    expect(await awaited(environment.connectionId)).toBe("id_1");
    expect(await awaited(environment.apiKey)).toBe("sk_agents");
    const { apiKey } = environment as unknown as { apiKey: { isSecret: Promise<boolean> } };
    expect(await apiKey.isSecret).toBe(true);
  });

  test("with the name of a secret setting, the output is the value of the setting, and no key is created", async () => {
    const settings = { "agents:key": "sk_given", [`${pulumi.getProject()}:agentKey`]: "sk_own" };
    setAllConfig(settings);
    for (const [apiKeyFromConfig, value] of [
      ["agents:key", "sk_given"],
      ["agentKey", "sk_own"],
    ] as const) {
      const environment = await declare({ size: 1, apiKeyFromConfig });
      expect(await awaited(environment.apiKey)).toBe(value);
      const { apiKey } = environment as unknown as { apiKey: { isSecret: Promise<boolean> } };
      expect(await apiKey.isSecret).toBe(true);
    }
    expect(engine.registered.map(({ name }) => name)).not.toContain("shop-key");
  });

  test("the key of the deployment, a missing setting, and a setting beside changes of the key are errors", async () => {
    const keyOf = async (apiKeyFromConfig: string, transform = {}) =>
      awaited(new classes.BrowserEnvironment("shop", { size: 1, apiKeyFromConfig, transform }).apiKey);
    expect(String(await errorOf(keyOf("browser-infra:apiKey")))).toMatch(
      /must be the name of a setting .*, but not of the API key of the deployment itself\./,
    );
    expect(String(await errorOf(keyOf("agents:missing")))).toMatch(
      /pulumi config set --secret agents:missing/,
    );
    expect(await errorOf(keyOf("agents:key", { apiKey: { name: "a" } }))).toMatchObject({
      code: "arguments_conflicting",
    });
  });

  test.each(Object.keys(environmentKinds) as (keyof typeof environmentKinds)[])(
    "a program changes the child %s by arguments, and by a function that also gets the options and the name",
    async (child) => {
      const seen: string[] = [];
      const change = (args: { name?: unknown }, opts: { protect?: boolean }, name: string) => {
        args.name = "changed";
        opts.protect = true;
        seen.push(name);
      };
      await declare({ ...everything, transform: { [child]: change } });
      await declare({ ...everything, transform: { [child]: { name: "given" } } });
      expect(seen.length).toBe(child === "extension" ? 2 : 1);
      for (const name of seen) {
        const [first, second] = engine.requests.filter((request) => request.name === name);
        expect([first?.protect, second?.protect]).toEqual([true, undefined]);
        const inputs = engine.registered.filter((each) => each.name === name).map((each) => each.inputs.name);
        expect(inputs).toEqual(["changed", "given"]);
      }
    },
  );

  test("an unknown argument, and an unknown child, is an error that names the possible names", async () => {
    for (const args of [
      { ...everything, sise: 2 },
      { ...everything, transform: { sise: {} } },
    ]) {
      const error = await errorOf(declare(args as BrowserEnvironmentArgs));
      expect(error).toMatchObject({ code: "argument_unknown" });
      expect(String(error)).toMatch(/has no member "sise"\. Use (size|project), /);
    }
  });
});
