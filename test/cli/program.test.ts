import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { startFaultServer } from "../client/fault-server.js";
import { play } from "./played-terminal.js";

const nowhere = { url: "http://127.0.0.1:9", apiKeys: ["sk_0123456789abcdefghij"] };

describe("browser-infra", () => {
  test.each([[["--help"]], [["extensions", "delete", "--help"]]])("%j lists the exit codes", async (args) => {
    const { exitCode, out, err } = await play(nowhere, args);
    expect([exitCode, err]).toEqual([0, ""]);
    for (const code of [0, 1, 2, 3, 4, 5, 130]) {
      expect(out).toMatch(new RegExp(`^  ${code} +\\S`, "m"));
    }
  });

  test.each(["projects", "api-keys", "extensions"])(
    "%s without a command is wrong usage and lists its commands",
    async (group) => {
      const { exitCode, out, err } = await play(nowhere, [group]);
      expect([exitCode, out]).toEqual([2, ""]);
      expect(err).toContain("list [options]");
    },
  );

  test("only the command emulator loads the emulator, which would delay every other command", () => {
    const script = 'require("./program.js"); console.log(Object.keys(require.cache).join("\\n"));';
    const loaded = execFileSync(process.execPath, ["-e", script], {
      cwd: join(__dirname, "../../dist/cli"),
      encoding: "utf8",
    });
    expect(loaded).toContain("undici");
    expect(loaded).not.toMatch(/hono|emulator[/\\]index/);
  });

  test("help fits the width of the terminal", async () => {
    const { out } = await play(nowhere, ["extensions", "upload", "--help"], { terminal: 60 });
    const options = out.slice(0, out.indexOf("Exit codes"));
    expect(Math.max(...options.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(60);
  });

  test("a service that cannot be reached is a failure, and the error shows no key", async () => {
    const { exitCode, out, err } = await play(nowhere, ["projects", "list"], { terminal: 80 });
    expect([exitCode, out]).toEqual([1, ""]);
    expect(err.startsWith("\u001b[31merror:\u001b[39m Listing projects failed: ")).toBe(true);
    expect(err).toContain("127.0.0.1:9");
    expect(err).not.toContain("sk_");
  });

  test("nothing in a response or an argument can steer the terminal through an error", async () => {
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
