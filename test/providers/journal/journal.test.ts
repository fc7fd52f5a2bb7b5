import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { journalFolder } from "../../../src/providers/journal/files.js";
import { Journal } from "../../../src/providers/journal/journal.js";
import type { JournalOwner } from "../../../src/providers/journal/notes.js";
import { lateRequestMs } from "../../../src/providers/journal/sent-requests.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const upload = { name: "reader", checksum: "c".repeat(64), projectId: "proj_1" };
const backup = { of: { name: "reader", projectId: "proj_1" }, bytes: Buffer.from("bytes") };

let owner: JournalOwner;
let folder: string;

beforeEach(() => {
  const programFolder = temporaryFolder();
  folder = join(programFolder, journalFolder);
  const urn = "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/browser-infra:Extension::reader";
  const account = "a".repeat(16);
  owner = {
    programFolder,
    environment: {},
    urn,
    baseUrl: "https://one.example",
    account,
    deployment: "127.0.0.1:1",
  };
});

const notesOf = (change: Partial<JournalOwner> = {}) => new Journal({ ...owner, ...change }).extension;
const next = { deployment: "127.0.0.1:2" };

describe("a note of an extension", () => {
  test("does not count as missing when the code that reads it cannot be loaded", () => {
    notesOf().uploadStarts(upload);
    jest.isolateModules(() => {
      jest.doMock("zod", () => {
        throw new Error("zod is gone");
      });
      const fresh: typeof import("../../../src/providers/journal/journal.js") = require("../../../src/providers/journal/journal.js");
      const { extension } = new fresh.Journal({ ...owner, ...next });
      expect(() => extension.outdatedUploads(undefined, {})).toThrow("zod is gone");
    });
    jest.dontMock("zod");
  });

  test("X14: is found by the next run, in files that only their owner may read", () => {
    notesOf().uploadStarts(upload);
    expect(notesOf(next).outdatedUploads(undefined, {})).toEqual([expect.objectContaining(upload)]);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const files = readdirSync(folder);
    expect(files).toEqual([expect.stringMatching(/^reader-[0-9a-f]{16}\.extension\.json$/)]);
    expect(statSync(join(folder, files[0] ?? "")).mode & 0o777).toBe(0o600);
  });

  test.each([
    ["resource", { urn: "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/browser-infra:Extension::writer" }],
    ["stack", { urn: "urn:pulumi:prod::shop::pulumi-nodejs:dynamic/browser-infra:Extension::reader" }],
    ["service", { baseUrl: "https://two.example" }],
  ])("is not mixed up with that of another %s", (_what, other: Partial<JournalOwner>) => {
    notesOf().uploadStarts(upload);
    notesOf().deletionStarts("ext_1", backup);
    const theirs = notesOf(other);
    expect(theirs.outdatedUploads(undefined, {})).toEqual([]);
    expect(theirs.mayHaveDeleted("ext_1")).toBe(false);
    expect(theirs.backup()).toBeUndefined();
  });

  test("X14: outlives the service's answer, and goes when a run finds the result in the state", () => {
    notesOf().uploadStarts(upload);
    notesOf().uploadAnswered(upload, "ext_2");
    notesOf().deletionStarts("ext_1", backup);
    notesOf().deletionAnswered("ext_1");
    const later = notesOf(next);
    // A state that was written before either.
    later.stateHas("ext_1", { name: "reader", checksum: "old" });
    expect(later.mayHaveDeleted("ext_1")).toBe(true);
    expect(later.backup()).toMatchObject({ name: "reader", projectId: "proj_1" });
    expect(later.hasUploadToClear("ext_1", { name: "reader", checksum: "old" })).toBe(true);
    later.stateHas("ext_2", upload);
    expect(existsSync(folder)).toBe(false);
  });

  test("keeps an upload that the state does not have, when the state has another", () => {
    notesOf().uploadAnswered(upload, "ext_2");
    notesOf().uploadAnswered({ ...upload, checksum: "d".repeat(64) }, "ext_3");
    notesOf(next).stateHas("ext_2", upload);
    expect(notesOf(next).outdatedUploads("ext_2", upload)).toEqual([
      expect.objectContaining({ id: "ext_3" }),
    ]);
  });

  test("of an upload that was refused stays only if an earlier run had sent the same", () => {
    const earlier = notesOf().uploadStarts(upload);
    expect(earlier).toBeUndefined();
    notesOf().uploadRefused(upload, earlier);
    expect(existsSync(folder)).toBe(false);
    notesOf().uploadStarts(upload);
    const later = notesOf(next);
    later.uploadRefused(upload, later.uploadStarts(upload));
    expect(later.outdatedUploads(undefined, {})).toHaveLength(1);
  });

  test("of an upload without an answer stays while it may still arrive", () => {
    const now = jest.spyOn(Date, "now").mockReturnValue(1_000_000);
    try {
      notesOf().uploadStarts(upload);
      const [pending] = notesOf().outdatedUploads(undefined, {});
      notesOf().uploadNotFound(pending as NonNullable<typeof pending>);
      // Somebody looked, so the next preview is empty.
      expect(notesOf().hasUploadToClear("ext_1", {})).toBe(false);
      expect(notesOf().outdatedUploads("ext_1", {})).toHaveLength(1);
      now.mockReturnValue(1_000_001 + lateRequestMs);
      expect(notesOf().hasUploadToClear("ext_1", {})).toBe(true);
      notesOf().uploadNotFound(pending as NonNullable<typeof pending>);
      expect(existsSync(folder)).toBe(false);
    } finally {
      now.mockRestore();
    }
  });

  test("of a deletion that was refused goes, and leaves the backup of an earlier run", () => {
    notesOf().deletionStarts("ext_1", backup);
    notesOf(next).deletionRefused("ext_1");
    expect(notesOf(next).mayHaveDeleted("ext_1")).toBe(false);
    expect(notesOf(next).backup()?.bytes.toString()).toBe("bytes");
    notesOf(next).stateHas("ext_1", {});
    expect(existsSync(folder)).toBe(false);
  });

  test("counts as missing when it cannot be read, as does a backup that is not what was saved", () => {
    notesOf().uploadStarts(upload);
    notesOf().deletionStarts("ext_1", backup);
    expect(readFileSync(join(owner.programFolder, notesOf().backup()?.file ?? ""), "utf8")).toBe("bytes");
    const [zip] = readdirSync(folder).filter((name) => name.endsWith(".zip"));
    writeFileSync(join(folder, zip ?? ""), "other bytes");
    expect(notesOf().backup()).toBeUndefined();
    const [note] = readdirSync(folder).filter((name) => name.endsWith(".json"));
    writeFileSync(join(folder, note ?? ""), '{"uploads":1}');
    expect(notesOf().outdatedUploads(undefined, {})).toEqual([]);
  });
});

