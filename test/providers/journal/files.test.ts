import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import crypto from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { JournalFiles, journalFolder, journalPlace } from "../../../src/providers/journal/files.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const built = resolve(__dirname, "../../../dist/providers/journal/files.js");

/** A process id that no process has: the largest one is far smaller. */
const unusedPid = 2 ** 30;

describe("the files of a journal", () => {
  let programFolder: string;
  let folder: string;

  beforeEach(() => {
    programFolder = temporaryFolder();
    folder = join(programFolder, journalFolder);
  });

  function files(environment: Record<string, string> = {}): JournalFiles {
    return new JournalFiles(journalPlace({ programFolder, environment }));
  }

  function partial(writer: number): string {
    return `note.json.${writer}-0123456789abcdef.part`;
  }

  describe("in the place of which there is", () => {
    test.each([
      ["a link to a folder", "a symbolic link", () => symlinkSync(temporaryFolder(), folder)],
      ["a link to nothing", "a symbolic link", () => symlinkSync(join(programFolder, "nothing"), folder)],
      ["a file", "not a folder", () => writeFileSync(folder, "mine")],
    ])("%s are not written, and the error names the folder and the remedy", (_what, why, occupy) => {
      occupy();
      const before = lstatSync(folder);
      const error = errorThrownBy(() => files().write("note.json", "{}"));
      expect(error).toMatchObject({ name: "LocalError", code: "journal_unwritable" });
      expect(error.message).toContain(`"${folder}"`);
      expect(error.message).toContain(why);
      expect(error.message).toContain("set BROWSER_INFRA_JOURNAL_DIR to a folder that can be written");
      expect(lstatSync(folder)).toMatchObject({ ino: before.ino, mode: before.mode });
      expect(readdirSync(programFolder)).toEqual([journalFolder]);
      if (existsSync(folder) && statSync(folder).isDirectory()) {
        expect(readdirSync(folder)).toEqual([]);
      }
    });

    test("a link of any kind has no notes, and removing one removes nothing behind it", () => {
      const elsewhere = temporaryFolder();
      writeFileSync(join(elsewhere, "note.json"), "{}");
      symlinkSync(elsewhere, folder);
      expect(files().read("note.json")).toBeUndefined();
      expect(files().list()).toEqual([]);
      files().remove("note.json");
      expect(readdirSync(elsewhere)).toEqual(["note.json"]);
    });
  });

  test.each([
    ["is a file", () => writeFileSync(join(programFolder, "notes"), ""), "not a folder"],
    ["is below a file", () => writeFileSync(join(programFolder, "parent"), ""), "not a folder"],
    ["has a name that no system allows", () => undefined, "the system refuses it"],
  ])("are not written to a named folder that %s", (what, occupy, why) => {
    occupy();
    const named = { "is a file": "notes", "is below a file": "parent/notes" }[what] ?? "notes\0";
    const error = errorThrownBy(() => files({ BROWSER_INFRA_JOURNAL_DIR: named }).write("note.json", "{}"));
    expect(error).toMatchObject({ code: "journal_unwritable" });
    expect(error.message).toContain(why);
    expect(error.message).toContain("set BROWSER_INFRA_JOURNAL_DIR to another folder");
  });

  test("are neither read nor written through a link of their name", () => {
    const secret = join(programFolder, "secret");
    writeFileSync(secret, "secret");
    mkdirSync(folder);
    symlinkSync(secret, join(folder, "note.json"));
    symlinkSync(join(programFolder, "new"), join(folder, "other.json"));
    for (const file of ["note.json", "other.json"]) {
      const error = errorThrownBy(() => files().read(file));
      expect(error).toMatchObject({ name: "LocalError", code: "journal_unreadable" });
      expect(error.message).toContain(`"${join(folder, file)}"`);
      expect(error.message).toContain("it is not a file");
      expect(error.message).toContain("Move it out of the way");
    }
    files().write("note.json", "{}");
    files().write("other.json", "{}");
    expect(readFileSync(secret, "utf8")).toBe("secret");
    expect(existsSync(join(programFolder, "new"))).toBe(false);
    expect(files().read("note.json")?.toString()).toBe("{}");
    expect(lstatSync(join(folder, "note.json"))).toMatchObject({ mode: 0o100600 });
    symlinkSync(secret, join(folder, "third.json"));
    files().remove("third.json");
    expect(readdirSync(folder).sort()).toEqual(["note.json", "other.json"]);
    expect(existsSync(secret)).toBe(true);
  });

  test("are written under a name that cannot be guessed, never through an existing link", () => {
    const bytes = jest.spyOn(crypto, "randomBytes").mockImplementation((size: number) => Buffer.alloc(size));
    try {
      const secret = join(programFolder, "secret");
      writeFileSync(secret, "secret");
      mkdirSync(folder);
      const guessed = join(folder, `note.json.${process.pid}-${"0".repeat(16)}.part`);
      symlinkSync(secret, guessed);
      expect(errorThrownBy(() => files().write("note.json", "{}"))).toMatchObject({
        code: "journal_unwritable",
      });
      expect(readFileSync(secret, "utf8")).toBe("secret");
      expect(bytes).toHaveBeenCalled();
    } finally {
      bytes.mockRestore();
    }
    files().write("note.json", "{}");
    expect(files().read("note.json")?.toString()).toBe("{}");
  });

  test("that are no files are not waited for, and are an error", () => {
    mkdirSync(folder);
    expect(spawnSync("mkfifo", [join(folder, "note.json")]).status).toBe(0);
    expect(errorThrownBy(() => files().read("note.json"))).toMatchObject({ code: "journal_unreadable" });
  });

  test("that this user must not read are an error, which says what to do", () => {
    files().write("note.json", "{}");
    spawnSync("chmod", ["000", join(folder, "note.json")]);
    spawnSync("chmod", ["755", folder]);
    const { code, message } = asNobody(programFolder, 'read("note.json")');
    expect(code).toBe("journal_unreadable");
    expect(message).toContain(`"${join(folder, "note.json")}"`);
    expect(message).toContain("Allow this user to read it, or deploy as the user who wrote it");
  });

  test("can be in the folder that the environment names, which stays when it is empty", () => {
    const named = join(temporaryFolder(), "made", "here");
    const elsewhere = files({ BROWSER_INFRA_JOURNAL_DIR: named });
    elsewhere.write("note.json", "{}");
    expect(readFileSync(join(named, "note.json"), "utf8")).toBe("{}");
    expect(statSync(named).mode & 0o777).toBe(0o700);
    expect(elsewhere.shownPathOf("note.json")).toBe(join(named, "note.json"));
    elsewhere.remove("note.json");
    expect(readdirSync(named)).toEqual([]);

    files({ BROWSER_INFRA_JOURNAL_DIR: "../notes" }).write("note.json", "{}");
    expect(readFileSync(join(programFolder, "../notes/note.json"), "utf8")).toBe("{}");
    rmSync(join(programFolder, "../notes"), { recursive: true });

    const unnamed = files({ BROWSER_INFRA_JOURNAL_DIR: " " });
    unnamed.write("note.json", "{}");
    expect(readdirSync(folder)).toEqual(["note.json"]);
    expect(unnamed.shownPathOf("note.json")).toBe(join(journalFolder, "note.json"));
    unnamed.remove("note.json");
    expect(existsSync(folder)).toBe(false);
  });

  test("of a writer that was killed are removed by the next one, those of a living writer are not", () => {
    mkdirSync(folder);
    writeFileSync(join(folder, partial(unusedPid)), "half");
    writeFileSync(join(folder, partial(process.pid)), "half");
    expect(files().list()).toEqual([]);
    files().write("note.json", "{}");
    expect(readdirSync(folder).sort()).toEqual(["note.json", partial(process.pid)]);

    // A process id is used again one day.
    utimesSync(join(folder, partial(process.pid)), 0, 0);
    files().remove("note.json");
    expect(existsSync(folder)).toBe(false);
  });

  test("in a place that cannot be changed stay, and removing them is no error", () => {
    writeFileSync(folder, "mine");
    files().remove("note.json");
    expect(readFileSync(folder, "utf8")).toBe("mine");
  });

  describe("where this user must not write", () => {
    test("are not written, and the error says so", () => {
      mkdirSync(folder, { mode: 0o555 });
      const { code, message } = asNobody(programFolder, 'write("note.json", "{}")');
      expect(code).toBe("journal_unwritable");
      expect(message).toContain(`"${folder}"`);
      expect(message).toContain("this user has no permission to write there. ");
      expect(message).toContain("Allow this user to write there, or set BROWSER_INFRA_JOURNAL_DIR");
      expect(readdirSync(folder)).toEqual([]);
    });
  });

  test("are written by several processes at once, which remove the empty folder in between", async () => {
    const script = `
      const { JournalFiles, journalPlace } = require(process.argv[1]);
      const files = new JournalFiles(journalPlace({ programFolder: process.argv[2], environment: {} }));
      for (let index = 0; index < 300; index++) {
        const file = process.pid + ".json";
        files.write(file, String(index));
        if (files.read(file)?.toString() !== String(index)) throw new Error("lost " + index);
        files.remove(file);
      }`;
    const children = [1, 2, 3].map(() => spawn(process.execPath, ["--eval", script, built, programFolder]));
    expect(await Promise.all(children.map(printedErrors))).toEqual(["", "", ""]);
    expect(existsSync(folder)).toBe(false);
  });
});

function errorThrownBy(work: () => void): Error {
  try {
    work();
  } catch (error) {
    return error as Error;
  }
  throw new Error("Nothing was thrown.");
}

/** What becomes of `work` for a user who owns nothing; for the running one unless that is root. */
function asNobody(programFolder: string, work: string): { code?: string; message?: string } {
  const script = `
    const { JournalFiles, journalPlace } = require(process.argv[1]);
    if (process.getuid() === 0) { process.setgid(65534); process.setuid(65534); }
    try {
      new JournalFiles(journalPlace({ programFolder: process.argv[2], environment: {} })).${work};
      console.log("{}");
    } catch ({ code, message }) {
      console.log(JSON.stringify({ code, message }));
    }`;
  // Else it could not even look into the folder.
  spawnSync("chmod", ["755", programFolder]);
  const { stdout, stderr } = spawnSync(process.execPath, ["--eval", script, built, programFolder], {
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}

function printedErrors(child: ChildProcess): Promise<string> {
  return new Promise((resolveText, reject) => {
    let text = "";
    child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
    child.once("error", reject).once("close", () => resolveText(text));
  });
}
