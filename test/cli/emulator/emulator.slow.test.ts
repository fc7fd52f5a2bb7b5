import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { quietSqliteWarning } from "../../../src/cli/terminal/streams.js";
import { page } from "../../repository/documents/pages.js";
import { builtFile } from "../../support/built-file.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { play } from "../played-terminal.js";
import { type Start, startCommand } from "../started-command.js";

describe("browser-infra emulator", () => {
  const folder = temporaryFolder();
  const running = new Set<ChildProcess>();
  afterEach(() => {
    for (const child of running) {
      child.kill("SIGKILL");
    }
  });

  const start = (...args: string[]) => startIn({}, ...args);

  function startIn(how: Start, ...args: string[]) {
    const started = startCommand(args, { cwd: folder, ...how });
    const { child, printed: text, ended } = started;
    running.add(child);
    child.once("close", () => running.delete(child));
    /** Resolves once standard output has the text; fails when the process ends first. */
    const printed = async (expected: string): Promise<string> => {
      const early = ended.then(({ err }) => {
        throw new Error(`It ended before it printed "${expected}": ${err}`);
      });
      early.catch(() => {});
      while (!text.out.includes(expected)) {
        await Promise.race([once(child.stdout as Readable, "data"), early]);
      }
      return text.out;
    };
    return { child, ended, printed };
  }

  /** Runs a command that ends by itself, in the process of the other such commands. */
  const run = (...args: string[]) =>
    play({ url: "http://127.0.0.1:9", apiKeys: ["sk_0123456789abcdefghij"] }, args, { cwd: folder });

  async function startEmulator(...args: string[]) {
    const started = start("emulator", "--port", "0", "--json", "--quiet", ...args);
    const line = await started.printed("\n");
    return { ...started, ...(JSON.parse(line) as { url: string; apiKeys: string[]; pid: number }) };
  }

  const list = (url: string, key = "sk_emulator") =>
    fetch(`${url}/extensions`, { headers: { authorization: `Bearer ${key}` } });

  test("the emulator prints its address, its key and the export lines for a shell, and answers requests", async () => {
    const { child, ended, printed } = start("emulator", "--port", "0");
    const text = await printed("Ctrl+C");
    const url = /BROWSER_INFRA_BASE_URL=(http:\/\/127\.0\.0\.1:\d+)\n/.exec(text)?.[1] ?? "";
    expect(text).toContain("  export BROWSER_INFRA_API_KEY=sk_emulator\n");
    expect(text).toContain(`Page       ${url}/\n`);
    expect(text).toContain("in memory, lost when the emulator stops");
    expect((await list(url)).status).toBe(200);
    child.kill("SIGINT");
    expect(await ended).toMatchObject({
      exitCode: 0,
      err: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z GET \/extensions 200\n$/),
    });
  });

  test("the emulator prints one line for each request on standard error, even if nobody reads it, and none with --quiet", async () => {
    const { child, ended, printed } = start("emulator", "--port", "0", "--json");
    const { url } = JSON.parse(await printed("\n")) as { url: string };
    await fetch(`${url}/${"x".repeat(5000)}%1b`);
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.end("GET /a\u001b[2J HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
    await once(socket.resume(), "close");
    child.kill("SIGTERM");
    const { err } = await ended;
    const [first = "", ...others] = err.trimEnd().split("\n");
    expect(first).toMatch(/Z GET \/x{299}… 501$/);
    expect(others.join()).not.toContain("\u001b");

    const args = [builtFile("dist/cli/main.js"), "emulator", "--port", "0", "--json"];
    const unread = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
    running.add(unread);
    const [line] = (await once(unread.stdout.setEncoding("utf8"), "data")) as [string];
    const address = (JSON.parse(line) as { url: string }).url;
    // More than the pipe holds, and nobody reads the pipe.
    for (let round = 0; round < 10; round += 1) {
      const asked = Array.from({ length: 50 }, () => fetch(`${address}/${"x".repeat(290)}`));
      expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(asked.map(() => 501));
    }
    unread.kill("SIGTERM");
    const [exitCode] = await once(unread, "exit");
    expect(exitCode).toBe(0);

    const quiet = await startEmulator();
    await list(quiet.url);
    quiet.child.kill("SIGTERM");
    expect((await quiet.ended).err).toBe("");
  });

  test("--requests-per-second refuses requests beyond the rate with 429 and the rate limit headers", async () => {
    const { url } = await startEmulator("--requests-per-second", "0.1");
    await list(url);
    const { status, headers } = await list(url);
    expect([status, headers.get("retry-after"), headers.get("x-ratelimit-limit")]).toEqual([429, "10", "6"]);
    expect((await run("emulator", "--requests-per-second", "0")).err).toContain(
      "option requestsPerSecond is not a positive number",
    );
  });

  test("emulator --open opens the page in the browser of this machine, or prints the address to open", async () => {
    const programs = temporaryFolder();
    const opened = join(programs, "opened");
    writeFileSync(join(programs, "xdg-open"), `#!/bin/sh\nprintf %s "$1" > "${opened}"\n`, { mode: 0o755 });
    const PATH = `${programs}:${process.env.PATH}`;
    const { child, ended, printed } = startIn(
      { env: { PATH } },
      "emulator",
      "--port",
      "0",
      "--json",
      "--open",
    );
    const { url } = JSON.parse(await printed("\n")) as { url: string };
    while (!readdirSync(programs).includes("opened") || readFileSync(opened, "utf8") === "") {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(readFileSync(opened, "utf8")).toBe(`${url}/`);
    child.kill("SIGTERM");
    expect(await ended).toMatchObject({ exitCode: 0, err: "" });
    const without = startIn({ env: { PATH: folder } }, "emulator", "--port", "0", "--json", "--open");
    const { url: other } = JSON.parse(await without.printed("\n")) as { url: string };
    await once(without.child.stderr as Readable, "data");
    without.child.kill("SIGTERM");
    expect((await without.ended).err).toBe(
      `No browser can be opened here: xdg-open was not found. Open ${other}/ yourself.\n`,
    );
  });

  test("emulator --json prints one line of JSON, and --api-key sets the accepted keys", async () => {
    const emulator = await startEmulator("--api-key", "sk_a", "--api-key", "sk_b");
    expect(emulator.apiKeys).toEqual(["sk_a", "sk_b"]);
    expect(emulator.pid).toBe(emulator.child.pid);
    expect((await list(emulator.url, "sk_b")).status).toBe(200);
    expect((await list(emulator.url)).status).toBe(401);
    emulator.child.kill("SIGTERM");
    const { exitCode, out, err } = await emulator.ended;
    expect([exitCode, out.split("\n").length, err]).toEqual([0, 2, ""]);
  });

  test("emulator --seed reads a file, and refuses an invalid file with exit code 2 and the place in the file", async () => {
    writeFileSync(join(folder, "seed.json"), '{ "projects": [{ "id": "staging", "name": "Staging" }] }');
    const emulator = await startEmulator("--seed", "seed.json");
    const project = await fetch(`${emulator.url}/org/projects/Staging`, {
      headers: { authorization: "Bearer sk_emulator" },
    });
    expect(await project.json()).toMatchObject({ id: "staging" });
    writeFileSync(join(folder, "wrong.json"), '{ "projects": [{ "id": "staging" }] }');
    const refused = await run("emulator", "--port", "0", "--seed", "wrong.json");
    expect(refused).toMatchObject({ exitCode: 2, out: "" });
    expect(refused.err).toMatch(
      /^error: The emulator's seed "wrong\.json" cannot be used: projects\[0\]\.name must be a string\. .*\n$/,
    );
    const missing = await run("emulator", "--port", "0", "--seed", "none.json");
    expect(missing.err).toContain('seed "none.json" cannot be used: there is no such file.');
  });

  test("emulator --speed makes logins faster by the given factor", async () => {
    writeFileSync(
      join(folder, "login.json"),
      '{ "authConnections": [{ "id": "one", "domain": "example.com", "profileName": "work", "scenario": "reauthentication" }] }',
    );
    const { url } = await startEmulator("--seed", "login.json", "--speed", "1000");
    const headers = { authorization: "Bearer sk_emulator" };
    const login = await fetch(`${url}/auth/connections/one/login`, { method: "POST", headers });
    const { flow_expires_at } = (await login.json()) as { flow_expires_at: string };
    expect(Date.parse(flow_expires_at) - Date.now()).toBeLessThanOrEqual(1200);
    const events = await fetch(`${url}/auth/connections/one/events`, { headers });
    expect(await events.text()).toContain('"flow_status":"SUCCESS"');
    expect((await run("emulator", "--speed", "2000")).err).toContain(
      "option speed is not a number from 0.01 to 1000",
    );
  });

  test.each(["SIGINT", "SIGTERM"] as const)(
    "%s ends the emulator with exit code 0 without waiting for open connections, and keeps the data",
    async (signal) => {
      const data = join(folder, signal);
      const emulator = await startEmulator("--data", data);
      const socket = connect(Number(new URL(emulator.url).port), "127.0.0.1").on("error", () => {});
      socket.write("POST /extensions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\n\r\n");
      await once(socket, "connect");
      await list(emulator.url);
      const start = performance.now();
      emulator.child.kill(signal);
      expect(await emulator.ended).toMatchObject({ exitCode: 0, signal: null, err: "" });
      // Node itself would wait 5 s for an idle connection.
      expect(performance.now() - start).toBeLessThan(4_000);
      // An unclosed database would leave a write-ahead log behind.
      expect(readdirSync(data)).toEqual(["emulator.sqlite"]);
      socket.destroy();
    },
  );

  describe("--until-stdin-ends", () => {
    const args = ["emulator", "--port", "0", "--json", "--quiet", "--until-stdin-ends"];

    test("--until-stdin-ends ends the emulator with exit code 0 when standard input ends, and ignores the input before", async () => {
      const { child, ended, printed } = startIn({ stdin: "pipe" }, ...args);
      const { url } = JSON.parse(await printed("\n")) as { url: string };
      child.stdin?.write("anything\n");
      expect((await list(url)).status).toBe(200);
      child.stdin?.end();
      expect(await ended).toMatchObject({ exitCode: 0, signal: null, err: "" });
    });

    test("a signal ends an emulator with --until-stdin-ends while standard input is open", async () => {
      const { child, ended, printed } = startIn({ stdin: "pipe" }, ...args);
      await printed("\n");
      child.kill("SIGTERM");
      expect(await ended).toMatchObject({ exitCode: 0, signal: null, err: "" });
    });

    test("the Python program of the emulator page ends its emulator, even if the program is killed", async () => {
      const [sample] = page("docs/emulator/emulator.md").blocks.filter(
        ({ language }) => language === "python",
      );
      const program = temporaryFolder();
      mkdirSync(join(program, "node_modules/.bin"), { recursive: true });
      symlinkSync(builtFile("dist/cli/main.js"), join(program, "node_modules/.bin/browser-infra"));
      // Replaces the service's own package, which a test cannot download.
      writeFileSync(join(program, "kernel.py"), clientInPython);
      const script = `${sample?.code}    print(emulator["url"], flush=True)\n`;

      const ends = await promisify(execFile)("python3", ["-c", script], { cwd: program, timeout: 60_000 });
      await expect(list(ends.stdout.trim())).rejects.toThrow("fetch failed");

      const killed = spawn("python3", ["-c", `${script}    input()\n`], { cwd: program });
      running.add(killed);
      const [url] = (await once(killed.stdout.setEncoding("utf8"), "data")) as [string];
      expect((await list(url.trim())).status).toBe(200);
      killed.kill("SIGKILL");
      while ((await list(url.trim()).catch(() => undefined)) !== undefined) {
        await new Promise(setImmediate);
      }
    });
  });

  test("a killed emulator leaves a data folder that a new emulator can use", async () => {
    const data = join(folder, "killed");
    const first = await startEmulator("--data", data);
    const form = new FormData();
    form.set("file", new Blob([readFileSync(__filename)]), "x");
    expect(
      (
        await fetch(`${first.url}/extensions`, {
          method: "POST",
          body: form,
          headers: { authorization: "Bearer sk_emulator" },
        })
      ).status,
    ).toBe(400);
    const refused = await run("emulator", "--port", "0", "--data", data);
    expect(refused).toMatchObject({ exitCode: 1, out: "" });
    expect(refused.err).toMatch(/^error: Opening .* another emulator is using the folder\..*\n$/);
    first.child.kill("SIGKILL");
    await first.ended;
    const second = await startEmulator("--data", data);
    expect((await list(second.url)).status).toBe(200);
  });

  test("a port in use ends the emulator with exit code 1 and one sentence", async () => {
    const { url } = await startEmulator();
    const inUse = await run("emulator", "--port", new URL(url).port);
    expect(inUse).toMatchObject({ exitCode: 1, out: "" });
    expect(inUse.err).toMatch(
      /^error: Starting the emulator on 127\.0\.0\.1, port \d+, failed: the port is in use\..*\n$/,
    );
  });

  test.each([
    [["emulator", "--port", "65536"], "whole number from 0 to 65535"],
    [["emulator", "--speed", "fast"], "It must be a number"],
    [["emulator", "--host", "0.0.0.0"], "--allow-remote"],
    [["emulator", "--api-key", "a secret"], "1 to 255 visible ASCII characters"],
  ])("wrong usage %j ends with exit code 2, a sentence and no stack trace", async (args, reason) => {
    const { exitCode, out, err } = await run(...args);
    expect([exitCode, out]).toEqual([2, ""]);
    expect(err).toContain(reason);
    expect(err).not.toMatch(/\n\s+at |secret/);
  });

  test("the emulator continues after the reader of its standard output has closed", async () => {
    const port = await freePort();
    const { child, ended } = start("emulator", "--port", String(port), "--quiet");
    child.stdout?.destroy();
    while ((await list(`http://127.0.0.1:${port}`).catch(() => undefined))?.status !== 200) {
      expect(child.exitCode).toBeNull();
      await new Promise(setImmediate);
    }
    child.kill("SIGTERM");
    expect(await ended).toMatchObject({ exitCode: 0, err: "" });
  });

  test("the emulator drops the warning that node:sqlite is experimental, and no other warning", () => {
    const emitted = jest.spyOn(process, "emitWarning").mockImplementation();
    try {
      quietSqliteWarning();
      const sqlite = "SQLite is an experimental feature and might change at any time";
      process.emitWarning(sqlite, "ExperimentalWarning");
      process.emitWarning(sqlite, { type: "ExperimentalWarning" });
      process.emitWarning("Another feature", "ExperimentalWarning");
      process.emitWarning(sqlite);
      expect(emitted.mock.calls).toEqual([["Another feature", "ExperimentalWarning"], [sqlite]]);
    } finally {
      emitted.mockRestore();
    }
  });

  test("the emulator prints an API key with shell characters in quotes", async () => {
    const { printed } = start("emulator", "--port", "0", "--api-key", "sk'$x");
    expect(await printed("Ctrl+C")).toContain("  export BROWSER_INFRA_API_KEY='sk'\\''$x'\n");
  });
});

const clientInPython = `
import json, types, urllib.request

class Kernel:
    def __init__(self, base_url, api_key):
        def list():
            headers = {"Authorization": "Bearer " + api_key}
            answer = urllib.request.urlopen(urllib.request.Request(base_url + "/extensions", headers=headers))
            return types.SimpleNamespace(items=json.load(answer))
        self.extensions = types.SimpleNamespace(list=list)
`;

async function freePort(): Promise<number> {
  const { createServer } = await import("node:net");
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}
