import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { newEmulator } from "../support/emulator.js";
import { extensionZip } from "../support/stored-zip.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { call, stored } from "./calls.js";

describe("emulator: data folder", () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
  });

  test("a restart on a data folder keeps projects, extensions with bytes, and created keys", async () => {
    const dataDir = join(folder, "made", "when missing");
    const bytes = extensionZip("kept");
    const first = await newEmulator({ dataDir });
    const project = first.createProject({ name: "staging" });
    const { key } = first.createApiKey({ projectId: project.id });
    const record = await stored(first, { name: "kept", bytes, headers: { authorization: `Bearer ${key}` } });
    await first.close();
    expect(readdirSync(dataDir)).toEqual(["emulator.sqlite"]);

    const second = await newEmulator({ dataDir });
    expect(second.defaultProject).toEqual(first.defaultProject);
    const headers = { authorization: `Bearer ${key}` };
    expect(await (await call(second, "GET", "/extensions", headers)).json()).toEqual([record]);
    const archive = await (await call(second, "GET", `/extensions/${record.id}`, headers)).arrayBuffer();
    expect(Buffer.from(archive).equals(bytes)).toBe(true);
  });

  test("an API key given at start is valid again, even if the previous run expired or removed the key", async () => {
    for (const end of ["expire", "remove"] as const) {
      const first = await newEmulator({ dataDir: folder });
      const [given] = first.apiKeyRecords.list();
      if (end === "expire") {
        first.apiKeyRecords.setExpiry(given?.id ?? "", new Date(0));
      } else {
        first.apiKeyRecords.remove(given?.id ?? "");
      }
      expect((await call(first, "GET", "/extensions")).status).toBe(401);
      await first.close();
      const second = await newEmulator({ dataDir: folder });
      expect((await call(second, "GET", "/extensions")).status).toBe(200);
      await second.close();
    }
  });

  test("an API key given at one start is invalid after a start without the key", async () => {
    await (await newEmulator({ dataDir: folder, apiKeys: ["sk_one", "sk_two"] })).close();
    const emulator = await newEmulator({ dataDir: folder, apiKeys: ["sk_two"] });
    const status = async (key: string) =>
      (await call(emulator, "GET", "/extensions", { authorization: `Bearer ${key}` })).status;
    expect([await status("sk_one"), await status("sk_two")]).toEqual([401, 200]);
  });

  test("the data folder contains no API key in plain text", async () => {
    const emulator = await newEmulator({ dataDir: folder, apiKeys: ["sk_canary_given"] });
    emulator.createApiKey({ key: "sk_canary_made" });
    await emulator.close();
    expect(readFileSync(join(folder, "emulator.sqlite")).includes("sk_canary")).toBe(false);
  });

  test("a data folder of a running emulator is refused until the running emulator has stopped", async () => {
    const first = await newEmulator({ dataDir: folder });
    await expect(newEmulator({ dataDir: folder })).rejects.toMatchObject({
      code: "emulator_data_in_use",
      message: expect.stringContaining(`"${folder}" failed: another emulator is using the folder`),
    });
    await stored(first, { name: "unharmed" });
    await first.close();
    const second = await newEmulator({ dataDir: folder });
    expect(second.extensions.list()).toMatchObject([{ name: "unharmed" }]);
  });

  test.each([
    [
      "another program's file",
      () => writeFileSync(join(folder, "emulator.sqlite"), "x".repeat(5000)),
      "is not an emulator's database",
    ],
    [
      "another version's file",
      () => {
        const database = new DatabaseSync(join(folder, "emulator.sqlite"));
        database.exec("CREATE TABLE t (x); PRAGMA application_id = 0x4272456d; PRAGMA user_version = 99");
        database.close();
      },
      "was written by another version",
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
  ])("a data folder with %s is refused, and the file stays unchanged", async (_, prepare, reason) => {
    prepare();
    const before = readFileSync(join(folder, "emulator.sqlite"));
    await expect(newEmulator({ dataDir: folder })).rejects.toMatchObject({
      code: "emulator_data_unusable",
      message: expect.stringContaining(reason),
    });
    expect(readFileSync(join(folder, "emulator.sqlite")).equals(before)).toBe(true);
  });

  test("a data folder that cannot be created or written is refused with the reason", async () => {
    const file = join(folder, "file");
    writeFileSync(file, "");
    await expect(newEmulator({ dataDir: join(file, "below") })).rejects.toMatchObject({
      code: "emulator_data_unusable",
      message: expect.stringContaining("a file is in the way"),
    });
    await expect(newEmulator({ dataDir: file })).rejects.toMatchObject({
      code: "emulator_data_unusable",
      message: expect.stringContaining("a file is in the way"),
    });
    symlinkSync(join(folder, "nowhere"), join(folder, "link"));
    await expect(newEmulator({ dataDir: join(folder, "link", "below") })).rejects.toMatchObject({
      message: expect.stringContaining("a file is in the way"),
    });
    mkdirSync(join(folder, "taken", "emulator.sqlite"), { recursive: true });
    await expect(newEmulator({ dataDir: join(folder, "taken") })).rejects.toMatchObject({
      message: expect.stringContaining("its emulator.sqlite cannot be created or opened"),
    });
    await expect(newEmulator({ dataDir: join(folder, "x".repeat(300)) })).rejects.toMatchObject({
      message: expect.stringContaining("its path is too long"),
    });
    // The superuser may write everywhere, so there is nothing to test.
    if (process.getuid?.() === 0) {
      return;
    }
    chmodSync(folder, 0o500);
    await expect(newEmulator({ dataDir: join(folder, "new") })).rejects.toMatchObject({
      message: expect.stringContaining("no permission"),
    });
  });

  test("only the owner may read the files of a data folder, even in an open folder and where a file was open before", async () => {
    chmodSync(folder, 0o755);
    const umask = process.umask(0o022);
    try {
      const modes = () =>
        readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mode & 0o777]);
      const first = await newEmulator({ dataDir: folder });
      await stored(first, { name: "kept" });
      expect(modes()).toContainEqual(["emulator.sqlite-wal", 0o600]);
      expect(modes().filter(([, mode]) => mode !== 0o600)).toEqual([]);
      // As after a crash: the log of the database still exists.
      const left = readFileSync(join(folder, "emulator.sqlite-wal"));
      await first.close();
      writeFileSync(join(folder, "emulator.sqlite-wal"), left);
      for (const [name = ""] of modes()) {
        chmodSync(join(folder, String(name)), 0o644);
      }
      const second = await newEmulator({ dataDir: folder });
      await stored(second, { name: "later" });
      expect(modes()).toContainEqual(["emulator.sqlite-wal", 0o600]);
      expect(modes().filter(([, mode]) => mode !== 0o600)).toEqual([]);
    } finally {
      process.umask(umask);
    }
  });

  test("a refused file of a different program keeps its permissions", async () => {
    const file = join(folder, "emulator.sqlite");
    writeFileSync(file, "x".repeat(5000));
    chmodSync(file, 0o644);
    await expect(newEmulator({ dataDir: folder })).rejects.toThrow("is not an emulator's database");
    expect(statSync(file).mode & 0o777).toBe(0o644);
  });

  test("a stored extension archive leaves no copy of the bytes in memory", async () => {
    const emulator = await newEmulator({ dataDir: folder });
    const { id } = await stored(emulator);
    const bytes = Buffer.alloc(30 * 1_048_576, 1);
    emulator.extensions.putBytes(id, bytes);
    const before = process.memoryUsage.rss();
    // Nothing is awaited, so the collector has little reason to run.
    for (let count = 0; count < 8; count += 1) {
      emulator.extensions.putBytes(id, bytes);
    }
    expect(process.memoryUsage.rss() - before).toBeLessThan(3 * bytes.byteLength);
  });
});
