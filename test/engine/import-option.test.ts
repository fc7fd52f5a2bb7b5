import { packExtension } from "../../src/archive/index.js";
import { BrowserInfraClient } from "../../src/client/index.js";
import { startService, writesIn } from "./service.js";
import { Stack } from "./stack.js";

describe("the option import, with the real engine", () => {
  test("brings an extension and the name of a key into a stack, and replaces none with other files while it is there", async () => {
    const { emulator, environment } = await startService();
    const stack = await Stack.createYaml(environment);
    try {
      stack.write(
        "extension/manifest.json",
        '{ "manifest_version": 3, "name": "Reader", "version": "1.0.0" }',
      );
      const client = new BrowserInfraClient({ baseUrl: emulator.url, apiKey: emulator.apiKeys[0] ?? "" });
      const { bytes } = await packExtension(stack.path("extension"));
      const theirs = await client.extensions.upload({ name: "theirs", archive: bytes });
      const { id: keyId } = emulator.createApiKey({ name: "ci" });
      const before = writesIn(emulator);
      const declare = (isImport: boolean) =>
        stack.declare({
          reader: {
            type: "Extension",
            properties: { path: "./extension" },
            options: isImport ? { import: theirs.id } : {},
          },
          ci: {
            type: "ApiKeyName",
            properties: { keyId, name: "ci" },
            options: { deleteBeforeReplace: true, ...(isImport && { import: keyId }) },
          },
        });

      declare(true);
      await stack.up();
      expect(stack.extension()).toMatchObject({
        id: theirs.id,
        outputs: { name: "theirs", fileCount: 1, manifest: { name: "Reader", version: "1.0.0" } },
      });
      declare(false);
      await stack.succeed("preview", "--diff", "--expect-no-changes");

      declare(true);
      stack.write("extension/content.js", "// ours\n");
      const refused = await stack.run("up", "--yes", "--skip-preview");
      expect(refused.exitCode).not.toBe(0);
      expect(refused.output).toContain('1 file changed: "content.js" (added).');
      expect(refused.output).toContain("please remove the `import` declaration from your program");
      expect(writesIn(emulator)).toEqual(before);
    } finally {
      stack.remove();
      await emulator.close();
    }
  });
});
