import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { journalFolder, journalPlace } from "../../../src/providers/journal/files.js";
import { Journal, type JournalOwner } from "../../../src/providers/journal/journal.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const note = { name: "reader", checksum: "c".repeat(64), projectId: "proj_1" };

describe("the journal", () => {
  let owner: JournalOwner;
  let folder: string;
  let programFolder: string;

  beforeEach(() => {
    programFolder = temporaryFolder();
    folder = join(programFolder, journalFolder);
    const urn = "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/browser-infra:Extension::reader";
    const place = journalPlace({ programFolder, environment: {} });
    owner = { place, urn, baseUrl: "https://one.example", deployment: "127.0.0.1:1" };
  });

  test("is found by the next run, in files that only their owner may read", () => {
    new Journal(owner).uploadStarts(note);
    expect(new Journal(owner).pendingUpload()).toEqual(note);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const files = readdirSync(folder);
    expect(files).toEqual([expect.stringMatching(/^reader-[0-9a-f]{16}\.upload\.json$/)]);
    expect(statSync(join(folder, files[0] ?? "")).mode & 0o777).toBe(0o600);
  });

  test.each([
    ["resource", { urn: "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/browser-infra:Extension::writer" }],
    ["stack", { urn: "urn:pulumi:prod::shop::pulumi-nodejs:dynamic/browser-infra:Extension::reader" }],
    ["service", { baseUrl: "https://two.example" }],
  ])("does not mix up two of a %s", (_what, other: Partial<JournalOwner>) => {
    const journal = new Journal(owner);
    journal.uploadStarts(note);
    journal.deletionStarts("ext_1");
    journal.saveBackup(note, Buffer.from("bytes"));
    const theirs = new Journal({ ...owner, ...other });
    expect([theirs.pendingUpload(), theirs.backup(), theirs.mayHaveDeleted("ext_1")]).toEqual([
      undefined,
      undefined,
      false,
    ]);
  });

  test("leaves no folder behind once everything is settled", () => {
    const journal = new Journal(owner);
    journal.uploadStarts(note);
    journal.saveBackup(note, Buffer.from("bytes"));
    journal.deletionStarts("ext_1");
    journal.reuses("ext_2");
    journal.renameStarts("key_1", { names: ["ci"], previousName: "before" });
    expect(readdirSync(folder)).toHaveLength(6);
    journal.uploadSettled();
    journal.deletionSettled("deleted");
    journal.resourceExists();
    journal.reuseSettled("ext_2");
    journal.renameSettled("key_1");
    expect(existsSync(folder)).toBe(false);
  });

  test("counts as missing a note that cannot be read, and a backup that is not what was saved", () => {
    const journal = new Journal(owner);
    journal.uploadStarts(note);
    journal.saveBackup(note, Buffer.from("bytes"));
    expect(journal.backup()).toMatchObject({ name: "reader", projectId: "proj_1" });
    expect(readFileSync(join(programFolder, journal.backup()?.file ?? ""), "utf8")).toBe("bytes");
    for (const file of readdirSync(folder).filter((name) => !name.endsWith("backup.json"))) {
      writeFileSync(join(folder, file), '{"name":1}');
    }
    expect([journal.pendingUpload(), journal.backup()]).toEqual([undefined, undefined]);
  });

  test("says of a reused extension only what this deployment noted", () => {
    new Journal(owner).reuses("ext_1");
    expect(new Journal({ ...owner, urn: undefined }).isReused("ext_1")).toBe(true);
    expect(new Journal({ ...owner, deployment: "127.0.0.1:2" }).isReused("ext_1")).toBe(false);
  });

  test("collects the names that a key was given until the outcome is known", () => {
    const journal = new Journal(owner);
    expect(journal.renameStarts("key_1", { names: ["ci"], previousName: "before" })).toBeUndefined();
    const earlier = journal.renameStarts("key_1", { names: ["ci", "ci 2"], previousName: "before" });
    expect(journal.pendingRename("key_1")?.names).toEqual(["ci", "ci 2"]);
    expect(journal.pendingRenamesOfOtherKeys("key_2")).toHaveLength(1);
    expect(journal.pendingRenamesOfOtherKeys("key_1")).toEqual([]);
    journal.renameRefused("key_1", earlier);
    expect(journal.pendingRename("key_1")?.names).toEqual(["ci"]);
    journal.renameRefused("key_1", undefined);
    expect(journal.pendingRename("key_1")).toBeUndefined();
  });
});
