import { readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import type { Emulator } from "../../../src/emulator/index.js";
import { programsFolder } from "../../support/stacks/install-package.js";
import { manifest, startService } from "../../support/stacks/service.js";
import { Stack } from "../../support/stacks/stack.js";

const folder = "./node_modules/pulumi-browser-infra/plugin";
const schema = JSON.parse(readFileSync(resolve(__dirname, "../../../schema.json"), "utf8"));
/** Program that names neither a plugin nor a package. */
const program = `
name: shop
runtime: yaml
resources:
  page-reader:
    type: browser-infra:Extension
    properties:
      path: ./extension
outputs:
  extensionId: \${page-reader.id}
`;

describe("the folder of the plugin, as an argument of the Pulumi CLI", () => {
  let emulator: Emulator;
  let stack: Stack;

  beforeAll(async () => {
    const service = await startService();
    emulator = service.emulator;
    stack = await Stack.create(service.environment, program);
    symlinkSync(join(programsFolder, "node_modules"), stack.path("node_modules"));
    stack.write("extension/manifest.json", manifest());
  });

  afterAll(async () => {
    stack.remove();
    await emulator.close();
  });

  test("`pulumi package info` with the folder of the plugin lists every resource", async () => {
    const printed = await stack.succeed("package", "info", folder);
    expect(printed).toContain(`Version: ${schema.version}\n`);
    for (const token of Object.keys(schema.resources)) {
      expect(printed).toContain(` - ${token.replace("browser-infra:index:", "")}: `);
    }
  });

  test("`pulumi package get-schema` with the folder of the plugin prints the schema of the package", async () => {
    const printed = await stack.succeed("package", "get-schema", folder);
    const { resources, functions, pluginDownloadURL } = JSON.parse(printed);
    expect(Object.keys(resources).sort()).toEqual(Object.keys(schema.resources).sort());
    expect(Object.keys(functions).sort()).toEqual(Object.keys(schema.functions).sort());
    expect(pluginDownloadURL).toBe(schema.pluginDownloadURL);
  });

  test("`pulumi package gen-sdk` with the folder of the plugin writes an SDK", async () => {
    // The published hosts of the other languages generate no SDKs.
    await stack.succeed("package", "gen-sdk", folder, "--language", "yaml", "--out", "sdk");
    const sdk = parse(readFileSync(stack.path(`sdk/yaml/browser-infra-${schema.version}.yaml`), "utf8"));
    expect(sdk).toEqual({
      packageDeclarationVersion: 1,
      name: "browser-infra",
      version: schema.version,
      downloadUrl: schema.pluginDownloadURL,
    });
  });

  test("a program uses the plugin from its folder after `pulumi package add`", async () => {
    await stack.succeed("package", "add", folder);
    const { packages } = parse(readFileSync(stack.path("Pulumi.yaml"), "utf8"));
    expect(packages).toEqual({ "browser-infra": folder });
    await stack.up();
    expect(await stack.outputs()).toEqual({ extensionId: emulator.extensions.list()[0]?.id });
    await stack.destroy();
    expect(emulator.extensions.list()).toEqual([]);
  });
});
