import { createHash } from "node:crypto";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { startEmulator } from "../../src/emulator/index.js";
import { extensionZip } from "../support/stored-zip.js";
import { call, stored } from "./calls.js";

/** Writes a data folder's file as version 0.1.0 did, before projects had limits and keys had names. */
function writeFormerLayout(
  path: string,
  { madeKey, scopedKey, bytes }: { madeKey: string; scopedKey: string; bytes: Buffer },
): void {
  const database = new DatabaseSync(path);
  const digest = (key: string) => createHash("sha256").update(key).digest("hex");
  const time = "2026-01-01T00:00:00.000Z";
  database.exec(`
    CREATE TABLE projects (id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, status TEXT NOT NULL CHECK (status IN ('active', 'archived')),
      is_default INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL) STRICT;
    CREATE TABLE api_keys (id TEXT PRIMARY KEY, key_sha256 TEXT NOT NULL UNIQUE, project_id TEXT REFERENCES projects (id),
      given_at_start INTEGER NOT NULL, created_at TEXT NOT NULL) STRICT;
    CREATE TABLE extensions (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, project_id TEXT NOT NULL REFERENCES projects (id),
      name TEXT, name_folded TEXT, checksum TEXT, size_bytes INTEGER NOT NULL, created_at TEXT NOT NULL, last_used_at TEXT, UNIQUE (project_id, name)) STRICT;
    CREATE TABLE archives (extension_id TEXT PRIMARY KEY REFERENCES extensions (id) ON DELETE CASCADE, bytes BLOB NOT NULL) STRICT;
    INSERT INTO projects VALUES ('default-id', 'Default', 'active', 1, '${time}', '${time}'), ('archived-id', 'Größe', 'archived', 0, '${time}', '${time}');
    INSERT INTO api_keys VALUES ('given-id', '${digest("sk_emulator")}', NULL, 1, '${time}'), ('made-id', '${digest(madeKey)}', NULL, 0, '${time}'),
      ('scoped-id', '${digest(scopedKey)}', 'archived-id', 0, '${time}');
    PRAGMA application_id = 0x4272456d; PRAGMA user_version = 1`);
  database
    .prepare("INSERT INTO extensions VALUES (1, 'extension-id', 'default-id', 'KEPT', 'kept', ?, ?, ?, NULL)")
    .run(createHash("sha256").update(bytes).digest("hex"), bytes.length, time);
  database.prepare("INSERT INTO archives VALUES ('extension-id', ?)").run(bytes);
  database.close();
}

