import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { createServer } from "node:net";
import { join, relative } from "node:path";
import { startInBackground } from "../../../src/cli/processes/background.js";
import { runningEmulators } from "../../../src/cli/processes/running.js";
import { builtFile } from "../../support/built-file.js";
import { compileCache } from "../../support/faster/faster-node.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { play } from "../played-terminal.js";
import { startCommand } from "../started-command.js";
import { holdPort } from "./held-port.js";

/** Process ids of the emulators, which outlive the commands. */
const emulators = new Set<number>();

/** Runs a script in a shell where the command is available as `browser-infra`. */
function shell(script: string, folder = temporaryFolder()) {
  const command = `browser-infra() { "${process.execPath}" "${builtFile("dist/cli/main.js")}" "$@"; }`;
  const { status, stdout, stderr } = spawnSync("bash", ["-ec", `${command}\n${script}`], {
    cwd: folder,
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: compileCache },
    // Bash reads ~/.bashrc if the input is a socket, like a pipe of Node.
    stdio: ["ignore", "pipe", "pipe"],
    encoding: "utf8",
    timeout: 60_000,
  });
  for (const [, pid] of stderr.matchAll(/To stop the emulator: kill (\d+)$/gm)) {
    emulators.add(Number(pid));
  }
  return { exitCode: status, out: stdout, err: stderr, folder };
}

/** Whether something answers as the emulator does, to whoever has the key. */
const answers = (url: string, key = "sk_emulator"): Promise<boolean> =>
  fetch(`${url}/extensions`, { headers: { authorization: `Bearer ${key}` } })
    .then(({ ok }) => ok)
    .catch(() => false);

const printSettings = 'echo "$BROWSER_INFRA_BASE_URL $BROWSER_INFRA_API_KEY $BROWSER_INFRA_EMULATOR_PID"';