describe("what an earlier deployment left", () => {
  test("is found by resources of the same stack and account that have not been declared since", () => {
    notesOf().uploadAnswered(upload, "ext_2");
    expect(notesOf().leftovers()).toEqual([]);
    const other = "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/browser-infra:Extension::other";
    expect(notesOf({ ...next, urn: other }).leftovers()).toHaveLength(1);
    expect(notesOf({ ...next, account: "b".repeat(16) }).leftovers()).toEqual([]);
    expect(notesOf({ ...next, baseUrl: "https://two.example" }).leftovers()).toEqual([]);
    expect(notesOf({ ...next, urn: other.replace("dev", "prod") }).leftovers()).toEqual([]);
    notesOf(next).declare();
    expect(notesOf({ ...next, urn: other }).leftovers()).toEqual([]);
  });

  test("is concluded when that deployment ended by itself, except what got no answer", () => {
    notesOf().uploadAnswered(upload, "ext_2");
    notesOf().uploadStarts({ ...upload, name: "lost" });
    notesOf().deletionStarts("ext_1");
    notesOf().deletionAnswered("ext_1");
    notesOf().conclude();
    expect(notesOf(next).leftovers()[0]?.note.concluded).toBe(true);
    notesOf(next).forgetAnswers();
    expect(notesOf(next).outdatedUploads(undefined, {})).toEqual([expect.objectContaining({ name: "lost" })]);
    expect(notesOf(next).mayHaveDeleted("ext_1")).toBe(false);
  });

  test("of a reused extension counts only for the deployment that noted it", () => {
    notesOf().reuses("ext_1");
    expect(notesOf({ urn: undefined }).isReused("ext_1")).toBe(true);
    expect(notesOf(next).isReused("ext_1")).toBe(false);
    notesOf(next).conclude();
    expect(existsSync(folder)).toBe(false);
  });
});
