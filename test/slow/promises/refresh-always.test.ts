import { readFileSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { parse } from "yaml";
import { BrowserInfraClient } from "../../../src/client/index.js";
import type { EmulatedApiKey, Emulator } from "../../../src/emulator/index.js";
import { useEmulator } from "../../support/emulator.js";
import { bridges } from "../../support/stacks/bridges.js";
import { startService } from "../../support/stacks/service.js";
import { Stack } from "../../support/stacks/stack.js";

/** Adds the option to the Pulumi.yaml of a stack. */
function refreshAlways(stack: Stack): void {
  const project = parse(readFileSync(stack.path("Pulumi.yaml"), "utf8"));
  stack.write("Pulumi.yaml", JSON.stringify({ ...project, options: { refresh: "always" } }));
}

describe.each(bridges)('"refresh: always" in Pulumi.yaml, with $name and the real engine', (bridge) => {
  let emulator: Emulator;
  let client: BrowserInfraClient;
  let stack: Stack;

  beforeEach(async () => {
    const service = await startService();
    emulator = service.emulator;
    client = new BrowserInfraClient({ baseUrl: emulator.url, apiKey: emulator.apiKeys[0] ?? "" });
    stack = await bridge.create(service.environment);
    declare({ one: 1, two: 1 });
  });

  afterEach(async () => {
    await client.close();
    stack.remove();
  });

  /** Declares pools. `sizes`: by logical name. */
  function declare(sizes: Readonly<Record<string, number>>): void {
    const pools = Object.entries(sizes).map(
      ([name, size]) => [name, { type: "BrowserPool", properties: { name, size } }] as const,
    );
    bridge.declare(stack, Object.fromEntries(pools));
    refreshAlways(stack);
  }

  const pools = async () =>
    Object.fromEntries((await client.browserPools.list()).map(({ name, size }) => [name, size]));

  async function deleteOutside(...names: string[]): Promise<void> {
    for (const { id } of (await client.browserPools.list()).filter(({ name }) =>
      names.includes(name ?? ""),
    )) {
      await client.browserPools.delete(id);
    }
  }

  const urnOf = (name: string) =>
    stack.resources().find(({ urn }) => urn.endsWith(`::${name}`))?.urn ?? "no such resource";

  test("a pool deleted outside is in the preview and comes back in the same up, also with --target and in a changed program", async () => {
    await stack.up();
    await deleteOutside("one", "two");
    const preview = await stack.preview("--expect-no-changes");
    expect(preview.exitCode).toBe(7);
    expect(preview.output).toMatch(/2 to create/);
    await stack.up("--target", urnOf("one"));
    expect(await pools()).toEqual({ one: 1 });
    await stack.up();
    expect(await pools()).toEqual({ one: 1, two: 1 });

    await deleteOutside("two");
    declare({ one: 2, two: 3, three: 1 });
    await stack.up();
    expect(await pools()).toEqual({ one: 2, two: 3, three: 1 });
    await stack.expectNoChanges();
    await deleteOutside("one");
    await stack.destroy();
    expect(await pools()).toEqual({});
  });

  test("after a deletion that the state does not know, the former program makes the pool again; without the option, it is green", async () => {
    await stack.up();
    declare({ one: 1 });
    await stack.losingState("up", "--yes", "--skip-preview");
    expect(await pools()).toEqual({ one: 1 });
    declare({ one: 1, two: 1 });
    await stack.up("--refresh=false", "--expect-no-changes");
    expect(await pools()).toEqual({ one: 1 });
    await stack.up();
    expect(await pools()).toEqual({ one: 1, two: 1 });
  });

  describe("after the key was rotated, and the former key deleted", () => {
    let former: EmulatedApiKey;

    beforeEach(() => {
      former = emulator.createApiKey();
    });

    const configure = (key: string) =>
      stack.succeedWithInput(key, "config", "set", "--secret", "browser-infra:apiKey");

    test("a key in the environment is always the present one", async () => {
      stack.export({ BROWSER_INFRA_API_KEY: former.key });
      await stack.up();
      emulator.apiKeyRecords.remove(former.id);
      stack.export({ BROWSER_INFRA_API_KEY: emulator.apiKeys[0] });
      await stack.expectNoChanges();
      await stack.up();
      await stack.destroy();
      expect(await pools()).toEqual({});
    });

    test("a key in the stack configuration is the present one, except in refreshes of dynamic resources before the program runs", async () => {
      stack.export({ BROWSER_INFRA_API_KEY: undefined });
      await configure(former.key);
      await stack.up();
      emulator.apiKeyRecords.remove(former.id);
      await configure(emulator.apiKeys[0] ?? "");
      const state = await stack.succeed("stack", "export", "--show-secrets");
      stack.write("state.json", state);
      const refused: string[] = [];
      for (const command of Object.keys(remedies)) {
        const { exitCode, output } = await stack.run(...command.split(" "));
        if (exitCode !== 0) {
          refused.push(command);
          expect(output).toContain("401 unauthorized");
          expect(output).toContain('run "pulumi up --refresh=false" once');
        }
        await stack.succeed("stack", "import", "--file", "state.json");
      }
      expect(refused).toEqual(bridge.name === "the plugin" ? [] : Object.keys(remedies));
      for (const remedy of refused.map((command) => remedies[command] ?? [])) {
        for (const command of remedy) {
          await stack.succeed(...command.split(" "));
        }
        await stack.succeed("stack", "import", "--file", "state.json");
      }
    });
  });
});

test("with refresh: always, a key that a Provider finds by apiKeyFrom in the stack configuration is the present one", async () => {
  const { emulator } = await startService();
  const former = emulator.createApiKey();
  const stack = await Stack.create();
  refreshAlways(stack);
  stack.write(
    "index.js",
    `const { BrowserPool, Provider } = require("pulumi-browser-infra");
     const provider = new Provider("one", { apiKeyFrom: { config: "pulumi-nodejs:key" }, baseUrl: "${emulator.url}" });
     new BrowserPool("pool", { size: 1 }, { provider });`,
  );
  const configure = (key: string) =>
    stack.succeedWithInput(key, "config", "set", "--secret", "pulumi-nodejs:key");
  try {
    await configure(former.key);
    await stack.up();
    emulator.apiKeyRecords.remove(former.id);
    await configure(emulator.apiKeys[0] ?? "");
    await stack.expectNoChanges();
    await stack.up();
    await stack.destroy();
    expect(stack.resources()).toEqual([]);
  } finally {
    stack.remove();
  }
});

describe("with refresh: always and a key of a different organization at the same address, through the plugin", () => {
  const ours = useEmulator({ apiKeys: ["sk_ours"] });
  const theirs = useEmulator({ apiKeys: ["sk_theirs"] });
  let service: Server;
  let stack: Stack;

  beforeEach(async () => {
    service = createServer((incoming, outgoing) => {
      const { method, headers, url = "" } = incoming;
      const owner = headers.authorization === "Bearer sk_theirs" ? theirs : ours;
      const forwarded = request(new URL(url, owner.url), { method, headers }, (response) => {
        outgoing.writeHead(response.statusCode ?? 500, response.headers);
        response.pipe(outgoing);
      });
      incoming.pipe(forwarded);
    });
    await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
    const baseUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
    stack = await Stack.createYaml({ BROWSER_INFRA_BASE_URL: baseUrl });
    stack.declare({ one: { type: "BrowserPool", properties: { name: "one", size: 1 } } });
    refreshAlways(stack);
    await stack.succeed("config", "set", "--secret", "browser-infra:apiKey", "sk_ours");
    await stack.up();
    await stack.succeed("config", "set", "--secret", "browser-infra:apiKey", "sk_theirs");
  });

  afterEach(() => {
    service.close();
    stack.remove();
  });

  const poolsOf = (emulator: Emulator) => emulator.browserPools.list().map(({ name }) => name);

  test("the next up moves the pool, and leaves nothing in the former organization", async () => {
    await stack.up();
    expect([poolsOf(ours), poolsOf(theirs)]).toEqual([[], ["one"]]);
  });

  test("destroy deletes the pool in the organization that has the pool", async () => {
    await stack.destroy();
    expect([poolsOf(ours), poolsOf(theirs)]).toEqual([[], []]);
  });
});

/** Commands that succeed instead, by refused command. */
const remedies: Readonly<Record<string, readonly string[]>> = {
  preview: ["preview --run-program"],
  "up --yes --skip-preview": ["up --yes --skip-preview --run-program"],
  "refresh --yes --skip-preview": ["refresh --yes --skip-preview --run-program"],
  "destroy --preview-only": ["destroy --preview-only --run-program --refresh=false"],
  "destroy --preview-only --run-program": [
    "up --yes --skip-preview --refresh=false",
    "preview --expect-no-changes",
    "up --yes --skip-preview",
    "destroy --yes --skip-preview",
  ],
};
