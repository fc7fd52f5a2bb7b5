import { execFileSync, spawnSync } from "node:child_process";
import { dirname } from "node:path";
import { startFaultServer } from "../client/fault-server.js";
import { builtFile } from "../support/built-file.js";
import { play } from "./played-terminal.js";

const nowhere = { url: "http://127.0.0.1:9", apiKeys: ["sk_0123456789abcdefghij"] };

const { version } = require("../../package.json") as { readonly version: string };

describe("browser-infra", () => {
  test("--help and --version print on standard output and end with exit code 0", async () => {
    const help = await play(nowhere, ["--help"]);
    expect(help).toMatchObject({ exitCode: 0, err: "" });
    expect(help.out).toMatch(/emulator .*Run the service offline/);
    expect(await play(nowhere, ["--version"])).toMatchObject({ exitCode: 0, out: `${version}\n`, err: "" });
  });

  test.each([
    [["emulater"], "Did you mean emulator?"],
    [[], "Usage: browser-infra"],
  ])("wrong usage %j ends with exit code 2 and a hint, without a stack trace", async (args, hint) => {
    const { exitCode, out, err } = await play(nowhere, args);
    expect([exitCode, out]).toEqual([2, ""]);
    expect(err).toContain(hint);
    expect(err).not.toMatch(/\n\s+at /);
  });

  test.each<[string, readonly number[]]>([
    ["whoami", []],
    ["projects get", [3]],
    ["extensions delete", [3, 4, 5]],
    ["extensions upload", [5]],
    ["login follow", [3, 6, 7, 8, 9]],
    ["import all", [3]],
    ["emulator exec", [127]],
    ["emulator stop", [3]],
    ["drift", [7]],
  ])("the help of %s lists the exit codes of the command, and no others", async (command, codes) => {
    const { exitCode, out, err } = await play(nowhere, [...command.split(" "), "--help"]);
    expect([exitCode, err]).toEqual([0, ""]);
    const listed = Array.from(out.matchAll(/^ {2}(\d+) +\S/gm), ([, code]) => Number(code));
    expect(listed).toEqual([0, 1, 2, 10, 130, ...codes].sort((one, other) => one - other));
  });

  test("help prints the same as --help, also for a command in a group, and refuses an unknown command", async () => {
    for (const command of [[], ["projects"], ["projects", "list"]]) {
      expect(await play(nowhere, ["help", ...command])).toEqual(await play(nowhere, [...command, "--help"]));
    }
    const unknown = await play(nowhere, ["help", "projects", "nothing"]);
    expect(unknown).toEqual({ exitCode: 2, out: "", err: "error: unknown command 'projects nothing'\n" });
  });

  test.each([
    ["projects list", "BROWSER_INFRA_BASE_URL"],
    ["api-keys rename", "BROWSER_INFRA_BASE_URL"],
    ["extensions upload", "BROWSER_INFRA_PROJECT_ID"],
    ["login follow", "BROWSER_INFRA_PROJECT_ID"],
  ])("the help of %s names each settings variable once", async (command, variable) => {
    const { out } = await play(nowhere, [...command.split(" "), "--help"]);
    expect(out.split(`\n  ${variable} `)).toHaveLength(2);
  });

  test("an error of wrong usage is marked in red in a terminal, as all errors are", async () => {
    const { err } = await play(nowhere, ["projects", "list", "--limit", "0"], { terminal: 80 });
    expect(err.startsWith("\u001b[31merror:\u001b[39m option '--limit <number>'")).toBe(true);
  });

  test("an unexpected error is printed as one sentence, with the request to report the bug", () => {
    const script =
      'const env = { get BROWSER_INFRA_API_KEY() { throw new Error("no such\\tluck") } }; const { stdin, stdout, stderr } = process; require("./program.js").run(["whoami"], { stdin, stdout, stderr, env });';
    const { stderr } = spawnSync(process.execPath, ["-e", script], {
      cwd: dirname(builtFile("dist/cli/program.js")),
      encoding: "utf8",
    });
    expect(stderr).toBe(
      "error: no such\\u0009luck. This is a bug in pulumi-browser-infra; please report it.\n",
    );
  });

  test.each(["projects", "api-keys", "extensions", "auth-connections"])(
    "%s without a command is wrong usage and lists the commands of the group",
    async (group) => {
      const { exitCode, out, err } = await play(nowhere, [group]);
      expect([exitCode, out]).toEqual([2, ""]);
      expect(err).toContain("list [options]");
    },
  );

  test("the program of the command line loads no code of the emulator", () => {
    const script = 'require("./program.js"); console.log(Object.keys(require.cache).join("\\n"));';
    const loaded = execFileSync(process.execPath, ["-e", script], {
      cwd: dirname(builtFile("dist/cli/program.js")),
      encoding: "utf8",
    });
    expect(loaded).toContain("undici");
    expect(loaded).not.toMatch(/hono|emulator[/\\]index/);
  });

  test("--help fits the width of the terminal", async () => {
    const { out } = await play(nowhere, ["extensions", "upload", "--help"], { terminal: 60 });
    const options = out.slice(0, out.indexOf("Exit codes"));
    expect(Math.max(...options.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(60);
  });

  test("a command fails if the service cannot be reached, and the error contains no key", async () => {
    const { exitCode, out, err } = await play(nowhere, ["projects", "list"], { terminal: 80 });
    expect([exitCode, out]).toEqual([1, ""]);
    expect(err.startsWith("\u001b[31merror:\u001b[39m Listing projects failed: ")).toBe(true);
    expect(err).toContain("127.0.0.1:9");
    expect(err).not.toContain("sk_");
  });

  test("an error contains no control character of a response or an argument", async () => {
    const body = JSON.stringify({ code: "not_found", message: "a\u001b[31m\u009bb" });
    const server = await startFaultServer([
      (socket) => {
        socket.end(
          `HTTP/1.1 404 Not Found\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
        );
      },
    ]);
    try {
      const { exitCode, err } = await play({ ...nowhere, url: server.url }, [
        "extensions",
        "get",
        "x\u202ey",
      ]);
      expect(exitCode).toBe(3);
      expect(err).toContain('"x\\u202ey"');
      expect(err.trimEnd()).not.toMatch(/\p{C}/u);
    } finally {
      await server.close();
    }
  });
});
