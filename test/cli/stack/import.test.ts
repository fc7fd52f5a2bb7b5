import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packExtension } from "../../../src/archive/index.js";
import { kinds, outputsOf } from "../../../src/bridges/kinds.js";
import { BrowserInfraClient } from "../../../src/client/index.js";
import { manifestText } from "../../archive/fixtures.js";
import { useEmulator } from "../../support/emulator.js";
import { storedZip } from "../../support/stored-zip.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { play } from "../played-terminal.js";

const manifest = '{ "manifest_version": 3, "name": "Reader", "version": "1.0.0" }';

/** A resource in an import file. */
interface Entry {
  readonly type: string;
  readonly name: string;
  readonly id: string;
  readonly inputs: Record<string, unknown>;
  readonly outputs: Record<string, unknown>;
}

describe("browser-infra import", () => {
  const emulator = useEmulator();
  let client: BrowserInfraClient;
  let folder: string;
  let output: string;

  beforeEach(() => {
    client = new BrowserInfraClient({ baseUrl: emulator.url, apiKey: emulator.apiKeys[0] ?? "" });
    folder = temporaryFolder();
    output = join(folder, "import.json");
  });

  afterEach(() => client.close());

  const importing = (args: readonly string[]) => play(emulator, ["import", ...args]);

  /** Writes the import file, and returns the entries and the output. */
  async function imported(kind: string, ...args: readonly string[]) {
    const { exitCode, out, err } = await importing([kind, ...args, "--output", output]);
    expect([exitCode, err]).toEqual([0, ""]);
    return { entries: entries(), out };
  }

  function entries(): readonly Entry[] {
    return (JSON.parse(readFileSync(output, "utf8")) as { resources: Entry[] }).resources;
  }

  async function archive(): Promise<Uint8Array> {
    writeFileSync(join(folder, "manifest.json"), manifest);
    const { bytes } = await packExtension(folder);
    rmSync(join(folder, "manifest.json"));
    return bytes;
  }

  test("import extensions writes the complete state of an extension, and prints the next steps", async () => {
    const reader = await client.extensions.upload({ name: "reader", archive: await archive() });
    const { entries, out } = await imported("extensions", "reader");
    const inputs = {
      name: "reader",
      checksum: reader.checksum,
      sizeBytes: reader.sizeBytes,
      fileCount: 1,
      manifest: { name: "Reader", version: "1.0.0" },
      files: { "manifest.json": expect.stringMatching(/^[0-9a-f]{12}$/) },
      __browserInfra: JSON.stringify({ memo: { adoptedChecksum: reader.checksum } }),
      __provider: expect.stringContaining('.open("Extension")'),
    };
    expect(entries).toEqual([
      {
        type: "pulumi-nodejs:dynamic/browser-infra:Extension",
        name: "reader",
        id: reader.id,
        inputs,
        outputs: { ...inputs, createdAt: reader.createdAt, projectId: null },
      },
    ]);
    expect(out).toContain(`Wrote 1 extension to ${output}.`);
    expect(out).toContain(`  pulumi import --file ${output} --generate-code=false --protect=false\n`);
    expect(out).toContain('  new Extension("reader", { path: "./…", name: "reader" });\n');
  });

  test("import extensions gives an extension without a name its id as logical name, and prints adopt with the id", async () => {
    const unnamed = await client.extensions.upload({ archive: await archive() });
    const { entries, out } = await imported("extensions", unnamed.id);
    expect(entries).toMatchObject([{ name: unnamed.id, id: unnamed.id }]);
    expect(entries[0]?.inputs).not.toHaveProperty("name");
    expect(out).toContain(`new Extension("${unnamed.id}", { path: "./…", adopt: "${unnamed.id}" });`);
  });

  test("import extensions imports several extensions of the given project, each once", async () => {
    const { id: projectId } = emulator.createProject({ name: "other" });
    const { extensions } = client.inProject(projectId);
    const one = await extensions.upload({ name: "one", archive: await archive() });
    await extensions.upload({ name: "two", archive: await archive() });
    const { entries, out } = await imported("extensions", "--project", projectId, "one", "two", one.id);
    expect(entries.map(({ name, inputs }) => [name, inputs.projectId])).toEqual([
      ["one", projectId],
      ["two", projectId],
    ]);
    expect(out).toContain("Wrote 2 extensions");
  });

  test("import extensions imports an extension with an unreadable archive, without a list of the files", async () => {
    const { id } = await client.extensions.upload({ name: "odd", archive: await archive() });
    const { checksum } = emulator.extensions.putBytes(id, Buffer.from("not an archive"));
    const { exitCode, err } = await importing(["extensions", "odd", "--output", output]);
    expect(exitCode).toBe(0);
    expect(err).toContain("could not be read, so the import has no list of the files");
    const [odd] = entries();
    expect(odd?.inputs).toMatchObject({ name: "odd", checksum, sizeBytes: 14 });
    expect(odd?.inputs).not.toHaveProperty("files");
  });

  test("import extensions imports an extension that Chromium would not load, and prints the reason", async () => {
    const { id } = await client.extensions.upload({ name: "odd", archive: await archive() });
    emulator.extensions.putBytes(
      id,
      storedZip([
        { name: "manifest.json", contents: manifestText({ options_page: "gone.html" }) },
        { name: "a.js", contents: "1" },
      ]),
    );
    const { exitCode, err } = await importing(["extensions", "odd", "--output", output]);
    expect(exitCode).toBe(0);
    expect(err).toContain('Chromium would not load this extension. "options_page" names "gone.html"');
    expect(entries()[0]?.inputs).toMatchObject({
      fileCount: 2,
      manifest: { name: "Example", version: "1.0.0" },
      files: { "a.js": expect.any(String) },
    });
  });

  test("import extensions computes the checksum when the service has no checksum on record", async () => {
    const { id, checksum } = await client.extensions.upload({ name: "old", archive: await archive() });
    emulator.extensions.forgetChecksum(id);
    const { entries } = await imported("extensions", "old");
    expect(entries[0]?.inputs.checksum).toBe(checksum);
  });

  test("import api-keys writes the complete state of the name of a key, and prints the next steps", async () => {
    const project = emulator.createProject({ name: "Shop" });
    const { id, maskedKey, createdAt, createdBy, key } = emulator.createApiKey({
      name: "Our CI",
      projectId: project.id,
    });
    const { entries, out } = await imported("api-keys", id);
    const inputs = {
      keyId: id,
      name: "Our CI",
      onDelete: "restore",
      __browserInfra: "{}",
      __provider: expect.stringContaining('.open("ApiKeyName")'),
    };
    expect(entries).toEqual([
      {
        type: "pulumi-nodejs:dynamic/browser-infra:ApiKeyName",
        name: "Our-CI",
        id,
        inputs,
        outputs: {
          ...inputs,
          previousName: "Our CI",
          maskedKey,
          createdAt,
          createdBy,
          expiresAt: null,
          projectId: project.id,
          projectName: "Shop",
        },
      },
    ]);
    expect(out).toContain(`Wrote 1 API key to ${output}.`);
    expect(out).toContain(`  new ApiKeyName("Our-CI", { keyId: "${id}", name: "Our CI" });\n`);
    expect(readFileSync(output, "utf8") + out).not.toContain(key);
  });

  test("import pools writes the complete state of a pool, without the running browsers", async () => {
    const { id, createdAt } = emulator.browserPools.create({
      name: "agents",
      size: 2,
      stealth: true,
      chromePolicy: { HomepageLocation: "https://shop.example" },
    });
    emulator.browserPools.fill(id);
    const { entries, out } = await imported("pools", "agents");
    const inputs = {
      name: "agents",
      size: 2,
      stealth: true,
      chromePolicy: { HomepageLocation: "https://shop.example" },
      __browserInfra: JSON.stringify({ memo: { projectDefaulted: true, autoName: { name: "agents" } } }),
      __provider: expect.stringContaining('.open("BrowserPool")'),
    };
    expect(entries).toEqual([
      {
        type: "pulumi-nodejs:dynamic/browser-infra:BrowserPool",
        name: "agents",
        id,
        inputs,
        outputs: {
          ...Object.fromEntries(Object.keys(outputsOf(kinds.BrowserPool)).map((output) => [output, null])),
          ...inputs,
          createdAt,
          undeclared: { headless: false, kioskMode: false, timeoutSeconds: 600, fillRatePerMinute: 25 },
        },
      },
    ]);
    expect(out).toContain('new BrowserPool("agents", {');
  });

  test("import api-keys gives keys with equal names, or with names not in Latin script, different logical names", async () => {
    const [one, two, other] = ["ci", "ci", "日本"].map((name) => emulator.createApiKey({ name }).id);
    const { entries, out } = await imported("api-keys", `${one}`, `${two}`, `${other}`, `${one}`);
    expect(entries.map(({ name }) => name)).toEqual(["ci", `ci-${two}`, other]);
    expect(out).toContain("Wrote 3 API keys");
  });

  test("import api-keys prints a name with quotes or control characters as an escaped TypeScript string", async () => {
    const { id } = emulator.createApiKey({ name: 'a "b"\u001b[31m' });
    const { out } = await imported("api-keys", id);
    expect(out).toContain('name: "a \\"b\\"\\u001b[31m"');
  });

  test("import projects finds a project by name, and writes the complete state of the project", async () => {
    const { id, createdAt, updatedAt } = emulator.createProject({ name: "Shop & Co" });
    const { entries, out } = await imported("projects", "Shop & Co");
    const inputs = {
      name: "Shop & Co",
      status: "active",
      onDelete: "delete",
      // A program without a name keeps this name of the project.
      __browserInfra: JSON.stringify({ memo: { autoName: { name: "Shop & Co" } } }),
      __provider: expect.stringContaining('.open("Project")'),
    };
    expect(entries).toEqual([
      {
        type: "pulumi-nodejs:dynamic/browser-infra:Project",
        name: "Shop-Co",
        id,
        inputs,
        outputs: { ...inputs, createdAt, updatedAt },
      },
    ]);
    expect(out).toContain('  new Project("Shop-Co", { name: "Shop & Co" });\n');
  });

  test.each([["extensions"], ["api-keys"]])(
    "import %s ends with exit code 3 for an unknown id, and writes nothing",
    async (kind) => {
      const { exitCode, out, err } = await importing([kind, "nobody", "--output", output]);
      expect([exitCode, out]).toEqual([3, ""]);
      expect(err).toMatch(/^error: .*"nobody" failed: 404 not_found.*\n$/);
      expect(existsSync(output)).toBe(false);
    },
  );

  test("import api-keys ends with exit code 2 for a secret key in place of an id, and does not print the key", async () => {
    const { key } = emulator.createApiKey();
    const { exitCode, out, err } = await importing(["api-keys", key, "--output", output]);
    expect([exitCode, out]).toEqual([2, ""]);
    expect(err).toContain("is a secret key");
    expect(err).not.toContain(key);
    expect(emulator.requests).toEqual([]);
  });

  test("import leaves an existing file unchanged without --force, and with --force writes a file that only the owner may read", async () => {
    const { id } = emulator.createApiKey({ name: "ci" });
    writeFileSync(output, "mine");
    const refused = await importing(["api-keys", id, "--output", output]);
    expect(refused.exitCode).toBe(2);
    expect(refused.err).toContain("--force");
    expect(readFileSync(output, "utf8")).toBe("mine");
    chmodSync(output, 0o644);
    expect((await imported("api-keys", "--force", id)).entries).toHaveLength(1);
    expect(statSync(output).mode & 0o777).toBe(0o600);
  });

  test("import ends with exit code 2 for wrong usage", async () => {
    const reasons: [readonly string[], string][] = [
      [["extensions"], "missing required argument 'id-or-name'"],
      [["api-keys"], "missing required argument 'id'"],
      [["api-key", "k"], "Did you mean api-keys?"],
      [["api-keys", "k", "--project", "p"], "unknown option '--project'"],
      [[], "Usage: browser-infra import"],
    ];
    for (const [args, reason] of reasons) {
      expect(await importing(args)).toEqual({ exitCode: 2, out: "", err: expect.stringContaining(reason) });
    }
  });
});
