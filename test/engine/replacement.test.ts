import type { Emulator } from "../../src/emulator/index.js";
import { startService, writesIn } from "./service.js";
import { Stack } from "./stack.js";
import { TwoExtensions } from "./two-extensions.js";

describe("extensions with an automatic and with a fixed name, with the real engine", () => {
  let emulator: Emulator;
  let stack: Stack;
  let both: TwoExtensions;

  beforeEach(async () => {
    const service = await startService();
    emulator = service.emulator;
    stack = await Stack.createYaml(service.environment);
    both = new TwoExtensions(stack, emulator);
    declare();
  });

  afterEach(async () => {
    stack.remove();
    await emulator.close();
  });

  /**
   * Declares both. `optionsOf` and `changesOf` get the kind; `logicalName` starts their logical
   * names. The fixed one is deleted first, as the class in TypeScript says by itself.
   */
  function declare(
    optionsOf: (kind: string) => Record<string, unknown> = () => ({}),
    logicalName = "reader",
    changesOf: (kind: string) => Record<string, unknown> = () => ({}),
  ): void {
    const named = [
      ["automatic", {}, {}],
      ["fixed", { name: "reader" }, { deleteBeforeReplace: true }],
    ] as const;
    const resources = named.map(([kind, properties, options]) => [
      `${logicalName}-${kind}`,
      {
        type: "Extension",
        properties: { path: "./extension", ...properties, ...changesOf(kind) },
        options: { ...options, ...optionsOf(kind) },
      },
    ]);
    stack.declare(Object.fromEntries(resources));
  }

  test("survive a replacement forced by --replace, also together with an edit", async () => {
    await stack.up();
    await stack.up(...both.replacements());
    await both.expectConverged();
    both.edit();
    await stack.up(...both.replacements());
    await both.expectConverged();
  });

  test("survive a replacement forced by pulumi state taint", async () => {
    await stack.up();
    for (const { urn } of stack.extensions()) {
      await stack.succeed("state", "taint", "--yes", urn);
    }
    await stack.up();
    await both.expectConverged();
  });

  test("are replaced with deleteBeforeReplace", async () => {
    declare(() => ({ deleteBeforeReplace: true }));
    await stack.up();
    const before = both.ids();
    both.edit();
    await stack.up();
    both.expectNone(before);
    await both.expectConverged();
    await stack.up(...both.replacements());
    await both.expectConverged();
  });

  test("are replaced once with replaceOnChanges", async () => {
    declare(() => ({ replaceOnChanges: ["*"] }));
    await stack.up();
    both.edit();
    await stack.up();
    await both.expectConverged();
    expect(writesIn(emulator)).toHaveLength(6);
  });

  test("are left in the service by retainOnDelete", async () => {
    declare(() => ({ retainOnDelete: true }));
    await stack.up();
    const before = both.ids();
    await stack.succeed("destroy", "--yes", "--skip-preview");
    expect(emulator.extensions.list().map(({ id }) => id)).toEqual(expect.arrayContaining(before));
  });

  test("are not destroyed while they are protected", async () => {
    declare(() => ({ protect: true }));
    await stack.up();
    expect((await stack.run("destroy", "--yes", "--skip-preview")).exitCode).not.toBe(0);
    expect(emulator.extensions.list()).toHaveLength(2);
    declare(() => ({ protect: false }));
    await stack.up();
    await stack.succeed("destroy", "--yes", "--skip-preview");
    expect(emulator.extensions.list()).toEqual([]);
  });

  test("keep what is deployed with ignoreChanges on any input or on the checksum", async () => {
    stack.write(
      "elsewhere/manifest.json",
      '{ "manifest_version": 3, "name": "Elsewhere", "version": "1.0.0" }',
    );
    await stack.up();
    const before = both.ids();
    for (const [input, changed] of [
      ["name", (kind: string) => ({ name: `another-${kind}` })],
      ["projectId", () => ({ projectId: emulator.defaultProject.id })],
      ["path", () => ({ path: "./elsewhere" })],
      ["exclude", () => ({ exclude: ["content.js"] })],
    ] as const) {
      declare(() => ({ ignoreChanges: [input] }), "reader", changed);
      await stack.up("--expect-no-changes");
      expect(both.ids()).toEqual(before);
    }
    declare(() => ({ ignoreChanges: ["checksum"] }));
    both.edit();
    await stack.up("--expect-no-changes");
    expect(both.ids()).toEqual(before);
    // The engine passes ignored inputs to a replacement all the same.
    declare(
      () => ({ ignoreChanges: ["exclude"] }),
      "reader",
      () => ({ exclude: ["content.js"] }),
    );
    await stack.up();
    both.expectNone(before);
    await both.expectConverged();
  });

  test("stay the same when they are renamed with an alias", async () => {
    await stack.up();
    const before = both.ids();
    declare(
      (kind) => ({
        ...(kind === "fixed" ? { deleteBeforeReplace: true } : {}),
        aliases: [{ name: `reader-${kind}` }],
      }),
      "viewer",
    );
    await stack.up("--expect-no-changes");
    expect(both.ids()).toEqual(before);
    expect(writesIn(emulator)).toEqual(["POST /extensions", "POST /extensions"]);
    await both.expectConverged();
  });
});

