import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { builtFile } from "../../support/built-file.js";
import { newEmulator } from "../../support/emulator.js";
import { compileCache } from "../../support/faster/faster-node.js";
import { extensionZip } from "../../support/stored-zip.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const command = builtFile("dist/cli/main.js");

/** Starts an emulator on a folder. `fileKiBMax` limits each file, like a full disk. */
function start(data: string, fileKiBMax?: number) {
  // In POSIX, the unit is 512 bytes.
  const limit = fileKiBMax === undefined ? "" : `ulimit -f ${fileKiBMax * 2}; `;
  const script = `${limit}exec "$0" "$@"`;
  const args = ["emulator", "--port", "0", "--json", "--quiet", "--data", data];
  const child = spawn("sh", ["-c", script, process.execPath, command, ...args], {
    // The cache's files, too, would be above the limit.
    env: { PATH: process.env.PATH, ...(fileKiBMax === undefined && { NODE_COMPILE_CACHE: compileCache }) },
    stdio: ["ignore", "pipe", "pipe"],
    // A process that never ends, even on SIGTERM, fails its test, not the whole run.
    timeout: 30_000,
    killSignal: "SIGKILL",
  });
  const err = text(child.stderr);
  const ended = once(child, "close").then(async ([exitCode]) => ({ exitCode, err: await err }));
  const url = async () => {
    const [line] = await once(child.stdout, "data");
    return (JSON.parse(String(line)) as { url: string }).url;
  };
  return { child, ended, url };
}

describe("browser-infra emulator --data", () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
  });

  // Paths where even the superuser cannot write. Linux only.
  const places = existsSync("/proc/self")
    ? ["/proc/browser-infra/data", "/proc/self", "/sys/browser-infra"]
    : [];

  test.each([...places, "file", "file/below"])(
    "--data %s, where nothing can be written, ends the emulator with a sentence and exit code 1",
    async (place) => {
      writeFileSync(join(folder, "file"), "");
      const data = place.startsWith("/") ? place : join(folder, place);
      const { exitCode, err } = await start(data).ended;
      expect(exitCode).toBe(1);
      expect(JSON.parse(err).error.message).toMatch(
        /^Opening the emulator's data in "[^"]+" failed: [^.]+(\.sqlite[^.]+)?\. .*$/,
      );
      // The name of a temporary folder is made at random.
      expect(err.replaceAll(folder, "")).not.toMatch(/\b(E[A-Z]{3,}|ERR_\w+|bug)\b/);
    },
  );

  test("a disk that is full at the start ends the emulator with a sentence and exit code 1", async () => {
    const { exitCode, err } = await start(join(folder, "new"), 4).ended;
    expect(exitCode).toBe(1);
    expect(JSON.parse(err).error.message).toMatch(
      /^Opening the emulator's data in ".*" failed: the disk [^.]+\. .*$/,
    );
  });

  test("a disk that becomes full fails only the write that does not fit, and the emulator continues", async () => {
    const data = join(folder, "data");
    const emulator = start(data, 512);
    const url = await emulator.url();
    const headers = { authorization: "Bearer sk_emulator" };
    const put = (name: string, bytes: number) => {
      const form = new FormData();
      form.set("file", new Blob([extensionZip(name, bytes)]), "ready.zip");
      form.set("name", name);
      return fetch(`${url}/extensions`, { method: "POST", body: form, headers });
    };
    const names = async (from = url) => {
      const rows = (await (await fetch(`${from}/extensions`, { headers })).json()) as { name: string }[];
      return rows.map(({ name }) => name);
    };
    expect((await put("small", 1_000)).status).toBe(201);
    const refused = await put("large", 2_000_000);
    expect(refused.status).toBe(500);
    expect(await refused.json()).toMatchObject({
      code: "internal_error",
      message: expect.stringMatching(/^The emulator failed: the disk /),
    });
    expect(await names()).toEqual(["small"]);
    expect((await put("second", 1_000)).status).toBe(201);
    emulator.child.kill("SIGTERM");
    expect(await emulator.ended).toEqual({ exitCode: 0, err: "" });

    const next = await newEmulator({ dataDir: data });
    expect((await names(next.url)).sort()).toEqual(["second", "small"]);
    await next.close();
    expect(readdirSync(data)).toEqual(["emulator.sqlite"]);
  });
});
