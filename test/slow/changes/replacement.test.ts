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

  test("extensions converge after a replacement by --replace together with an edit, and by pulumi state taint", async () => {
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

  test("ignoreChanges on any input or on the checksum keeps the deployed extensions", async () => {
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

  test("extensions of a JavaScript program are unchanged when renamed with an alias or moved under a component", async () => {
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
