import type * as pulumiModule from "@pulumi/pulumi";
import type * as pluginModule from "../../../src/bridges/plugin/sdk/index.js";
import type * as dynamicModule from "../../../src/index.js";

/** A program in a process of its own, which tells its notes. */
async function program(isPreview: boolean) {
  jest.resetModules();
  const pulumi = require("@pulumi/pulumi") as typeof pulumiModule;
  const notes: string[] = [];
  jest.spyOn(pulumi.log, "info").mockImplementation(async (note) => void notes.push(note));
  const mocks: pulumiModule.runtime.Mocks = {
    newResource: ({ name, inputs }) => ({ id: name, state: inputs }),
    call: ({ inputs }) => inputs,
  };
  await pulumi.runtime.setMocks(mocks, "shop", "dev", isPreview);
  const dynamic = require("../../../src/index.js") as typeof dynamicModule;
  const plugin = require("../../../src/bridges/plugin/sdk/index.js") as typeof pluginModule;
  return { pulumi, dynamic, plugin, notes };
}

const note =
  "This program has dynamic resources, from pulumi-browser-infra, and resources of the provider plugin. Import " +
  "all from one package, unless you are moving them: no dynamic resource takes over what pulumi import imported.";

describe("a program with dynamic resources and resources of the plugin", () => {
  test("a preview says once that the program has both", async () => {
    const { dynamic, plugin, notes } = await program(true);
    new dynamic.Profile("one");
    new dynamic.Profile("two");
    expect(notes).toEqual([]);
    new plugin.Profile("three");
    new plugin.Profile("four");
    new dynamic.Profile("five");
    expect(notes).toEqual([note]);
  });

  test("a preview says so beside the package that pulumi package add generates", async () => {
    const { pulumi, dynamic, notes } = await program(true);
    // As the generated package does when a program imports it.
    const construct = () => undefined as never;
    pulumi.runtime.registerResourcePackage("browser-infra", {
      version: "1.0.0",
      constructProvider: construct,
    });
    new dynamic.Profile("one");
    new dynamic.Profile("two");
    expect(notes).toEqual([note]);
  });

  test("an update says nothing, and nor does a program with one of them", async () => {
    const update = await program(false);
    new update.dynamic.Profile("one");
    new update.plugin.Profile("two");
    expect(update.notes).toEqual([]);
    const { plugin, notes } = await program(true);
    new plugin.Profile("one");
    expect(notes).toEqual([]);
  });
});
