import { existsSync } from "node:fs";
import { join } from "node:path";
import { journalFolder } from "../../../src/providers/journal/files.js";
import { Journal } from "../../../src/providers/journal/journal.js";
import type { JournalOwner } from "../../../src/providers/journal/notes.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

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

const changesOf = (change: Partial<JournalOwner> = {}) =>
  new Journal({ ...owner, ...change }).changes("api-key");
const next = { deployment: "127.0.0.1:2" };

describe("a note of a change", () => {
  const [before, ci, ci2] = [{ name: "before" }, { name: "ci" }, { name: "ci 2" }] as const;

  test("collects what an object was given, until the state has the last of it", () => {
    changesOf().starts("key_1", ci, before);
    const earlier = changesOf().find("key_1");
    changesOf().starts("key_1", ci2, before);
    expect(changesOf().find("key_1")?.sent).toEqual([ci, ci2]);
    expect(changesOf().ofOthers("key_2")).toHaveLength(1);
    expect(changesOf().ofOthers("key_1")).toEqual([]);
    changesOf().refused("key_1", earlier);
    expect(changesOf().find("key_1")?.sent).toEqual([ci]);
    changesOf().answered("key_1", ci);
    expect(changesOf(next).isInDoubt("key_1", ci)).toBe(false);
    expect(changesOf(next).isInDoubt("key_1", before)).toBe(true);
    changesOf(next).stateHas("key_1", before);
    expect(changesOf(next).find("key_1")?.previous).toEqual(before);
    changesOf(next).stateHas("key_1", ci);
    expect(existsSync(folder)).toBe(false);
  });

  test("has what the resource had given the object until now as well", () => {
    changesOf().starts("key_1", ci2, before, ci);
    expect(changesOf().find("key_1")?.sent).toEqual([ci, ci2]);
  });

  test("without an answer stays, whatever the state says", () => {
    changesOf().starts("key_1", ci, before);
    changesOf(next).stateHas("key_1", ci);
    expect(changesOf(next).find("key_1")).toBeDefined();
  });
});
