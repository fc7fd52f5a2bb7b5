import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Entries } from "../../../src/providers/core/entries.js";
import { digestOf, type EntryOwner, isOfTime, type NotedEntry } from "../../../src/providers/core/entry.js";
import { JournalFiles, journalFolder, journalPlace } from "../../../src/providers/journal/files.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const creation = { op: "create", key: { name: "agents", projectId: "proj_1" } } as const;
const [before, ci, ci2] = [{ name: "before" }, { name: "ci" }, { name: "ci 2" }] as const;
const next = { deployment: "127.0.0.1:2" };
const otherUrn = "urn:pulumi:dev::shop::browser-infra:index:ApiKey::people";
const lateMs = 5 * 60_000;

let programFolder: string;
let folder: string;
let owner: EntryOwner;

beforeEach(() => {
  programFolder = temporaryFolder();
  folder = join(programFolder, journalFolder);
  owner = {
    urn: "urn:pulumi:dev::shop::browser-infra:index:ApiKey::agents",
    baseUrl: "https://one.example",
    account: "a".repeat(16),
    deployment: "127.0.0.1:1",
  };
});

afterEach(() => jest.useRealTimers());

function entriesOf(change: Partial<EntryOwner> = {}, kind = "api-key"): Entries {
  const files = new JournalFiles(journalPlace({ programFolder, environment: {} }));
  return new Entries(files, { ...owner, ...change }, kind);
}

/** Notes a change, and that the service has answered it. */
function change(id: string, settings: object, entries = entriesOf()): NotedEntry {
  return entries.update(entries.intend({ op: "change", id, sent: [ci] }), { answered: digestOf(settings) });
}

const onlyFile = () => join(folder, readdirSync(folder)[0] ?? "");

function errorThrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("Nothing was thrown.");
}

describe("an entry", () => {
  test("X14: is found by the next run, in a file that only its owner may read and whose name shows the resource", () => {
    entriesOf().intend(creation);
    expect(entriesOf(next).creations()).toEqual([expect.objectContaining(creation)]);
    expect(readdirSync(folder)).toEqual([
      expect.stringMatching(/^agents-[0-9a-f]{16}\.[0-9a-f]{8}\.api-key\.json$/),
    ]);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(onlyFile()).mode & 0o777).toBe(0o600);
  });

  test.each<[string, Partial<EntryOwner>]>([
    ["resource", { urn: otherUrn }],
    ["stack", { urn: "urn:pulumi:prod::shop::browser-infra:index:ApiKey::agents" }],
    ["service", { baseUrl: "https://two.example" }],
  ])("of a creation is not mixed up with that of another %s", (_what, other) => {
    entriesOf().intend(creation);
    expect(entriesOf(other).creations()).toEqual([]);
  });

  test("is not mixed up with that of another kind", () => {
    entriesOf().intend(creation);
    change("key_1", ci);
    expect(entriesOf({}, "project").creations()).toEqual([]);
    expect(entriesOf({}, "project").about("key_1")).toBeUndefined();
  });

  test("of a change is found by whichever resource has the object next, but not by another service", () => {
    change("key_1", ci);
    expect(entriesOf({ ...next, urn: otherUrn }).about("key_1")).toMatchObject({ op: "change", sent: [ci] });
    expect(entriesOf({ baseUrl: "https://two.example" }).about("key_1")).toBeUndefined();
  });

  test("stays after the answer and a completed deployment, and goes when a run finds the result in the state", () => {
    const entries = entriesOf();
    entries.update(entries.intend(creation), { id: "key_2", answered: "created" });
    change("key_2", ci);
    entries.conclude();
    const later = entriesOf(next);
    // A state that was written before either.
    later.seen("key_1", before);
    expect(later.creations()).toEqual([expect.objectContaining({ id: "key_2", hasEnded: true })]);
    expect(later.isInDoubt("key_2", before)).toBe(true);
    later.seen("key_2", before);
    expect(later.creations()).toEqual([]);
    expect(later.about("key_2")).toBeDefined();
    expect(later.isInDoubt("key_2", ci)).toBe(false);
    later.seen("key_2", ci);
    expect(existsSync(folder)).toBe(false);
  });

  test("without an answer stays, even if the state has an object", () => {
    entriesOf().intend(creation);
    entriesOf().intend({ op: "change", id: "key_1", sent: [ci] });
    for (const settings of [before, ci]) {
      entriesOf(next).seen("key_1", settings);
      expect(entriesOf(next).isInDoubt("key_1", settings)).toBe(true);
    }
    expect(entriesOf(next).creations()).toHaveLength(1);
  });

  test("stays when the state has the result of a later attempt", () => {
    entriesOf().intend(creation);
    entriesOf().update(entriesOf().intend(creation), { id: "key_3", answered: "created" });
    entriesOf(next).seen("key_3", {});
    expect(entriesOf(next).creations()).toEqual([expect.objectContaining({ sentAt: expect.any(Number) })]);
    expect(entriesOf(next).creations()[0]).not.toHaveProperty("id");
  });

  test("that must still be handed on stays although the state has the result", () => {
    const entries = entriesOf();
    entries.update(change("key_1", ci), { isHandedOn: true });
    entriesOf(next).seen("key_1", ci);
    expect(entriesOf(next).about("key_1")).toMatchObject({ isHandedOn: true });
  });

  test("goes when the service refuses the request, and the one before it counts again", () => {
    const entries = entriesOf();
    const first = entries.intend(creation);
    entries.restore(first, undefined);
    expect(existsSync(folder)).toBe(false);
    const earlier = change("key_1", ci);
    entries.restore(entries.intend({ op: "change", id: "key_1", sent: [ci, ci2] }), earlier);
    expect(entries.about("key_1")).toEqual(earlier);
  });

  test("cannot be written where the journal cannot be, and then the request must not be sent", () => {
    writeFileSync(folder, "mine");
    expect(errorThrownBy(() => entriesOf().intend(creation))).toMatchObject({ code: "journal_unwritable" });
  });

  test("that cannot be written after an answer is left to the next run", () => {
    const entries = entriesOf();
    const noted = entries.intend(creation);
    const write = jest.spyOn(JournalFiles.prototype, "write").mockImplementation(() => {
      throw new Error("full");
    });
    try {
      entries.update(noted, { id: "key_2", answered: "created" });
    } finally {
      write.mockRestore();
    }
    expect(entriesOf(next).creations()).toEqual([noted]);
  });

  test("becomes that of the deployment that completes it, so it is no leftover afterwards", () => {
    const { file } = entriesOf().intend(creation);
    const later = entriesOf(next);
    const [noted] = later.creations();
    later.takeOver(noted as NotedEntry, { id: "key_2", answered: "found" });
    expect(later.creations()).toEqual([expect.objectContaining({ file, id: "key_2", ...next })]);
    expect(entriesOf({ ...next, urn: otherUrn }).leftovers()).toEqual([]);
  });

  test("of a creation whose object is deleted goes", () => {
    entriesOf().update(entriesOf().intend(creation), { id: "key_2", answered: "created" });
    entriesOf(next).gone("key_1");
    expect(entriesOf(next).creations()).toHaveLength(1);
    entriesOf(next).gone("key_2");
    expect(existsSync(folder)).toBe(false);
  });
});