describe("two extensions with fixed names, with the real engine", () => {
  let emulator: Emulator;
  let stack: Stack;

  beforeEach(async () => {
    const service = await startService();
    emulator = service.emulator;
    stack = await Stack.createYaml(service.environment);
  });

  afterEach(async () => {
    stack.remove();
    await emulator.close();
  });

  /** Declares pairs; `names` are those of the two of a pair, before its number. */
  function declarePairs(count: number, names: readonly [string, string]): void {
    const pairs = Array.from({ length: count }, (_, pair) =>
      ["reader", "viewer"].map((which, at) => {
        stack.write(
          `${which}-${pair}/manifest.json`,
          `{ "manifest_version": 3, "name": "${which} ${pair}", "version": "1.0.0" }`,
        );
        const properties = { path: `./${which}-${pair}`, name: `${names[at]}-${pair}` };
        return [`${which}-${pair}`, { type: "Extension", properties }];
      }),
    );
    stack.declare(Object.fromEntries(pairs.flat()));
  }

  const held = () =>
    emulator.extensions
      .list()
      .map(({ name, checksum }) => `${name} ${checksum}`)
      .sort();

  const swappedNames = () =>
    held()
      .map((text) => text.replace(/^(?:one|two)/, (name) => (name === "one" ? "two" : "one")))
      .sort();

  test("swap their names in two deployments, as the error of one in which they did not says", async () => {
    declarePairs(10, ["one", "two"]);
    await stack.up();
    const swapped = swappedNames();
    declarePairs(10, ["two", "one"]);
    // Names that the engine happens to free in time are taken.
    const { exitCode, output } = await stack.run("up", "--yes", "--skip-preview");
    expect(`${exitCode} ${output.replace(/\s+/g, " ")}`).toMatch(/^0 |use two deployments/);
    declarePairs(10, ["other-one", "other-two"]);
    await stack.up();
    declarePairs(10, ["two", "one"]);
    await stack.up();
    expect(held()).toEqual(swapped);
  });
});

describe("fifty extensions in one program, with the real engine", () => {
  test("are deployed, stay unchanged, are replaced and destroyed together", async () => {
    const { emulator, environment } = await startService();
    const stack = await Stack.createYaml(environment);
    try {
      stack.write(
        "extension/manifest.json",
        '{ "manifest_version": 3, "name": "Reader", "version": "1.0.0" }',
      );
      const all = Array.from({ length: 50 }, (_, index) => [
        `reader-${index}`,
        {
          type: "Extension",
          properties: { path: "./extension", ...(index % 2 === 1 ? { name: `fixed-${index}` } : {}) },
        },
      ]);
      stack.declare(Object.fromEntries(all));
      await stack.up();
      expect(emulator.extensions.list()).toHaveLength(50);
      await stack.up("--expect-no-changes");
      stack.write("extension/content.js", "// more\n");
      await stack.up();
      expect(new Set(emulator.extensions.list().map(({ checksum }) => checksum)).size).toBe(1);
      expect(emulator.extensions.list()).toHaveLength(50);
      await stack.succeed("destroy", "--yes", "--skip-preview");
      expect(emulator.extensions.list()).toEqual([]);
    } finally {
      stack.remove();
      await emulator.close();
    }
  });
});
