import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { startCommand } from "../started-command.js";

/** Program that prints its settings and the emulator's response to a request with the settings. */
const asks = `const { BROWSER_INFRA_BASE_URL: url, BROWSER_INFRA_API_KEY: key, ...others } = process.env;
const service = Object.entries(others).filter(([name]) => /^(KERNEL|BROWSER_INFRA_PROJECT)/.test(name));
fetch(url + "/org/projects", { headers: { authorization: "Bearer " + key } }).then(async (answer) => {
  const names = (await answer.json()).map(({ name }) => name);
  console.log(JSON.stringify({ url, key, status: answer.status, names, service: Object.fromEntries(service) }));
});`;

const exec = (args: readonly string[], env = {}) => startCommand(["emulator", "exec", ...args], { env });
const node = (script: string) => ["--", process.execPath, "-e", script];

describe("browser-infra emulator exec", () => {
  test("emulator exec gives the command an emulator on a free port, and no setting of the real service", async () => {
    const real = { KERNEL_API_KEY: "sk_real", KERNEL_PROJECT: "shop", BROWSER_INFRA_API_KEY: "sk_real" };
    const project = { BROWSER_INFRA_PROJECT_ID: "proj_real" };
    const { exitCode, out, err } = await exec(node(asks), { ...real, ...project }).ended;
    expect([exitCode, err]).toEqual([0, ""]);
    const { url, ...said } = JSON.parse(out);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:(?!4010$)\d+$/);
    const service = { KERNEL_API_KEY: "sk_emulator", KERNEL_BASE_URL: url };
    expect(said).toEqual({ key: "sk_emulator", status: 200, names: ["Default"], service });
    await expect(fetch(url)).rejects.toThrow("fetch failed");
  });

  test("emulator exec takes the options of the emulator, and --log prints a line for each request", async () => {
    const seed = join(temporaryFolder(), "seed.json");
    writeFileSync(seed, '{ "projects": [{ "name": "Staging" }] }');
    const { exitCode, out, err } = await exec(["--api-key", "sk_ci", "--seed", seed, "--log", ...node(asks)])
      .ended;
    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ key: "sk_ci", names: expect.arrayContaining(["Staging"]) });
    expect(err).toMatch(/^\S+Z GET \/org\/projects 200\n$/);
  });

  test("emulator exec ends with the exit code of the command, or with 128 plus the number of the signal", async () => {
    expect(await exec(node("process.exit(7)")).ended).toMatchObject({ exitCode: 7, out: "", err: "" });
    const killed = await exec(node('process.kill(process.pid, "SIGKILL")')).ended;
    expect(killed).toMatchObject({ exitCode: 128 + constants.signals.SIGKILL, err: "" });
  });

  test.each(["SIGINT", "SIGTERM"] as const)(
    "emulator exec passes %s on to the command, and waits for the command to end",
    async (signal) => {
      const script = `process.on("${signal}", () => setImmediate(() => process.exit(3)));
      setInterval(() => {}, 1000); console.log("ready");`;
      const { child, ended } = exec(node(script));
      await once(child.stdout ?? process.stdin, "data");
      child.kill(signal);
      expect(await ended).toMatchObject({ exitCode: 3, signal: null, err: "" });
    },
  );

  test("emulator exec ends with exit code 127 and a sentence if the command cannot be started", async () => {
    const missing = await exec(["--", "no-such-command"]).ended;
    expect(missing).toMatchObject({ exitCode: 127, out: "" });
    expect(missing.err).toBe(
      'error: Running "no-such-command" failed: the program was not found. Check the command after "--".\n',
    );
    expect(await exec(["--", ""]).ended).toMatchObject({
      exitCode: 127,
      err: expect.stringContaining('Running "" failed: the program was not found.'),
    });
    expect(await exec([]).ended).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining("missing required argument 'command'"),
    });
  });
});
