import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Properties } from "../../bridges/wire-messages.js";
import { writeApp } from "../../emulator/apps/app-code.js";
import { newEmulator } from "../../support/emulator.js";
import { errorOf } from "../../support/error-of.js";
import { main, PlayedProgram } from "../played-program.js";

const agent = { path: "./agent", entrypoint: "src/app.ts" };
const named = { ...agent, appName: "agent" };

describe("an app deployment", () => {
  let program: PlayedProgram;

  beforeEach(async () => {
    program = new PlayedProgram(await newEmulator({ speed: 1000 }), "AppDeployment");
    change("1");
  });

  const change = (text: string, appName = "agent") => writeApp(join(program.folder, "agent"), appName, text);
  const all = () => program.emulator.deployments.list().map(({ id, status }) => [id, status]);
  const forced = () => program.emulator.deployments.list().map(({ force }) => force);
  const served = () => program.emulator.deployments.list().find(({ status }) => status === "running")?.id;
  const said = () => program.messages.join("\n");

  test("a deployment waits for the build, and has the apps with their actions", async () => {
    await program.up({ ...agent, envVars: { MODE: "fast" } });
    expect(program.stored.outputs).toMatchObject({
      ...{ status: "running", version: "latest", appName: "agent", envVarNames: ["MODE"], fileCount: 2 },
      apps: [{ name: "agent", version: "latest", actions: [{ name: "browse" }] }],
      actions: [{ name: "browse" }],
    });
    expect(forced()).toEqual([false]);
    expect(await program.up({ ...agent, envVars: { MODE: "fast" } })).toBe("same");
    await program.refresh();
    expect(said()).toBe("");
  });

  test("changed code is deployed over the own deployment, which goes later, and the preview names the files", async () => {
    await program.up(agent);
    const old = program.stored.id;
    change("2");
    expect(await program.up(agent)).toBe("replace");
    expect(said()).toContain('1 file changed: "src/app.ts".');
    expect(all()).toEqual([[program.stored.id, "running"]]);
    expect(program.stored.id).not.toBe(old);
    expect(forced()).toEqual([true]);
    expect(program.writes).toEqual(["POST", "POST", "DELETE"]);
  });

  test.each([
    ["the version", agent, { ...agent, version: "beta" }],
    ["a value", { ...agent, envVars: { A: "one" } }, { ...agent, envVars: { A: "two" } }],
    ["the names of variables", { ...agent, envVars: { A: "one" } }, { ...agent, envVars: { B: "one" } }],
  ])("a change of %s replaces the deployment", async (_what, before: Properties, after: Properties) => {
    await program.up(before);
    expect(await program.up(after)).toBe("replace");
    expect(all()).toEqual([[program.stored.id, "running"]]);
    expect(await program.up(after)).toBe("same");
  });

  test("a deployment of others with the app and version is not overwritten, but for adopt", async () => {
    const { id } = program.emulator.deployments.createFrom(
      { appName: "agent" },
      program.emulator.defaultProject.id,
    );
    expect(await errorOf(program.up(named))).toMatchObject({
      message: expect.stringContaining(`agent@latest already exists: deployment ${id} serves it`),
    });
    expect(program.writes).toEqual([]);
    // Without a name, the service refuses the build.
    expect(await errorOf(program.up(agent))).toMatchObject({ message: expect.stringContaining("use force") });
    expect(await errorOf(program.up(agent))).toMatchObject({ message: expect.stringContaining("use force") });
    expect(served()).toBe(id);
    await program.up({ ...named, adopt: id });
    expect(all()).toEqual([[program.stored.id, "running"]]);
    expect(await program.up({ ...named, adopt: id })).toBe("same");
  });

  test("a failed build is an error with the reason and the end of the log, and the next deployment replaces it", async () => {
    program.emulator.deployments.nextBuild({ fail: "no module x", log: ["one", "token-1234567 is set"] });
    const error = await errorOf(program.up({ ...agent, envVars: { TOKEN: "token-1234567" } }));
    expect(error).toMatchObject({
      message: expect.stringMatching(
        /^The build of app deployment .* failed: no module x\. End of the log: "one" "\[redacted\] is set"\./,
      ),
    });
    expect(program.stored.outputs).toMatchObject({ status: "failed", statusReason: "no module x" });
    const failed = program.stored.id;
    expect(await program.up({ ...agent, envVars: { TOKEN: "token-1234567" } })).toBe("replace");
    expect(all()).toEqual([[program.stored.id, "running"]]);
    expect(program.stored.id).not.toBe(failed);
  });

  test("a failed build of new code leaves the old deployment in place, and destroy removes both", async () => {
    await program.up(agent);
    const old = program.stored.id;
    change("2");
    program.emulator.deployments.nextBuild({ fail: "no module x" });
    await errorOf(program.up(agent));
    expect(served()).toBe(old);
    await program.refresh();
    expect(await program.up(agent)).toBe("replace");
    expect(all()).toEqual([[program.stored.id, "running"]]);
    change("3");
    program.emulator.deployments.nextBuild({ fail: "no module x" });
    await errorOf(program.up(agent));
    await program.destroy();
    expect(all()).toEqual([]);
  });

  test("an interrupted wait is continued by the next deployment, without a second build", async () => {
    program.emulator.deployments.nextBuild({ endless: true });
    const error = await errorOf(program.up({ ...agent, timeout: "1s" }));
    expect(error).toMatchObject({
      message: expect.stringContaining('Run "pulumi up" again: it waits for the same build.'),
    });
    program.emulator.deployments.finish(program.stored.id);
    expect(await program.up(agent)).toBe("update");
    expect(program.stored.outputs).toMatchObject({ status: "running", appName: "agent" });
    expect(program.writes).toEqual(["POST"]);
  });

  test("a stream that is cut five times, and a silent stream, do not end the wait", async () => {
    const path = /\/events$/;
    program.emulator.faults.add({
      method: "GET",
      path,
      at: "while-answering",
      action: "reset",
      afterEvents: 1,
      times: 2,
    });
    program.emulator.faults.add({
      method: "GET",
      path,
      at: "while-answering",
      action: "hang",
      afterEvents: 1,
      times: 1,
    });
    await program.up(agent);
    expect(program.stored.outputs).toMatchObject({ status: "running" });
  });

  test("other bytes, another entrypoint and other variables in the service are drift, and are deployed again", async () => {
    await program.up(agent);
    const path = `/deployments/${program.stored.id}`;
    const headers = { authorization: `Bearer ${program.emulator.apiKeys[0]}` };
    const record = (await (await fetch(program.emulator.url + path, { headers })).json()) as object;
    const other = {
      entrypoint_rel_path: "src/b.ts",
      source_checksum: "f".repeat(64),
      env_vars: { B: "***" },
    };
    program.emulator.faults.add({
      ...{ method: "GET", path, at: "before-commit", times: Number.POSITIVE_INFINITY },
      action: { answer: { status: 200, body: { ...record, ...other } } },
    });
    await program.refresh();
    expect(said()).toContain("differs from this program: its checksum, entrypoint, envVarNames.");
    program.emulator.faults.clear();
    expect(await program.up(agent)).toBe("replace");
  });

  test("a deployment that others have stopped or superseded is drift, and the next deployment replaces it", async () => {
    await program.up(named);
    const { id } = program.stored;
    const other = program.emulator.deployments.supersede(id);
    await program.refresh();
    expect(said()).toContain(
      `App deployment ${id} is stopped (superseded by deployment ${other.id}). agent@latest is now served by deployment ${other.id}.`,
    );
    expect(await errorOf(program.up(named))).toMatchObject({
      message: expect.stringContaining(`adopt: "${other.id}"`),
    });
    expect(served()).toBe(other.id);
    program.emulator.deployments.stop(other.id, "by hand");
    expect(await program.up(named)).toBe("replace");
    expect(served()).toBe(program.stored.id);
  });

  test("a forced replacement is refused with the id to adopt, because nothing proves the old deployment", async () => {
    await program.up(named);
    const { id } = program.stored;
    const error = await errorOf(program.up(named, { replace: main }));
    expect(error).toMatchObject({ message: expect.stringContaining(`adopt: "${id}"`) });
    await program.up({ ...named, adopt: id }, { replace: main });
    expect(all()).toEqual([[program.stored.id, "running"]]);
  });

  test("code without the declared app is deleted again", async () => {
    expect(await errorOf(program.up({ ...agent, appName: "other" }))).toMatchObject({
      message: expect.stringContaining('The code declares agent, but "appName" is other.'),
    });
    expect(all()).toEqual([]);
    expect(program.engine.find(main)).toBeUndefined();
  });

  test("a lost response is resolved by bytes and app, and without the name of an app is a question", async () => {
    const lose = () =>
      program.emulator.faults.add({
        method: "POST",
        path: "/deployments",
        at: "after-commit",
        action: "reset",
      });
    lose();
    await program.up(named);
    expect(program.writes).toEqual(["POST"]);
    expect(said()).toContain("The response to the creation was lost, but it succeeded");
    await program.destroy();
    lose();
    const error = await errorOf(program.up(agent));
    expect(error).toMatchObject({
      message: expect.stringContaining('the program has no "appName" that could prove the app'),
    });
    expect(all()).toHaveLength(1);
  });

  test("an import takes the deployment as it is, if the code has its checksum", async () => {
    await program.up(agent);
    const { id } = program.stored;
    program.forget();
    await program.import(id);
    expect(await program.up(agent)).not.toBe("replace");
    expect(all()).toEqual([[id, "running"]]);
    change("2");
    expect(await program.up(agent)).toBe("replace");
  });

  test.each<[string, Properties, string]>([
    [
      "a reserved variable",
      { envVars: { KERNEL_API_KEY: "a" } },
      "KERNEL_API_KEY, which the service sets itself",
    ],
    [
      "a missing entrypoint",
      { entrypoint: "app.ts" },
      'ships no "app.ts", the entrypoint. There is "src/app.ts"',
    ],
    ["an entrypoint outside", { entrypoint: "../app.ts" }, "must be the path of a file in the archive"],
    ["adopt without appName", { adopt: "dep_1" }, 'needs "appName"'],
    ["a folder that does not exist", { path: "./none" }, "does not exist"],
  ])("%s fails the check", async (_what, inputs, reason) => {
    expect((await program.failures({ ...agent, ...inputs })).join()).toContain(reason);
  });

  test("excluded files are told once per run, although the engine checks a replacement twice", async () => {
    await program.up(agent);
    change("2");
    writeFileSync(join(program.folder, "agent", ".env"), "TOKEN=1");
    expect(await program.up(agent)).toBe("replace");
    expect(said().match(/\.env/g)).toHaveLength(1);
  });

  test("what never ships, what Git ignores and dependencies stay out, and defects are told before anything is sent", async () => {
    const folder = join(program.folder, "agent");
    mkdirSync(join(folder, ".git"), { recursive: true });
    mkdirSync(join(folder, "node_modules", "x"), { recursive: true });
    writeFileSync(join(folder, ".git", "config"), "secret");
    writeFileSync(join(folder, "node_modules", "x", "index.js"), "");
    writeFileSync(join(folder, ".env"), "TOKEN=1");
    writeFileSync(join(folder, ".gitignore"), "dist/\n*.log\n!keep.log\n");
    mkdirSync(join(folder, "dist"));
    writeFileSync(join(folder, "dist", "out.js"), "");
    writeFileSync(join(folder, "a.log"), "");
    writeFileSync(join(folder, "keep.log"), "");
    writeFileSync(join(folder, "package.json"), "{}");
    const { outputs } = await program
      .preview(agent)
      .then(() => program.engine.checks(main))
      .then(([, checked]) => ({ outputs: checked?.inputs }));
    expect(Object.keys(outputs?.files as object).sort()).toEqual([
      ".gitignore",
      "keep.log",
      "package.json",
      "src/app.ts",
    ]);
    expect(said()).toContain('package.json has no "type": "module"');
    expect(said()).toContain(".env");
    expect(program.writes).toEqual([]);
    // A folder that Git itself ignores ships, without regard to the files above.
    rmSync(join(folder, ".git"), { recursive: true });
    mkdirSync(join(program.folder, ".git"));
    writeFileSync(join(program.folder, ".gitignore"), "/src\n*.ts\n");
    const shipped = async () => Object.keys((await program.engine.checks(main))[1]?.inputs?.files as object);
    const missing = await program.failures(agent);
    expect(missing.join()).toContain("what Git ignores");
    writeFileSync(join(program.folder, ".gitignore"), "agent/\n*.ts\n");
    expect(await shipped()).toContain("src/app.ts");
    rmSync(join(program.folder, ".gitignore"));
    const whole = { ...agent, gitignore: false };
    const [, all] = await program.preview(whole).then(() => program.engine.checks(main));
    expect(Object.keys(all?.inputs?.files as object)).toContain("dist/out.js");
    rmSync(join(folder, "package.json"));
    expect((await program.failures(agent)).join()).toContain(
      "no package.json or pyproject.toml at its top level",
    );
    writeFileSync(join(folder, "package.json"), "{}");
    symlinkSync(join(folder, "keep.log"), join(folder, "link.txt"));
    expect((await program.failures(agent)).join()).toContain("Symbolic links");
    rmSync(join(folder, "link.txt"));
    writeFileSync(join(folder, "config.ts"), "AGE-SECRET-KEY-1Q");
    expect((await program.failures(agent)).join()).toContain("private key");
  });
});
