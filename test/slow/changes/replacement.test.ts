import type { Emulator } from "../../../src/emulator/index.js";
import { manifest, startEach, writesIn } from "../../support/stacks/service.js";
import { Stack } from "../../support/stacks/stack.js";

/** Two extensions of the same folder in a program: with an automatic and with a fixed name. */
class TwoExtensions {
  readonly #stack: Stack;
  readonly #emulator: Emulator;

  constructor(stack: Stack, emulator: Emulator) {
    this.#stack = stack;
    this.#emulator = emulator;
    stack.write("extension/content.js", "// one\n");
  }

  /** Changes a file of the folder. */
  edit(): void {
    this.#stack.write("extension/content.js", `// ${Math.random()}\n`);
  }

  /** The ids in the state. */
  ids(): string[] {
    return this.#stack.extensions().map(({ id }) => id);
  }

  /** Arguments with which `pulumi up` replaces both. */
  replacements(): string[] {
    return this.#stack.extensions().flatMap(({ urn }) => ["--replace", urn]);
  }

  /** None of these ids is in the state. */
  expectNone(of: readonly string[]): void {
    expect(this.ids().filter((id) => of.includes(id))).toEqual([]);
  }

  /** The service contains exactly the objects of the state, and nothing is left to do. */
  async expectConverged(): Promise<void> {
    const held = this.#emulator.extensions.list().map(({ id, name, checksum }) => ({ id, name, checksum }));
    const declared = this.#stack
      .extensions()
      .map(({ id, outputs }) => ({ id, name: outputs.name, checksum: outputs.checksum }));
    expect(declared).toHaveLength(2);
    expect(held).toHaveLength(2);
    expect(held).toEqual(expect.arrayContaining(declared));
    const { exitCode, output } = await this.#stack.preview("--expect-no-changes");
    expect(`${exitCode} ${output}`).toMatch(/^0 /);
  }
}

