import { readdirSync, readFileSync } from "node:fs";
import { packExtension } from "../../src/archive/index.js";
import { BrowserInfraClient } from "../../src/client/index.js";
import type { Emulator } from "../../src/emulator/index.js";
import { filesBelow } from "../support/files-below.js";
import { startService, writesIn } from "./service.js";
import { Stack } from "./stack.js";
import { reference, type YamlResource } from "./yaml-program.js";

describe("a program that is nothing but a Pulumi.yaml, with the real engine", () => {
  let emulator: Emulator;
  let stack: Stack;

  beforeEach(async () => {
    const service = await startService();
    emulator = service.emulator;
    stack = await Stack.createYaml(service.environment);
    stack.write("extension/manifest.json", '{ "manifest_version": 3, "name": "Reader", "version": "1.0.0" }');
    stack.write("extension/content.js", "// one\n");
  });

  afterEach(async () => {
    stack.remove();
    await emulator.close();
  });

  function extension(properties: YamlResource["properties"] = {}): YamlResource {
    return { type: "Extension", properties: { path: "./extension", ...properties } };
  }

  /** What a preview that must find nothing to do says. It ends with 0. */
  async function expectNothingToDo(): Promise<void> {
    const { exitCode, output } = await stack.preview("--expect-no-changes");
    expect(`${exitCode} ${output}`).toMatch(/^0 /);
  }

  test("is deployed, edited, checked for drift, refreshed, extended by an import, and destroyed", async () => {
    const outputs = { checksum: reference("reader.checksum") };
    stack.declare({ reader: extension() }, { outputs });
    expect(readdirSync(stack.path()).sort()).toEqual(["Pulumi.dev.yaml", "Pulumi.yaml", "extension"]);

    const first = await stack.preview();
    expect(first.exitCode).toBe(0);
    // Everything is known before the upload but when the service will have created it.
    expect(first.output).toMatch(/checksum *: "[0-9a-f]{64}"/);
    expect(writesIn(emulator)).toEqual([]);
    await stack.up();
    expect(emulator.extensions.list()).toMatchObject([{ id: stack.extension().id }]);
    await expectNothingToDo();

    stack.write("extension/content.js", "// two\n");
    stack.write("extension/popup.js", "// new\n");
    const edited = await stack.preview();
    expect(edited.output).toMatch(/2 files changed: "content\.js", "popup\.js" \(added\)/);
    expect(edited.output).toMatch(/\+ popup\.js/);
    expect(edited.output).not.toContain("__memo");
    await stack.up();
    const { checksum } = await packExtension(stack.path("extension"));
    expect(emulator.extensions.list()).toMatchObject([{ checksum }]);

    emulator.extensions.remove(stack.extension().id);
    const drift = await stack.preview("--refresh", "--expect-no-changes");
    expect(drift.exitCode).toBe(7);
    expect(drift.output).toContain("is gone");
    await stack.succeed("refresh", "--yes", "--skip-preview");
    expect(stack.extensions()).toEqual([]);
    await stack.up();
    await expectNothingToDo();

    const client = new BrowserInfraClient({ baseUrl: emulator.url, apiKey: emulator.apiKeys[0] ?? "" });
    const { bytes } = await packExtension(stack.path("extension"));
    const theirs = await client.extensions.upload({ name: "theirs", archive: bytes });
    await client.close();
    const options = ["--generate-code=false", "--protect=false", "--yes", "--skip-preview"];
    await stack.succeed("import", "browser-infra:index:Extension", "theirs", theirs.id, ...options);
    stack.declare({ reader: extension(), theirs: extension({ name: "theirs" }) }, { outputs });
    await expectNothingToDo();
    stack.write("extension/popup.js", "// newer\n");
    expect((await stack.preview()).output).toMatch(/1 file changed: "popup\.js"/);

    await stack.succeed("destroy", "--yes", "--skip-preview");
    expect(emulator.extensions.list()).toEqual([]);
  });

  test("names an API key, sees that somebody else renamed it, and restores its name at the end", async () => {
    const { id: keyId } = emulator.createApiKey({ name: "before" });
    const nameOf = () => emulator.apiKeyRecords.list().find(({ id }) => id === keyId)?.name;
    const options = { deleteBeforeReplace: true };
    stack.declare({ ci: { type: "ApiKeyName", properties: { keyId, name: "ci" }, options } });
    await stack.up();
    expect(nameOf()).toBe("ci");
    emulator.apiKeyRecords.rename(keyId, "somebody else");
    const drift = await stack.preview("--refresh", "--expect-no-changes");
    expect(drift.exitCode).toBe(7);
    await stack.up("--refresh");
    expect(nameOf()).toBe("ci");
    await stack.succeed("destroy", "--yes", "--skip-preview");
    expect(nameOf()).toBe("before");
  });

  test("asks with the functions, and gives what they find to a resource", async () => {
    const { id } = emulator.createProject({ name: "Staging" });
    const chromePolicy = { HomepageLocation: "https://example.com", ShowHomeButton: true };
    const pool = emulator.browserPools.create({ name: "agents", size: 2, chromePolicy });
    stack.declare(
      { reader: extension({ projectId: reference("staging.id") }) },
      {
        variables: {
          staging: {
            "fn::invoke": { function: "browser-infra:index:getProject", arguments: { name: "Staging" } },
          },
          agents: {
            "fn::invoke": { function: "browser-infra:index:getBrowserPool", arguments: { name: "agents" } },
          },
          pools: { "fn::invoke": { function: "browser-infra:index:getBrowserPools", arguments: {} } },
        },
        outputs: {
          policy: reference("agents.chromePolicy"),
          poolId: reference("pools.browserPools[0].id"),
        },
      },
    );
    await stack.up();
    const outputs = JSON.parse(await stack.succeed("stack", "output", "--json"));
    expect(outputs).toEqual({ policy: chromePolicy, poolId: pool.id });
    expect(emulator.extensions.list(id)).toMatchObject([{ id: stack.extension().id }]);
    await expectNothingToDo();
  });

  test("keeps the key of an explicit provider encrypted in the state, and moves with its address", async () => {
    const other = await startService();
    const key = "sk_canary0123456789abcdef";
    const theirs = await startService({ apiKeys: [key] });
    try {
      const declare = (baseUrl: string, apiKey: string | undefined) =>
        stack.declare({
          eu: { type: "pulumi:providers:browser-infra", properties: { baseUrl, apiKey } },
          reader: { ...extension({ name: "reader" }), options: { provider: reference("eu") } },
        });
      declare(theirs.emulator.url, key);
      await stack.up();
      expect(theirs.emulator.extensions.list()).toHaveLength(1);
      const states = filesBelow(`${stack.folder}/state`).map((file) => readFileSync(file, "utf8"));
      expect(states.join("")).not.toContain(key);

      declare(other.emulator.url, other.emulator.apiKeys[0]);
      await stack.up();
      expect(theirs.emulator.extensions.list()).toEqual([]);
      expect(other.emulator.extensions.list()).toMatchObject([{ name: "reader" }]);
      await expectNothingToDo();
    } finally {
      await theirs.emulator.close();
      await other.emulator.close();
    }
  });

  test("is refused a setting of a provider that there is not, before anything is sent", async () => {
    stack.declare({
      eu: {
        type: "pulumi:providers:browser-infra",
        properties: { baseUrl: emulator.url, apiKeyFromEnv: "A", apiKeyFromConfig: "b" },
      },
      reader: { ...extension(), options: { provider: reference("eu") } },
    });
    const { exitCode, output } = await stack.preview();
    expect(exitCode).not.toBe(0);
    expect(output).toContain('"apiKeyFromEnv" and "apiKeyFromConfig" are given. Give one of them.');
    expect(emulator.requests).toEqual([]);
  });
});
