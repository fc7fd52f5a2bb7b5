import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Emulator } from "../../src/emulator/index.js";
import { importWithFile } from "./import-file.js";
import { startService, writesIn } from "./service.js";
import { Stack, type StateResource } from "./stack.js";
import { reference, type YamlResource } from "./yaml-program.js";

describe("the name of an API key, with the real engine", () => {
  let emulator: Emulator;
  let environment: NodeJS.ProcessEnv;
  let stack: Stack;
  let keyId: string;

  beforeEach(async () => {
    ({ emulator, environment } = await startService());
    stack = await Stack.createYaml(environment);
    keyId = emulator.createApiKey({ name: "before" }).id;
  });

  afterEach(async () => {
    stack.remove();
    await emulator.close();
  });

  /** Declares one name, restored first as the class in TypeScript says, and more resources. */
  function declare(
    properties: Record<string, unknown>,
    {
      options = {},
      logicalName = "ci",
      more = {},
    }: { options?: Record<string, unknown>; logicalName?: string; more?: Record<string, YamlResource> } = {},
  ): void {
    const named = { type: "ApiKeyName", properties, options: { deleteBeforeReplace: true, ...options } };
    const outputs = { previousName: reference(`${logicalName}.previousName`) };
    stack.declare({ ...more, [logicalName]: named }, { outputs });
  }

  function declareName(name: string, more: Record<string, unknown> = {}): void {
    declare({ keyId, name, ...more });
  }

  /** What the state contains about its only name. */
  function inState(): StateResource & { outputs: Record<string, unknown> } {
    const found = stack.resources().filter(({ type }) => type.endsWith(":ApiKeyName"));
    const [only] = found;
    if (found.length !== 1 || only?.outputs === undefined) {
      throw new Error(`The state holds ${found.length} names of keys.`);
    }
    return { ...only, outputs: only.outputs };
  }

  function nameOf(id = keyId): string | undefined {
    return emulator.apiKeyRecords.list().find((key) => key.id === id)?.name;
  }

  async function expectNothingLeftToDo(): Promise<void> {
    const { exitCode, output } = await stack.preview("--refresh", "--run-program", "--expect-no-changes");
    expect(`${exitCode} ${output}`).toMatch(/^0 /);
  }

  /** Runs a deployment that must fail, and returns what it printed. */
  async function failing(): Promise<string> {
    const { exitCode, output } = await stack.run("up", "--yes", "--skip-preview");
    expect(exitCode).not.toBe(0);
    return output;
  }

  test("is given, changed in place, and restored when the resource goes", async () => {
    declareName("ci");
    await stack.up();
    expect(inState()).toMatchObject({ id: keyId, outputs: { name: "ci", previousName: "before" } });
    expect(nameOf()).toBe("ci");

    const writesBefore = writesIn(emulator);
    expect((await stack.preview("--expect-no-changes")).exitCode).toBe(0);
    declareName("ci 2");
    expect((await stack.preview()).output).toMatch(/name *: "ci" => "ci 2"/);
    declareName("ci", { onDelete: "keep" });
    const requestsBefore = emulator.requests.length;
    await stack.up();
    expect(emulator.requests).toHaveLength(requestsBefore);
    expect(writesIn(emulator)).toEqual(writesBefore);

    declareName("ci 2");
    await stack.up();
    expect(inState().outputs).toMatchObject({ name: "ci 2", previousName: "before", onDelete: "restore" });
    expect(nameOf()).toBe("ci 2");
    await expectNothingLeftToDo();

    const output = await stack.succeed("destroy", "--yes", "--skip-preview");
    expect(output).toContain('has its previous name again: "before"');
    expect(nameOf()).toBe("before");
    expect(writesIn(emulator)).toEqual(Array(3).fill(`PATCH /org/api_keys/${keyId}`));
  });

  test("is repaired after a change outside Pulumi; an expired key is mentioned, a deleted one is dropped and not named again", async () => {
    declareName("ci");
    await stack.up();
    emulator.apiKeyRecords.rename(keyId, "theirs");
    const drift = await stack.preview("--refresh", "--run-program", "--expect-no-changes");
    expect(drift.exitCode).not.toBe(0);
    expect(drift.output).toMatch(/name *: "theirs" => "ci"|name *: "ci" => "theirs"/);
    expect(drift.output).toContain('outside of this program: from "ci" to "theirs"');
    await stack.up("--refresh", "--run-program");
    expect(nameOf()).toBe("ci");

    emulator.apiKeyRecords.setExpiry(keyId, "2001-02-03T00:00:00Z");
    const expired = await stack.preview("--refresh", "--run-program", "--expect-no-changes");
    expect(`${expired.exitCode} ${expired.output}`).toMatch(/^0 [\s\S]*expired on 2001-02-03/);

    emulator.apiKeyRecords.remove(keyId);
    const refresh = await stack.succeed("refresh", "--yes", "--skip-preview");
    expect(refresh).toContain("is gone: it was deleted on");
    const output = await failing();
    expect(output).toContain(`There is no API key "${keyId}": it was deleted on`);
    expect(output).toContain("names an existing key and never creates one");
    expect(emulator.apiKeyRecords.list()).toHaveLength(2);
  });

  test("is left alone when somebody else has changed it before the resource goes, and so is a key that is gone", async () => {
    const other = emulator.createApiKey({ name: "other" }).id;
    declare(
      { keyId, name: "ci" },
      { more: { other: { type: "ApiKeyName", properties: { keyId: other, name: "ci" } } } },
    );
    await stack.up();
    emulator.apiKeyRecords.rename(keyId, "theirs");
    emulator.apiKeyRecords.remove(other);
    const output = await stack.succeed("destroy", "--yes", "--skip-preview");
    expect(output).toContain('from "ci" to "theirs". That stays');
    expect(output).toContain(`API key ${other} is gone`);
    expect(nameOf()).toBe("theirs");
    expect(stack.resources().filter(({ type }) => !type.startsWith("pulumi:"))).toEqual([]);
  });

  test("moves to another key, and its previous name survives forced replacements and an alias", async () => {
    const other = emulator.createApiKey({ name: "other" }).id;
    declareName("ci", { onDelete: "keep" });
    await stack.up();
    const first = inState();
    await stack.up("--replace", first.urn);
    expect([nameOf(), inState().outputs]).toEqual(["ci", first.outputs]);
    await stack.succeed("state", "taint", "--yes", first.urn);
    declareName("ci");
    await stack.up();
    expect([nameOf(), inState().outputs.previousName]).toEqual(["ci", "before"]);

    declare({ keyId, name: "ci" }, { logicalName: "pipeline", options: { aliases: [{ name: "ci" }] } });
    await stack.up("--expect-no-changes");
    expect(inState().outputs.previousName).toBe("before");

    declare({ keyId: other, name: "ci" }, { logicalName: "pipeline" });
    expect((await stack.preview()).output).toMatch(new RegExp(`keyId *: "${keyId}" => "${other}"`));
    await stack.up();
    expect([nameOf(), nameOf(other)]).toEqual(["before", "ci"]);
    expect(inState()).toMatchObject({ id: other, outputs: { previousName: "other" } });
    await expectNothingLeftToDo();
  });

  test("is restored in the end, although another resource has taken over the key and was replaced in the wrong order", async () => {
    declareName("ci");
    await stack.up();
    declare({ keyId, name: "ci" }, { logicalName: "pipeline" });
    expect(await stack.up()).toContain('Its previous name: "before"');
    await stack.up();
    expect(inState().outputs.previousName).toBe("before");

    const newFirst = { logicalName: "pipeline", options: { deleteBeforeReplace: false } };
    declare({ keyId, name: "ci" }, newFirst);
    await stack.up("--replace", inState().urn);
    await stack.up();
    expect([nameOf(), inState().outputs.previousName]).toEqual(["ci", "before"]);
    await expectNothingLeftToDo();
    await stack.succeed("destroy", "--yes", "--skip-preview");
    expect(nameOf()).toBe("before");
  });

  test("is looked up, and waits for a key id that is unknown in a preview", async () => {
    const other = emulator.createApiKey({ name: "theirs" }).id;
    stack.write("extension/manifest.json", '{ "manifest_version": 3, "name": "Reader", "version": "1.0.0" }');
    // The key's id, but unknown until the extension exists.
    const joined = { "fn::join": ["|", [keyId, reference("reader.id")]] };
    const unknown = { "fn::select": [0, { "fn::split": ["|", joined] }] };
    const resources: Record<string, YamlResource> = {
      reader: { type: "Extension", properties: { path: "./extension" } },
      ci: { type: "ApiKeyName", properties: { keyId: unknown, name: "ci" } },
      theirs: { type: "ApiKeyName", get: { id: other } },
    };
    stack.declare(resources, {
      outputs: { previousName: reference("ci.previousName"), theirs: reference("theirs.name") },
    });
    const { exitCode, output } = await stack.preview();
    expect(exitCode).toBe(0);
    expect(output).toMatch(/keyId *: (\[unknown\]|output<string>)/);
    expect(writesIn(emulator)).toEqual([]);
    await stack.up();
    expect(JSON.parse(await stack.succeed("stack", "output", "--json"))).toEqual({
      previousName: "before",
      theirs: "theirs",
    });
    await expectNothingLeftToDo();
    await stack.succeed("destroy", "--yes", "--skip-preview");
    expect([nameOf(), nameOf(other)]).toEqual(["before", "theirs"]);
  });

  test("is imported with a file from the command line, and the next preview is empty", async () => {
    stack.remove();
    stack = await Stack.create(environment);
    const twin = emulator.createApiKey({ name: "before" }).id;
    await importWithFile(stack, environment, "api-keys", keyId, twin);
    const program = (name: string) =>
      stack.write(
        "index.js",
        `const { ApiKeyName } = require("pulumi-browser-infra");
         new ApiKeyName("before", { keyId: "${keyId}", name: "${name}" });
         new ApiKeyName("before-${twin}", { keyId: "${twin}", name: "before" });`,
      );
    program("before");
    await expectNothingLeftToDo();
    expect(writesIn(emulator)).toEqual([]);
    program("ci");
    await stack.up();
    expect([nameOf(), nameOf(twin)]).toEqual(["ci", "before"]);
    await stack.succeed("destroy", "--yes", "--skip-preview");
    expect([nameOf(), nameOf(twin)]).toEqual(["before", "before"]);
  });

  test("is given in the account of an explicit provider", async () => {
    const other = await startService();
    try {
      const theirs = other.emulator.createApiKey({ id: keyId, name: "theirs" });
      const settings = { apiKey: other.emulator.apiKeys[0], baseUrl: other.emulator.url };
      declare(
        { keyId: theirs.id, name: "ci" },
        {
          options: { provider: reference("other") },
          more: { other: { type: "pulumi:providers:browser-infra", properties: settings } },
        },
      );
      await stack.up();
      expect(other.emulator.apiKeyRecords.list()[0]?.name).toBe("ci");
      expect(nameOf()).toBe("before");
      await expectNothingLeftToDo();
      await stack.succeed("destroy", "--yes", "--skip-preview");
      expect(other.emulator.apiKeyRecords.list()[0]?.name).toBe("theirs");
    } finally {
      await other.emulator.close();
    }
  });

  test("is not given to a name, a secret key or the same key twice, and no secret is repeated anywhere", async () => {
    const { key } = emulator.createApiKey({ name: "Our CI" });
    declare({ keyId: "Our CI", name: "ci" });
    expect((await stack.preview()).output).toContain('"keyId" contains whitespace: it is a name');
    stack.declare({ theirs: { type: "ApiKeyName", get: { id: "nobody" } } });
    expect((await stack.preview()).output).toContain('There is no API key "nobody"');
    const requests = emulator.requests.length;

    const printed: string[] = [];
    for (const [properties, reason] of [
      [{ keyId: key, name: "ci" }, '"keyId" is a secret key (not shown here)'],
      [{ keyId, name: key }, '"name" is a secret key (not shown here)'],
    ] as const) {
      declare(properties);
      const { exitCode, output } = await stack.preview();
      expect(exitCode).not.toBe(0);
      expect(output).toContain(reason);
      printed.push(output);
    }
    printed.push(await failing());
    const state = readFileSync(join(stack.folder, "state", ".pulumi", "stacks", "shop", "dev.json"), "utf8");
    expect([...printed, state].join()).not.toContain(key);
    expect(emulator.requests).toHaveLength(requests);

    declare(
      { keyId, name: "ci" },
      { more: { twin: { type: "ApiKeyName", properties: { keyId, name: "ci too" } } } },
    );
    expect((await stack.preview()).output).toContain("Two resources of this program set the name of API key");
    expect(writesIn(emulator)).toEqual([]);
  });

  // The host of YAML programs refuses such an input itself, and shows that line of the program.
  test("has no input for a secret key, and a program in JavaScript that gives one is refused without it", async () => {
    const { key } = emulator.createApiKey({ name: "Our CI" });
    stack.remove();
    stack = await Stack.create(environment);
    const args = JSON.stringify({ keyId, name: "ci", key });
    stack.write("index.js", `new (require("pulumi-browser-infra").ApiKeyName)("ci", ${args});`);
    const { exitCode, output } = await stack.preview();
    expect(exitCode).not.toBe(0);
    expect(output).toContain('no input "key"');
    expect(output).not.toContain(key);
    expect(emulator.requests).toEqual([]);
  });

  test("is given again when the reply is lost, and its previous name survives SIGKILL", async () => {
    declareName("ci");
    const lost = emulator.faults.add({ method: "PATCH", at: "after-commit", action: "reset" });
    await stack.up();
    expect(lost.hits).toBe(1);
    expect(inState().outputs.previousName).toBe("before");
    await stack.succeed("destroy", "--yes", "--skip-preview");

    emulator.faults.add({ method: "PATCH", at: "after-commit", action: { call: () => running.kill() } });
    const running = stack.start("up", "--yes", "--skip-preview");
    await running.ended;
    expect(nameOf()).toBe("ci");
    await stack.succeed("cancel", "--yes");
    const output = await stack.up();
    expect(output).toContain('it had "before"');
    expect(inState().outputs.previousName).toBe("before");
    await expectNothingLeftToDo();
  });
});