describe("an entry of a creation that is not found", () => {
  test("stays as long as the request may still arrive, and asks for one more look then", () => {
    entriesOf().notFound(entriesOf().intend(creation));
    expect(entriesOf().isInDoubt("key_1", {})).toBe(false);
    jest.useFakeTimers({ now: Date.now() + lateMs + 1 });
    expect(entriesOf().isInDoubt("key_1", {})).toBe(true);
    const [pending] = entriesOf().creations();
    entriesOf().notFound(pending as NotedEntry);
    expect(existsSync(folder)).toBe(false);
  });

  test("goes at once if it had an answer", () => {
    entriesOf().notFound(
      entriesOf().update(entriesOf().intend(creation), { id: "key_2", answered: "created" }),
    );
    expect(existsSync(folder)).toBe(false);
  });

  test("never leads to an object that is older or younger than the request can be", () => {
    const sentAt = Date.parse("2026-11-22T10:00:00Z");
    const noted = { op: "create", sentAt } as const;
    expect(isOfTime(noted, Date.parse("2026-11-22T09:50:01Z"))).toBe(true);
    expect(isOfTime(noted, Date.parse("2026-11-22T09:49:59Z"))).toBe(false);
    expect(isOfTime(noted, Date.parse("2026-11-22T10:14:59Z"))).toBe(true);
    expect(isOfTime(noted, Date.parse("2026-11-22T10:15:01Z"))).toBe(false);
    expect(isOfTime(noted, undefined)).toBe(false);
  });
});

describe("what an earlier deployment left", () => {
  test("is found by resources of the same stack and account that have not been declared since", () => {
    entriesOf().intend(creation);
    change("key_1", ci);
    expect(entriesOf({ urn: otherUrn }).leftovers()).toEqual([]);
    expect(entriesOf({ ...next, urn: otherUrn }).leftovers()).toHaveLength(2);
    expect(entriesOf({ ...next, account: "b".repeat(16) }).leftovers()).toEqual([]);
    expect(entriesOf({ ...next, baseUrl: "https://two.example" }).leftovers()).toEqual([]);
    expect(entriesOf({ ...next, urn: otherUrn.replace("dev", "prod") }).leftovers()).toEqual([]);
    entriesOf(next).declare();
    expect(entriesOf({ ...next, urn: otherUrn }).leftovers()).toEqual([
      expect.objectContaining({ id: "key_1" }),
    ]);
    entriesOf(next).declare("key_1");
    expect(entriesOf({ ...next, urn: otherUrn }).leftovers()).toEqual([]);
  });

  test("is found although another file of the folder is damaged, which may be another stack's", () => {
    mkdirSync(folder);
    writeFileSync(join(folder, "other.api-key.json"), "{");
    entriesOf().intend(creation);
    expect(entriesOf({ ...next, urn: otherUrn }).leftovers()).toHaveLength(1);
  });
});

