import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  watch,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { writeNewFile } from "../../src/cli/terminal/new-file.js";
import { noise } from "../archive/fixtures.js";
import { builtPackage, extensionOf } from "../archive/folders.js";
import { filesBelow } from "../support/files-below.js";
import { temporaryFolder } from "../support/temporary-folder.js";

describe("temporary files", () => {
  /** Places where a packing process could leave files, with the present files. */
  function places(folder: string) {
    const temporary = temporaryFolder();
    const program = temporaryFolder();
    const files = () => [temporary, program, folder].flatMap(filesBelow);
    return { temporary, program, files };
  }

  /** Process that packs a folder, and prints its begin and outcome. */
  function packing(folder: string, { temporary, program }: ReturnType<typeof places>): ChildProcess {
    const script = `
      const { packExtension } = require(${JSON.stringify(join(builtPackage, "archive", "index.js"))});
      const packing = packExtension(process.argv[1]);
      console.log("begun");
      packing.then(() => console.log("packed"), ({ code }) => console.log(code));`;
    return spawn(process.execPath, ["-e", script, folder], {
      cwd: program,
      env: { PATH: process.env.PATH, TMPDIR: temporary, HOME: temporary },
      stdio: ["ignore", "pipe", "inherit"],
    });
  }

  async function outputOf(child: ChildProcess): Promise<string> {
    const parts: string[] = [];
    child.stdout?.setEncoding("utf8").on("data", (part: string) => parts.push(part));
    await once(child, "close");
    return parts.join("");
  }

  // A file of this size is packed in a worker.
  const large = ["bundle.bin", noise(1, 12 * 1024 * 1024)] as const;

  test.each([
    ["a success", [large], "begun\npacked\n"],
    ["a failure", [large, ["CON.js", ""]], "begun\narchive_name_not_portable\n"],
    [
      "a refused private key",
      [large, ["a.txt", `PRIVATE ${"KEY"}-----\nMIIEpAIBAAKCAQEAx3Qy7v0m8w2JfZp4`]],
      "begun\narchive_private_key\n",
    ],
  ] as const)("X14: packing writes no file, after %s", async (_what, files, end) => {
    const folder = extensionOf(files);
    const where = places(folder);
    const before = where.files();
    expect(await outputOf(packing(folder, where))).toBe(end);
    expect(where.files()).toEqual(before);
  });

  test.each(["SIGINT", "SIGTERM", "SIGKILL"] as const)(
    "X14: packing writes no file that %s could leave behind",
    async (signal) => {
      const folder = extensionOf([large]);
      const where = places(folder);
      const before = where.files();
      const child = packing(folder, where);
      child.stdout?.once("data", () => child.kill(signal));
      await once(child, "close");
      expect(where.files()).toEqual(before);
    },
  );

  describe("a download", () => {
    const bytes = Buffer.from("the archive");

    test("X14: a download leaves only the file itself, with the permissions of any new file", () => {
      const folder = temporaryFolder();
      writeFileSync(join(folder, "any"), "");
      writeNewFile(join(folder, "x.zip"), bytes);
      writeNewFile(join(folder, "x.zip"), bytes, true);
      expect(readdirSync(folder)).toEqual(["any", "x.zip"]);
      expect(readFileSync(join(folder, "x.zip"))).toEqual(bytes);
      expect(statSync(join(folder, "x.zip")).mode).toBe(statSync(join(folder, "any")).mode);
    });

    test("X14: a failed download leaves no file, and does not touch an existing folder of that name", () => {
      const folder = temporaryFolder();
      mkdirSync(join(folder, "x.zip"));
      expect(() => writeNewFile(join(folder, "x.zip"), bytes, true)).toThrow("is not a file");
      // Longer than a file system allows, but only the last step finds out.
      expect(() => writeNewFile(join(folder, "y".repeat(300)), bytes)).toThrow("ENAMETOOLONG");
      expect(readdirSync(folder)).toEqual(["x.zip"]);
    });

    if (process.platform === "linux") {
      test("X14: a download is first written to a file with a secret name that only the owner may read", async () => {
        const folder = temporaryFolder();
        const names: string[] = [];
        const modes: number[] = [];
        const watcher = watch(folder);
        const seen = (name: string) =>
          new Promise<void>((resolve) => {
            watcher.on("change", (_event, file) => {
              names.push(String(file));
              if (file === name) {
                resolve();
              }
            });
          });
        const umask = process.umask(0o077);
        try {
          for (const name of ["one.zip", "two.zip"]) {
            const written = seen(name);
            writeNewFile(join(folder, name), bytes);
            modes.push(statSync(join(folder, name)).mode & 0o777);
            await written;
          }
        } finally {
          process.umask(umask);
          watcher.close();
        }
        const partial = new Set(names.filter((name) => name.endsWith(".part")).map((name) => basename(name)));
        expect(partial.size).toBe(2);
        for (const name of partial) {
          expect(name).toMatch(/^\.browser-infra-[0-9a-f]{12}\.part$/);
          expect(existsSync(join(folder, name))).toBe(false);
        }
        expect(modes).toEqual([0o600, 0o600]);
      });
    }
  });

  test("the list of emulators in the background follows no link that another user may have put there", () => {
    const [temporary, elsewhere] = [temporaryFolder(), temporaryFolder()];
    symlinkSync(elsewhere, join(temporary, `browser-infra-emulators-${process.getuid?.()}`));
    const script = `
      const list = require(${JSON.stringify(join(builtPackage, "cli", "processes", "running.js"))});
      list.recordRunning({ pid: process.pid, url: "http://127.0.0.1:4010", folder: "/" });`;
    const env = { PATH: process.env.PATH, TMPDIR: temporary };
    expect(spawnSync(process.execPath, ["-e", script], { env }).status).toBe(0);
    expect(readdirSync(elsewhere)).toEqual([]);
  });
});