describe("extensions with an automatic and with a fixed name, with the real engine", () => {
  let emulator: Emulator;
  let stack: Stack;
  let both: TwoExtensions;

  startEach(Stack.createYaml, (started) => {
    ({ emulator, stack } = started);
    both = new TwoExtensions(stack, emulator);
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

  test("survive a replacement forced by --replace, together with an edit, and one by pulumi state taint", async () => {
    await stack.up();
    both.edit();
    await stack.up(...both.replacements());
    await both.expectConverged();
    for (const { urn } of stack.extensions()) {
      await stack.succeed("state", "taint", "--yes", urn);
    }
    await stack.up();
    await both.expectConverged();
  });

  test("are replaced with deleteBeforeReplace", async () => {
    declare({ deleteBeforeReplace: true });
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
    declare({ replaceOnChanges: ["*"] });
    await stack.up();
    both.edit();
    await stack.up();
    await both.expectConverged();
    expect(writesIn(emulator)).toHaveLength(6);
  });

  test("are left in the service by retainOnDelete", async () => {
    declare({ retainOnDelete: true });
    await stack.up();
    const before = both.ids();
    await stack.destroy();
    expect(emulator.extensions.list().map(({ id }) => id)).toEqual(expect.arrayContaining(before));
  });

  test("are not destroyed while they are protected", async () => {
    declare({ protect: true });
    await stack.up();
    expect((await stack.run("destroy", "--yes", "--skip-preview")).exitCode).not.toBe(0);
    expect(emulator.extensions.list()).toHaveLength(2);
    declare({ protect: false });
    await stack.up();
    await stack.destroy();
    expect(emulator.extensions.list()).toEqual([]);
  });

  test("keep what is deployed with ignoreChanges on any input or on the checksum", async () => {
    stack.write("elsewhere/manifest.json", manifest("1.0.0", "Elsewhere"));
    await stack.up();
    const before = both.ids();
    for (const [input, changed] of [
      ["name", (kind: string) => ({ name: `another-${kind}` })],
      ["projectId", () => ({ projectId: emulator.defaultProject.id })],
      ["path", () => ({ path: "./elsewhere" })],
      ["exclude", () => ({ exclude: ["content.js"] })],
    ] as const) {
      declare({ ignoreChanges: [input] }, changed);
      await stack.up("--expect-no-changes");
      expect(both.ids()).toEqual(before);
    }
    declare({ ignoreChanges: ["checksum"] });
    both.edit();
    await stack.up("--expect-no-changes");
    expect(both.ids()).toEqual(before);
    // The engine passes ignored inputs to a replacement all the same.
    declare({ ignoreChanges: ["exclude"] }, () => ({ exclude: ["content.js"] }));
    await stack.up();
    both.expectNone(before);
    await both.expectConverged();
  });
});

describe("extensions of a program in JavaScript, with the real engine", () => {
  let emulator: Emulator;
  let stack: Stack;
  let both: TwoExtensions;

  startEach(Stack.create, (started) => {
    ({ emulator, stack } = started);
    both = new TwoExtensions(stack, emulator);
  });

  /** Writes a program with both. `options` is JavaScript; `start` starts their logical names. */
  function declare(options = "{}", start = "reader", prelude = ""): void {
    stack.write(
      "index.js",
      `const pulumi = require("@pulumi/pulumi");
       const { Extension } = require("pulumi-browser-infra");
       ${prelude}
       for (const [kind, name] of [["automatic", undefined], ["fixed", "reader"]]) {
         const logicalName = (start) => start + "-" + kind;
         new Extension(logicalName("${start}"), { path: "./extension", name }, ${options});
       }`,
    );
  }

  test("are replaced with deleteBeforeReplace: false, which a fixed name cannot have", async () => {
    declare("{ deleteBeforeReplace: false }");
    await stack.up();
    const before = both.ids();
    both.edit();
    await stack.up();
    both.expectNone(before);
    await both.expectConverged();
    await stack.up(...both.replacements());
    await both.expectConverged();
  });

  test("stay the same when they are renamed with an alias, and when they move under a component", async () => {
    declare();
    await stack.up();
    const before = both.ids();
    declare('{ aliases: [{ name: logicalName("reader") }] }', "viewer");
    await stack.up("--expect-no-changes");
    declare(
      '{ parent, aliases: [{ name: logicalName("viewer"), parent: pulumi.rootStackResource }] }',
      "viewer",
      'const parent = new pulumi.ComponentResource("shop:Browsers", "browsers");',
    );
    await stack.up();
    expect(both.ids()).toEqual(before);
    expect(writesIn(emulator)).toEqual(["POST /extensions", "POST /extensions"]);
    await both.expectConverged();
  });
});

describe("two extensions with fixed names in a program in JavaScript, with the real engine", () => {
  let emulator: Emulator;
  let stack: Stack;

  startEach(Stack.create, (started) => {
    ({ emulator, stack } = started);
    for (const folder of ["reader", "viewer"]) {
      stack.write(`${folder}/manifest.json`, manifest("1.0.0", folder));
    }
  });

  function declarePair(names: readonly [string, string], options = "{}"): void {
    stack.write(
      "index.js",
      `const { Extension } = require("pulumi-browser-infra");
       new Extension("reader", { path: "./reader", name: "${names[0]}" }, ${options});
       new Extension("viewer", { path: "./viewer", name: "${names[1]}" }, ${options});`,
    );
  }

  const held = () =>
    emulator.extensions
      .list()
      .map(({ name, checksum }) => `${name} ${checksum}`)
      .sort();

  test("do not swap their names at once: the error names the two deployments that do it, and nothing is lost", async () => {
    declarePair(["one", "two"]);
    await stack.up();
    const before = held();
    const swapped = before
      .map((text) => text.replace(/^(?:one|two)/, (name) => (name === "one" ? "two" : "one")))
      .sort();
    declarePair(["two", "one"]);
    expect(await stack.failingUp("--parallel", "1")).toMatch(
      /another resource of this program, .+use two deployments/,
    );
    expect(held()).toEqual(before);

    declarePair(["other-one", "other-two"]);
    await stack.up();
    declarePair(["two", "one"]);
    await stack.up();
    expect(held()).toEqual(swapped);
    await stack.up("--expect-no-changes");
  });

  test("keep both names when the one that is needed is to be retained", async () => {
    declarePair(["one", "two"], "{ retainOnDelete: true }");
    await stack.up();
    const before = held();
    declarePair(["two", "one"], "{ retainOnDelete: true }");
    expect(await stack.failingUp()).toMatch(/The name "(one|two)" is taken by extension/);
    expect(held()).toEqual(before);
  });
});

describe("fifty extensions in one program, with the real engine", () => {
  let emulator: Emulator;
  let stack: Stack;

  startEach(Stack.createYaml, (started) => ({ emulator, stack } = started));

  test("are deployed, stay unchanged, are replaced and destroyed together", async () => {
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
    await stack.destroy();
    expect(emulator.extensions.list()).toEqual([]);
  });
});
