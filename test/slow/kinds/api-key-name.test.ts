import type { Emulator } from "../../../src/emulator/index.js";
import { startEach } from "../../support/stacks/service.js";
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

  test("the name of an API key is set, changed in place, repaired, moved to a different key, and restored on destroy", async () => {
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
});
