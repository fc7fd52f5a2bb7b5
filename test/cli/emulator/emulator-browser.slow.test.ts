import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import Kernel from "@onkernel/sdk";
import { builtFile } from "../../support/built-file.js";
import { testInBrowser } from "../../support/chromium.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { settingsOf, startCommand } from "../started-command.js";

const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Folder with a short name: below a long one, the emulator takes /tmp, where sockets fit. */
function shortFolder(): string {
  const folder = mkdtempSync("/tmp/b-");
  folders.push(folder);
  return folder;
}

interface Started {
  readonly url: string;
  readonly apiKeys: readonly string[];
  readonly pid: number;
  readonly browser: string | null;
}

/** Starts an emulator with temporary files in a folder of the test. */
async function start(temporary: string, ...options: readonly string[]) {
  const command = startCommand(["emulator", "--port=0", "--json", "--browser", ...options], {
    env: { TMPDIR: temporary, KERNEL_API_KEY: "sk_of_the_shell" },
  });
  await once(command.child.stdout ?? process.stdin, "data");
  const emulator: Started = JSON.parse(command.printed.out);
  const client = new Kernel({ apiKey: "sk_emulator", baseURL: emulator.url, maxRetries: 0 });
  return { ...command, emulator, client };
}

/** Ids of the processes that name a folder in their command line. */
const processesIn = (folder: string) =>
  readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && commandOf(pid).includes(folder));

/** Command line of a process, with a zero byte after each word; empty for a process that has ended. */
function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

/** Resolves once a condition holds; fails after a time limit, in milliseconds. */
async function within(msMax: number, condition: () => boolean): Promise<void> {
  const end = performance.now() + msMax;
  while (!condition()) {
    expect(performance.now()).toBeLessThan(end);
    await wait(50);
  }
}

/** The sockets on which a process listens. */
function listening(pid: string): readonly string[] {
  const lines = ["tcp", "tcp6"].flatMap((file) =>
    readFileSync(`/proc/${pid}/net/${file}`, "utf8").split("\n"),
  );
  const inodes = lines.map((line) => line.trim().split(/\s+/)).filter(([, , , state]) => state === "0A");
  const own = readdirSync(`/proc/${pid}/fd`).map((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`);
    } catch {
      return "";
    }
  });
  return inodes.map(({ 9: inode }) => `socket:[${inode}]`).filter((socket) => own.includes(socket));
}

describe("browser-infra emulator --browser", () => {
  testInBrowser("a browser has no port, an empty environment and a folder for its user alone", async () => {
    const temporary = shortFolder();
    const { child, ended, emulator, client } = await start(temporary);
    expect(emulator.browser).toMatch(/^\//);
    await client.browsers.create({ headless: true });
    const processes = processesIn(temporary);
    const [root = ""] = readdirSync(temporary);
    expect(statSync(join(temporary, root)).mode & 0o777).toBe(0o700);
    const browsers = processes.filter((pid) => commandOf(pid).includes("--type="));
    expect(browsers.length).toBeGreaterThan(1);
    for (const pid of processes) {
      expect(listening(pid)).toEqual([]);
      expect(readFileSync(`/proc/${pid}/environ`, "utf8")).not.toContain("sk_");
    }
    child.kill("SIGTERM");
    expect((await ended).exitCode).toBe(0);
    expect([readdirSync(temporary), processesIn(temporary)]).toEqual([[], []]);
  });

  testInBrowser("a killed emulator leaves no browser and no folder", async () => {
    const temporary = shortFolder();
    const { child, ended, client } = await start(temporary);
    await Promise.all([1, 2, 3].map(() => client.browsers.create({ headless: true })));
    const browsers = () => processesIn(temporary).filter((pid) => !/^(\/bin\/sh|$)/.test(commandOf(pid)));
    expect(browsers().length).toBeGreaterThan(3);
    child.kill("SIGKILL");
    await ended;
    await within(20_000, () => browsers().length === 0);
    await within(20_000, () => readdirSync(temporary).length === 0);
  });

  testInBrowser(
    "an emulator that cannot listen leaves no folder and no timer in the program that started it",
    async () => {
      const temporary = shortFolder();
      const script = `const { startEmulator } = require(${JSON.stringify(builtFile("dist/emulator/index.js"))});
      const server = require("node:net").createServer().listen(0, "127.0.0.1", async () => {
        await startEmulator({ browser: true, port: server.address().port }).catch(({ code }) => console.log(code));
        console.log(require("node:fs").readdirSync(process.env.TMPDIR).length);
        setTimeout(() => server.close(), 1_500);
      });`;
      const child = spawn(process.execPath, ["-e", script], {
        env: { PATH: process.env.PATH, TMPDIR: temporary },
      });
      let out = "";
      child.stdout.on("data", (text) => {
        out += text;
      });
      // The timer of such browsers would meet a closed database, and end the program.
      expect([await once(child, "close"), out]).toEqual([[0, null], "emulator_port_unavailable\n0\n"]);
    },
  );

  testInBrowser("a restart with --data ends all sessions, and keeps the saved profiles", async () => {
    const temporary = shortFolder();
    const data = join(temporaryFolder(), "data");
    const first = await start(temporary, "--data", data);
    const { id } = await first.client.profiles.create({ name: "kept" });
    const profile = { id, save_changes: true };
    const saved = await first.client.browsers.create({ headless: true, profile });
    await first.client.browsers.deleteByID(saved.session_id);
    const { session_id } = await first.client.browsers.create({ headless: true });
    first.child.kill("SIGTERM");
    await first.ended;
    expect(existsSync(join(data, "profiles", id))).toBe(true);
    const second = await start(temporary, "--data", data);
    await expect(second.client.browsers.retrieve(session_id)).rejects.toThrow("404");
    expect((await second.client.browsers.create({ headless: true, profile })).profile?.name).toBe("kept");
    second.child.kill("SIGTERM");
    await second.ended;
  });

  testInBrowser("emulator exec gives a program an emulator whose leases open browsers", async () => {
    const script = `fetch(process.env.BROWSER_INFRA_BASE_URL + "/browsers", {
      method: "POST", body: "{}", headers: { authorization: "Bearer " + process.env.BROWSER_INFRA_API_KEY },
    }).then((answer) => answer.json()).then(({ cdp_ws_url }) => console.log(cdp_ws_url));`;
    const { exitCode, out } = await startCommand(
      ["emulator", "exec", "--browser", "--", process.execPath, "-e", script],
      { env: settingsOf({ url: "", apiKeys: [""] }) },
    ).ended;
    expect([exitCode, out]).toEqual([0, expect.stringMatching(/^ws:\/\/127\.0\.0\.1:\d+\/browser\/cdp\?/)]);
  });

  test("without a browser on the machine, the emulator starts and says so", async () => {
    const command = startCommand(["emulator", "--port=0", "--browser"], { env: { PATH: "/nowhere" } });
    await once(command.child.stdout ?? process.stdin, "data");
    command.child.kill("SIGTERM");
    const { out } = await command.ended;
    // A Mac has Chrome outside of PATH.
    expect(out).toMatch(
      /^Browser {4}(none found on PATH, so leased browsers do not start|\/Applications\/.*)$/m,
    );
  });
});
