import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, existsSync, openSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { stored } from "../../emulator/calls.js";
import { builtFile } from "../../support/built-file.js";
import { useEmulator } from "../../support/emulator.js";
import { compileCache } from "../../support/faster/faster-node.js";
import { extensionZip } from "../../support/stored-zip.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { settingsOf, startCommand } from "../started-command.js";

/** Disk that is always full. On a system without such a disk: a file opened for reading only. */
const fullDisk = existsSync("/dev/full")
  ? { open: () => openSync("/dev/full", "w"), why: "no space left on device" }
  : { open: () => openSync("/dev/null", "r"), why: "bad file descriptor" };

describe("output that cannot be written", () => {
  const emulator = useEmulator();
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
    writeFileSync(join(folder, "ready.zip"), extensionZip());
  });

  /** Pipe whose reader has closed. */
  function closedPipe(): number {
    const path = join(folder, "pipe");
    execFileSync("mkfifo", [path]);
    const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const writer = openSync(path, "w");
    closeSync(reader);
    return writer;
  }

  /** Runs a command with the output in a pipe of this test, or in an open file. */
  async function run(args: readonly string[], stdout: number | undefined, stderr?: number) {
    const { ended } = startCommand(args, { cwd: folder, env: settingsOf(emulator), stdout, stderr });
    for (const opened of [stdout, stderr]) {
      if (opened !== undefined) {
        closeSync(opened);
      }
    }
    const { exitCode, out, err } = await ended;
    expect(out + err).not.toMatch(/\n\s+at /);
    return { exitCode, out, err };
  }

  test.each(["--version", "--help", "whoami --json", "projects list"])(
    "%s on a full disk prints one sentence with the reason, and ends with exit code 10",
    async (line) => {
      const { exitCode, out, err } = await run(line.split(" "), fullDisk.open());
      expect([exitCode, out, err]).toEqual([10, "", lostText(line)]);
    },
  );

  /** Error of a command without changes whose output is lost. */
  function lostText(line: string): string {
    const message = `Standard output cannot be written: ${fullDisk.why}. Fix the cause, or write the output to a different place.`;
    const error = { code: "output_lost", message, exitCode: 10 };
    return line.endsWith("--json") ? `${JSON.stringify({ error })}\n` : `error: ${message}\n`;
  }

  /** Commands that change something, with a pattern of the result and a proof of the change. */
  const changes: readonly (readonly [args: string, result: RegExp, isDone: () => boolean])[] = [
    [
      "extensions upload ready.zip --name viewer",
      /^ID {8}\S+\nNAME {6}viewer\n/m,
      () => emulator.extensions.list().some(({ name }) => name === "viewer"),
    ],
    [
      "extensions upload ready.zip --name viewer --json",
      /^ {2}"name": "viewer",$/m,
      () => emulator.extensions.list().some(({ name }) => name === "viewer"),
    ],
    [
      "extensions download reader --output saved.zip",
      /^Saved saved\.zip \(/m,
      () => statSync(join(folder, "saved.zip")).isFile(),
    ],
    [
      "extensions delete reader --yes",
      /^Deleted extension "reader" \(id /m,
      () => emulator.extensions.list().length === 0,
    ],
    [
      "api-keys rename KEY renamed",
      /^Renamed API key \S+ from ".*" to "renamed"\.$/m,
      () => emulator.apiKeyRecords.list().some(({ name }) => name === "renamed"),
    ],
    [
      "api-keys create ci",
      /^KEY {6}sk_\S+$/m,
      () => emulator.apiKeyRecords.list().some(({ name }) => name === "ci"),
    ],
    [
      "api-keys rotate KEY --yes --json",
      /^ {2}"key": "sk_\S+"$/m,
      () => emulator.apiKeyRecords.list().length === 2,
    ],
    [
      "import extensions reader",
      /^Wrote 1 extension to import-extensions\.json\. Next, run:\n/m,
      () => readFileSync(join(folder, "import-extensions.json"), "utf8").includes("reader"),
    ],
  ];

  const argumentsOf = (line: string) =>
    line.replace("KEY", emulator.apiKeyRecords.list()[0]?.id ?? "").split(" ");

  /** A plain result and a result in JSON. */
  const ofTwoForms = changes.slice(0, 2);

  describe.each([
    ["on a full disk", fullDisk.why, () => fullDisk.open(), changes],
    ["when the reader of a pipe has gone", "broken pipe", closedPipe, ofTwoForms],
  ] as const)("%s", (_where, why, open, lines) => {
    test.each(lines)(
      "%s completes the work, and prints the result on standard error if standard output is lost",
      async (line, result, isDone) => {
        await stored(emulator, { name: "reader" });
        const { exitCode, err } = await run(argumentsOf(line), open());
        expect([exitCode, isDone()]).toEqual([10, true]);
        const what = `Standard output cannot be written: ${why}. The command itself succeeded: do not repeat the command.`;
        if (line.endsWith("--json")) {
          const { error } = JSON.parse(err);
          expect(error).toMatchObject({ code: "output_lost", message: what, exitCode: 10 });
          expect(JSON.stringify(error.result, null, 2)).toMatch(result);
        } else {
          expect(err).toMatch(`error: ${what} Its result:\n`);
          expect(err).toMatch(result);
        }
      },
    );
  });

  test.each([
    ["api-keys create ci", "closed", "&-"],
    ["api-keys create ci --json", "/dev/null", "/dev/null"],
    ["api-keys rotate KEY --yes", "/dev/null", "/dev/null"],
  ])("%s creates no key when standard output is %s", async (line, _what, nowhere) => {
    const before = emulator.apiKeyRecords.list();
    const main = builtFile("dist/cli/main.js");
    const script = `exec "$0" "$@" >${nowhere}`;
    const child = spawn("sh", ["-c", script, process.execPath, main, ...argumentsOf(line)], {
      env: { ...settingsOf(emulator), NODE_COMPILE_CACHE: compileCache },
      stdio: ["ignore", "ignore", "pipe"],
    });
    const [err, [exitCode]] = await Promise.all([text(child.stderr), once(child, "close")]);
    expect(err).toContain("Standard output cannot be written: it is closed, or /dev/null.");
    expect(err).not.toContain("Save it now");
    expect(exitCode).toBe(10);
    expect(emulator.apiKeyRecords.list()).toEqual(before);
  });

  test.each(["extensions list --json", "--help"])(
    "%s prints no error when the reader of the pipe has closed, as with head",
    async (line) => {
      expect(await run(line.split(" "), closedPipe())).toEqual({ exitCode: 0, out: "", err: "" });
    },
  );

  test("an error keeps its exit code, even if an output cannot be written", async () => {
    expect((await run(["extensions", "get", "none"], fullDisk.open())).exitCode).toBe(3);
    expect(await run(["extensions", "get", "none"], undefined, fullDisk.open())).toEqual({
      exitCode: 3,
      out: "",
      err: "",
    });
    expect(await run(["projects", "lost"], undefined, closedPipe())).toMatchObject({ exitCode: 2, out: "" });
  });

  test("a command with a written result succeeds, even if standard error cannot be written", async () => {
    const { exitCode, out } = await run(["projects", "list"], undefined, fullDisk.open());
    expect([exitCode, out.includes("Default")]).toEqual([0, true]);
  });

  test("the exit code reports the outcome of an upload if neither output can be written", async () => {
    const upload = ["extensions", "upload", "ready.zip", "--name", "viewer"];
    expect(await run(upload, fullDisk.open(), fullDisk.open())).toMatchObject({ exitCode: 10 });
    expect(emulator.extensions.list()).toMatchObject([{ name: "viewer" }]);
    expect(await run(upload, fullDisk.open(), fullDisk.open())).toMatchObject({ exitCode: 1 });
  });

  test("a result that is written only in part ends with exit code 10", async () => {
    for (let index = 0; index < 40; index += 1) {
      emulator.createProject({ name: `project ${index} ${"x".repeat(100)}` });
    }
    // The limit stands for a disk that fills up: the system writes a part and reports no error.
    const script = 'ulimit -f 1; exec "$0" "$@" > part';
    const child = spawn(
      "sh",
      ["-c", script, process.execPath, builtFile("dist/cli/main.js"), "projects", "list"],
      {
        cwd: folder,
        env: settingsOf(emulator),
        stdio: ["ignore", "ignore", "pipe"],
      },
    );
    const [err, [exitCode]] = await Promise.all([text(child.stderr), once(child, "close")]);
    expect(statSync(join(folder, "part")).size).toBeGreaterThan(0);
    expect([exitCode, err]).toEqual([
      10,
      "error: Standard output cannot be written: file too large. Fix the cause, or write the output to a different place.\n",
    ]);
  });

  test("login follow --json ends at once when events cannot be written, and the login continues", async () => {
    const { id } = emulator.authConnections.create({ domain: "shop.example", profileName: "buyer" });
    emulator.authConnections.startLogin(id);
    const follow = ["login", "follow", id, "--json"];
    const full = await run(follow, fullDisk.open());
    expect(full).toMatchObject({ exitCode: 10, err: expect.stringContaining(fullDisk.why) });
    expect(await run(follow, closedPipe())).toEqual({ exitCode: 10, out: "", err: "" });
    expect(emulator.authConnections.get(id).login?.status).toBe("IN_PROGRESS");
  });

  test("the emulator ends with exit code 10 when standard output cannot be written", async () => {
    const args = ["emulator", "--port", "0", "--json"];
    expect(await run(args, fullDisk.open())).toEqual({
      exitCode: 10,
      out: "",
      err: lostText(args.join(" ")),
    });
    const both = await run(["emulator", "--port", "0"], fullDisk.open(), fullDisk.open());
    expect(both.exitCode).toBe(10);
  });
});
