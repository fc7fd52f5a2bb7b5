import { cpSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { BrowserInfraClient } from "../../../src/client/index.js";
import type { Emulator } from "../../../src/emulator/index.js";
import { startService } from "../../support/stacks/service.js";
import { Stack } from "../../support/stacks/stack.js";
import { pluginFolder } from "../../support/stacks/yaml-program.js";

const examples = resolve(__dirname, "../../../examples");

interface Outputs {
  readonly projectId: string;
  readonly connectionId: string;
  readonly loginStatus: string;
  readonly extensionId: string;
  readonly poolId: string;
  readonly agentKey: string;
}

describe.each(["whole-environment", "whole-environment-yaml"])(
  "examples/%s, with the real engine",
  (example) => {
    let emulator: Emulator;
    let stack: Stack;

    beforeEach(async () => {
      const service = await startService();
      emulator = service.emulator;
      const project = readFileSync(join(examples, example, "Pulumi.yaml"), "utf8");
      const tested = project.replace("node_modules/pulumi-browser-infra/plugin", pluginFolder);
      stack = await Stack.create(service.environment, tested);
      cpSync(join(examples, example), stack.path(), { recursive: true });
      stack.write("Pulumi.yaml", tested);
    });

    afterEach(() => stack.remove());

    const password = "correct horse battery staple";
    const token = "ops_correct-horse-battery";

    /** Starts the login of the only connection, in whichever project. */
    function startLogin(): void {
      const connections = emulator.projects.list().flatMap(({ id }) => emulator.authConnections.list(id));
      emulator.authConnections.startLogin(connections[0]?.id ?? "");
    }

    const outputs = (...args: string[]): Promise<Outputs> => stack.outputs(...args);

    /** Id and project of a key that the service accepts. */
    async function acceptedKey(apiKey: string) {
      const client = new BrowserInfraClient({ baseUrl: emulator.url, apiKey });
      try {
        const { credentialId, credentialProjectId } = await client.authContext();
        return { id: credentialId ?? "", projectId: credentialProjectId };
      } finally {
        await client.close();
      }
    }

    /** Each command of a TypeScript program costs seconds, and the YAML test is thorough. */
    const isThorough = example.endsWith("yaml");

    test("a whole environment is created, edited, rotated, renamed, corrected and destroyed", async () => {
      await stack.succeed("config", "set", "--secret", "shopPassword", password);
      await stack.succeed("config", "set", "--secret", "vaultToken", token);
      if (isThorough) {
        const planned = await stack.preview();
        expect(`${planned.exitCode} ${planned.output}`).toMatch(/^0 /);
      }
      expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
      // Somebody starts the login as soon as there is a connection.
      emulator.faults.add({
        method: "POST",
        path: "/auth/connections",
        at: "after-commit",
        action: { call: startLogin },
      });
      const deployed = await stack.up();
      expect(deployed).not.toContain(password);
      expect(deployed).not.toContain(token);
      expect(emulator.credentialProviders.list()).toMatchObject([{ token }]);
      const first = await outputs("--show-secrets");
      const { projectId, poolId, connectionId } = first;
      expect(first.loginStatus).toBe("SUCCESS");
      expect(emulator.credentials.list(projectId)).toMatchObject([{ fields: { username: "ada", password } }]);
      expect(emulator.authConnections.list(projectId)).toMatchObject([
        { id: connectionId, profileName: "buyer", status: "AUTHENTICATED" },
      ]);
      expect(await acceptedKey(first.agentKey)).toMatchObject({ projectId });
      const inProject = () => ({
        pools: emulator.browserPools.list(projectId),
        extensions: emulator.extensions.list(projectId),
      });
      expect(inProject()).toMatchObject({
        pools: [
          {
            id: poolId,
            extensionIds: [first.extensionId],
            profileId: emulator.profiles.list(projectId)[0]?.id,
            proxyId: emulator.proxies.list(projectId)[0]?.id,
            telemetry: { destinationId: emulator.telemetryDestinations.list()[0]?.id },
          },
        ],
        extensions: [{ id: first.extensionId }],
      });
      // Values filled in by the service are no change.
      emulator.browserPools.fill(poolId);
      const { sessionId } = emulator.browserPools.acquire(poolId);
      await stack.expectNoChanges("--refresh");

      stack.write("extension/content.js", "// edited\n");
      const settings = ["--plaintext", "projectName=shop-workers", "--plaintext", "keyGeneration=2"];
      await stack.succeed("config", "set-all", ...settings);
      if (isThorough) {
        const changed = await stack.preview();
        expect(`${changed.exitCode} ${changed.output}`).toMatch(/^0 /);
        expect(changed.output).not.toContain(first.agentKey);
      }
      expect(await stack.up()).not.toContain(first.agentKey);
      const second = await outputs("--show-secrets");
      expect(second).toMatchObject({ projectId, poolId });
      expect(second.extensionId).not.toBe(first.extensionId);
      expect(inProject()).toMatchObject({
        pools: [{ id: poolId, extensionIds: [second.extensionId] }],
        extensions: [{ id: second.extensionId }],
      });
      expect(second.agentKey).not.toBe(first.agentKey);
      // The old key works until the grace period ends.
      expect(await acceptedKey(first.agentKey)).toMatchObject({ projectId });
      const key = await acceptedKey(second.agentKey);
      expect(emulator.projects.list().find(({ id }) => id === projectId)?.name).toBe("shop-workers");
      if (isThorough) {
        await stack.expectNoChanges("--refresh");
      }

      emulator.projects.rename(projectId, "drifted");
      emulator.projects.setLimits(projectId, { maxConcurrentSessions: 9 });
      emulator.browserPools.update(poolId, { size: 3, extensions: [] });
      emulator.extensions.remove(second.extensionId, projectId);
      const names = () => emulator.apiKeyRecords.list().map(({ name }) => name);
      const named = names();
      emulator.apiKeyRecords.rename(key.id, "drifted");
      await stack.up("--refresh");
      expect(emulator.projects.list().find(({ id }) => id === projectId)).toMatchObject({
        name: "shop-workers",
        limits: { maxConcurrentSessions: 4 },
      });
      const third = await outputs();
      expect(third.agentKey).toBe("[secret]");
      expect(inProject()).toMatchObject({
        pools: [{ id: poolId, size: 2, extensionIds: [third.extensionId] }],
        extensions: [{ id: third.extensionId }],
      });
      expect(names()).toEqual(named);
      await stack.expectNoChanges("--refresh");

      emulator.browserPools.release(poolId, sessionId);
      await stack.destroy();
      expect(emulator.projects.list().map(({ id }) => id)).not.toContain(projectId);
      expect(emulator.credentialProviders.list()).toEqual([]);
      expect(stack.resources().filter(({ type }) => type.includes("browser-infra"))).toEqual([]);
    });
  },
);
