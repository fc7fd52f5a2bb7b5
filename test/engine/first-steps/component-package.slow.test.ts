import { chmodSync, cpSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import type { Emulator } from "../../../src/emulator/index.js";
import { page } from "../../repository/documents/pages.js";
import { programsFolder } from "../../support/stacks/install-package.js";
import { startService } from "../../support/stacks/service.js";
import { Stack } from "../../support/stacks/stack.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { newHostsEnvironment, testWithNewHosts } from "../../support/where-available.js";

const blocks = page("docs/programs/plugin.md").blocks.filter(
  ({ chapter }) => chapter === "Component packages",
);
const codeIn = (language: string) => blocks.find((block) => block.language === language)?.code ?? "";

describe("a component package in a program in YAML, as docs/programs/plugin.md shows both", () => {
  let emulator: Emulator;
  let stack: Stack;

  async function start(code: string, environment: NodeJS.ProcessEnv = {}): Promise<void> {
    const service = await startService();
    emulator = service.emulator;
    stack = await Stack.create({ ...service.environment, ...environment }, codeIn("yaml"));
    const options = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2023 };
    stack.write("../acme-browsers/index.ts", code);
    stack.write(
      "../acme-browsers/index.js",
      ts.transpileModule(code, { compilerOptions: options }).outputText,
    );
    stack.write("../acme-browsers/package.json", JSON.stringify({ name: "acme-browsers", version: "1.0.0" }));
    symlinkSync(join(programsFolder, "node_modules"), stack.path("../acme-browsers/node_modules"));
  }

  /** Starts the package without PulumiPlugin.yaml, which needs a language host as new as the CLI. */
  function addStarter(): void {
    const starter = "../acme-browsers/pulumi-resource-acme-browsers";
    stack.write(starter, '#!/bin/sh\nexec node "$(dirname "$0")/index.js" "$@"\n');
    chmodSync(stack.path(starter), 0o755);
  }

  afterEach(() => stack.remove());

  async function expectDeployed(): Promise<void> {
    await stack.up();
    expect(await stack.outputs()).toEqual({ poolId: emulator.browserPools.list()[0]?.id });
    await stack.expectNoChanges();
    await stack.destroy();
    expect(emulator.browserPools.list()).toEqual([]);
  }

  test("the resources of the plugin are deployed, and destroyed", async () => {
    await start(codeIn("ts"));
    addStarter();
    await expectDeployed();
  });

  testWithNewHosts("a package with PulumiPlugin.yaml is deployed, and destroyed", async () => {
    await start(codeIn("ts"), newHostsEnvironment());
    stack.write("../acme-browsers/PulumiPlugin.yaml", "runtime: nodejs\n");
    await expectDeployed();
  });

  test("dynamic resources are refused with the remedy, and without a trace of Node", async () => {
    await start(codeIn("ts").replace("pulumi-browser-infra/plugin", "pulumi-browser-infra"));
    addStarter();
    // The folders above the program of a stack have node_modules.
    const program = temporaryFolder();
    cpSync(stack.path(), program, { recursive: true });
    const component = stack.path("../acme-browsers");
    writeFileSync(join(program, "Pulumi.yaml"), codeIn("yaml").replaceAll("../acme-browsers", component));
    const output = await stack.failingUp("--cwd", program);
    expect(output).toContain(
      'BrowserPool "agents-pool": A component package cannot have dynamic resources in a program without node_modules. ' +
        'Import from "pulumi-browser-infra/plugin" in the component, and name the plugin in Pulumi.yaml of the program.',
    );
    expect(output).not.toContain("MODULE_NOT_FOUND");
    expect(emulator.browserPools.list()).toEqual([]);
  });
});
