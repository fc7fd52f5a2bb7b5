import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { schemaExamples } from "../../repository/documents/schema-examples.js";
import { startExampleService, writeExampleExtension } from "../../support/stacks/example-service.js";
import { Stack } from "../../support/stacks/stack.js";
import type { YamlProgram, YamlResource } from "../../support/stacks/yaml-program.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const root = resolve(__dirname, "../../..");

/** A program in YAML, as far as the examples have parts. */
interface Program extends YamlProgram {
  readonly resources?: Readonly<Record<string, YamlResource>>;
}

/** All examples for YAML as a single program: all names differ. */
function examples(): Program {
  const programs = schemaExamples.map(({ programs: { yaml = "" } }): Program => parse(yaml));
  expect(programs.length).toBeGreaterThan(24);
  return programs.reduce((all, { resources, variables, outputs }) => ({
    resources: { ...all.resources, ...resources },
    variables: { ...all.variables, ...variables },
    outputs: { ...all.outputs, ...outputs },
  }));
}

describe("schema.json", () => {
  test("schema.json passes `pulumi schema check` without a message", () => {
    const home = temporaryFolder();
    const { status, stdout, stderr } = spawnSync("pulumi", ["schema", "check", join(root, "schema.json")], {
      cwd: home,
      env: {
        PATH: process.env.PATH,
        HOME: home,
        PULUMI_HOME: join(home, ".pulumi"),
        PULUMI_SKIP_UPDATE_CHECK: "true",
      },
      encoding: "utf8",
    });
    expect([status, stdout, stderr]).toEqual([0, "", ""]);
  });

  test("the YAML examples in schema.json can be deployed", async () => {
    const { emulator, environment } = await startExampleService();
    const stack = await Stack.createYaml(environment);
    writeExampleExtension(stack);
    const { resources = {}, ...program } = examples();
    stack.declare(resources, program);
    try {
      await stack.up();
      const deployed = await stack.outputs();
      expect(Object.keys(deployed).sort()).toEqual(Object.keys(program.outputs ?? {}).sort());
      expect(deployed).toMatchObject({
        ...{ stagingId: "staging", stagingBrowsers: 5, previousName: "ci", officeStatus: expect.any(String) },
        ...{ readyBrowsers: 2, connectionStatus: "AUTHENTICATED", intranetFields: ["username"] },
      });
      expect(emulator.extensions.list().map(({ id }) => id)).toContain(deployed.extensionId);
    } finally {
      stack.remove();
      await emulator.close();
    }
  });
});
