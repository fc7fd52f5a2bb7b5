import { readFileSync } from "node:fs";
import type { Emulator } from "../../../src/emulator/index.js";
import { filesBelow } from "../../support/files-below.js";
import { bridges } from "../../support/stacks/bridges.js";
import { startEach } from "../../support/stacks/service.js";
import type { Stack } from "../../support/stacks/stack.js";
import { reference } from "../../support/stacks/yaml-program.js";

describe.each(bridges)("a login flow through $name, with the real engine", (bridge) => {
  let emulator: Emulator;
  let stack: Stack;

  startEach(bridge.create, (started) => ({ emulator, stack } = started), {
    speed: 20,
    heartbeatIntervalMs: 500,
  });

  /**
   * Program with a login of a new connection, and an extension that is deployed after the login.
   */
  function declareFor(scenario: string): string {
    const { id: connectionId } = emulator.authConnections.create({
      domain: "shop.example",
      profileName: scenario,
      scenario,
    });
    bridge.declare(
      stack,
      {
        login: { type: "LoginFlow", properties: { connectionId } },
        reader: {
          type: "Extension",
          properties: { path: "./extension" },
          options: { dependsOn: [reference("login")] },
        },
      },
      { status: reference("login.flowStatus"), hostedUrl: reference("login.hostedUrl") },
    );
    return connectionId;
  }

  /** Files of the stack, and commands about the stack, that show any of the given strings. */
  async function placesThatShow(texts: readonly string[]): Promise<string[]> {
    const kept = new Map(filesBelow(stack.folder).map((file) => [file, readFileSync(file, "latin1")]));
    for (const command of [
      ["stack", "export"],
      ["stack", "output", "--json"],
      ["refresh", "--yes", "--skip-preview"],
      ["preview", "--json"],
      ["up", "--yes", "--skip-preview", "--json"],
    ]) {
      kept.set(command.join(" "), await stack.succeed(...command));
    }
    return [...kept]
      .filter(([, shown]) => texts.some((text) => shown.includes(text)))
      .map(([place]) => place);
  }

  test("X2: a login flow delays dependent resources until the login succeeds, and stores the printed address nowhere", async () => {
    const id = declareFor("password");
    expect(await stack.succeed("preview", "--diff")).not.toContain("open http");
    expect(emulator.requests.filter(({ path }) => /login|events/.test(path))).toEqual([]);
    const { hostedUrl, handoffCode } = emulator.authConnections.startLogin(id);
    const running = stack.start("up", "--yes", "--skip-preview");
    const waiting = `open ${hostedUrl} - waiting for "Email or username", "Password"`;
    while (!running.output().includes(waiting)) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(emulator.extensions.list()).toEqual([]);
    // Addresses that the service still reports at the end are secrets.
    await emulator.authConnections.send(id, {
      event: "managed_auth_state",
      timestamp: new Date().toISOString(),
      flow_status: "SUCCESS",
      flow_step: "COMPLETED",
      hosted_url: "https://login.example/canary-1",
      live_view_url: "https://login.example/canary-2",
    });
    const { exitCode, output } = await running.ended;
    expect(`${exitCode} ${output}`).toMatch(/^0 /);
    expect(emulator.extensions.list()).toHaveLength(1);

    expect(await placesThatShow([handoffCode, hostedUrl, "canary-1", "canary-2"])).toEqual(
      // The SDK of JavaScript prints every secret output in the debug events of "pulumi up --json".
      bridge.name === "the plugin" ? [] : ["up --yes --skip-preview --json"],
    );
    expect(await stack.outputs("--show-secrets")).toMatchObject({
      hostedUrl: expect.stringMatching(/canary-1$/),
    });

    // A later change by the service is no drift. A deleted connection is drift.
    const before = emulator.requests.length;
    await stack.up("--refresh", "--expect-no-changes");
    expect(emulator.requests.slice(before).some(({ path }) => path.endsWith("/events"))).toBe(false);
    emulator.authConnections.remove(id);
    expect(await stack.refresh()).toMatch(/LoginFlow login +deleted/);
  });
});
