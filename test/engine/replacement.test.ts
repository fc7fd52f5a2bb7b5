import type { Emulator } from "../../src/emulator/index.js";
import { startService, writesIn } from "./service.js";
import { Stack } from "./stack.js";

describe("extensions with an automatic and with a fixed name, with the real engine", () => {
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

  test("survive a replacement forced by pulumi state taint", async () => {
    await stack.up();
    for (const { urn } of stack.extensions()) {
      await stack.succeed("state", "taint", "--yes", urn);
    }
    await stack.up();
    await expectConverged();
  });

  test.each(["true", "false"])("are replaced with deleteBeforeReplace: %s", async (choice) => {
    declare(`{ deleteBeforeReplace: ${choice} }`);
    await stack.up();
    const before = ids();
    edit();
    await stack.up();
    expectNone(before);
    await expectConverged();
    await stack.up(...replaceBoth());
    await expectConverged();
  });

  test("are replaced once with replaceOnChanges", async () => {
    declare('{ replaceOnChanges: ["*"] }');
    await stack.up();
    edit();
    await stack.up();
    await expectConverged();
    expect(writesIn(emulator)).toHaveLength(6);
  });

  test("are left in the service by retainOnDelete", async () => {
    declare("{ retainOnDelete: true }");
    await stack.up();
    const before = ids();
    await stack.succeed("destroy", "--yes", "--skip-preview");
    expect(emulator.extensions.list().map(({ id }) => id)).toEqual(expect.arrayContaining(before));
  });

  test("are not destroyed while they are protected", async () => {
    declare("{ protect: true }");
    await stack.up();
    expect((await stack.run("destroy", "--yes", "--skip-preview")).exitCode).not.toBe(0);
    expect(emulator.extensions.list()).toHaveLength(2);
    declare("{ protect: false }");
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
    const before = ids();
    for (const [input, changed] of [
      ["name", 'name: "another-" + kind'],
      ["projectId", `projectId: "${emulator.defaultProject.id}"`],
      ["path", 'path: "./elsewhere"'],
      ["exclude", 'exclude: ["content.js"]'],
    ]) {
      declare(`{ ignoreChanges: ["${input}"] }`, "reader", "", changed);
      await stack.up("--expect-no-changes");
      expect(ids()).toEqual(before);
    }
    declare('{ ignoreChanges: ["checksum"] }');
    edit();
    await stack.up("--expect-no-changes");
    expect(ids()).toEqual(before);
    // The engine passes ignored inputs to a replacement all the same.
    declare('{ ignoreChanges: ["exclude"] }', "reader", "", 'exclude: ["content.js"]');
    await stack.up();
    expectNone(before);
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

describe("two extensions with fixed names, with the real engine", () => {
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

  /** Declares `count` pairs; `names` are those of the two of a pair, before its number. */
  function declarePairs(count: number, names: readonly [string, string], options = "{}"): void {
    for (let pair = 0; pair < count; pair += 1) {
      for (const which of ["reader", "viewer"]) {
        stack.write(
          `${which}-${pair}/manifest.json`,
          `{ "manifest_version": 3, "name": "${which} ${pair}", "version": "1.0.0" }`,
        );
      }
    }
    stack.write(
      "index.js",
      `const { Extension } = require("pulumi-browser-infra");
       for (let pair = 0; pair < ${count}; pair += 1) {
         new Extension("reader-" + pair, { path: "./reader-" + pair, name: "${names[0]}-" + pair }, ${options});
         new Extension("viewer-" + pair, { path: "./viewer-" + pair, name: "${names[1]}-" + pair }, ${options});
       }`,
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
    declarePairs(1, ["one", "two"]);
    await stack.up();
    const swapped = swappedNames();
    declarePairs(1, ["two", "one"]);
    await stack.succeed("up", "--yes", "--skip-preview", "--parallel", "1");
    expect(held()).toEqual(swapped);
    await stack.up("--expect-no-changes");
  });

  test("keep both names when the one that is needed is to be retained", async () => {
    declarePairs(1, ["one", "two"], "{ retainOnDelete: true }");
    await stack.up();
    const before = held();
    declarePairs(1, ["two", "one"], "{ retainOnDelete: true }");
    const { exitCode, output } = await stack.run("up", "--yes", "--skip-preview");
    expect(exitCode).not.toBe(0);
    expect(output).toMatch(/The name "(one|two)-0" is taken by extension/);
    expect(held()).toEqual(before);
  });

  test("swap their names at the first up, thirty pairs at once", async () => {
    declarePairs(30, ["one", "two"]);
    await stack.up();
    const swapped = swappedNames();
    declarePairs(30, ["two", "one"]);
    await stack.up();
    expect(held()).toEqual(swapped);
  });
});

describe("fifty extensions in one program, with the real engine", () => {
  test("are deployed, stay unchanged, are replaced and destroyed together", async () => {
    const { emulator, environment } = await startService();
    const stack = await Stack.create(environment);
    try {
      stack.write(
        "extension/manifest.json",
        '{ "manifest_version": 3, "name": "Reader", "version": "1.0.0" }',
      );
      stack.write(
        "index.js",
        `const { Extension } = require("pulumi-browser-infra");
         for (let index = 0; index < 50; index++) {
           new Extension("reader-" + index, { path: "./extension", ...(index % 2 ? { name: "fixed-" + index } : {}) });
         }`,
      );
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
