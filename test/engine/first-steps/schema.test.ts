import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { filesBelow } from "../../support/files-below.js";
import { startService } from "../../support/stacks/service.js";
import { Stack } from "../../support/stacks/stack.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const root = resolve(__dirname, "../../..");

/** A program in YAML, as far as the examples have parts. */
type Program = Partial<Record<"config" | "resources" | "variables" | "outputs", Record<string, unknown>>>;

/** Parts of all YAML examples. All names differ, so the parts form a single program. */
function examples(): Program {
  const files = filesBelow(join(root, "scripts/publish/schema/examples"));
  const programs = files
    .filter((file) => file.endsWith(".yaml"))
    .map((file): Program => parse(readFileSync(file, "utf8")));
  expect(programs.length).toBeGreaterThan(3);
  return programs.reduce((all, { config, resources, variables, outputs }) => ({
    config: { ...all.config, ...config },
    resources: { ...all.resources, ...resources },
    variables: { ...all.variables, ...variables },
    outputs: { ...all.outputs, ...outputs },
  }));
}

describe("schema.json", () => {
  test("passes the check of the Pulumi CLI, which has nothing to say about it", () => {
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

  test("has examples for YAML that run", async () => {
    const { emulator, environment } = await startService({ speed: 50 });
    const stack = await Stack.createYaml(environment);
    const { id: projectId } = emulator.createProject({ name: "staging" });
    const { id: keyId } = emulator.createApiKey({ name: "old" });
    const login = emulator.authConnections.create({ domain: "shop.example", profileName: "buyer" });
    emulator.authConnections.startLogin(login.id);
    emulator.authConnections.endLogin(login.id, { status: "SUCCESS" });
    stack.write("extension/manifest.json", '{ "manifest_version": 3, "name": "Reader", "version": "1.0.0" }');
    stack.write("extension/tests/reader.js", "");
    stack.declare({}, examples());
    const settings = [`keyId=${keyId}`, `connectionId=${login.id}`].flatMap((each) => ["--plaintext", each]);
    settings.push("--secret", "bankPassword=secret", "--secret", "proxyPassword=secret");
    try {
      await stack.succeed("config", "set-all", ...settings);
      await stack.up();
      const outputs = await stack.outputs();
      expect(outputs).toMatchObject({ projectId, previousName: "old" });
      const uploaded = emulator.extensions.list().map(({ id }) => id);
      expect(uploaded).toHaveLength(3);
      expect(uploaded).toContain(outputs.extensionId);
    } finally {
      stack.remove();
      await emulator.close();
    }
  });
});
