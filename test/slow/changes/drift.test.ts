import { join } from "node:path";
import type { Drift } from "../../../src/cli/drift.js";
import type { Emulator } from "../../../src/emulator/index.js";
import { extensionFolders, furnish, kinds, samples } from "../../contract/samples.js";
import { bridges } from "../../stacks/bridges.js";
import { programsFolder } from "../../stacks/install-package.js";
import { manifest, startService } from "../../stacks/service.js";
import type { Stack } from "../../stacks/stack.js";
import type { YamlResource } from "../../stacks/yaml-program.js";

const command = join(programsFolder, "node_modules/.bin/browser-infra");
const connection = "logged-in";

/** Logical names, which are also variables of a program. */
const nameOf = (kind: string) => `a${kind}`;

describe.each(bridges)("browser-infra drift with $name, with the real engine", (bridge) => {
  let emulator: Emulator;
  let stack: Stack;

  beforeAll(async () => {
    const service = await startService();
    emulator = service.emulator;
    furnish(emulator);
    const domain = "login.example";
    emulator.authConnections.create({
      id: connection,
      domain,
      profileName: "login",
      status: "AUTHENTICATED",
    });
    stack = await bridge.create(service.environment);
    for (const [folder, version] of Object.entries(extensionFolders)) {
      stack.write(`${folder}/manifest.json`, manifest(version));
    }
    declare();
    await stack.up();
  });

  afterAll(() => stack.remove());

  /** Declares a resource of each kind. `changed` are other properties of some. */
  function declare(changed: Readonly<Record<string, object>> = {}): void {
    const declared = kinds.map((kind): [string, YamlResource] => {
      const { first, deletesFirst } = samples[kind];
      const options = deletesFirst(first) ? { deleteBeforeReplace: true } : {};
      return [nameOf(kind), { type: kind, properties: { ...first, ...changed[kind] }, options }];
    });
    const login = { type: "LoginFlow", properties: { connectionId: connection } };
    bridge.declare(stack, { ...Object.fromEntries(declared), [nameOf("LoginFlow")]: login });
  }

  /** The id of what a resource stands for. */
  function idOf(kind: string): string {
    const found = stack.resources().find(({ urn }) => urn.endsWith(`::${nameOf(kind)}`));
    return String(found?.outputs?.keyId ?? found?.id);
  }

  const run = (...args: string[]) => stack.runScript(command, "drift", ...args);

  async function json(): Promise<Drift & { repair: string | null }> {
    const { output } = await run("--json");
    return JSON.parse(output);
  }

  test("says that nothing has drifted, and does not take an edit for drift", async () => {
    expect(await run()).toEqual({ exitCode: 0, output: "Nothing has drifted.\n" });
    declare({ BrowserPool: { size: 3 } });
    expect(await run()).toEqual({ exitCode: 0, output: "X" });
    declare();
  });

  test("says what was changed outside, in three forms", async () => {
    for (const kind of kinds) {
      samples[kind].drift(emulator, idOf(kind));
    }
    const before = JSON.stringify(stack.resources());
    const { exitCode, output } = await run();
    expect(`${exitCode} ${output}`).toBe("7 X");
    expect(await json()).toEqual([]);
    expect((await run("--markdown", "--stack", "dev")).output).toBe("X");
    expect(JSON.stringify(stack.resources())).toBe(before);
  });

  test("says what is gone, in three forms", async () => {
    for (const kind of kinds) {
      samples[kind].remove?.(emulator, idOf(kind));
    }
    emulator.authConnections.remove(connection);
    const { exitCode, output } = await run();
    expect(`${exitCode} ${output}`).toBe("7 X");
    expect(await json()).toEqual([]);
    expect((await run("--markdown")).output).toBe("X");
  });

  test.each([
    ["an unreachable service", { BROWSER_INFRA_BASE_URL: "http://127.0.0.1:9" }, [], "X"],
    ["a wrong key", { BROWSER_INFRA_API_KEY: "sk_wrong_0123456789abcdef" }, [], "X"],
    ["no such stack", {}, ["--stack", "other"], "X"],
  ])("fails with %s, and calls nothing clean or gone", async (_what, settings, args, why) => {
    const { BROWSER_INFRA_API_KEY, BROWSER_INFRA_BASE_URL } = {
      BROWSER_INFRA_API_KEY: emulator.apiKeys[0],
      BROWSER_INFRA_BASE_URL: emulator.url,
    };
    stack.export(settings);
    const { exitCode, output } = await run(...args);
    stack.export({ BROWSER_INFRA_API_KEY, BROWSER_INFRA_BASE_URL });
    expect([exitCode, output]).toEqual([1, why]);
    expect(output).not.toMatch(/clean|gone|sk_/);
  });
});
