import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { temporaryFolder } from "../support/temporary-folder.js";
import { startCommand } from "./started-command.js";

const key = "sk_0123456789abcdefghij";
const secret = {
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  ciphertext: "c2VjcmV0",
};

/** What the engine writes about a resource of the stack "dev". */
function step(
  op: string,
  name: string,
  type: string,
  old: object,
  now: object | null,
  differing: readonly string[] = [],
) {
  const urn = `urn:pulumi:dev::shop::${type}::${name}`;
  const state = (inputs: object | null) =>
    inputs && { custom: true, inputs, outputs: { ...inputs, checksum: now ? "cd" : "ab" } };
  const detailedDiff = Object.fromEntries(differing.map((path) => [path, { diffKind: "update" }]));
  const metadata = {
    op,
    urn,
    type,
    old: { ...state(old), outputs: { ...old, checksum: "ab" } },
    new: state(now),
    detailedDiff,
  };
  return { resOutputsEvent: { metadata } };
}

const own = (kind: string) => `browser-infra:index:${kind}`;
const many = Array.from({ length: 7 }, (_, at) => `setting${at}`);
const events = [
  step("refresh", "same", own("Project"), { name: "a" }, { name: "a" }),
  step("same", "same", own("Project"), { name: "a" }, { name: "a" }),
  step("refresh", "b\u001b[2J|*b*", own("Project"), { name: "a|<b>" }, { name: "\u202ea" }, ["name"]),
  step("update", "b\u001b[2J|*b*", own("Project"), { name: "a|<b>" }, { name: "\u202ea" }, ["name"]),
  step("refresh", "a", "pulumi-nodejs:dynamic/browser-infra:Extension", { path: "./a" }, { path: "./a" }, [
    "checksum",
    'files["a.js"]',
    "__browserInfra.memo",
  ]),
  step("refresh", "secret", own("Credential"), { values: { pin: secret } }, { values: { pin: "1234" } }, [
    "values.pin",
  ]),
  step("refresh", "many", own("BrowserPool"), {}, Object.fromEntries(many.map((name) => [name, 1])), many),
  step("refresh", "long", own("Project"), { name: "a".repeat(200) }, { name: "b" }, ["name"]),
  step("refresh", "gone::away", own("Profile"), { name: "a" }, null),
  step("refresh", "theirs", "random:index:Pet", { name: "a" }, null),
  step("update", "edited", own("Project"), { name: "a" }, { name: "b" }, ["name"]),
  step("create", "new", own("Project"), {}, { name: "b" }),
  step("create", "default", "pulumi:providers:browser-infra", {}, {}),
  { summaryEvent: {} },
];

describe("browser-infra drift", () => {
  const folder = temporaryFolder();
  const bin = join(folder, "bin");
  const tmp = join(folder, "tmp");
  mkdirSync(bin);
  mkdirSync(tmp);

  /** Writes a program in place of the Pulumi CLI, which writes events, and then does this. */
  function usePulumi(written: readonly object[], then: string): void {
    writeFileSync(join(bin, "events"), written.map((event) => `${JSON.stringify(event)}\n`).join(""));
    const script = `#!${process.execPath}
      const { copyFileSync, writeFileSync } = require("node:fs");
      const log = process.argv.find((each) => each.startsWith("--event-log=")).slice("--event-log=".length);
      copyFileSync(__dirname + "/events", log);
      writeFileSync(__dirname + "/arguments", JSON.stringify(process.argv.slice(2)));
      ${then}`;
    writeFileSync(join(bin, "pulumi"), script);
    chmodSync(join(bin, "pulumi"), 0o700);
  }

  const drift = (args: readonly string[], PATH = [bin, process.env.PATH].join(delimiter)) =>
    startCommand(["drift", ...args], { env: { PATH, TMPDIR: tmp, BROWSER_INFRA_API_KEY: key } });

  afterEach(() => expect(readdirSync(tmp)).toEqual([]));

  test("says by property what has drifted, and shows no secret and nothing that steers a terminal", async () => {
    usePulumi(events, "");
    const { exitCode, out, err } = await drift([]).ended;
    expect([exitCode, err]).toEqual([7, ""]);
    expect(out).toBe("X");
  });

  test("says the same as a table in Markdown, escaped, with the stack in the command that repairs it", async () => {
    usePulumi(events, "");
    const { exitCode, out } = await drift(["--markdown", "--stack=--cwd"]).ended;
    expect(exitCode).toBe(7);
    expect(out).toBe("X");
    expect(JSON.parse(readFileSync(join(bin, "arguments"), "utf8"))).toContain("--stack=--cwd");
  });

  test("prints one document with --json, in which long values are complete", async () => {
    usePulumi(events, "");
    const { out } = await drift(["--json"]).ended;
    const { resources, ...others } = JSON.parse(out);
    expect(others).toEqual({
      stack: "dev",
      clean: false,
      others: 1,
      undeployed: 2,
      repair: "pulumi up --refresh --run-program",
    });
    expect(resources[3]).toMatchObject({
      name: "long",
      drift: "changed",
      properties: [{ name: "name", state: "a".repeat(200), service: "b" }],
    });
    expect(resources.at(-1).properties).toEqual([{ name: "values", state: "[secret]", service: "[secret]" }]);
  });

  test("calls no resource clean or gone when anything failed, and says why in Pulumi's words without the key", async () => {
    const message = `The service refused ${key}.\n  Look again.\n`;
    usePulumi(
      [...events, { diagnosticEvent: { severity: "error", message } }],
      'console.error("error: nothing"); process.exitCode = 255;',
    );
    const failed = await drift([]).ended;
    expect(failed).toMatchObject({ exitCode: 1, out: "" });
    expect(failed.err).toBe("X");
    usePulumi([], 'console.error("error: no stack selected"); process.exitCode = 255;');
    expect((await drift(["--json"]).ended).err).toContain(
      '"code":"drift_unknown","message":"Looking for drift failed, so nothing is known about it. Pulumi says: no stack selected. Run',
    );
    usePulumi([], 'process.kill(process.pid, "SIGKILL");');
    expect((await drift([]).ended).err).toContain("Pulumi says: It ended with SIGKILL. Run");
  });

  test("says that it needs the Pulumi CLI", async () => {
    const { exitCode, err } = await drift([], folder).ended;
    expect([exitCode, err]).toEqual([
      1,
      'error: "drift" needs the Pulumi CLI, and there is no program "pulumi" in PATH. Install it.\n',
    ]);
  });

  test("refuses two forms at once", async () => {
    const { exitCode, err } = await drift(["--markdown", "--json"]).ended;
    expect([exitCode, err]).toEqual([2, expect.stringContaining("--markdown")]);
  });

  test("ends Pulumi with Ctrl+C, and waits for its end", async () => {
    const onEnd =
      'process.on("SIGTERM", () => { writeFileSync(__dirname + "/ended", ""); process.exit(1); });';
    usePulumi(events, `${onEnd} writeFileSync(__dirname + "/ready", ""); setInterval(() => {}, 1000);`);
    const { child, ended } = drift([]);
    while (!existsSync(join(bin, "ready"))) {
      await new Promise(setImmediate);
    }
    child.kill("SIGINT");
    expect(await ended).toMatchObject({ exitCode: 130, out: "", err: "" });
    expect(existsSync(join(bin, "ended"))).toBe(true);
  });
});
