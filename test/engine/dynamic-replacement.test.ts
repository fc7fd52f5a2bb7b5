import type { Emulator } from "../../src/emulator/index.js";
import { startService, writesIn } from "./service.js";
import { Stack } from "./stack.js";
import { TwoExtensions } from "./two-extensions.js";

describe("extensions of a program in JavaScript, with the real engine", () => {
  let emulator: Emulator;
  let stack: Stack;
  let both: TwoExtensions;

  beforeEach(async () => {
    const service = await startService();
    emulator = service.emulator;
    stack = await Stack.create(service.environment);
    both = new TwoExtensions(stack, emulator);
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

  test("survive a replacement forced by --replace, also together with an edit", async () => {
    await stack.up();
    await stack.up(...both.replacements());
    await both.expectConverged();
    both.edit();
    await stack.up(...both.replacements());
    await both.expectConverged();
  });

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

  test("do not swap their names at once: the error names the two deployments that do it, and nothing is lost", async () => {
    declarePair(["one", "two"]);
    await stack.up();
    const before = held();
    const swapped = swappedNames();
    declarePair(["two", "one"]);
    const { exitCode, output } = await stack.run("up", "--yes", "--skip-preview", "--parallel", "1");
    expect(exitCode).not.toBe(0);
    expect(output.replace(/\s+/g, " ")).toMatch(/another resource of this program, .+use two deployments/);
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
    const { exitCode, output } = await stack.run("up", "--yes", "--skip-preview");
    expect(exitCode).not.toBe(0);
    expect(output).toMatch(/The name "(one|two)" is taken by extension/);
    expect(held()).toEqual(before);
  });
});
