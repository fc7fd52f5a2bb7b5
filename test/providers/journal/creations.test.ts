import { readdirSync } from "node:fs";
import { join } from "node:path";
import { createdBy } from "../../../src/providers/journal/creation-notes.js";
import { journalFolder } from "../../../src/providers/journal/files.js";
import { Journal } from "../../../src/providers/journal/journal.js";
import type { JournalOwner } from "../../../src/providers/journal/notes.js";
import { lateRequestMs } from "../../../src/providers/journal/sent-requests.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const creation = { name: "agents", projectId: "proj_1", existing: ["key_1"] };
const next = { deployment: "127.0.0.1:2" };

let owner: JournalOwner;

beforeEach(() => {
  owner = {
    programFolder: temporaryFolder(),
    environment: {},
    urn: "urn:pulumi:dev::shop::browser-infra:index:ApiKey::agents",
    baseUrl: "https://one.example",
    account: "a".repeat(16),
    deployment: "127.0.0.1:1",
  };
});

afterEach(() => jest.useRealTimers());

const notesOf = (change: Partial<JournalOwner> = {}) =>
  new Journal({ ...owner, ...change }).creations("api-key");

describe("a note of a creation", () => {
  test("is found by the next run, with the ids that had the name before", () => {
    notesOf().starts(creation);
    expect(notesOf(next).pending()).toEqual([expect.objectContaining(creation)]);
    expect(notesOf(next).hasToLook()).toBe(true);
    const [file] = readdirSync(join(owner.programFolder, journalFolder));
    expect(file).toMatch(/^agents-[0-9a-f]{16}\.api-key-creation\.json$/);
  });

  test.each([
    ["resource", { urn: "urn:pulumi:dev::shop::browser-infra:index:ApiKey::people" }],
    ["stack", { urn: "urn:pulumi:prod::shop::browser-infra:index:ApiKey::agents" }],
    ["service", { baseUrl: "https://two.example" }],
  ])("is not mixed up with that of another %s", (_what, other: Partial<JournalOwner>) => {
    notesOf().starts(creation);
    expect(notesOf(other).pending()).toEqual([]);
  });

  test("outlives the service's answer, and goes when a run finds the result in the state", () => {
    notesOf().answered(notesOf().starts(creation), "key_2");
    expect(notesOf().pending()).toEqual([expect.objectContaining({ id: "key_2" })]);
    notesOf(next).stateHas("key_1");
    expect(notesOf(next).pending()).toHaveLength(1);
    notesOf(next).stateHas("key_2");
    expect(notesOf(next).pending()).toEqual([]);
  });

  test("stays without an answer, whatever the state has: that may be what it was to replace", () => {
    notesOf().starts(creation);
    for (const id of ["key_1", "key_2"]) {
      notesOf(next).stateHas(id);
      expect(notesOf(next).pending()).toHaveLength(1);
      expect(notesOf(next).hasToLook()).toBe(true);
    }
  });

  test("remembers what a refresh drops from the state, until the state has an object again", () => {
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    notesOf().stateForgets([{ id: "key_0", expiresAt }]);
    notesOf().conclude();
    notesOf(next).forgetAnswers();
    expect(notesOf(next).outlived).toEqual([{ id: "key_0", expiresAt }]);
    jest.useFakeTimers({ now: Date.now() + 120_000 });
    notesOf(next).forgetAnswers();
    expect(notesOf(next).outlived).toEqual([]);
    notesOf().stateForgets([{ id: "key_0" }]);
    notesOf(next).stateHas("key_2");
    expect(notesOf(next).outlived).toEqual([]);
  });

  test("stays when the state has the result of a later attempt", () => {
    notesOf().starts(creation);
    notesOf().answered(notesOf().starts({ ...creation, existing: ["key_1", "key_2"] }), "key_3");
    notesOf(next).stateHas("key_3");
    expect(notesOf(next).pending()).toEqual([expect.objectContaining({ attempt: 1 })]);
  });

  test("goes when the service refuses the creation", () => {
    notesOf().settled(notesOf().starts(creation));
    expect(notesOf().pending()).toEqual([]);
  });

  test("stays as long as the creation may still arrive, and asks for one more look then", () => {
    notesOf().notFound(notesOf().starts(creation));
    expect(notesOf().hasToLook()).toBe(false);
    jest.useFakeTimers({ now: Date.now() + lateRequestMs + 1 });
    expect(notesOf().hasToLook()).toBe(true);
    const [pending] = notesOf().pending();
    expect(pending).toBeDefined();
    if (pending !== undefined) {
      notesOf().notFound(pending);
    }
    expect(notesOf().pending()).toEqual([]);
  });

  test("goes at once when what got an answer is not found", () => {
    notesOf().answered(notesOf().starts(creation), "key_2");
    const [answered] = notesOf().pending();
    if (answered !== undefined) {
      notesOf().notFound(answered);
    }
    expect(notesOf().pending()).toEqual([]);
  });

  test("of a resource that left the program is a leftover, without what the state knew", () => {
    notesOf().starts(creation);
    notesOf().answered(notesOf().starts(creation), "key_2");
    notesOf().conclude();
    expect(notesOf(next).isConcluded).toBe(true);
    expect(notesOf(next).leftovers()).toHaveLength(1);
    notesOf(next).forgetAnswers();
    expect(notesOf(next).pending()).toEqual([expect.objectContaining({ attempt: 1 })]);
    notesOf({ deployment: "127.0.0.1:3" }).declare();
    expect(notesOf({ deployment: "127.0.0.1:3" }).leftovers()).toEqual([]);
  });
});

