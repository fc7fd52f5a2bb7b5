import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { noise } from "./fixtures.js";
import { builtPackage, extensionOf } from "./folders.js";

type Compiled = typeof import("../../src/archive/index.js");

const megabyte = 1024 * 1024;

/** Text that compresses, different for each number. */
function text(number: number, length: number): Buffer {
  const line = `export const value${number} = "${(number * 7919).toString(36)}";\n`;
  return Buffer.alloc(length, line);
}

/** Many small files, some large ones, some that are stored: 9 MiB. */
function mixedExtension(): string {
  return extensionOf([
    ...Array.from({ length: 60 }, (_, index) => [`small/${index}.js`, text(index, 20_000 + index)] as const),
    ["empty.txt", ""],
    ["images/large.png", noise(1, 2 * megabyte)],
    ["images/small.png", noise(2, 3_000)],
    ["large-1.js", text(1, 3 * megabyte)],
    ["large-2.js", text(2, 2 * megabyte)],
    ["zzz/last.js", text(3, megabyte)],
  ]);
}

// Threads load compiled code, so these tests are about the built package.
describe("archive: several cores", () => {
  const compiled: Compiled = require(join(builtPackage, "archive", "index.js"));
  let large: string;

  beforeAll(() => {
    large = extensionOf([["bundle.js", Buffer.concat([noise(7, 4 * megabyte), text(7, 16 * megabyte)])]]);
  });

  /** Runs a script in a process of its own, with the compiled package at hand, and returns what it prints. */
  function run(script: string, ...args: string[]): string {
    const prelude = `const { packExtension } = require(${JSON.stringify(join(builtPackage, "archive", "index.js"))});`;
    return execFileSync(process.execPath, ["-e", prelude + script, ...args], {
      encoding: "utf8",
      timeout: 60_000,
    });
  }

  test("the archive is the same on one thread and on several", async () => {
    const folder = mixedExtension();
    const expected = await compiled.packExtension(folder, { threads: 0 });
    for (const threads of [1, 2, 4]) {
      const { bytes, ...rest } = await compiled.packExtension(folder, { threads });
      expect(rest).toMatchObject({ checksum: expected.checksum, entries: expected.entries });
      expect(Buffer.compare(bytes, expected.bytes)).toBe(0);
    }
  });

  test("folders that are packed side by side get the bytes they get alone", async () => {
    const folders = [mixedExtension(), large, mixedExtension()];
    const together = await Promise.all(
      folders.map((folder) => compiled.packExtension(folder, { threads: 2 })),
    );
    for (const [index, folder] of folders.entries()) {
      const alone = await compiled.packExtension(folder, { threads: 0 });
      expect(together[index]?.checksum).toBe(alone.checksum);
    }
  });

  test("the event loop turns while a file of 20 MiB is packed", async () => {
    const delay = monitorEventLoopDelay({ resolution: 5 });
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 10);
    const startedAt = performance.now();
    delay.enable();
    const { checksum } = await compiled.packExtension(large, { threads: 1 });
    delay.disable();
    clearInterval(timer);
    const tookMs = performance.now() - startedAt;
    expect(checksum).toBe((await compiled.packExtension(large, { threads: 0 })).checksum);
    // The whole file keeps a thread busy for far longer than any of these, on a busy machine too.
    expect(turns).toBeGreaterThan(tookMs / 10 / 4);
    expect(delay.max / 1e6).toBeLessThan(tookMs / 2);
  });

  test("cancelling ends the work within a file", async () => {
    const startedAt = performance.now();
    await compiled.packExtension(large, { threads: 1 });
    const wholeMs = performance.now() - startedAt;

    const controller = new AbortController();
    const work = compiled.packExtension(large, { threads: 1, signal: controller.signal });
    // Listing and starting the thread take a small part of the time: the file is being compressed then. Early, since the machine may have got
    // faster in between.
    setTimeout(() => controller.abort(new Error("Ctrl-C")), wholeMs / 5);
    const canceledAt = performance.now();
    await expect(work).rejects.toMatchObject({ code: "canceled", cause: new Error("Ctrl-C") });
    expect(performance.now() - canceledAt).toBeLessThan(wholeMs * 0.9);
  });

  test("a folder that waits for another one is cancelled at once", async () => {
    const controller = new AbortController();
    const first = compiled.packExtension(large, { threads: 1 });
    const second = compiled.packExtension(large, { threads: 1, signal: controller.signal });
    const third = compiled.packExtension(mixedExtension(), { threads: 1 });
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

  test("a process ends by itself after packing, and after cancelling, with no thread left", () => {
    const script = (signal: string) => `
      packExtension(process.argv[1], { threads: 2, signal: ${signal} }).then((a) => a.checksum, (e) => e.code).then((end) => {
        console.log(end, process.getActiveResourcesInfo().filter((name) => /Worker|MessagePort/.test(name)).length);
      });`;
    expect(run(script("undefined"), large)).toMatch(/^[0-9a-f]{64} 0\n$/);
    expect(run(script("AbortSignal.timeout(80)"), large)).toBe("canceled 0\n");
  });

  test("a file that changes after it was listed is named in the error", async () => {
    const folder = mixedExtension();
    const { signal } = new AbortController();
    const listen = signal.addEventListener.bind(signal);
    // The packing listens once the folder is listed and before the first file is read.
    jest.spyOn(signal, "addEventListener").mockImplementation((...args: Parameters<typeof listen>) => {
      writeFileSync(join(folder, "zzz", "last.js"), "new");
      listen(...args);
    });
    await expect(compiled.packExtension(folder, { threads: 2, signal })).rejects.toMatchObject({
      name: "ArchiveError",
      code: "archive_changed_while_reading",
      message: expect.stringContaining('"zzz/last.js" was written or removed'),
    });
    await expect(compiled.packExtension(folder, { threads: 2 })).resolves.toMatchObject({ kind: "folder" });
  });

  test("an archive that becomes too large is refused before the rest is compressed", async () => {
    const folder = extensionOf(
      Array.from({ length: 7 }, (_, index) => [`${index}.bin`, randomBytes(8 * megabyte)] as const),
    );
    await expect(compiled.packExtension(folder, { threads: 2 })).rejects.toMatchObject({
      code: "archive_too_large",
    });
  });

  test("a thread that breaks down is an error that says so, and threads that have ended take nothing more", async () => {
    const { DeflateWorkers } = require(join(builtPackage, "archive", "deflate-workers.js"));
    const workers = new DeflateWorkers(1);
    try {
      // What no folder can cause: a fault that is not about a file ends the thread.
      const broken = workers.compress({ label: 'Folder "./x"', files: [null, { path: "a.js" }] });
      await expect(broken).rejects.toMatchObject({
        code: "archive_compression_failed",
        message: expect.stringMatching(
          /^Folder ".\/x": the thread that compressed .*"a.js" ended before it was done \(/,
        ),
      });
    } finally {
      await workers.end(new Error("over"));
    }
    await expect(workers.compress({ label: "", files: [] })).rejects.toThrow("over");
  });

  test("from the sources, which no thread can load, the same bytes are packed without threads", async () => {
    const { packExtension } = await import("../../src/archive/index.js");
    const { coresForThreads } = await import("../../src/archive/deflate-workers.js");
    expect(coresForThreads()).toBe(0);
    const folder = mixedExtension();
    const [fromSources, fromCompiled] = [await packExtension(folder), await compiled.packExtension(folder)];
    expect(fromSources.checksum).toBe(fromCompiled.checksum);
  });
});
