import { readFileSync } from "node:fs";
import type { Emulator } from "../../src/emulator/index.js";
import { filesBelow } from "../support/files-below.js";
import { processArguments, sightings } from "./canary.js";
import { killDeployment, tellingCalls } from "./kills/killed-deployment.js";
import { killAll, type RunningProcess } from "./process-tree.js";
import { startService, writesIn } from "./service.js";
import { Stack } from "./stack.js";
import { reference } from "./yaml-program.js";

const dayMs = 86_400_000;

describe("X2: an API key, with the real engine", () => {
  let emulator: Emulator;
  let stack: Stack;
  let left: readonly RunningProcess[];
  let logging: readonly string[];
  /** Everything that was printed, or in the arguments of a process meanwhile. */
  let seen: string[];

  beforeEach(async () => {
    left = [];
    seen = [];
    logging = ["--logtostderr", "-v=8"];
    ({ emulator, stack } = await start((environment) => Stack.createYaml(environment)));
  });

  afterEach(async () => {
    killAll(left);
    stack.remove();
    await emulator.close();
  });

  async function start(create: (environment: NodeJS.ProcessEnv) => Promise<Stack>) {
    const service = await startService();
    const environment = { ...service.environment, ...tellingCalls };
    return { emulator: service.emulator, stack: await create(environment) };
  }

  function declare(properties: Readonly<Record<string, unknown>>): void {
    stack.declare({ agents: { type: "ApiKey", properties } }, { outputs: { key: reference("agents.key") } });
  }

  /** Runs a command that must succeed, and keeps what can be seen of it. */
  async function run(...args: string[]): Promise<string> {
    const running = stack.start(...args, ...logging);
    const watch = setInterval(() => seen.push(processArguments()), 100);
    const { exitCode, output } = await running.ended;
    clearInterval(watch);
    seen.push(output);
    expect(`${exitCode} ${output}`).toMatch(/^0 /);
    return output;
  }

  const up = () => run("up", "--yes", "--skip-preview", "--diff");
  const expectNothingToDo = () => run("preview", "--diff", "--expect-no-changes");

  /** The key in the outputs of the stack, which only `--show-secrets` shows. */
  async function shownKey(): Promise<string> {
    expect(await run("stack", "output", "--json")).toContain("[secret]");
    const shown = JSON.parse(await stack.succeed("stack", "output", "--json", "--show-secrets"));
    return shown.key;
  }

  async function statusWith(key: string): Promise<number> {
    const headers = { authorization: `Bearer ${key}` };
    return (await fetch(`${emulator.url}/org/api_keys`, { headers })).status;
  }

  const live = () =>
    emulator.apiKeyRecords
      .list()
      .filter(
        (key) => key.deletedAt === null && !emulator.apiKeys.some((given) => masks(given, key.maskedKey)),
      )
      .map(({ id, name }) => ({ id, name }));

  /** No key is anywhere but in the service and, encrypted, in the state. */
  function expectNowhere(keys: readonly string[]): void {
    seen.push(...filesBelow(stack.folder).map((file) => readFileSync(file, "latin1")));
    const all = seen.join("\n");
    for (const key of keys) {
      expect(sightings(key, all)).toEqual([]);
    }
  }

  test("is created, renamed, renewed before it expires, corrected, imported beside another, and deleted, and is nowhere in plain text", async () => {
    const { clock } = emulator;
    const { id: projectId } = emulator.createProject({ name: "shop" });
    const renewal = { projectId, daysToExpire: 30, rotateBeforeDays: 10 };
    clock.advance(-21 * dayMs);
    declare(renewal);
    const planned = await run("preview", "--diff");
    expect(planned).toMatch(/name *: "agents-[0-9a-f]{7}"/);
    expect(writesIn(emulator)).toEqual([]);
    await up();
    const first = await shownKey();
    expect(await statusWith(first)).toBe(200);
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
    await run("up", "--yes", "--skip-preview", "--json", "--debug");
    const second = await shownKey();
    expect(await Promise.all([first, second].map(statusWith))).toEqual([200, 200]);
    await expectNothingToDo();
    await run("refresh", "--yes", "--skip-preview");
    await expectNothingToDo();
    clock.advance(7.1 * dayMs);
    expect(await Promise.all([first, second].map(statusWith))).toEqual([401, 200]);
    clock.set(null);

    const current = live().find(({ id }) => id !== created?.id);
    emulator.apiKeyRecords.rename(current?.id ?? "", "somebody else");
    await run("up", "--yes", "--refresh", "--skip-preview");
    expect(live().map(({ name }) => name)).toEqual(["agents", "agents"]);

    const theirs = emulator.createApiKey({ name: "theirs" });
    const options = ["--generate-code=false", "--protect=false", "--yes", "--skip-preview"];
    await run("import", "browser-infra:index:ApiKey", "theirs", theirs.id, ...options);
    stack.declare(
      {
        agents: { type: "ApiKey", properties: { ...renewal, name: "agents" } },
        theirs: { type: "ApiKey", properties: { name: "theirs" } },
      },
      { outputs: { key: reference("agents.key") } },
    );
    await expectNothingToDo();
    await run("preview", "--json");
    await run("stack", "export");
    await run("destroy", "--yes", "--skip-preview");
    expect(live()).toEqual([]);
    expectNowhere([first, second, theirs.key]);
  });

  test("is made again when its answer is lost, also that of a rotation, and after a kill", async () => {
    emulator.faults.add({ method: "POST", at: "after-commit", action: "reset" });
    declare({ name: "agents", triggers: ["1"] });
    expect(await up()).toContain('The answer with API key "agents" was lost');
    expect(live()).toHaveLength(1);
    expect(await statusWith(await shownKey())).toBe(200);
    await expectNothingToDo();

    emulator.faults.add({ method: "POST", at: "after-commit", action: "reset" });
    declare({ name: "agents", triggers: ["2"] });
    await up();
    // The old one has its grace.
    expect(live()).toHaveLength(2);

    declare({ name: "agents", triggers: ["3"] });
    const moment = { at: "answered", method: "POST", write: 1 } as const;
    const killed = await killDeployment(stack, emulator, { target: "everything", moment });
    left = killed.processes;
    expect(killed).toMatchObject({ isKilled: true });
    await stack.succeed("cancel", "--yes");
    expect(live()).toHaveLength(3);
    await up();
    expect(live()).toHaveLength(3);
    const key = await shownKey();
    expect(await statusWith(key)).toBe(200);
    await expectNothingToDo();
    await run("destroy", "--yes", "--skip-preview");
    expect(live()).toEqual([]);
    expectNowhere([key]);
  });

  test("is the same as a dynamic resource of a program in JavaScript", async () => {
    stack.remove();
    await emulator.close();
    ({ emulator, stack } = await start((environment) => Stack.create(environment)));
    // With "-v" or "--debug", Pulumi's SDK for Node.js logs every output, secret or not.
    logging = [];
    const write = (args: object) =>
      stack.write(
        "index.js",
        `const { ApiKey } = require("pulumi-browser-infra");
         const agents = new ApiKey("agents", ${JSON.stringify(args)});
         exports.key = agents.key;
         exports.expiry = agents.expiresAt.apply((time) => time ?? "never");`,
      );
    write({ name: "agents", triggers: ["1"] });
    await up();
    const first = await shownKey();
    write({ name: "agents", triggers: ["2"] });
    await up();
    const second = await shownKey();
    expect(await Promise.all([first, second].map(statusWith))).toEqual([200, 200]);
    expect(await expectNothingToDo()).not.toContain("[unknown]");
    await run("destroy", "--yes", "--skip-preview");
    expect(live()).toEqual([]);
    expectNowhere([first, second]);
  });
});

function masks(key: string, mask: string): boolean {
  const [head = "", tail = ""] = mask.split("...");
  return key.startsWith(head) && key.endsWith(tail);
}