describe("a note of a deletion", () => {
  test("stays until a run finds something else in the state", () => {
    notesOf().deletionStarts("key_1");
    expect(notesOf(next).mayHaveDeleted("key_1")).toBe(true);
    notesOf(next).stateHas("key_1");
    expect(notesOf(next).mayHaveDeleted("key_1")).toBe(true);
    notesOf(next).stateHas("key_2");
    expect(notesOf(next).mayHaveDeleted("key_1")).toBe(false);
  });

  test("goes when the service refuses it, and leaves a creation in the same note alone", () => {
    notesOf().starts(creation);
    notesOf().deletionStarts("key_1");
    notesOf().deletionSettled("key_1");
    expect(notesOf().mayHaveDeleted("key_1")).toBe(false);
    expect(notesOf().pending()).toHaveLength(1);
  });
});

describe("what a creation became", () => {
  const sentAt = Date.parse("2026-11-22T10:00:00Z");
  const pending = { attempt: 1, ...creation, sentAt };
  const at = (id: string, createdAt: string | null) => ({ id, createdAt });

  test("is the id that the service answered", () => {
    const rows = [at("key_2", "2026-11-22T10:00:01Z"), at("key_3", "2026-11-22T10:00:02Z")];
    expect(createdBy({ ...pending, id: "key_3" }, rows)?.id).toBe("key_3");
    expect(createdBy({ ...pending, id: "key_4" }, rows)).toBeUndefined();
  });

  test("is without an answer the oldest that did not exist before", () => {
    const rows = [
      at("key_3", "2026-11-22T10:00:02Z"),
      at("key_1", "2026-11-01T00:00:00Z"),
      at("key_2", "2026-11-22T10:00:01Z"),
    ];
    expect(createdBy(pending, rows)?.id).toBe("key_2");
    expect(createdBy(pending, rows, ["key_2"])?.id).toBe("key_3");
  });

  test("is never an older object that has got the name since, or one of which nobody knows how old it is", () => {
    expect(createdBy(pending, [at("key_2", "2026-11-22T09:49:59Z"), at("key_3", null)])).toBeUndefined();
    expect(createdBy(pending, [at("key_2", "2026-11-22T09:50:01Z")])?.id).toBe("key_2");
  });

  test("is never what somebody created later under the same name", () => {
    expect(createdBy(pending, [at("key_2", "2026-11-22T10:15:01Z")])).toBeUndefined();
    expect(createdBy(pending, [at("key_2", "2026-11-22T10:14:59Z")])?.id).toBe("key_2");
  });
});