describe("browser-infra emulator --detach", () => {
  afterEach(() => {
    for (const pid of emulators) {
      process.kill(pid);
    }
    emulators.clear();
  });

  test("emulator --detach gives a shell the address and key of an emulator that answers after the shell has ended", async () => {
    const { exitCode, out, err, folder } = shell(
      `eval "$(browser-infra emulator --detach --port 0 --api-key "sk'1" --quiet)"\n${printSettings}`,
    );
    const [url = "", key, pid] = out.trim().split(" ");
    expect([exitCode, key, emulators.has(Number(pid))]).toEqual([0, "sk'1", true]);
    expect(await answers(url, key)).toBe(true);
    expect(err).toContain(`Emulator   ${url}\nPage       ${url}/\n`);
    expect(err).toContain(`  export BROWSER_INFRA_BASE_URL=${url}\n`);
    expect(err).toMatch(/\nThe log is emulator\.log\. To stop the emulator: kill \d+\n$/);
    const log = join(folder, "emulator.log");
    expect([readFileSync(log, "utf8"), statSync(log).mode & 0o777]).toEqual(["", 0o600]);
  });

  test("a detached emulator logs each request in emulator.log, and ends when the printed process id is killed", async () => {
    const { out, folder } = shell(`eval "$(browser-infra emulator --detach --port 0)"\n${printSettings}`);
    const [url = "", , pid] = out.trim().split(" ");
    await answers(url);
    expect(readFileSync(join(folder, "emulator.log"), "utf8")).toMatch(/Z GET \/extensions 200\n$/);
    process.kill(Number(pid));
    emulators.delete(Number(pid));
    while (await answers(url)) {
      await new Promise(setImmediate);
    }
  });

  test("emulator list shows the emulators in the background, and emulator stop stops one and waits for its end", () => {
    const folder = temporaryFolder();
    const { out, err } = shell(
      `export TMPDIR=${folder}
      browser-infra emulator stop || echo $?
      eval "$(browser-infra emulator --detach --port 0)"
      echo $BROWSER_INFRA_EMULATOR_PID $BROWSER_INFRA_BASE_URL
      browser-infra emulator list --json
      browser-infra emulator stop $$ || echo $?
      eval "$(browser-infra emulator --detach --port 0)"
      first=$(browser-infra emulator list --json | grep -o '"pid": [0-9]*' | head -1 | cut -d' ' -f2)
      (unset BROWSER_INFRA_EMULATOR_PID; browser-infra emulator stop || echo $?)
      browser-infra emulator stop $first
      browser-infra emulator stop
      browser-infra emulator list --json`,
      folder,
    );
    emulators.clear();
    const [pid, url = ""] = (out.split("\n")[1] ?? "").split(" ");
    expect(out).toContain(`"pid": ${pid},\n    "url": "${url}",\n    "folder": "${folder}"`);
    expect(out.match(/^\d$/gm)).toEqual(["3", "3", "2"]);
    expect(out.match(/^Stopped the emulator/gm)).toHaveLength(2);
    expect(out).toMatch(/\[\]\n$/);
    expect(err).toMatch(
      /No emulator runs in the background[\s\S]*is no emulator in the background[\s\S]*2 emulators run/,
    );
  });

  test("only the owner may read emulator.log, even if everybody could read an earlier file", () => {
    const folder = temporaryFolder();
    const log = join(folder, "emulator.log");
    writeFileSync(log, "earlier\n");
    chmodSync(log, 0o644);
    shell(`umask 022; eval "$(browser-infra emulator --detach --port 0)"`, folder);
    expect(statSync(log).mode & 0o777).toBe(0o600);
    expect(readFileSync(log, "utf8")).toBe("earlier\n");
  });

  test("the list of emulators has the whole path of a folder, as of the folder that init writes", async () => {
    const folder = temporaryFolder();
    const { pid } = await startInBackground({
      command: [builtFile("dist/cli/main.js"), "emulator"],
      options: [],
      port: 0,
      folder: relative(process.cwd(), folder),
      env: { PATH: process.env.PATH },
      signal: new AbortController().signal,
    });
    emulators.add(pid);
    expect(runningEmulators().find((each) => each.pid === pid)?.folder).toBe(folder);
  });

  test("emulator --detach --allow-remote sets a new key in the shell, and answers under --allow-host", async () => {
    const { out } = shell(
      `eval "$(browser-infra emulator --detach --port 0 --allow-remote --allow-host a.example --allow-host b.example)"\n${printSettings}`,
    );
    const [url = "", key = ""] = out.trim().split(" ");
    expect(key).toMatch(/^sk_[a-z0-9]{32}$/);
    expect([await answers(url, key), await answers(url)]).toEqual([true, false]);
    const statusUnder = async (host: string) => {
      const headers = { host, authorization: `Bearer ${key}` };
      const [response] = await once(get(`${url}/extensions`, { headers, agent: false }), "response");
      response.destroy();
      return response.statusCode;
    };
    expect(await statusUnder("a.example")).toBe(200);
    expect(await statusUnder("b.example")).toBe(200);
    expect(await statusUnder("c.example")).toBe(403);
  });

  test("emulator --detach takes a free port if a different program holds 4010, and sends that program nothing", async () => {
    const stranger = await holdPort(4010);
    try {
      const { exitCode, out, folder } = shell(`eval "$(browser-infra emulator --detach)"\n${printSettings}`);
      const [url = ""] = out.split(" ");
      // A log that begins with the refused port would look like a failure.
      expect(readFileSync(join(folder, "emulator.log"), "utf8")).toBe("");
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:(?!4010$)\d+$/);
      expect([exitCode, await answers(url), stranger.connections]).toEqual([0, true, 0]);
    } finally {
      stranger.release();
    }
  });

  test("emulator --detach fails with the reason if --port is taken, and the eval of a shell fails as well", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as { port: number };
    const { exitCode, out, err } = shell(
      `eval "$(browser-infra emulator --detach --port ${port})"\necho further`,
    );
    other.close();
    expect([exitCode, out]).toEqual([1, ""]);
    expect(err).toBe(
      `error: Starting the emulator on 127.0.0.1, port ${port}, failed: the port is in use. Choose another port, or 0 for any free port.\n`,
    );
  });

  test.each([
    ["--seed none.json", 2, 'seed "none.json" cannot be used: there is no such file'],
    ["--data file", 1, "Opening the emulator's data in"],
  ])("emulator --detach %s fails with the reason", (options, expected, reason) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "file"), "");
    const { exitCode, out, err } = shell(`browser-infra emulator --detach --port 0 ${options}`, folder);
    expect([exitCode, out, err]).toEqual([expected, "false\n", expect.stringContaining(reason)]);
  });

  test("emulator --detach fails with the reason if emulator.log cannot be written", () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "emulator.log"));
    const { exitCode, err } = shell("browser-infra emulator --detach", folder);
    expect([exitCode, err]).toEqual([1, expect.stringContaining('log to "emulator.log" failed: ')]);
  });

  test("emulator --detach --json prints the address, the keys and the process id, and an error as JSON", async () => {
    const cwd = temporaryFolder();
    const args = ["emulator", "--detach", "--json", "--api-key", "sk_a", "--api-key", "sk_b"];
    const { exitCode, out, err } = await startCommand([...args, "--port", "0"], { cwd }).ended;
    const { url, apiKeys, pid } = JSON.parse(out);
    emulators.add(pid);
    expect([exitCode, err, apiKeys]).toEqual([0, "", ["sk_a", "sk_b"]]);
    expect(await answers(url, "sk_b")).toBe(true);
    const failed = await startCommand([...args, "--port", new URL(url).port], { cwd }).ended;
    expect([failed.exitCode, failed.out]).toEqual([1, ""]);
    expect(JSON.parse(failed.err).error.code).toBe("emulator_port_unavailable");
    const refused = await startCommand([...args, "--until-stdin-ends"], { cwd }).ended;
    expect(JSON.parse(refused.err).error).toMatchObject({
      code: "usage_invalid",
      property: "until-stdin-ends",
    });
  });

  test("emulator --detach ends the emulator if standard output cannot be written", async () => {
    const folder = temporaryFolder();
    const { exitCode, err } = shell(
      "browser-infra emulator --detach --port 0 --data data > /dev/full",
      folder,
    );
    expect([exitCode, err]).toEqual([10, expect.stringContaining("Standard output cannot be written")]);
    emulators.clear();
    // A second emulator cannot use the folder while the first emulator runs.
    const again = "until browser-infra emulator exec --data data -- true; do :; done";
    expect(shell(again, folder).exitCode).toBe(0);
  });

  test("emulator --detach prints the export lines and the kill command in a terminal", async () => {
    const settings = { url: "http://127.0.0.1:9", apiKeys: ["sk_0123456789abcdefghij"] };
    const args = ["emulator", "--detach", "--port", "0"];
    const { out, err } = await play(settings, args, { terminal: 80, cwd: temporaryFolder() });
    const [, pid] = /To stop the emulator: kill (\d+)\n$/.exec(out) ?? [];
    emulators.add(Number(pid));
    expect([err, out]).toEqual(["", expect.stringContaining("  export BROWSER_INFRA_API_KEY=sk_emulator\n")]);
    expect(out).not.toContain("EMULATOR_PID");
  });
});
