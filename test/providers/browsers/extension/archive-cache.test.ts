import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { packExtension } from "../../../../src/archive/index.js";
import { checkExtension } from "../../../../src/providers/browsers/extension/check.js";
import { extensionObject } from "../../../../src/providers/browsers/extension/object.js";
import { Accounts, Call } from "../../../../src/providers/call.js";
import { OwnedObjects } from "../../../../src/providers/core/owned/objects.js";
import { ArchiveCache, archiveCacheBytesMax } from "../../../../src/providers/inputs/archives.js";
import type { LifecycleContext } from "../../../../src/providers/lifecycle.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";

/** Counts packed archives: the provider puts each into the cache. */
class CountedArchives extends ArchiveCache {
  packings = 0;

  override put(...given: Parameters<ArchiveCache["put"]>): void {
    this.packings += 1;
    super.put(...given);
  }
}

describe("archives of one process", () => {
  let folder: string;
  let archives: CountedArchives;

  beforeEach(() => {
    folder = temporaryFolder();
    writeFileSync(join(folder, "manifest.json"), '{"manifest_version":3,"name":"Reader","version":"1.0.0"}');
    archives = new CountedArchives();
  });

  function check(urn: string) {
    const quiet = () => {};
    const context: LifecycleContext = {
      urn: `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/browser-infra:Extension::${urn}`,
      programFolder: folder,
      configuration: () => undefined,
      environment: { BROWSER_INFRA_BASE_URL: "http://127.0.0.1:9", BROWSER_INFRA_API_KEY: "key" },
      signal: new AbortController().signal,
      report: { progress: quiet, row: quiet, info: quiet, warning: quiet, debug: quiet },
    };
    const call = new Call(context, new Accounts());
    const process = { archives, objects: new OwnedObjects(extensionObject), saved: new Map() };
    return checkExtension({ news: { path: folder }, olds: undefined, memo: undefined }, call, process);
  }

  test("a folder is packed once when the engine checks a replacement a second time, without a memo", async () => {
    const first = await check("reader");
    const second = await check("reader");
    expect(second).toEqual(first);
    expect(archives.packings).toBe(1);
    expect(archives.take(first.inputs.checksum as string)?.checksum).toBe(first.inputs.checksum);
    expect(archives.take(first.inputs.checksum as string)).toBeUndefined();
  });

  test("a folder is packed once for two resources, and the archive is kept until each resource has taken the archive", async () => {
    const [one, two] = await Promise.all([check("one"), check("two")]);
    expect(one.inputs.checksum).toBe(two.inputs.checksum);
    expect(archives.packings).toBe(1);
    const taken = [1, 2, 3].map(() => archives.take(one.inputs.checksum as string)?.checksum);
    expect(taken).toEqual([one.inputs.checksum, one.inputs.checksum, undefined]);
  });

  test("a folder is packed again when a file has changed between two checks", async () => {
    const first = await check("reader");
    writeFileSync(join(folder, "content.js"), "// new\n");
    const second = await check("reader");
    expect(second.inputs.checksum).not.toBe(first.inputs.checksum);
    expect(archives.packings).toBe(2);
  });

  test("a folder is packed again after a failed check", async () => {
    writeFileSync(join(folder, "manifest.json"), "{");
    const failed = await check("reader");
    writeFileSync(join(folder, "manifest.json"), '{"manifest_version":3,"name":"Reader","version":"1.0.0"}');
    const { failures } = await check("reader");
    expect([failed.failures.length, failures.length]).toEqual([1, 0]);
  });

  test("the oldest archives leave the cache when the archives take too much memory", async () => {
    await check("reader");
    const packed = await packExtension(folder);
    const large = (checksum: string) => ({ ...packed, checksum, sizeBytes: archiveCacheBytesMax - 10 });
    archives.put(large("a"), "a", "a");
    archives.put(large("b"), "b", "b");
    expect([packed.checksum, "a", "b"].map((checksum) => archives.take(checksum)?.checksum)).toEqual([
      undefined,
      undefined,
      "b",
    ]);
    expect(archives.hasFrom(folder)).toBe(false);
  });
});
