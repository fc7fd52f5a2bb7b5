import type { Emulator } from "../../../src/emulator/index.js";
import { startEach, writesIn } from "../../support/stacks/service.js";
import { Stack } from "../../support/stacks/stack.js";

describe("excluded files of an extension, with the real engine", () => {
  let emulator: Emulator;
  let stack: Stack;

  startEach(Stack.createYaml, (started) => {
    ({ emulator, stack } = started);
    stack.declare({
      reader: {
        type: "Extension",
        properties: { path: "./extension", name: "reader", exclude: ["docs/**"] },
        options: { deleteBeforeReplace: true },
      },
    });
  });

  const countOf = (text: string, output: string) => output.split(text).length - 1;

  test("excluded files are named once a run in the row of the extension, and are no difference", async () => {
    await stack.up();
    stack.write("extension/.env", "SECRET=1");
    stack.write("extension/.aws/credentials", "x");
    const sent = writesIn(emulator).length;
    const { exitCode, output } = await stack.preview("--expect-no-changes");
    expect([exitCode, writesIn(emulator).length]).toEqual([0, sent]);
    expect(countOf('Excluded ".aws/", ".env": such files never ship.', output)).toBe(1);
    expect(countOf('"exclude" has patterns without effect: "docs/**".', output)).toBe(1);
    const detailed = await stack.run("preview", "--debug");
    expect(detailed.output).toContain('Excluded, because such files never ship: ".aws/", ".env".');

    // The engine checks the extension twice, because the old extension must be deleted first.
    // Without --diff, the engine also repeats all messages at the end.
    stack.write("extension/content.js", "x");
    const replaced = await stack.up("--diff");
    expect(replaced).toContain("1 replaced");
    expect(countOf('Excluded ".aws/", ".env": ', replaced)).toBe(1);
    expect(countOf("patterns without effect", replaced)).toBe(1);
  });

  test("a preview of an extension with a private key fails, names the file, and sends nothing", async () => {
    stack.write(
      "extension/notes.txt",
      `-----BEGIN RSA PRIVATE ${"KEY"}-----\nMIIEpAIBAAKCAQEAx3Qy7v0m8w2JfZp4\n`,
    );
    const { exitCode, output } = await stack.preview();
    expect(exitCode).not.toBe(0);
    expect(output).toContain('Files with a private key (1): "notes.txt". Remove the keys');
    expect(output).not.toContain("MII");
    expect(emulator.requests).toEqual([]);
  });
});