describe("an answered deletion", () => {
  function remove(id: string, entries = entriesOf()): void {
    entries.update(entries.intend({ op: "remove", id }), { answered: "removed" });
  }

  test("puts the object in doubt until a later run knows more of it", () => {
    remove("key_1");
    entriesOf().conclude();
    const later = entriesOf(next);
    later.seen("key_1", ci);
    expect(later.isInDoubt("key_1", ci)).toBe(true);
    expect(later.about("key_1")).toMatchObject({ op: "remove", id: "key_1", hasEnded: true });
    expect(later.isInDoubt("key_2", ci)).toBe(false);
    change("key_1", ci, later);
    entriesOf(next).seen("key_1", ci);
    expect(existsSync(folder)).toBe(false);
  });

  test("of a refused change counts again", () => {
    remove("key_1");
    entriesOf().conclude();
    const later = entriesOf(next);
    const earlier = later.about("key_1");
    later.restore(later.intend({ op: "change", id: "key_1" }), earlier);
    expect(entriesOf(next).about("key_1")).toMatchObject({ op: "remove", answered: "removed" });
    later.drop(later.about("key_1"));
    expect(existsSync(folder)).toBe(false);
  });

  test("shares one file with those of all kinds, from which an object goes alone", () => {
    for (const kind of ["api-key", "project"]) {
      for (const id of ["key_1", "key_2"]) {
        remove(id, entriesOf({}, kind));
      }
      entriesOf({}, kind).conclude();
    }
    expect(readdirSync(folder)).toEqual([
      expect.stringMatching(/^[0-9a-f]{16}\.[0-9a-f]{16}\.removed\.json$/),
    ]);
    const later = entriesOf(next);
    later.drop(later.about("key_1"));
    expect(later.about("key_1")).toBeUndefined();
    expect(later.about("key_2")).toBeDefined();
    expect(entriesOf(next, "project").about("key_1")).toBeDefined();
  });

  test("is known to no other stack or account", () => {
    remove("key_1");
    entriesOf().conclude();
    expect(entriesOf({ account: "b".repeat(16) }).about("key_1")).toBeUndefined();
    expect(entriesOf({ urn: otherUrn.replace("dev", "prod") }).about("key_1")).toBeUndefined();
  });

  test("without an answer, or of a deployment that was killed, stays in a file of its own", () => {
    entriesOf().intend({ op: "remove", id: "key_1" });
    remove("key_2");
    entriesOf(next).conclude();
    expect(readdirSync(folder)).toHaveLength(2);
    entriesOf().conclude();
    expect(entriesOf(next).about("key_1")?.answered).toBeUndefined();
  });

  test("goes with the next update, unless that met the resource and could not compare it", () => {
    remove("key_1");
    remove("key_2");
    entriesOf().conclude();
    entriesOf().forgetRemoved();
    expect(entriesOf(next).about("key_1")).toBeDefined();
    entriesOf(next).forgetRemoved((id) => id === "key_2");
    expect(entriesOf(next).about("key_1")).toBeUndefined();
    expect(entriesOf(next).about("key_2")).toBeDefined();
    entriesOf(next).forgetRemoved();
    expect(existsSync(folder)).toBe(false);
  });
});

