import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { startCommand } from "../started-command.js";

const key = "sk_0123456789abcdefghij";
const secret = {
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  ciphertext: "c2VjcmV0",
};

/** Event of the engine about a resource of the stack "dev". The checksum is only an output. */
function step(op: string, name: string, type: string, old: object, now: object | null, paths: string[] = []) {
  const state = (inputs: object, checksum: string) => ({ inputs, outputs: { ...inputs, checksum } });
  const metadata = {
    op,
    urn: `urn:pulumi:dev::shop::${type}::${name}`,
    type,
    old: state(old, "ab"),
    new: now && state(now, name === "a" ? "cd" : "ab"),
    detailedDiff: Object.fromEntries(paths.map((path) => [path, { diffKind: "update" }])),
  };
  return { resOutputsEvent: { metadata } };
}

const own = (kind: string) => `browser-infra:index:${kind}`;
const many = Array.from({ length: 7 }, (_, at) => `setting${at}`);
const dynamic = "pulumi-nodejs:dynamic/browser-infra:Extension";
const events = [
  step("update", "shop-dev", "pulumi:pulumi:Stack", {}, {}),
  step("same", "same", own("Project"), { name: "a" }, { name: "b" }),
  step("update", "b\u001b[2J|*b* https://a.b$", own("Project"), { name: "a|<b>" }, { name: "\u202ea" }, [
    "name",
  ]),
  step("update", "a", dynamic, { path: "./a" }, { path: "./a" }, ["checksum", "__browserInfra"]),
  step("update", "secret", own("Credential"), { values: secret }, { values: { pin: "1234" } }, [
    "values.pin",
  ]),
  step("update", "many", own("BrowserPool"), {}, Object.fromEntries(many.map((name) => [name, 1])), many),
  step("update", "long", own("Project"), { name: "a".repeat(200) }, { name: "b" }, ["name"]),
  step("update", "no path", own("Project"), { name: "a" }, { name: "b" }),
  step("delete", "gone::away", own("Profile"), { name: "a" }, null),
  step("delete", "theirs", "random:index:Pet", { name: "a" }, null),
  { summaryEvent: {} },
];

