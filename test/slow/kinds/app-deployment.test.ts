import { setTimeout as sleep } from "node:timers/promises";
import type { Emulator } from "../../../src/emulator/index.js";
import { appFiles } from "../../emulator/apps/app-code.js";
import { bridges } from "../../support/stacks/bridges.js";
import { startEach } from "../../support/stacks/service.js";
import type { Stack } from "../../support/stacks/stack.js";

describe.each(bridges)("an app deployment with $name, with the real engine", (bridge) => {
  let emulator: Emulator;
  let stack: Stack;

  startEach(
    bridge.create,
    (started) => {
      ({ emulator, stack } = started);
      write("1");
    },
    { speed: 50 },
  );

  function write(text: string): void {
    for (const [path, contents] of Object.entries(appFiles("agent", text))) {
      stack.write(`app/${path}`, contents);
    }
  }

  function declare(more: object = {}): void {
    const properties = { path: "./app", entrypoint: "src/app.ts", ...more };
    bridge.declare(stack, { agent: { type: "AppDeployment", properties } });
  }

  const all = () => emulator.deployments.list().map(({ id, status }) => ({ id, status }));
  const running = () => all().filter(({ status }) => status === "running");

  /** Waits until a deployment follows a build that never ends. */
  async function untilFollowed(): Promise<string> {
    for (;;) {
      const [found] = emulator.deployments.list().filter(({ build }) => build.endless === true);
      if (emulator.requests.some(({ path }) => path === `/deployments/${found?.id}/events`)) {
        return found?.id ?? "";
      }
      await sleep(50);
    }
  }

  test("a chain of a failed build, Ctrl-C in a build, a fresh checkout, new code and a stop outside ends as declared", async () => {
    declare({ envVars: { TOKEN: "token-of-the-app-1" } });
    emulator.deployments.nextBuild({ fail: "no module x", log: ["uses token-of-the-app-1"] });
    const failed = await stack.failingUp();
    expect(failed).toContain("no module x");
    expect(failed).not.toContain("token-of-the-app-1");

    emulator.deployments.nextBuild({ endless: true });
    const run = stack.start("up", "--yes", "--skip-preview");
    const id = await untilFollowed();
    run.signal("SIGINT");
    expect((await run.ended).exitCode).not.toBe(0);
    emulator.deployments.finish(id);
    stack.moveProgram();
    await stack.up();
    expect(all()).toEqual([{ id, status: "running" }]);
    await stack.expectNoChanges();

    write("2");
    emulator.deployments.nextBuild({ fail: "no module y" });
    await stack.failingUp();
    expect(running()).toEqual([{ id, status: "running" }]);
    await stack.up();
    expect(running()).toHaveLength(1);
    expect(all()).toHaveLength(1);

    const [{ id: present } = { id: "" }] = running();
    emulator.deployments.stop(present, "stopped by hand");
    const look = await stack.run("refresh", "--preview-only", "--diff", "--expect-no-changes");
    expect(look).toMatchObject({ exitCode: 7, output: expect.not.stringContaining("appName") });
    expect(await stack.refresh()).toContain("stopped by hand");
    await stack.up();
    expect(running()).toHaveLength(1);
    expect(JSON.stringify(await stack.resources())).not.toContain("token-of-the-app-1");
    await stack.destroy();
    expect(all()).toEqual([]);
  });

  test("a forced replacement asks first, and with --refresh deploys beside the old deployment", async () => {
    declare({ appName: "agent" });
    await stack.up();
    const [first] = all();
    const { urn = "" } = stack.resources().find((each) => each.urn.endsWith("::agent")) ?? {};
    expect(await stack.failingUp("--replace", urn)).toMatch(
      /nothing proves that it is of this resource.* add --refresh/,
    );
    expect(all()).toEqual([first]);
    await stack.up("--replace", urn, "--refresh");
    expect(all()).toEqual([{ id: expect.not.stringContaining(String(first?.id)), status: "running" }]);
    await stack.expectNoChanges();
  });
});
