import type { Emulator } from "../../../src/emulator/index.js";
import { manifest, startEach } from "../../support/stacks/service.js";
import { Stack } from "../../support/stacks/stack.js";

describe("extensions with an automatic and with a fixed name, with the real engine", () => {
  let emulator: Emulator;
  let stack: Stack;

  startEach(Stack.createYaml, (started) => {
    ({ emulator, stack } = started);
    stack.write("extension/content.js", "// one\n");
    declare();
  });

  /**
   * Declares both. The extension with the fixed name is deleted first, as set by the TypeScript
   * class.
   */
  function declare(
    more: Readonly<Record<string, unknown>> = {},
    changesOf: (kind: string) => Record<string, unknown> = () => ({}),
  ): void {
    const named = [
      ["automatic", {}, {}],
      ["fixed", { name: "reader" }, { deleteBeforeReplace: true }],
    ] as const;
    const resources = named.map(([kind, properties, options]) => [
      `reader-${kind}`,
      {
        type: "Extension",
        properties: { path: "./extension", ...properties, ...changesOf(kind) },
        options: { ...options, ...more },
      },
    ]);
    stack.declare(Object.fromEntries(resources));
  }

  const ids = () => stack.extensions().map(({ id }) => id);

  test("ignoreChanges on any input or on the checksum keeps the deployed extensions", async () => {
    stack.write("elsewhere/manifest.json", manifest("1.0.0", "Elsewhere"));
    await stack.up();
    const before = ids();
    for (const [input, changed] of [
      ["name", (kind: string) => ({ name: `another-${kind}` })],
      ["projectId", () => ({ projectId: emulator.defaultProject.id })],
      ["path", () => ({ path: "./elsewhere" })],
      ["exclude", () => ({ exclude: ["content.js"] })],
    ] as const) {
      declare({ ignoreChanges: [input] }, changed);
      await stack.up("--expect-no-changes");
      expect(ids()).toEqual(before);
    }
    declare({ ignoreChanges: ["checksum"] });
    stack.write("extension/content.js", "// two\n");
    await stack.up("--expect-no-changes");
    expect(ids()).toEqual(before);
    // The engine passes ignored inputs to a replacement all the same.
    declare({ ignoreChanges: ["exclude"] }, () => ({ exclude: ["content.js"] }));
    await stack.up();
    expect(ids().filter((id) => before.includes(id))).toEqual([]);
    expect(
      emulator.extensions
        .list()
        .map(({ id }) => id)
        .sort(),
    ).toEqual(ids().sort());
    await stack.expectNoChanges();
  });
});