describe("browser-infra drift", () => {
  const folder = temporaryFolder();
  const bin = join(folder, "bin");
  const tmp = join(folder, "tmp");
  mkdirSync(bin);
  mkdirSync(tmp);

  /** Writes a program in place of the Pulumi CLI. The program writes events, then runs `then`. */
  function usePulumi(written: readonly object[], then: string, pending: readonly object[] = []): void {
    writeFileSync(join(bin, "events"), written.map((event) => `${JSON.stringify(event)}\n`).join(""));
    const script = `#!${process.execPath}
      const { copyFileSync, writeFileSync } = require("node:fs");
      if (process.argv.includes("export")) {
        console.log(${JSON.stringify(JSON.stringify({ deployment: { pending_operations: pending } }))});
        process.exit();
      }
      const log = process.argv.find((each) => each.startsWith("--event-log=")).slice("--event-log=".length);
      copyFileSync(__dirname + "/events", log);
      writeFileSync(__dirname + "/arguments", JSON.stringify(process.argv.slice(2)));
      ${then}`;
    writeFileSync(join(bin, "pulumi"), script);
    chmodSync(join(bin, "pulumi"), 0o700);
  }

  const drift = (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const PATH = [bin, process.env.PATH].join(delimiter);
    return startCommand(["drift", ...args], {
      env: { PATH, TMPDIR: tmp, BROWSER_INFRA_API_KEY: key, ...env },
    });
  };

  afterEach(() => expect(readdirSync(tmp)).toEqual([]));

  test("drift lists the drifted properties of each resource, without secrets and control characters", async () => {
    usePulumi(events, "");
    const { exitCode, out, err } = await drift([]).ended;
    expect([exitCode, err]).toEqual([7, ""]);
    expect(out).toBe(`a (Extension): checksum is "cd" and not "ab".
b\\u001b[2J|*b* https://a.b$ (Project): name is "\\u202ea" and not "a|<b>".
gone::away (Profile): gone from the service.
long (Project): name changed.
many (BrowserPool): setting0 is 1 and not unset, setting1 is 1 and not unset, setting2 is 1 and not unset, setting3 is 1 and not unset, setting4 is 1 and not unset and 2 more.
no path (Project): changed.
secret (Credential): values changed.
1 resource of other packages drifted; "pulumi refresh --preview-only --run-program --diff" shows which.
"pulumi up --refresh --run-program" repairs the drift.
`);
    expect(JSON.parse(readFileSync(join(bin, "arguments"), "utf8"))).toEqual(
      expect.arrayContaining(["refresh", "--preview-only", "--run-program"]),
    );
  });

  test("drift --markdown prints an escaped table, with the stack in the repair command", async () => {
    usePulumi(events, "");
    const { exitCode, out } = await drift(["--markdown", "--stack", "--cwd"]).ended;
    expect(exitCode).toBe(7);
    const lines = out.split("\n");
    expect(lines.slice(0, 6)).toEqual([
      "## Drift of dev",
      "",
      "| Resource | Kind | Drift |",
      "| --- | --- | --- |",
      '| a | Extension | checksum is "cd" and not "ab" |',
      String.raw`| b\\u001b\[2J\|\*b\* https\://a\.b\$ | Project | name is "\\u202ea" and not "a\|\<b\>" |`,
    ]);
    expect(lines.at(-2)).toBe("`pulumi up --refresh --run-program --stack --cwd` repairs the drift.");
    expect(JSON.parse(readFileSync(join(bin, "arguments"), "utf8"))).toContain("--stack=--cwd");
  });

  test("drift --json prints one document with long values complete", async () => {
    usePulumi(events, "");
    const { out } = await drift(["--json"]).ended;
    const { resources, ...others } = JSON.parse(out);
    expect(others).toEqual({
      stack: "dev",
      clean: false,
      projects: [],
      others: 1,
      pending: false,
      repair: "pulumi up --refresh --run-program",
    });
    expect(resources[3]).toMatchObject({
      name: "long",
      drift: "changed",
      properties: [{ name: "name", state: "a".repeat(200), service: "b" }],
    });
    expect(resources.at(-1).properties).toEqual([{ name: "values", state: "[secret]", service: "[secret]" }]);
  });

  test("drift names the pending command when an interrupted deployment left pending operations", async () => {
    const resource = { urn: `urn:pulumi:dev::shop::${own("Project")}::shop`, type: own("Project") };
    usePulumi([{ summaryEvent: {} }], "", [{ type: "creating", resource }]);
    expect((await drift(["--stack", "dev"]).ended).out).toBe(
      'Nothing has drifted.\nAn interrupted deployment left pending operations; "browser-infra pending --stack dev" shows the results.\n',
    );
  });

  test("drift reports nothing about resources when the refresh failed, and quotes Pulumi's reason without the key", async () => {
    const message = `The service refused ${key}.\n  Look again.\n`;
    usePulumi(
      [...events, { diagnosticEvent: { severity: "error", message } }],
      'console.error("error: nothing"); process.exitCode = 255;',
    );
    const failed = await drift([]).ended;
    expect(failed).toMatchObject({ exitCode: 1, out: "" });
    expect(failed.err).toBe(
      'error: The drift check failed, so it is unknown whether anything has drifted. Pulumi says: The service refused [redacted]. Look again. Run this in the folder of the program, with the settings of "pulumi up".\n',
    );
    usePulumi([], 'console.error("error: no stack selected"); process.exitCode = 255;');
    expect((await drift(["--json"]).ended).err).toContain(
      '"code":"drift_unknown","message":"The drift check failed, so it is unknown whether anything has drifted. Pulumi says: no stack selected. Run',
    );
    usePulumi(events.slice(0, -1), "");
    expect((await drift([]).ended).err).toContain("Pulumi says: It wrote no summary. Run");
    usePulumi(events, 'writeFileSync(log, "{}\\n{\\n{}\\n");');
    expect((await drift([]).ended).err).toContain("Pulumi says: It wrote no summary. Run");
    usePulumi([], 'process.kill(process.pid, "SIGKILL");');
    expect((await drift([]).ended).err).toContain("Pulumi says: It ended with SIGKILL. Run");
  });

  test("drift runs the refresh without environment variables that would change its options, and with PULUMI_STACK", async () => {
    usePulumi(events, 'writeFileSync(__dirname + "/environment", JSON.stringify(process.env));');
    const others = { PULUMI_OPTION_TARGET: "a", PULUMI_OPTION_YES: "1", PULUMI_SKIP_CONFIRMATIONS: "1" };
    const { exitCode, out } = await drift([], { ...others, PULUMI_STACK: "acme/shop/dev" }).ended;
    expect(exitCode).toBe(7);
    expect(out).toContain('"pulumi up --refresh --run-program --stack acme/shop/dev" repairs the drift.\n');
    const environment = JSON.parse(readFileSync(join(bin, "environment"), "utf8"));
    expect(Object.keys(environment)).toContain("PULUMI_STACK");
    expect(Object.keys(environment)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/PULUMI_OPTION|CONFIRM/)]),
    );
  });

  test("drift --markdown has no stack in the heading if no stack is known", async () => {
    usePulumi([{ summaryEvent: {} }], "");
    expect((await drift(["--markdown"]).ended).out).toBe("## Drift\n\nNothing has drifted.\n");
    const named = await drift(["--markdown", "--stack", "dev"]).ended;
    expect(named.out).toBe("## Drift of dev\n\nNothing has drifted.\n");
  });

  test("drift without the Pulumi CLI fails with the remedy", async () => {
    const { exitCode, err } = await drift([], { PATH: folder }).ended;
    expect([exitCode, err]).toEqual([
      1,
      'error: "drift" needs the Pulumi CLI, and PATH has no program "pulumi". Install the Pulumi CLI.\n',
    ]);
  });

  test("drift refuses --markdown together with --json", async () => {
    const { exitCode, err } = await drift(["--markdown", "--json"]).ended;
    expect([exitCode, err]).toEqual([2, expect.stringContaining("--markdown")]);
  });

  test("Ctrl+C during drift ends Pulumi, and drift waits until Pulumi has ended", async () => {
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
