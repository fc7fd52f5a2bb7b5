import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { packExtension } from "../../src/archive/index.js";
import { BrowserInfraClient } from "../../src/client/index.js";
import { type Emulator, startEmulator } from "../../src/emulator/index.js";

const command = resolve(__dirname, "../../dist/cli/main.js");

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
  let emulator: Emulator;
  let client: BrowserInfraClient;
  let folder: string;
  let output: string;

  beforeEach(async () => {
    emulator = await startEmulator();
    client = new BrowserInfraClient({ baseUrl: emulator.url, apiKey: emulator.apiKeys[0] ?? "" });
    folder = mkdtempSync(join(tmpdir(), "import-command-"));
    output = join(folder, "import.json");
  });

  afterEach(async () => {
    rmSync(folder, { recursive: true });
    await client.close();
    await emulator.close();
  });

  /** Runs `browser-infra import …` in a process of its own, and returns its exit code and what it printed. */
  async function importing(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
    const child = spawn(process.execPath, [command, "import", ...args], {
      env: {
        PATH: process.env.PATH,
        BROWSER_INFRA_BASE_URL: emulator.url,
        BROWSER_INFRA_API_KEY: emulator.apiKeys[0],
        ...env,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const printed = Promise.all([text(child.stdout), text(child.stderr)]);
    const [exitCode] = (await once(child, "close")) as [number | null];
    const [out, err] = await printed;
    return { exitCode, out, err };
  }

  /** Writes the import file, and returns its entries and what was printed. */
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

  test("extension describes an extension as the state is to have it, and says what to do next", async () => {
    const reader = await client.extensions.upload({ name: "reader", archive: await archive() });
    const { entries, out } = await imported("extension", "reader");
    const inputs = {
      name: "reader",
      checksum: reader.checksum,
      sizeBytes: reader.sizeBytes,
      fileCount: 1,
      manifest: { name: "Reader", version: "1.0.0" },
      files: { "manifest.json": expect.stringMatching(/^[0-9a-f]{12}$/) },
      __browserInfra: { memo: { version: 1, adoptedChecksum: reader.checksum } },
      __provider: expect.stringContaining('.open("Extension")'),
    };
    expect(entries).toEqual([
      {
        type: "pulumi-nodejs:dynamic/browser-infra:Extension",
        name: "reader",
        id: reader.id,
        inputs,
        outputs: { ...inputs, createdAt: reader.createdAt },
      },
    ]);
    expect(out).toContain(`Wrote 1 extension to ${output}.`);
    expect(out).toContain(`  pulumi import --file ${output} --generate-code=false --protect=false\n`);
    expect(out).toContain('  new Extension("reader", { path: "./…", name: "reader" });\n');
  });

  test("extension names one that has no name after its id, which the program then takes over", async () => {
    const unnamed = await client.extensions.upload({ archive: await archive() });
    const { entries, out } = await imported("extension", unnamed.id);
    expect(entries).toMatchObject([{ name: unnamed.id, id: unnamed.id }]);
    expect(entries[0]?.inputs).not.toHaveProperty("name");
    expect(out).toContain(`new Extension("${unnamed.id}", { path: "./…", adopt: "${unnamed.id}" });`);
  });

  test("extension takes several, each once, from the project that is named", async () => {
    const { id: projectId } = emulator.createProject({ name: "other" });
    const { extensions } = client.inProject(projectId);
    const one = await extensions.upload({ name: "one", archive: await archive() });
    await extensions.upload({ name: "two", archive: await archive() });
    const { entries, out } = await imported("extension", "--project", projectId, "one", "two", one.id);
    expect(entries.map(({ name, inputs }) => [name, inputs.projectId])).toEqual([
      ["one", projectId],
      ["two", projectId],
    ]);
    expect(out).toContain("Wrote 2 extensions");
  });

  test("extension takes one whose archive cannot be read, without what is in it", async () => {
    const { id } = await client.extensions.upload({ name: "odd", archive: await archive() });
    const { checksum } = emulator.extensions.putBytes(id, Buffer.from("not an archive"));
    const { entries } = await imported("extension", "odd");
    expect(entries[0]?.inputs).toMatchObject({ name: "odd", checksum, sizeBytes: 14 });
    expect(entries[0]?.inputs).not.toHaveProperty("files");
  });

  test("extension takes the checksum from the bytes where the service has none on record", async () => {
    const { id, checksum } = await client.extensions.upload({ name: "old", archive: await archive() });
    emulator.extensions.forgetChecksum(id);
    const { entries } = await imported("extension", "old");
    expect(entries[0]?.inputs.checksum).toBe(checksum);
  });

  test("api-key describes a key as the state is to have it, and says what to do next", async () => {
    const project = emulator.createProject({ name: "Shop" });
    const { id, maskedKey, createdAt, createdBy, key } = emulator.createApiKey({
      name: "Our CI",
      projectId: project.id,
    });
    const { entries, out } = await imported("api-key", id);
    const inputs = {
      keyId: id,
      name: "Our CI",
      onDelete: "restore",
      __browserInfra: {},
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
          projectId: project.id,
          projectName: "Shop",
        },
      },
    ]);
    expect(out).toContain(`Wrote 1 API key to ${output}.`);
    expect(out).toContain(`  new ApiKeyName("Our-CI", { keyId: "${id}", name: "Our CI" });\n`);
    expect(readFileSync(output, "utf8") + out).not.toContain(key);
  });

  test("api-key gives keys of one name, and names of other scripts, different logical names", async () => {
    const [one, two, other] = ["ci", "ci", "日本"].map((name) => emulator.createApiKey({ name }).id);
    const { entries, out } = await imported("api-key", `${one}`, `${two}`, `${other}`, `${one}`);
    expect(entries.map(({ name }) => name)).toEqual(["ci", `ci-${two}`, other]);
    expect(out).toContain("Wrote 3 API keys");
  });

  test("api-key prints names that could steer a terminal or end a text as a program has to spell them", async () => {
    const { id } = emulator.createApiKey({ name: 'a "b"\u001b[31m' });
    const { out } = await imported("api-key", id);
    expect(out).toContain('name: "a \\"b\\"\\u001b[31m"');
  });

  test.each([["extension"], ["api-key"]])(
    "%s ends with 3 when there is none, and writes nothing",
    async (kind) => {
      const { exitCode, out, err } = await importing([kind, "nobody", "--output", output]);
      expect([exitCode, out]).toEqual([3, ""]);
      expect(err).toMatch(/^error: .*"nobody" failed: 404 not_found.*\n$/);
      expect(existsSync(output)).toBe(false);
    },
  );

  test("api-key ends with 2 for a secret key in the place of an id, and does not repeat it", async () => {
    const { key } = emulator.createApiKey();
    const { exitCode, out, err } = await importing(["api-key", key, "--output", output]);
    expect([exitCode, out]).toEqual([2, ""]);
    expect(err).toContain("is a secret key");
    expect(err).not.toContain(key);
    expect(emulator.requests).toEqual([]);
  });

  test("leaves a file alone that is there already, unless it is told to replace it", async () => {
    const { id } = emulator.createApiKey({ name: "ci" });
    writeFileSync(output, "mine");
    const refused = await importing(["api-key", id, "--output", output]);
    expect(refused.exitCode).toBe(2);
    expect(refused.err).toContain("--force");
    expect(readFileSync(output, "utf8")).toBe("mine");
    expect((await imported("api-key", "--force", id)).entries).toHaveLength(1);
  });

  test("ends with 2 for what cannot be carried out as written", async () => {
    const reasons: [readonly string[], string][] = [
      [["extension"], "missing required argument 'id-or-name'"],
      [["api-key"], "missing required argument 'id'"],
      [["api-keys", "k"], "Did you mean api-key?"],
      [["api-key", "k", "--project", "p"], "unknown option '--project'"],
      [[], "Usage: browser-infra import"],
    ];
    const ends = await Promise.all(reasons.map(([args]) => importing(args)));
    expect(ends).toEqual(
      reasons.map(([, reason]) => ({ exitCode: 2, out: "", err: expect.stringContaining(reason) })),
    );
  });

  test("ends with 2 when a setting is missing", async () => {
    const { exitCode, err } = await importing(["api-key", "k", "--output", output], {
      BROWSER_INFRA_API_KEY: undefined,
    });
    expect(exitCode).toBe(2);
    expect(err).toContain("BROWSER_INFRA_API_KEY");
  });
});
