import type { Emulator } from "../../../src/emulator/index.js";
import { startEach } from "../../support/stacks/service.js";
import { Stack } from "../../support/stacks/stack.js";
import { reference } from "../../support/stacks/yaml-program.js";

describe("a BrowserEnvironment in YAML, with the real engine", () => {
  let emulator: Emulator;
  let stack: Stack;
  startEach(Stack.createYaml, (started) => {
    emulator = started.emulator;
    stack = started.stack;
  });

  function declare(pool: Readonly<Record<string, unknown>>, domain?: string): void {
    const traces = { type: "TelemetryDestination", properties: { endpoint: "https://otlp.example.com" } };
    const properties = {
      size: 1,
      maxConcurrentSessions: 5,
      extensions: { reader: "./extension" },
      transform: { pool: { telemetry: {}, telemetryDestinationId: reference("traces.id"), ...pool } },
      ...(domain && { domain }),
    };
    const outputs = Object.fromEntries(
      ["projectId", "poolId", "apiKey", "profileName", "connectionId"].map((name) => [
        name,
        reference(`shop.${name}`),
      ]),
    );
    stack.declare({ traces, shop: { type: "BrowserEnvironment", properties } }, { outputs });
  }

  test("the component deploys its children through the provider of the program, changes one, adds one, and is destroyed", async () => {
    declare({});
    const first = await stack.succeed("up", "--yes");
    expect(first).not.toMatch(/warning|error/);
    const [project] = emulator.projects.list().filter(({ name }) => name.startsWith("shop-project-"));
    const [pool] = emulator.browserPools.list(project?.id);
    const [destination] = emulator.telemetryDestinations.list();
    expect(pool).toMatchObject({ size: 1, projectId: project?.id, extensionIds: [stack.extension().id] });
    expect(pool).toMatchObject({ telemetry: { destinationId: destination?.id } });
    const outputs = await stack.outputs();
    expect(outputs).toMatchObject({ projectId: project?.id, poolId: pool?.id, apiKey: "[secret]" });
    const providers = stack.resources().filter(({ type }) => type === "pulumi:providers:browser-infra");
    expect(providers).toHaveLength(1);
    await stack.expectNoChanges();

    declare({ stealth: true }, "shop.example");
    const second = await stack.up();
    expect(second).toMatch(/\+ 1 created\s+~ 1 updated/);
    expect(emulator.browserPools.list(project?.id)).toMatchObject([{ id: pool?.id, stealth: true }]);
    const [connection] = emulator.authConnections.list(project?.id);
    expect(connection).toMatchObject({ domain: "shop.example", profileName: outputs.profileName });
    expect(await stack.outputs()).toEqual({ ...outputs, connectionId: connection?.id });
    await stack.refresh("--expect-no-changes");

    await stack.destroy();
    expect(emulator.projects.list().map(({ name }) => name)).toEqual(["Default"]);
  });

  test("the key of the agents comes from a secret setting of the stack, and no key is created", async () => {
    await stack.succeed("config", "set", "--secret", "agentKey", "sk_given");
    const shop = { type: "BrowserEnvironment", properties: { size: 1, apiKeyFromConfig: "agentKey" } };
    stack.declare({ shop }, { outputs: { apiKey: reference("shop.apiKey") } });
    expect(await stack.up()).not.toContain("sk_given");
    expect(stack.resources().map(({ type }) => type)).not.toContain("browser-infra:index:ApiKey");
    expect(await stack.outputs()).toEqual({ apiKey: "[secret]" });
    expect(await stack.outputs("--show-secrets")).toEqual({ apiKey: "sk_given" });
    await stack.expectNoChanges();
  });

  test("the preview of a component names the child that the service would refuse, and why", async () => {
    declare({ timeoutSeconds: 1 });
    const { exitCode, output } = await stack.preview();
    expect(exitCode).not.toBe(0);
    expect(output).toMatch(/error: .*BrowserPool resource .shop-pool.: property timeoutSeconds/);
    expect(output).not.toContain("    at ");
  });
});
