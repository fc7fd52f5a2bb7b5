import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { buffer, text } from "node:stream/consumers";
import { sha256Of } from "../../../src/archive/index.js";
import { stored } from "../../emulator/calls.js";
import { builtFile } from "../../support/built-file.js";
import { useEmulator } from "../../support/emulator.js";
import { extensionZip } from "../../support/stored-zip.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { play } from "../played-terminal.js";

// Invalid UTF-8, so that a conversion of bytes to text is noticed.
const bytes = extensionZip("blocker");

describe("--output -", () => {
  const emulator = useEmulator();
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
  });

  test("download --output - writes the exact archive to standard output, and a summary to standard error", async () => {
    await stored(emulator, { name: "blocker", bytes });
    const args = ["extensions", "download", "blocker", "--output", "-"];
    const child = spawn(process.execPath, [builtFile("dist/cli/main.js"), ...args], {
      cwd: folder,
      env: { BROWSER_INFRA_BASE_URL: emulator.url, BROWSER_INFRA_API_KEY: emulator.apiKeys[0] },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const read = Promise.all([buffer(child.stdout), text(child.stderr)]);
    const [exitCode] = await once(child, "close");
    const [out, err] = await read;
    expect([exitCode, out.equals(bytes)]).toEqual([0, true]);
    expect(err).toBe(
      `Wrote the archive to standard output (${bytes.length} bytes, SHA-256 ${sha256Of(bytes)}).\n`,
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each([
    ["a terminal", [], { terminal: 80 }, "Standard output is a terminal, which cannot show an archive."],
    ["--json", ["--json"], {}, "--output - cannot be used with --json: standard output is the archive"],
  ])("download --output - refuses %s before any request", async (_what, more, options, reason) => {
    const args = ["extensions", "download", "blocker", "--output", "-", ...more];
    const { exitCode, out, err } = await play(emulator, args, { cwd: folder, ...options });
    expect([exitCode, out, emulator.requests.length]).toEqual([2, "", 0]);
    expect(err).toContain(reason);
  });

  test("download --output - writes nothing when the checksum differs", async () => {
    const { id } = await stored(emulator, { name: "blocker", bytes });
    emulator.faults.add({
      path: `/extensions/${id}`,
      nth: 1,
      method: "GET",
      at: "before-commit",
      action: { answer: { status: 200, body: Buffer.from("PK, but another archive") } },
    });
    const { exitCode, out } = await play(emulator, ["extensions", "download", id, "--output", "-"]);
    expect([exitCode, out]).toEqual([1, ""]);
  });

  test("import --output - writes the import file to standard output, and the next steps to standard error", async () => {
    const { id } = await stored(emulator, { name: "blocker", bytes });
    const args = ["import", "extensions", "blocker", "--output", "-"];
    const { exitCode, out, err } = await play(emulator, args, { cwd: folder });
    expect(exitCode).toBe(0);
    expect(JSON.parse(out).resources).toEqual([expect.objectContaining({ name: "blocker", id })]);
    expect(err).toContain(
      "Wrote 1 extension to standard output. Save the output as import-extensions.json, then run:\n",
    );
    expect(err).toContain("pulumi import --file import-extensions.json ");
    expect(readdirSync(folder)).toEqual([]);
    expect((await play(emulator, [...args, "--json"])).exitCode).toBe(2);
  });

  test("import --json prints the file, the resources, and a declaration of each resource", async () => {
    const { id } = await stored(emulator, { name: "blocker", bytes });
    const args = ["import", "extensions", "blocker", "--output", "file.json", "--json"];
    const { exitCode, out, err } = await play(emulator, args, { cwd: folder });
    expect([exitCode, err]).toEqual([0, ""]);
    expect(JSON.parse(out)).toEqual({
      file: "file.json",
      resources: [
        {
          kind: "Extension",
          logicalName: "blocker",
          id,
          declaration: 'new Extension("blocker", { path: "./…", name: "blocker" });',
        },
      ],
    });
  });
});
