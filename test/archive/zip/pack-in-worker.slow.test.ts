import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { packExtension, readExtension } from "../../../src/archive/index.js";
import { openFolder } from "../../../src/archive/source/extension-folder.js";
import { packOpenFolder } from "../../../src/archive/zip/pack-folder.js";
import { canPackInWorker } from "../../../src/archive/zip/pack-in-worker.js";
import { noise } from "../fixtures.js";
import { builtPackage, extensionOf } from "../folders.js";

type Compiled = typeof import("../../../src/archive/index.js");
type CompiledWorker = typeof import("../../../src/archive/zip/pack-in-worker.js");

const megabyte = 1024 * 1024;

/** Compressible text, different for each number. */
function text(number: number, length: number): Buffer {
  const line = `export const value${number} = "${(number * 7919).toString(36)}";\n`;
  return Buffer.alloc(length, line);
}

/** Many small files, a file large enough for a worker, some stored files: 12 MiB. */
function mixedExtension(): string {
  return extensionOf([
    ...Array.from({ length: 60 }, (_, index) => [`small/${index}.js`, text(index, 20_000 + index)] as const),
    ["empty.txt", ""],
    ["images/large.png", noise(1, 2 * megabyte)],
    ["images/small.png", noise(2, 3_000)],
    ["large-1.js", text(1, 6 * megabyte)],
    ["large-2.js", text(2, 2 * megabyte)],
    ["zzz/last.js", text(3, megabyte)],
  ]);
}

// A worker loads compiled code, so these tests are about the built package. The sources have none.
describe("archive: a worker", () => {
  const compiled: Compiled = require(join(builtPackage, "archive", "index.js"));
  const worker: CompiledWorker = require(join(builtPackage, "archive", "zip", "pack-in-worker.js"));
  let large: string;

  beforeAll(() => {
    large = extensionOf([["bundle.js", Buffer.concat([noise(7, 4 * megabyte), text(7, 16 * megabyte)])]]);
  });

  /** Runs a script in a new process with access to the compiled package, and returns the output. */
  function run(script: string, ...args: string[]): string {
    const prelude = `const { packExtension } = require(${JSON.stringify(join(builtPackage, "archive", "index.js"))});`;
    return execFileSync(process.execPath, ["-e", prelude + script, ...args], {
      encoding: "utf8",
      timeout: 60_000,
    });
  }

  test("the compiled code packs in a worker, to the same bytes as the sources without a worker", async () => {
    expect([worker.canPackInWorker(), canPackInWorker()]).toEqual([true, false]);
    const folder = mixedExtension();
    const { bytes, ...expected } = await packExtension(folder);
    const { bytes: packed, ...rest } = await compiled.packExtension(folder);
    expect(rest).toEqual(expected);
    expect(Buffer.compare(packed, bytes)).toBe(0);
  });

  test("a worker packs folders given at the same time to the same bytes as folders given alone", async () => {
    const folders = [mixedExtension(), large, mixedExtension(), extensionOf([["small.js", text(9, 900)]])];
    const together = await Promise.all(folders.map((folder) => compiled.packExtension(folder)));
    for (const [index, folder] of folders.entries()) {
      expect(together[index]?.checksum).toBe((await packExtension(folder)).checksum);
    }
  });

  test('a worker leaves out files that "exclude" matches', async () => {
    const { entries } = await compiled.packExtension(mixedExtension(), { exclude: ["small", "zzz/**"] });
    expect(entries.map(({ path }) => path)).toEqual([
      "empty.txt",
      "images/large.png",
      "images/small.png",
      "large-1.js",
      "large-2.js",
      "manifest.json",
    ]);
  });

  test("the event loop turns while a worker packs a file of 20 MiB", async () => {
    const delay = monitorEventLoopDelay({ resolution: 5 });
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 10);
    const startedAt = performance.now();
    delay.enable();
    await compiled.packExtension(large);
    delay.disable();
    clearInterval(timer);
    const tookMs = performance.now() - startedAt;
    // The whole file keeps a worker busy for far longer than any of these, on a busy machine too.
    expect(turns).toBeGreaterThan(tookMs / 10 / 4);
    expect(delay.max / 1e6).toBeLessThan(tookMs / 2);
  });

  test("a canceled worker ends in the middle of a file", async () => {
    // Fastest of several runs, because the machine may be busy.
    let fastestShare = Number.POSITIVE_INFINITY;
    for (let time = 0; time < 5 && fastestShare > 0.9; time += 1) {
      const startedAt = performance.now();
      await compiled.packExtension(large);
      const wholeMs = performance.now() - startedAt;

      const controller = new AbortController();
      const canceledAt = performance.now();
      const work = compiled.packExtension(large, { signal: controller.signal });
      const timer = setTimeout(() => controller.abort(new Error("Ctrl-C")), wholeMs / 3);
      const [ending] = await Promise.allSettled([work]);
      clearTimeout(timer);
      if (!controller.signal.aborted) {
        // The machine became idle meanwhile, and the packing finished before the cancellation.
        continue;
      }
      expect(ending).toMatchObject({
        status: "rejected",
        reason: { code: "canceled", cause: new Error("Ctrl-C") },
      });
      fastestShare = Math.min(fastestShare, (performance.now() - canceledAt) / wholeMs);
    }
    expect(fastestShare).toBeLessThan(0.9);
  });

  test("a folder that waits for the worker ends as soon as the caller cancels", async () => {
    const controller = new AbortController();
    const first = compiled.packExtension(large);
    const second = compiled.packExtension(large, { signal: controller.signal });
    const third = compiled.packExtension(mixedExtension());
    let isFirstDone = false;
    void first.then(() => {
      isFirstDone = true;
    });
    setImmediate(() => controller.abort());
    await expect(second).rejects.toMatchObject({ code: "canceled" });
    expect(isFirstDone).toBe(false);
    await first;
    await expect(third).resolves.toMatchObject({ checksum: expect.any(String) });
  });

  test("a worker keeps no process alive, neither after packing nor after a cancellation", () => {
    const script = (signal: string) => `
      packExtension(process.argv[1], { signal: ${signal} }).then((a) => a.checksum, (e) => e.code).then((end) => {
        console.log(end, process.getActiveResourcesInfo().filter((name) => /Worker|MessagePort/.test(name)).length);
      });`;
    expect(run(script("undefined"), large)).toMatch(/^[0-9a-f]{64} 0\n$/);
    expect(run(script("AbortSignal.timeout(80)"), large)).toBe("canceled 0\n");
  });

  test("an error from a worker keeps the class and the code", async () => {
    const folder = extensionOf(
      Array.from({ length: 7 }, (_, index) => [`${index}.bin`, randomBytes(8 * megabyte)] as const),
    );
    const error = await compiled.packExtension(folder).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: "ArchiveError", code: "archive_too_large" });
    // The next folder is packed as if nothing had happened.
    await expect(compiled.packExtension(large)).resolves.toMatchObject({ kind: "folder" });
  });

  test("a worker refuses a file with the deployment's API key", async () => {
    const apiKey = "sk_0123456789abcdef";
    const folder = extensionOf([["bundle.js", Buffer.concat([text(1, 5 * megabyte), Buffer.from(apiKey)])]]);
    const error = await compiled.packExtension(folder, { apiKey }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: "ArchiveError", code: "archive_api_key" });
  });

  test("a worker that ends early is reported as archive_compression_failed", async () => {
    // No folder can cause this: a source without a path.
    const source = { absolutePath: undefined as unknown as string, label: 'Folder "./x"', exclude: [] };
    await expect(worker.packInWorker(source)).rejects.toMatchObject({
      code: "archive_compression_failed",
      message: expect.stringMatching(
        /^Folder ".\/x": the packing thread ended early \(.+\)\. Run the command again\./,
      ),
    });
  });
});