describe("emulator: data folder", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "emulator-data-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test("a restart keeps projects, extensions with their bytes, and made keys", async () => {
    const dataDir = join(folder, "made", "when missing");
    const bytes = extensionZip("kept");
    const first = await startEmulator({ dataDir });
    const project = first.createProject({ name: "staging" });
    const { key } = first.createApiKey({ projectId: project.id });
    const record = await stored(first, { name: "kept", bytes, headers: { authorization: `Bearer ${key}` } });
    await first.close();
    expect(readdirSync(dataDir)).toEqual(["emulator.sqlite"]);

    const second = await startEmulator({ dataDir });
    try {
      expect(second.defaultProject).toEqual(first.defaultProject);
      const headers = { authorization: `Bearer ${key}` };
      expect(await (await call(second, "GET", "/extensions", headers)).json()).toEqual([record]);
      const archive = await (await call(second, "GET", `/extensions/${record.id}`, headers)).arrayBuffer();
      expect(Buffer.from(archive).equals(bytes)).toBe(true);
    } finally {
      await second.close();
    }
  });

  test("a folder of the former layout is taken up with its projects, keys and extensions, and kept in the present one", async () => {
    const bytes = extensionZip("kept");
    writeFormerLayout(join(folder, "emulator.sqlite"), { madeKey: "sk_made", scopedKey: "sk_scoped", bytes });
    for (const _ of ["migrated", "migrated before"]) {
      const emulator = await startEmulator({ dataDir: folder });
      try {
        expect(emulator.defaultProject).toMatchObject({ id: "default-id", name: "Default" });
        const limits = {
          maxConcurrentSessions: null,
          maxConcurrentInvocations: null,
          maxPooledSessions: null,
        };
        expect(emulator.projects.list()).toMatchObject([
          { name: "Größe", status: "archived", limits },
          { limits },
        ]);
        expect(emulator.apiKeyRecords.list()).toMatchObject([
          {
            id: "scoped-id",
            name: "API key",
            maskedKey: "sk_...????",
            projectName: "Größe",
            expiresAt: null,
          },
          { id: "made-id", projectId: null, createdBy: { email: "emulator@example.com" }, deletedAt: null },
          {
            id: "given-id",
            name: "Given at start",
            maskedKey: "sk...r",
            createdAt: "2026-01-01T00:00:00.000Z",
          },
        ]);
        const headers = { authorization: "Bearer sk_made" };
        const archive = await (await call(emulator, "GET", "/extensions/KEPT", headers)).arrayBuffer();
        expect(Buffer.from(archive).equals(bytes)).toBe(true);
        expect(await (await call(emulator, "GET", "/extensions?name=kept", headers)).json()).toHaveLength(1);
        expect((await call(emulator, "GET", "/auth/context", headers)).status).toBe(200);
      } finally {
        await emulator.close();
      }
    }
  });

  test("a key given at start is valid again, whatever became of it in an earlier run", async () => {
    for (const end of ["expire", "remove"] as const) {
      const first = await startEmulator({ dataDir: folder });
      const [given] = first.apiKeyRecords.list();
      if (end === "expire") {
        first.apiKeyRecords.setExpiry(given?.id ?? "", new Date(0));
      } else {
        first.apiKeyRecords.remove(given?.id ?? "");
      }
      expect((await call(first, "GET", "/extensions")).status).toBe(401);
      await first.close();
      const second = await startEmulator({ dataDir: folder });
      expect((await call(second, "GET", "/extensions")).status).toBe(200);
      await second.close();
    }
  });

  test("a key given at one start is not valid after another start without it", async () => {
    await (await startEmulator({ dataDir: folder, apiKeys: ["sk_one", "sk_two"] })).close();
    const emulator = await startEmulator({ dataDir: folder, apiKeys: ["sk_two"] });
    try {
      const status = async (key: string) =>
        (await call(emulator, "GET", "/extensions", { authorization: `Bearer ${key}` })).status;
      expect([await status("sk_one"), await status("sk_two")]).toEqual([401, 200]);
    } finally {
      await emulator.close();
    }
  });

  test("the folder holds no key in plain text", async () => {
    const emulator = await startEmulator({ dataDir: folder, apiKeys: ["sk_canary_given"] });
    emulator.createApiKey({ key: "sk_canary_made" });
    await emulator.close();
    expect(readFileSync(join(folder, "emulator.sqlite")).includes("sk_canary")).toBe(false);
  });

  test("a folder that another emulator uses is refused, and free again once that one has ended", async () => {
    const first = await startEmulator({ dataDir: folder });
    await expect(startEmulator({ dataDir: folder })).rejects.toMatchObject({
      code: "emulator_data_in_use",
      message: expect.stringContaining(`"${folder}" failed: another emulator is using the folder`),
    });
    await stored(first, { name: "unharmed" });
    await first.close();
    const second = await startEmulator({ dataDir: folder });
    expect(second.extensions.list()).toMatchObject([{ name: "unharmed" }]);
    await second.close();
  });

  test.each([
    [
      "another program's file",
      () => writeFileSync(join(folder, "emulator.sqlite"), "x".repeat(5000)),
      "is not an emulator's database",
    ],
    [
      "a newer version's file",
      () => {
        const database = new DatabaseSync(join(folder, "emulator.sqlite"));
        database.exec("CREATE TABLE t (x); PRAGMA application_id = 0x4272456d; PRAGMA user_version = 99");
        database.close();
      },
      "was written by a newer version",
    ],
    [
      "another program's database",
      () => {
        const database = new DatabaseSync(join(folder, "emulator.sqlite"));
        database.exec("CREATE TABLE t (x)");
        database.close();
      },
      "is not an emulator's database",
    ],
  ])("a folder with %s is refused and the file left as it was", async (_, prepare, reason) => {
    prepare();
    const before = readFileSync(join(folder, "emulator.sqlite"));
    await expect(startEmulator({ dataDir: folder })).rejects.toMatchObject({
      code: "emulator_data_unusable",
      message: expect.stringContaining(reason),
    });
    expect(readFileSync(join(folder, "emulator.sqlite")).equals(before)).toBe(true);
  });

  test("a folder that cannot be made or written is refused with the reason", async () => {
    const file = join(folder, "file");
    writeFileSync(file, "");
    await expect(startEmulator({ dataDir: join(file, "below") })).rejects.toMatchObject({
      code: "emulator_data_unusable",
      message: expect.stringContaining("a file is in the way"),
    });
    // The superuser may write everywhere, so for it there is nothing to see.
    if (process.getuid?.() === 0) {
      return;
    }
    chmodSync(folder, 0o500);
    await expect(startEmulator({ dataDir: join(folder, "new") })).rejects.toMatchObject({
      message: expect.stringContaining("no permission"),
    });
  });
});
