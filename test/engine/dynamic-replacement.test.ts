import type { Emulator } from "../../src/emulator/index.js";
import { startService, writesIn } from "./service.js";
import { Stack } from "./stack.js";

describe("extensions of a program in JavaScript, with the real engine", () => {
  let emulator: Emulator;
  let stack: Stack;

  beforeEach(async () => {
    const service = await startService();
    emulator = service.emulator;
    stack = await Stack.create(service.environment);
    stack.write("extension/manifest.json", '{ "manifest_version": 3, "name": "Reader", "version": "1.0.0" }');
    stack.write("extension/content.js", "// one\n");
    declare();
  });

  afterEach(async () => {
    stack.remove();
    await emulator.close();
  });

  /**
   * Writes a program with both. `options` and `changed` are JavaScript; `logicalName` starts their
   * logical names.
   */
  function declare(options = "{}", logicalName = "reader", prelude = "", changed = ""): void {
    stack.write(
      "index.js",
      `const pulumi = require("@pulumi/pulumi");
       const { Extension } = require("pulumi-browser-infra");
       ${prelude}
       for (const [kind, name] of [["automatic", undefined], ["fixed", "reader"]]) {
         const logicalName = (start) => start + "-" + kind;
         new Extension(logicalName("${logicalName}"), { path: "./extension", name, ${changed} }, ${options});
       }`,
    );
  }

  function edit(): void {
    stack.write("extension/content.js", `// ${Math.random()}\n`);
  }

  function ids(): string[] {
    return stack.extensions().map(({ id }) => id);
  }

  function replaceBoth(): string[] {
    return stack.extensions().flatMap(({ urn }) => ["--replace", urn]);
  }

  function expectNone(of: readonly string[]): void {
    expect(ids().filter((id) => of.includes(id))).toEqual([]);
  }

  /** The service contains exactly what the state says, and nothing is left to do. */
  async function expectConverged(): Promise<void> {
    const held = emulator.extensions.list().map(({ id, name, checksum }) => ({ id, name, checksum }));
    const declared = stack
      .extensions()
      .map(({ id, outputs }) => ({ id, name: outputs.name, checksum: outputs.checksum }));
    expect(declared).toHaveLength(2);
    expect(held).toHaveLength(2);
    expect(held).toEqual(expect.arrayContaining(declared));
    const { exitCode, output } = await stack.preview("--expect-no-changes");
    expect(`${exitCode} ${output}`).toMatch(/^0 /);
  }

  test("survive a replacement forced by --replace, also together with an edit", async () => {
    await stack.up();
    await stack.up(...replaceBoth());
    await expectConverged();
    edit();
    await stack.up(...replaceBoth());
    await expectConverged();
  });

  test("are replaced with deleteBeforeReplace: false, which a fixed name cannot have", async () => {
    declare("{ deleteBeforeReplace: false }");
    await stack.up();
    const before = ids();
    edit();
    await stack.up();
    expectNone(before);
    await expectConverged();
    await stack.up(...replaceBoth());
    await expectConverged();
  });

  test("stay the same when they are renamed with an alias, and when they move under a component", async () => {
    await stack.up();
    const before = ids();
    declare('{ aliases: [{ name: logicalName("reader") }] }', "viewer");
    await stack.up("--expect-no-changes");
    declare(
      '{ parent, aliases: [{ name: logicalName("viewer"), parent: pulumi.rootStackResource }] }',
      "viewer",
      'const parent = new pulumi.ComponentResource("shop:Browsers", "browsers");',
    );
    await stack.up();
    expect(ids()).toEqual(before);
    expect(writesIn(emulator)).toEqual(["POST /extensions", "POST /extensions"]);
    await expectConverged();
  });
});

describe("two extensions with fixed names in a program in JavaScript, with the real engine", () => {
  let emulator: Emulator;
  let stack: Stack;

  beforeEach(async () => {
    const service = await startService();
    emulator = service.emulator;
    stack = await Stack.create(service.environment);
  });

  afterEach(async () => {
    stack.remove();
    await emulator.close();
  });

  /** Declares two, whose names are `names`. */
  function declarePair(names: readonly [string, string], options = "{}"): void {
    for (const folder of ["reader", "viewer"]) {
      stack.write(
        `${folder}/manifest.json`,
        `{ "manifest_version": 3, "name": "${folder}", "version": "1.0.0" }`,
      );
    }
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

  const swappedNames = () =>
    held()
      .map((text) => text.replace(/^(?:one|two)/, (name) => (name === "one" ? "two" : "one")))
      .sort();

  test("swap their names at the first up, also when the engine does one thing at a time", async () => {
    declarePair(["one", "two"]);
    await stack.up();
    const swapped = swappedNames();
    declarePair(["two", "one"]);
    await stack.succeed("up", "--yes", "--skip-preview", "--parallel", "1");
    expect(held()).toEqual(swapped);
    await stack.up("--expect-no-changes");
  });

  test("keep both names when the one that is needed is to be retained", async () => {
    declarePair(["one", "two"], "{ retainOnDelete: true }");
    await stack.up();
    const before = held();
    declarePair(["two", "one"], "{ retainOnDelete: true }");
    const { exitCode, output } = await stack.run("up", "--yes", "--skip-preview");
    expect(exitCode).not.toBe(0);
    expect(output).toMatch(/The name "(one|two)" is taken by extension/);
    expect(held()).toEqual(before);
  });
});
