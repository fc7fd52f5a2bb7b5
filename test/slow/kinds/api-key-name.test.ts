import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Emulator } from "../../../src/emulator/index.js";
import { startEach, writesIn } from "../../support/stacks/service.js";
import { Stack, type StateResource } from "../../support/stacks/stack.js";
import { reference, type YamlResource } from "../../support/stacks/yaml-program.js";

describe("the name of an API key, with the real engine", () => {
  let emulator: Emulator;
  let stack: Stack;
  let keyId: string;

  startEach(Stack.createYaml, (started) => {
    ({ emulator, stack } = started);
    keyId = emulator.createApiKey({ name: "before" }).id;
  });

  /** Declares a name, restored first as set by the TypeScript class, and more resources. */
  function declare(properties: Record<string, unknown>, more: Record<string, YamlResource> = {}): void {
    const options = { deleteBeforeReplace: true };
    stack.declare(
      { ...more, ci: { type: "ApiKeyName", properties: { keyId, ...properties }, options } },
      { outputs: { previousName: reference("ci.previousName") } },
    );
  }

  function inState(): StateResource | undefined {
    return stack.resources().find(({ type }) => type.endsWith(":ApiKeyName"));
  }

  function nameOf(id = keyId): string | undefined {
    return emulator.apiKeyRecords.list().find((key) => key.id === id)?.name;
  }

  const checkForDrift = ["--refresh", "--run-program", "--expect-no-changes"];

  test("is given, changed in place, repaired, moved to another key, and restored when the resource goes", async () => {
    const other = emulator.createApiKey({ name: "other" }).id;
    declare({ name: "ci" });
    await stack.up();
    expect(inState()).toMatchObject({ id: keyId, outputs: { name: "ci", previousName: "before" } });
    const requests = emulator.requests.length;
    declare({ name: "ci", onDelete: "keep" });
    await stack.up();
    expect(emulator.requests).toHaveLength(requests);

    declare({ name: "ci 2" });
    expect((await stack.preview()).output).toMatch(/name *: "ci" => "ci 2"/);
    await stack.up();
    expect(inState()?.outputs).toMatchObject({ name: "ci 2", previousName: "before", onDelete: "restore" });
    expect(nameOf()).toBe("ci 2");

    emulator.apiKeyRecords.rename(keyId, "theirs");
    const drift = await stack.preview(...checkForDrift);
    expect(drift.exitCode).toBe(7);
    expect(drift.output).toMatch(/name *: "theirs" => "ci 2"|name *: "ci 2" => "theirs"/);
    expect(drift.output).toContain('outside of this program: from "ci 2" to "theirs"');
    await stack.up("--refresh", "--run-program");
    expect(nameOf()).toBe("ci 2");
    emulator.apiKeyRecords.setExpiry(keyId, "2001-02-03T00:00:00Z");
    const expired = await stack.preview(...checkForDrift);
    expect(`${expired.exitCode} ${expired.output}`).toMatch(/^0 [\s\S]*expired on 2001-02-03/);

    declare({ keyId: other, name: "ci" });
    expect((await stack.preview()).output).toMatch(new RegExp(`keyId *: "${keyId}" => "${other}"`));
    await stack.up();
    expect([nameOf(), nameOf(other)]).toEqual(["before", "ci"]);
    expect(inState()).toMatchObject({ id: other, outputs: { previousName: "other" } });
    expect(await stack.destroy()).toContain('has its previous name again: "other"');
    expect(nameOf(other)).toBe("other");
  });

  test("is dropped with a key that was deleted elsewhere, which is not named again", async () => {
    declare({ name: "ci" });
    await stack.up();
    emulator.apiKeyRecords.remove(keyId);
    expect(await stack.refresh()).toContain("is gone: it was deleted on");
    const output = await stack.failingUp();
    expect(output).toContain(`There is no API key "${keyId}": it was deleted on`);
    expect(output).toContain("names an existing key and never creates one");
  });

  test("waits for a key id that is unknown in a preview", async () => {
    // The key's id, but unknown until the extension exists.
    const joined = { "fn::join": ["|", [keyId, reference("reader.id")]] };
    const unknown = { "fn::select": [0, { "fn::split": ["|", joined] }] };
    const reader = { type: "Extension", properties: { path: "./extension" } };
    declare({ keyId: unknown, name: "ci" }, { reader });
    const { exitCode, output } = await stack.preview();
    expect(exitCode).toBe(0);
    expect(output).toMatch(/keyId *: (\[unknown\]|output<string>)/);
    expect(writesIn(emulator)).toEqual([]);
    await stack.up();
    expect(await stack.outputs()).toEqual({ previousName: "before" });
  });

  test("is not given to a secret key or the same key twice, and no secret is repeated anywhere", async () => {
    const { key } = emulator.createApiKey({ name: "Our CI" });
    const requests = emulator.requests.length;
    const printed: string[] = [];
    for (const [properties, reason] of [
      [{ keyId: key, name: "ci" }, '"keyId" is a secret key (not shown here)'],
      [{ name: key }, '"name" is a secret key (not shown here)'],
    ] as const) {
      declare(properties);
      const { exitCode, output } = await stack.preview();
      expect(exitCode).not.toBe(0);
      expect(output).toContain(reason);
      printed.push(output);
    }
    printed.push(await stack.failingUp());
    const state = readFileSync(join(stack.folder, "state", ".pulumi", "stacks", "shop", "dev.json"), "utf8");
    expect([...printed, state].join()).not.toContain(key);
    expect(emulator.requests).toHaveLength(requests);

    declare({ name: "ci" }, { twin: { type: "ApiKeyName", properties: { keyId, name: "ci too" } } });
    expect((await stack.preview()).output).toContain("Two resources of this program set the name of API key");
    expect(writesIn(emulator)).toEqual([]);
  });
});

describe("the name of an API key in a program in JavaScript, with the real engine", () => {
  let emulator: Emulator;
  let stack: Stack;

  startEach(Stack.create, (started) => {
    ({ emulator, stack } = started);
  });

  // The host of YAML programs itself refuses such an input, and shows the line of the program.
  test("has no input for a secret key, and a program that gives one is refused without it", async () => {
    const { id: keyId, key } = emulator.createApiKey({ name: "Our CI" });
    const args = JSON.stringify({ keyId, name: "ci", key });
    stack.write("index.js", `new (require("pulumi-browser-infra").ApiKeyName)("ci", ${args});`);
    const { exitCode, output } = await stack.preview();
    expect(exitCode).not.toBe(0);
    expect(output).toContain('no input "key"');
    expect(output).not.toContain(key);
    expect(emulator.requests).toEqual([]);
  });
});
