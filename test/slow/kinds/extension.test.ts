import type { Emulator } from "../../../src/emulator/index.js";
import { startEach, writesIn } from "../../support/stacks/service.js";
import { Stack } from "../../support/stacks/stack.js";

describe("an extension of a program in JavaScript, with the real engine", () => {
  let emulator: Emulator;
  let stack: Stack;

  startEach(Stack.create, (started) => {
    ({ emulator, stack } = started);
    stack.write("extension/content.js", "// version one\n");
    stack.write("extension/pages/help.html", "<p>Help</p>\n");
  });

  /** Writes a program with an extension under a component, and more. `args` are JavaScript. */
  function declare(args: string, more = ""): void {
    stack.write(
      "index.js",
      `const pulumi = require("@pulumi/pulumi");
       const { Extension } = require("pulumi-browser-infra");
       const parent = new pulumi.ComponentResource("shop:Browsers", "browsers");
       new Extension("reader", ${args}, { parent });
       ${more}`,
    );
  }

  test("an extension is created, looked up, previewed with the changed file, replaced before deletion, and destroyed", async () => {
    declare('{ path: "./extension" }');
    await stack.up();
    const { id, urn, outputs } = stack.extension();
    const [{ checksum: before } = { checksum: "" }] = emulator.extensions.list();
    expect(outputs).toMatchObject({
      name: expect.stringMatching(/^reader-[0-9a-f]{7}$/),
      checksum: before,
      fileCount: 3,
      manifest: { name: "Reader", version: "1.0.0" },
      sizeBytes: expect.any(Number),
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });

    const { length } = emulator.requests;
    await stack.expectNoChanges();
    // A preview looks whether the service accepts the settings. An update without changes does not.
    const paths = () => emulator.requests.slice(length).map(({ path }) => path);
    expect(paths()).toEqual(["/auth/context"]);
    await stack.up("--expect-no-changes");
    expect(paths()).toEqual(["/auth/context"]);

    const forced = await stack.up("--replace", urn);
    expect(stack.extension().id).toBe(id);
    expect(forced).toMatch(
      /Extension \(reader\):\n\s+The extension "reader-\w+" .* already exists, exactly as declared; reusing it\./,
    );
    expect(forced).toContain(`Keeping extension ${id}: this deployment reuses it.`);
    // As if uploaded before the service stored checksums. This is no drift.
    emulator.extensions.forgetChecksum(id);
    await stack.refresh("--run-program", "--expect-no-changes");

    declare(
      '{ path: "./extension" }',
      `exports.byName = Extension.get("by-name", "${outputs.name}").id;
       exports.found = Extension.get("found", "${id}").name;`,
    );
    await stack.up();
    expect(await stack.outputs()).toEqual({ byName: id, found: outputs.name });

    declare('{ path: "./extension" }');
    stack.write("extension/content.js", "// version two\n");
    const { output } = await stack.preview();
    expect(output).toContain("content.js");
    expect(output).not.toContain("help.html");
    const [, after] = new RegExp(`"${before}" => "([0-9a-f]{64})"`).exec(output) ?? [];
    expect(after).toBeDefined();
    await stack.up();
    expect(emulator.extensions.list()).toMatchObject([{ id: stack.extension().id, checksum: after }]);
    await stack.destroy();
    expect(writesIn(emulator)).toEqual([
      "POST /extensions",
      "POST /extensions",
      `DELETE /extensions/${id}`,
      expect.stringContaining("DELETE /extensions/"),
    ]);
    expect(stack.resources().filter(({ type }) => !type.startsWith("pulumi:"))).toEqual([]);
  });
});
