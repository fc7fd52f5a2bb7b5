import { readFileSync } from "node:fs";
import type { Emulator } from "../../../src/emulator/index.js";
import { filesBelow } from "../../support/files-below.js";
import { type Bridge, bridges } from "../../support/stacks/bridges.js";
import { processArguments, sightings } from "../../support/stacks/canary.js";
import { startEach, writesIn } from "../../support/stacks/service.js";
import type { Stack } from "../../support/stacks/stack.js";
import { reference } from "../../support/stacks/yaml-program.js";

const dayMs = 86_400_000;
const [plugin, dynamic] = bridges as readonly [Bridge, Bridge];

/** Actions of a test on an API key, and the places to search for the secret. */
function startWith(bridge: Bridge, logging: readonly string[]) {
  let emulator: Emulator;
  let stack: Stack;
  /** All output, and the arguments of processes meanwhile. */
  let seen: string[];

  startEach(bridge.create, (started) => {
    ({ emulator, stack } = started);
    seen = [];
  });

  /** Runs a command that must succeed, and records everything visible. */
  async function run(...args: string[]): Promise<string> {
    const running = stack.start(...args, ...logging);
    const watch = setInterval(() => seen.push(processArguments()), 100);
    const { exitCode, output } = await running.ended;
    clearInterval(watch);
    seen.push(output);
    expect(`${exitCode} ${output}`).toMatch(/^0 /);
    return output;
  }

  return {
    service: () => emulator,
    declare: (properties: Readonly<Record<string, unknown>>) =>
      bridge.declare(
        stack,
        { agents: { type: "ApiKey", properties } },
        { key: reference("agents.key"), expiry: reference("agents.expiresAt") },
      ),
    run,
    up: () => run("up", "--yes", "--skip-preview", "--diff"),
    expectNothingToDo: () => run("preview", "--diff", "--expect-no-changes"),
    /** Key in the outputs of the stack, which only `--show-secrets` shows. */
    async shownKey(): Promise<string> {
      expect(await run("stack", "output", "--json")).toContain("[secret]");
      return (await stack.outputs("--show-secrets")).key;
    },
    statusesWith: (...keys: string[]) =>
      Promise.all(
        keys.map(async (key) => {
          const headers = { authorization: `Bearer ${key}` };
          return (await fetch(`${emulator.url}/org/api_keys`, { headers })).status;
        }),
      ),
    live: () =>
      emulator.apiKeyRecords
        .list()
        .filter(({ deletedAt, name }) => deletedAt === null && name !== "Given at start")
        .map(({ id, name }) => ({ id, name })),
    /** No key is anywhere but in the service and, encrypted, in the state. */
    expectNowhere(keys: readonly string[]): void {
      seen.push(...filesBelow(stack.folder).map((file) => readFileSync(file, "latin1")));
      const all = seen.join("\n");
      for (const key of keys) {
        expect(sightings(key, all)).toEqual([]);
      }
    },
  };
}

describe("X2: an API key through the plugin, with the real engine", () => {
  const { service, declare, run, up, expectNothingToDo, shownKey, statusesWith, live, expectNowhere } =
    startWith(plugin, ["--logtostderr", "-v=8"]);

  test("an API key is created, renamed, rotated despite a lost response, corrected and deleted, and never in plain text", async () => {
    const { clock } = service();
    const { id: projectId } = service().createProject({ name: "shop" });
    const renewal = { projectId, daysToExpire: 30, rotateBeforeDays: 10 };
    clock.advance(-21 * dayMs);
    declare(renewal);
    const planned = await run("preview", "--diff");
    expect(planned).toMatch(/name *: "agents-[0-9a-f]{7}"/);
    expect(writesIn(service())).toEqual([]);
    await up();
    const first = await shownKey();
    expect(await statusesWith(first)).toEqual([200]);
    const [created] = live();

    declare({ ...renewal, rotateBeforeDays: 5, name: "agents" });
    await up();
    expect(live()).toEqual([{ id: created?.id, name: "agents" }]);

    // Nine days before the expiry.
    clock.set(null);
    await expectNothingToDo();
    declare({ ...renewal, name: "agents" });
    const due = await run("preview", "--diff");
    expect(due).toMatch(
      /This deployment rotates API key \w+: it expires in 8 days, on \S+, and "rotateBeforeDays" is 10\./,
    );
    expect(due).toMatch(/~ browser-infra:index:ApiKey: \(update\)/);
    service().faults.add({ method: "POST", at: "after-commit", action: "reset" });
    const rotated = await run("up", "--yes", "--skip-preview", "--json", "--debug");
    expect(rotated).toMatch(/The response with API key .{1,50} was lost/);
    expect(live()).toHaveLength(2);
    const second = await shownKey();
    expect(await statusesWith(first, second)).toEqual([200, 200]);
    await run("refresh", "--yes", "--skip-preview");
    await expectNothingToDo();
    clock.advance(7.1 * dayMs);
    expect(await statusesWith(first, second)).toEqual([401, 200]);
    clock.set(null);

    const current = live().find(({ id }) => id !== created?.id);
    service().apiKeyRecords.rename(current?.id ?? "", "somebody else");
    await run("up", "--yes", "--refresh", "--skip-preview");
    expect(live().map(({ name }) => name)).toEqual(["agents", "agents"]);
    await run("preview", "--json");
    await run("stack", "export");
    await run("destroy", "--yes", "--skip-preview");
    expect(live()).toEqual([]);
    expectNowhere([first, second]);
  });
});

describe("X2: an API key as a dynamic resource, with the real engine", () => {
  // With "-v" or "--debug", Pulumi's SDK for Node.js logs every output, secret or not.
  const { declare, run, up, expectNothingToDo, shownKey, statusesWith, live, expectNowhere } = startWith(
    dynamic,
    [],
  );

  test("a dynamic API key is created, rotated and deleted, and is nowhere in plain text", async () => {
    declare({ name: "agents", triggers: ["1"] });
    await up();
    const first = await shownKey();
    declare({ name: "agents", triggers: ["2"] });
    await up();
    const second = await shownKey();
    expect(await statusesWith(first, second)).toEqual([200, 200]);
    expect(await expectNothingToDo()).not.toContain("[unknown]");
    await run("destroy", "--yes", "--skip-preview");
    expect(live()).toEqual([]);
    expectNowhere([first, second]);
  });
});
