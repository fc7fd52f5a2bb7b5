import { renameSync, utimesSync } from "node:fs";
import { BrowserInfraClient } from "../../src/client/index.js";
import type { Emulator } from "../../src/emulator/index.js";
import { storedZip } from "../support/stored-zip.js";
import { startService, writesIn } from "./service.js";
import { Stack } from "./stack.js";
import { reference } from "./yaml-program.js";

const manifest = { manifest_version: 3, name: "Reader", version: "1.0.0", content_scripts: [] as unknown[] };

/** A program with one extension; its arguments `args` are JavaScript. */
function program(args: string): string {
  return `
    const { Extension } = require("pulumi-browser-infra");
    const extension = new Extension("reader", ${args});
    exports.id = extension.id;
    exports.name = extension.name;
    exports.checksum = extension.checksum;`;
}

describe("an extension of a program in JavaScript, with the real engine", () => {
  let emulator: Emulator;
  let stack: Stack;

  beforeEach(async () => {
    const service = await startService();
    emulator = service.emulator;
    stack = await Stack.create(service.environment);
    stack.write("extension/manifest.json", JSON.stringify(manifest));
    stack.write("extension/content.js", "// version one\n");
    stack.write("extension/pages/help.html", "<p>Help</p>\n");
    stack.write("index.js", program('{ path: "./extension" }'));
  });

  afterEach(async () => {
    stack.remove();
    await emulator.close();
  });

  /** Changes content.js. */
  function edit(): void {
    stack.write("extension/content.js", "// version two\n");
  }

  /** The checksum of the only extension in the service. */
  function checksumInService(): string {
    const [only, ...others] = emulator.extensions.list();
    if (only?.checksum == null || others.length > 0) {
      throw new Error(`The service holds ${others.length + (only === undefined ? 0 : 1)} extensions.`);
    }
    return only.checksum;
  }

  test("is created, stays unchanged, is refreshed and destroyed, and nothing is left", async () => {
    await stack.up();
    const { id, outputs } = stack.extension();
    expect(outputs).toMatchObject({
      name: expect.stringMatching(/^reader-[0-9a-f]{7}$/),
      checksum: checksumInService(),
      fileCount: 3,
      manifest: { name: "Reader", version: "1.0.0" },
      sizeBytes: expect.any(Number),
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
    expect(emulator.extensions.list()).toMatchObject([{ id, name: outputs.name }]);

    const requestsBefore = emulator.requests.length;
    const { exitCode } = await stack.preview("--expect-no-changes");
    expect(exitCode).toBe(0);
    // A preview looks whether the service accepts the settings. An update without changes does not.
    const paths = () => emulator.requests.slice(requestsBefore).map(({ path }) => path);
    expect(paths()).toEqual(["/auth/context"]);
    await stack.up("--expect-no-changes");
    expect(paths()).toEqual(["/auth/context"]);

    const refresh = ["refresh", "--yes", "--run-program", "--skip-preview", "--expect-no-changes"];
    await stack.succeed(...refresh);
    // As if it had been uploaded before the service kept checksums. This is no drift.
    emulator.extensions.forgetChecksum(id);
    await stack.succeed(...refresh);
    await stack.succeed("destroy", "--yes", "--skip-preview");
    expect(emulator.extensions.list()).toEqual([]);
    expect(stack.resources().filter(({ type }) => !type.startsWith("pulumi:"))).toEqual([]);
  });

  test("is previewed with the file that changes and both checksums, and its successor exists before it goes", async () => {
    await stack.up();
    const before = checksumInService();
    const { id } = stack.extension();
    const writesBefore = writesIn(emulator);
    edit();
    const { output } = await stack.preview();
    expect(output).toContain("content.js");
    expect(output).not.toContain("help.html");
    const [, after] = new RegExp(`"${before}" => "([0-9a-f]{64})"`).exec(output) ?? [];
    expect(after).toBeDefined();
    expect(writesIn(emulator)).toEqual(writesBefore);

    await stack.up();
    expect(checksumInService()).toBe(after);
    expect(writesIn(emulator)).toEqual(["POST /extensions", "POST /extensions", `DELETE /extensions/${id}`]);
    expect(emulator.extensions.list()).toMatchObject([{ id: stack.extension().id }]);
  });

  test("is looked up without being managed", async () => {
    await stack.up();
    const { id, outputs } = stack.extension();
    stack.write(
      "index.js",
      `const { Extension } = require("pulumi-browser-infra");
       new Extension("reader", { path: "./extension" });
       const found = Extension.get("found", "${id}");
       exports.idByName = Extension.get("by-name", "${outputs.name}").id;
       exports.foundId = found.id;
       exports.foundChecksum = found.checksum;`,
    );
    const { exitCode, output } = await stack.preview();
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
    await stack.up();
    expect(JSON.parse(await stack.succeed("stack", "output", "--json"))).toEqual({
      foundId: id,
      idByName: id,
      foundChecksum: outputs.checksum,
    });
    await stack.succeed("destroy", "--yes", "--skip-preview");
    expect(writesIn(emulator)).toEqual(["POST /extensions", `DELETE /extensions/${id}`]);
  });

  test("reports the mistakes in its inputs, all at once, before any request", async () => {
    stack.write(
      "index.js",
      program('{ path: "./nowhere", name: "not a name", exclude: "*.map", nmae: "x" }'),
    );
    const { exitCode, output } = await stack.preview();
    expect(exitCode).not.toBe(0);
    expect(output).toContain('no input "nmae"');
    expect(output).toContain('"exclude" must be a list');
    expect(output).toMatch(/property name/);
    expect(emulator.requests).toEqual([]);
  });

  test("keeps its upload when a replacement is forced, and shows its messages on its own row, also under a component", async () => {
    stack.write(
      "index.js",
      `const pulumi = require("@pulumi/pulumi");
       const { Extension } = require("pulumi-browser-infra");
       const parent = new pulumi.ComponentResource("shop:Browsers", "browsers");
       new Extension("reader", { path: "./extension" }, { parent });`,
    );
    await stack.up();
    const { id, urn } = stack.extension();
    const output = await stack.up("--replace", urn);
    expect(stack.extension().id).toBe(id);
    expect(emulator.extensions.list()).toMatchObject([{ id }]);
    expect(output).toMatch(
      /Extension \(reader\):\n\s+The extension "reader-\w+" .* already exists; reusing it\./,
    );
    expect(output).toContain("this deployment reuses it");
    expect((await stack.preview("--expect-no-changes")).exitCode).toBe(0);
  });
});

describe("an extension of a program in YAML, with the real engine", () => {
  let emulator: Emulator;
  let stack: Stack;

  beforeEach(async () => {
    const service = await startService();
    emulator = service.emulator;
    stack = await Stack.createYaml(service.environment);
    stack.write("extension/manifest.json", JSON.stringify(manifest));
    stack.write("extension/content.js", "// version one\n");
    stack.write("extension/pages/help.html", "<p>Help</p>\n");
    declare({ path: "./extension" });
  });

  afterEach(async () => {
    stack.remove();
    await emulator.close();
  });

  function declare(properties: Readonly<Record<string, string>>): void {
    const options = properties.name === undefined ? {} : { deleteBeforeReplace: true };
    stack.declare({ reader: { type: "Extension", properties, options } });
  }

  /**
   * Uploads another extension without Pulumi, as a colleague with the service's command line would.
   */
  async function uploadElsewhere(name: string) {
    const client = new BrowserInfraClient({ baseUrl: emulator.url, apiKey: emulator.apiKeys[0] ?? "" });
    const archive = storedZip([{ name: "manifest.json", contents: JSON.stringify(manifest) }]);
    return client.extensions.upload({ name, archive });
  }

  test("keeps a fixed name through a replacement: the old one goes first", async () => {
    declare({ path: "./extension", name: "reader" });
    await stack.up();
    const { id } = stack.extension();
    stack.write("extension/content.js", "// version two\n");
    await stack.up();
    expect(writesIn(emulator)).toEqual(["POST /extensions", `DELETE /extensions/${id}`, "POST /extensions"]);
    expect(emulator.extensions.list()).toMatchObject([{ id: stack.extension().id, name: "reader" }]);
  });

  test("does not change when its folder is touched, renamed or moved with the whole program", async () => {
    await stack.up();
    utimesSync(stack.path("extension/content.js"), 1, 1);
    expect((await stack.preview("--expect-no-changes")).exitCode).toBe(0);

    renameSync(stack.path("extension"), stack.path("reader"));
    declare({ path: "reader/" });
    expect((await stack.preview("--expect-no-changes")).exitCode).toBe(0);

    declare({ path: `${reference("pulumi.cwd")}/reader` });
    expect((await stack.preview("--expect-no-changes")).exitCode).toBe(0);
    await stack.up("--expect-no-changes");

    stack.moveProgram();
    expect((await stack.preview("--expect-no-changes")).exitCode).toBe(0);
    await stack.up("--expect-no-changes");
    expect(JSON.stringify(stack.resources())).not.toContain(stack.folder);
  });

  test("is reported as gone by a drift check and restored, and a destroy also works when it is gone again", async () => {
    await stack.up();
    const { id, outputs } = stack.extension();
    emulator.extensions.remove(id);
    const drift = await stack.preview("--refresh", "--run-program", "--expect-no-changes");
    expect(drift.exitCode).not.toBe(0);
    expect(drift.output).toContain("reader");
    expect(stack.extension().id).toBe(id);

    await stack.up("--refresh", "--run-program");
    expect(emulator.extensions.list()).toMatchObject([{ name: outputs.name, checksum: outputs.checksum }]);
    expect((await stack.preview("--refresh", "--run-program", "--expect-no-changes")).exitCode).toBe(0);

    emulator.extensions.remove(stack.extension().id);
    await stack.succeed("destroy", "--yes", "--skip-preview");
    expect(stack.resources().filter(({ type }) => !type.startsWith("pulumi:"))).toEqual([]);
  });

  test("with an automatic or a fixed name is reported when it contains other bytes, and repaired", async () => {
    stack.declare({
      automatic: { type: "Extension", properties: { path: "./extension" } },
      fixed: {
        type: "Extension",
        properties: { path: "./extension", name: "reader" },
        options: { deleteBeforeReplace: true },
      },
    });
    await stack.up();
    const before = stack.extensions();
    const others = before.map(({ id }) =>
      emulator.extensions.putBytes(id, Buffer.from(`other bytes of ${id}`)),
    );

    const drift = await stack.preview("--refresh", "--run-program", "--expect-no-changes");
    expect(drift.exitCode).not.toBe(0);
    for (const { checksum } of others) {
      expect(drift.output).toContain(`"${before[0]?.outputs.checksum}" => "${checksum}"`);
    }

    await stack.up("--refresh", "--run-program");
    const checksums = emulator.extensions.list().map(({ checksum }) => checksum);
    expect(checksums).toEqual(before.map(({ outputs }) => outputs.checksum));
    expect((await stack.preview("--refresh", "--run-program", "--expect-no-changes")).exitCode).toBe(0);
  });

  test("leaves somebody else's extension with its name alone, and says whose it is", async () => {
    declare({ path: "./extension", name: "reader" });
    await stack.up();
    const { id } = stack.extension();
    emulator.extensions.remove(id);
    const theirs = await uploadElsewhere("reader");

    const refresh = await stack.succeed("refresh", "--yes", "--run-program", "--skip-preview");
    expect(refresh).toContain(`its name "reader" now belongs to extension ${theirs.id}`);
    const { exitCode, output } = await stack.run("up", "--yes", "--skip-preview");
    expect(exitCode).not.toBe(0);
    expect(output).toContain(`The name "reader" is taken by extension ${theirs.id}`);
    expect(emulator.extensions.list()).toMatchObject([{ id: theirs.id }]);

    emulator.extensions.remove(theirs.id);
    await stack.up();
    expect(emulator.extensions.list()).toMatchObject([{ id: stack.extension().id, name: "reader" }]);
  });
});
