import * as pulumi from "@pulumi/pulumi";
import { Extension, getExtensionOutput, getProject, getProjectOutput, Provider } from "../../../src/index.js";

/** Requests to the mocks, in order: constructions of resources and calls of functions. */
let asked: { token?: string; name?: string; inputs: Record<string, unknown>; provider?: string }[];
/** Releases the construction of resources, which waits for this call. */
let letResourcesExist: () => void;

/** Puts mocks in force, in a preview or not. In a preview new resources have no id yet. */
async function mock(preview: boolean): Promise<void> {
  asked = [];
  const exist = new Promise<void>((resolve) => {
    letResourcesExist = resolve;
  });
  await pulumi.runtime.setMocks(
    {
      newResource: async (args) => {
        if (args.type.startsWith("pulumi:providers:")) {
          return { id: args.name, state: args.inputs };
        }
        await exist;
        asked.push(args);
        return { id: preview ? undefined : `${args.name}-id`, state: args.inputs };
      },
      call: (args) => {
        asked.push(args);
        return { id: "found", name: args.inputs.name };
      },
    },
    "shop",
    "dev",
    preview,
  );
}

/** Members of an Output behind Pulumi's types. */
async function look<T>(output: pulumi.Output<T>) {
  const inside = output as unknown as { promise(): Promise<T>; isKnown: Promise<boolean> };
  return {
    value: await inside.promise(),
    isKnown: await inside.isKnown,
    isSecret: await pulumi.isSecret(output),
    dependencies: [...(await pulumi.getAllResources(output))],
  };
}

describe("the Output form of a function", () => {
  beforeEach(() => mock(false));

  test("the Output form of a function waits for the resources behind the arguments, and depends on the resources", async () => {
    const reader = new Extension("reader", { path: "./extension", name: "reader" });
    const found = getExtensionOutput({ name: reader.name });
    letResourcesExist();
    expect(await look(found)).toMatchObject({ value: { id: "found" }, isKnown: true, isSecret: false });
    expect((await look(found)).dependencies).toEqual([reader]);
    expect(asked.map(({ token, name }) => token ?? name)).toEqual([
      "reader",
      "browser-infra:index:getExtension",
    ]);
  });

  test("the Output form of a function waits for all resources below a component in dependsOn", async () => {
    const component = new pulumi.ComponentResource("shop:Browsers", "browsers");
    const inner = new pulumi.ComponentResource("shop:Inner", "inner", {}, { parent: component });
    new Extension("reader", { path: "./extension" }, { parent: inner });
    const found = getExtensionOutput({ name: "reader" }, { dependsOn: [component] });
    letResourcesExist();
    await look(found);
    expect(asked.map(({ token, name }) => token ?? name).slice(-2)).toEqual([
      "reader",
      "browser-infra:index:getExtension",
    ]);
  });

  test("the Output form of a function takes a dependency, a promise of a dependency, and an Output of several", async () => {
    const reader = new Extension("reader", { path: "./extension" });
    letResourcesExist();
    for (const dependsOn of [reader, Promise.resolve(reader), pulumi.output([reader])]) {
      expect((await look(getProjectOutput({ name: "a" }, { dependsOn }))).dependencies).toEqual([reader]);
    }
  });

  test("the Output form of a function is secret for a secret argument, but not for a provider's secret key", async () => {
    letResourcesExist();
    expect((await look(getProjectOutput({ name: pulumi.secret("staging") }))).isSecret).toBe(true);
    const provider = new Provider("eu", {
      apiKey: pulumi.secret("sk_eu"),
      baseUrl: "https://eu.example.com",
    });
    expect((await look(getProjectOutput({ name: "staging" }, { provider }))).isSecret).toBe(false);
  });

  test("a function passes the given provider, or the provider that the parent gives to children", async () => {
    const eu = new Provider("eu", {});
    const us = new Provider("us", {});
    letResourcesExist();
    const byList = new pulumi.ComponentResource("shop:Browsers", "list", {}, { providers: [us] });
    const byName = new pulumi.ComponentResource(
      "shop:Browsers",
      "name",
      {},
      { providers: { "pulumi-nodejs": us } },
    );
    await getProject({ name: "a" }, { provider: eu, parent: byList });
    await getProject({ name: "a" }, { parent: byList });
    await look(getProjectOutput({ name: "a" }, { parent: byName }));
    await getProject({ name: "a" }, { parent: new pulumi.ComponentResource("shop:Browsers", "none") });
    const calls = asked.filter(({ token }) => token !== undefined);
    expect(calls.map(({ provider }) => provider?.split("::").at(-1))).toEqual(["eu", "us", "us", undefined]);
  });
});

describe("the Output form of a function, in a preview", () => {
  beforeEach(async () => {
    await mock(true);
    letResourcesExist();
  });

  const calls = () => asked.filter(({ token }) => token !== undefined);

  test("in a preview, the Output form calls no function and is unknown while an argument is unknown", async () => {
    const reader = new Extension("reader", { path: "./extension" });
    expect((await look(getProjectOutput({ id: reader.id }))).isKnown).toBe(false);
    expect(calls()).toEqual([]);
  });

  test("in a preview, the Output form calls no function while a resource behind a known argument does not exist", async () => {
    const reader = new Extension("reader", { path: "./extension", name: "reader" });
    expect((await look(reader.name)).value).toBe("reader");
    expect((await look(getExtensionOutput({ name: reader.name }))).isKnown).toBe(false);
    expect((await look(getProjectOutput({ name: "a" }, { dependsOn: reader }))).isKnown).toBe(false);
    expect(calls()).toEqual([]);
  });

  test("in a preview, the Output form calls the function when everything is known", async () => {
    expect(await look(getProjectOutput({ name: "staging" }))).toMatchObject({
      value: { id: "found", name: "staging" },
      isKnown: true,
    });
    expect(calls()).toEqual([{ token: "browser-infra:index:getProject", inputs: { name: "staging" } }]);
  });
});