describe("an entry that cannot be read", () => {
  const unreadable = { name: "LocalError", code: "journal_unreadable" };

  test.each<[what: string, replace: (file: string) => void, why: string, remedy: string]>([
    ["is no JSON", (file) => writeFileSync(file, "{"), "its contents are damaged", "Restore the file"],
    [
      "says something else",
      (file) => writeFileSync(file, '{"version":1,"op":5}'),
      "damaged",
      "delete the file",
    ],
    [
      "is of a newer version",
      (file) => writeFileSync(file, '{"version":7}'),
      "with layout 7 of the journal",
      "Deploy with that version once",
    ],
  ])("because it %s is an error that names the file and the remedy", (_what, replace, why, remedy) => {
    change("key_1", ci);
    const file = onlyFile();
    replace(file);
    const error = errorThrownBy(() => entriesOf(next).about("key_1")) as Error;
    expect(error).toMatchObject(unreadable);
    expect(error.message).toContain(`"${file}"`);
    expect(error.message).toContain(why);
    expect(error.message).toContain(remedy);
  });

  test("of a creation is an error as well, and so is the list of deletions", () => {
    entriesOf().intend(creation);
    writeFileSync(onlyFile(), "[]");
    expect(errorThrownBy(() => entriesOf(next).creations())).toMatchObject(unreadable);
    entriesOf({ urn: otherUrn }).update(entriesOf({ urn: otherUrn }).intend({ op: "remove", id: "key_1" }), {
      answered: "removed",
    });
    entriesOf({ urn: otherUrn }).conclude();
    const [list = ""] = readdirSync(folder).filter((file) => file.includes(".removed."));
    writeFileSync(join(folder, list), '{"version":1}');
    expect(errorThrownBy(() => entriesOf(next).about("key_1"))).toMatchObject(unreadable);
    // At the end of a deployment, nothing more can be done about it.
    entriesOf(next).conclude();
    entriesOf(next).forgetRemoved();
    expect(readFileSync(join(folder, list), "utf8")).toBe('{"version":1}');
  });

  test("because a link is in its place is an error, and nothing is read through the link", () => {
    const { file } = change("key_1", ci);
    const elsewhere = join(programFolder, "elsewhere.json");
    writeFileSync(elsewhere, readFileSync(join(folder, file)));
    entriesOf().drop(entriesOf().about("key_1"));
    mkdirSync(folder);
    symlinkSync(elsewhere, join(folder, file));
    const error = errorThrownBy(() => entriesOf(next).about("key_1"));
    expect(error).toMatchObject(unreadable);
    expect((error as Error).message).toContain("Move it out of the way");
  });

  test("because the code that reads it cannot be loaded does not count as damaged, and not as missing", () => {
    change("key_1", ci);
    jest.isolateModules(() => {
      jest.doMock("zod", () => {
        throw new Error("zod is gone");
      });
      const fresh: typeof import("../../../src/providers/core/entries.js") = require("../../../src/providers/core/entries.js");
      const files = new JournalFiles(journalPlace({ programFolder, environment: {} }));
      expect(() => new fresh.Entries(files, { ...owner, ...next }, "api-key").about("key_1")).toThrow(
        "zod is gone",
      );
    });
    jest.dontMock("zod");
  });
});

describe("the archive of what was removed to make room", () => {
  const bytes = Buffer.from("bytes");
  const key = { name: "agents" };

  /** Notes the deletion of an object, with an archive of it. */
  function removed(id: string, entries = entriesOf()): NotedEntry {
    return entries.intend({ op: "remove", id, key, ...entries.save(id, bytes) });
  }

  const files = () => (existsSync(folder) ? readdirSync(folder) : []);

  test("X14: is found by the next run, in a file that only its owner may read", () => {
    removed("one");
    const { entry, bytes: found, path } = entriesOf(next).saved() ?? {};
    expect(entry).toMatchObject({ op: "remove", id: "one", key });
    expect(found).toEqual(bytes);
    expect(path).toMatch(/^\.browser-infra\/agents-.+\.zip$/);
    expect(statSync(join(programFolder, path ?? "")).mode & 0o777).toBe(0o600);
    expect(entriesOf({ urn: otherUrn }).saved()).toBeUndefined();
  });

  test("stays after a completed deployment and later updates, until a run finds another object in the state", () => {
    entriesOf().update(removed("one"), { answered: "removed" });
    entriesOf().conclude();
    entriesOf(next).forgetRemoved();
    // A state from before the deletion.
    entriesOf(next).seen("one", {});
    expect(entriesOf(next).saved()?.bytes).toEqual(bytes);
    entriesOf(next).seen("two", {});
    expect(files()).toEqual([]);
  });

  test("goes when the service refuses the deletion, and stays if an earlier run had saved it", () => {
    entriesOf().restore(removed("one"), undefined);
    expect(files()).toEqual([]);
    const earlier = removed("one");
    entriesOf(next).restore(removed("one", entriesOf(next)), earlier);
    expect(entriesOf(next).saved()?.entry).toMatchObject({ deployment: earlier.deployment });
  });

  test("is that of the last object, and goes without an entry as well", () => {
    const now = jest.spyOn(Date, "now").mockReturnValue(1);
    removed("one");
    now.mockReturnValue(2);
    removed("two");
    now.mockRestore();
    expect(entriesOf().saved()?.entry.id).toBe("two");
    for (const file of files().filter((each) => each.endsWith(".json"))) {
      unlinkSync(join(folder, file));
    }
    expect(entriesOf().saved()).toBeUndefined();
    entriesOf().dropSaved();
    expect(files()).toEqual([]);
  });
});