describe("archive: packing", () => {
  test("packing fails with the name of a file that changed after the listing", async () => {
    const folder = mixedExtension();
    const source = { absolutePath: folder, label: "Folder", exclude: [] };
    const open = await openFolder(source);
    writeFileSync(join(folder, "zzz", "last.js"), "new");
    await expect(packOpenFolder(open, source)).rejects.toMatchObject({
      name: "ArchiveError",
      code: "archive_changed_while_reading",
      message: expect.stringContaining('"zzz/last.js" was written or removed'),
    });
    await expect(packExtension(folder)).resolves.toMatchObject({ kind: "folder" });
  });

  test("timers keep running while an extension is packed", async () => {
    const files = Array.from(
      { length: 40 },
      (_, index) => [`${index}.bin`, noise(index + 1, 200_000)] as const,
    );
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    try {
      await packExtension(extensionOf(files));
    } finally {
      clearInterval(timer);
    }
    expect(turns).toBeGreaterThan(2);
  });

  if (process.platform === "linux") {
    test("a canceled readExtension closes the open file", async () => {
      const folder = extensionOf([["bundle.js", noise(7, 20 * megabyte)]]);
      const openFiles = () => readdirSync("/proc/self/fd").length;
      const before = openFiles();
      let asked = 0;
      let openMeanwhile = 0;
      // Aborts at a piece in the middle of the large file, at any speed of the machine.
      const signal = {
        get aborted() {
          asked += 1;
          openMeanwhile = asked === 15 ? openFiles() : openMeanwhile;
          return asked >= 15;
        },
      } as AbortSignal;
      await expect(readExtension(folder, { signal })).rejects.toMatchObject({ code: "canceled" });
      expect([openMeanwhile, openFiles()]).toEqual([before + 1, before]);
    });
  }
});
