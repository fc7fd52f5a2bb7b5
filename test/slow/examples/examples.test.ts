import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { testInBrowser } from "../../support/chromium.js";
import { newEmulator } from "../../support/emulator.js";
import { startService } from "../../support/stacks/service.js";
import { Stack } from "../../support/stacks/stack.js";

// The remaining examples have separate tests with longer stories.
const examples = resolve(__dirname, "../../../examples");
let stack: Stack;

afterEach(() => stack.remove());

/** Stack with a copy of an example. `program`: folder of Pulumi.yaml in the example. */
async function stackOf(example: string, environment: NodeJS.ProcessEnv, program = ".") {
  const project = readFileSync(join(examples, example, program, "Pulumi.yaml"), "utf8");
  stack = await Stack.create(environment, project);
  cpSync(join(examples, example), stack.path(), { recursive: true });
}

async function outputs(...args: string[]): Promise<unknown> {
  return await stack.outputs(...args);
}

describe("examples/several-accounts, with the real engine", () => {
  test("examples/several-accounts gives each account an extension by a component, and stores no key in the state", async () => {
    const eu = await newEmulator({ apiKeys: ["sk_eu"] });
    const us = await newEmulator({ apiKeys: ["sk_us"] });
    await stackOf("several-accounts", { EU_API_KEY: "sk_eu", US_API_KEY: "sk_us" });
    await stack.succeed("config", "set", "euAddress", eu.url);
    await stack.succeed("config", "set", "usAddress", us.url);
    await stack.up();
    expect(await outputs()).toEqual({
      extensionIds: { eu: eu.extensions.list()[0]?.id, us: us.extensions.list()[0]?.id },
    });
    expect(JSON.stringify(stack.resources())).not.toMatch(/sk_eu|sk_us/);
    await stack.up("--expect-no-changes");
  });
});

describe("examples/pipeline, with the real engine", () => {
  test("examples/pipeline previews, deploys, and ends the drift check with 0 for no drift, 7 for drift, 1 for a failure", async () => {
    const { emulator, environment } = await startService();
    await stackOf("pipeline", environment);
    expect(await stack.runScript("pipeline.sh", "preview")).toMatchObject({ exitCode: 0 });
    expect(emulator.extensions.list()).toEqual([]);
    expect(await stack.runScript("pipeline.sh", "deploy")).toMatchObject({ exitCode: 0 });
    const [extension] = emulator.extensions.list();
    expect(await outputs()).toEqual({ extensionId: extension?.id });
    const before = JSON.stringify(stack.resources());
    expect(await stack.runScript("pipeline.sh", "drift")).toMatchObject({ exitCode: 0 });

    emulator.extensions.remove(extension?.id ?? "");
    const drift = await stack.runScript("pipeline.sh", "drift");
    expect(drift.exitCode).toBe(7);
    expect(drift.output).toContain("| page-reader | Extension | gone from the service |");
    // The check writes nothing, neither in the service nor in the state.
    expect(emulator.extensions.list()).toEqual([]);
    expect(JSON.stringify(stack.resources())).toBe(before);

    stack.export({ BROWSER_INFRA_API_KEY: "sk_revoked" });
    const refused = await stack.runScript("pipeline.sh", "drift");
    expect(refused.exitCode).toBe(1);
    expect(refused.output).toContain(
      "The drift check failed, so it is unknown whether anything has drifted.",
    );
    expect(await stack.runScript("pipeline.sh", "dirft")).toMatchObject({ exitCode: 2 });
  });
});

describe("examples/agent, with the real engine", () => {
  const environmentOf = (url: string, key: string) => ({ KERNEL_BASE_URL: url, KERNEL_API_KEY: key });

  testInBrowser(
    "examples/agent signs in once, and reads in a leased browser what the extension made of a page",
    async () => {
      const { emulator, environment } = await startService({ browser: true });
      await stackOf("agent", environment);
      await stack.up();
      const { poolId, agentKey } = await stack.outputs("--show-secrets");
      const settings = environmentOf(emulator.url, agentKey);
      expect(await run(["sign-in.mts"], settings)).toEqual({ exitCode: 0, output: "Signed in as ada.\n" });
      expect(await run(["agent.mts", poolId], settings)).toEqual({
        exitCode: 0,
        output: expect.stringMatching(
          /^Leased the browser \w+\.\nRead by the extension: \["Welcome, ada","Offers"\]\nReleased the browser\.\n$/,
        ),
      });
    },
  );

  test("examples/agent says that there is no browser, and reports a pool without free browsers", async () => {
    const { emulator, environment } = await startService();
    await stackOf("agent", environment);
    await stack.up();
    const { poolId, agentKey } = await stack.outputs("--show-secrets");
    const agent = () => run(["agent.mts", poolId], environmentOf(emulator.url, agentKey));
    const leased = () => emulator.browserPools.get(poolId).acquiredCount;

    expect(await agent()).toEqual({
      exitCode: 0,
      output: expect.stringMatching(
        /^Leased the browser \w+\.\nThe emulator starts no browser: start-with-browser-option\.\nReleased the browser\.\n$/,
      ),
    });
    expect(leased()).toBe(0);

    emulator.browserPools.fill(poolId);
    emulator.browserPools.acquire(poolId);
    emulator.browserPools.acquire(poolId);
    expect(await agent()).toEqual({
      exitCode: 1,
      output: "All browsers of the pool are in use. Try again later, or declare a larger pool.\n",
    });
    expect(leased()).toBe(2);
    expect(JSON.stringify(stack.resources())).not.toContain(agentKey);
  });

  /** Runs a program of the agent like a person in a shell. The packages of the agent are those of the clone. */
  async function run(args: readonly string[], settings: NodeJS.ProcessEnv) {
    const child = spawn(process.execPath, args, {
      cwd: stack.path(),
      env: { PATH: process.env.PATH, ...settings },
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    const [exitCode] = await once(child, "close");
    return { exitCode, output };
  }
});

describe("examples/monorepo, with the real engine", () => {
  test("examples/monorepo deploys the extension that a different package of the workspace builds, from any folder", async () => {
    const { emulator, environment } = await startService();
    await stackOf("monorepo", environment, "infra");
    execFileSync(process.execPath, ["build.mjs"], { cwd: stack.path("page-reader") });
    await stack.up("--cwd", "infra");
    expect(await outputs("--cwd", "infra")).toEqual({ extensionId: emulator.extensions.list()[0]?.id });
    expect(stack.extension().outputs).toMatchObject({ path: "../page-reader/dist", fileCount: 2 });
  });
});
