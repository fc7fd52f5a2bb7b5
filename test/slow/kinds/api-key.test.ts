import { readFileSync } from "node:fs";
import type { Emulator } from "../../../src/emulator/index.js";
import { filesBelow } from "../../support/files-below.js";
import { bridges } from "../../support/stacks/bridges.js";
import { processArguments, sightings } from "../../support/stacks/canary.js";
import { startEach } from "../../support/stacks/service.js";
import type { Stack } from "../../support/stacks/stack.js";
import { reference } from "../../support/stacks/yaml-program.js";

describe.each(bridges)("X2: an API key with $name, with the real engine", (bridge) => {
  // With "-v", "--debug" or "--json", Pulumi's SDK for Node.js logs every output, secret or not.
  const ofPlugin = (...args: string[]) => (bridge.name === "the plugin" ? args : []);
  let emulator: Emulator;
  let stack: Stack;
  /** All output, and the arguments of processes meanwhile. */
  let seen: string[];

  startEach(bridge.create, (started) => {
    ({ emulator, stack } = started);
    seen = [];
  });

  function declare(triggers: readonly string[]): void {
    bridge.declare(
      stack,
      { agents: { type: "ApiKey", properties: { name: "agents", triggers } } },
      { key: reference("agents.key") },
    );
  }

  /** Runs a command that must succeed, and records everything visible. */
  async function run(...args: string[]): Promise<string> {
    const running = stack.start(...args, ...ofPlugin("--logtostderr", "-v=8"));
    const watch = setInterval(() => seen.push(processArguments()), 100);
    const { exitCode, output } = await running.ended;
    clearInterval(watch);
    seen.push(output);
    expect(`${exitCode} ${output}`).toMatch(/^0 /);
    return output;
  }

  /** Key in the outputs of the stack, which only `--show-secrets` shows. */
  async function shownKey(): Promise<string> {
    expect(await run("stack", "output", "--json")).toContain("[secret]");
    return (await stack.outputs("--show-secrets")).key;
  }

  const live = () =>
    emulator.apiKeyRecords
      .list()
      .filter(({ deletedAt, name }) => deletedAt === null && name !== "Given at start");

  test("an API key that is created, rotated despite a lost response and deleted is nowhere in plain text", async () => {
    declare(["1"]);
    await run("up", "--yes", "--skip-preview", "--diff");
    const first = await shownKey();
    declare(["2"]);
    await run("preview", "--diff");
    emulator.faults.add({ method: "POST", at: "after-commit", action: "reset" });
    const rotated = await run("up", "--yes", "--skip-preview", ...ofPlugin("--json", "--debug"));
    expect(rotated).toMatch(/The response with API key .{1,50} was lost/);
    expect(live()).toHaveLength(2);
    const second = await shownKey();
    await run("refresh", "--yes", "--skip-preview");
    expect(await run("preview", "--diff", "--expect-no-changes")).not.toContain("[unknown]");
    await run("preview", ...ofPlugin("--json"));
    await run("stack", "export");
    await run("destroy", "--yes", "--skip-preview");
    expect(live()).toEqual([]);
    seen.push(...filesBelow(stack.folder).map((file) => readFileSync(file, "latin1")));
    const all = seen.join("\n");
    expect([first, second].flatMap((key) => sightings(key, all))).toEqual([]);
  });
});
