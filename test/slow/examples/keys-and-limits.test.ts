import { cpSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { useEmulator } from "../../support/emulator.js";
import { Stack } from "../../support/stacks/stack.js";

const example = resolve(__dirname, "../../../examples/keys-and-limits");

describe("examples/keys-and-limits, with the real engine", () => {
  const emulator = useEmulator();
  let stack: Stack;
  let projectId: string;

  beforeEach(async () => {
    ({ id: projectId } = emulator.createProject({ name: "shop", limits: { maxConcurrentSessions: 4 } }));
    stack = await Stack.create(
      {
        BROWSER_INFRA_BASE_URL: emulator.url,
        BROWSER_INFRA_API_KEY: emulator.apiKeys[0],
      },
      readFileSync(join(example, "Pulumi.yaml"), "utf8"),
    );
    cpSync(example, stack.path(), { recursive: true });
  });

  afterEach(() => stack.remove());

  const nameOf = (keyId: string) => emulator.apiKeyRecords.list().find(({ id }) => id === keyId)?.name;

  async function configure(settings: Record<string, string>): Promise<void> {
    for (const [key, value] of Object.entries(settings)) {
      await stack.succeed("config", "set", "--path", key, value);
    }
  }

  test("examples/keys-and-limits names the key of each environment, stops at low limits, and restores the names", async () => {
    const staging = emulator.createApiKey({ name: "made by hand", projectId });
    const production = emulator.createApiKey({ name: "made by hand", projectId });
    await configure({
      project: "shop",
      browsersAtOnce: "4",
      "keys.staging": staging.id,
      "keys.production": production.id,
    });
    await stack.up();
    expect(await stack.outputs()).toEqual({
      keyNames: { staging: "shop-staging", production: "shop-production" },
    });
    expect([staging, production].map(({ id }) => nameOf(id))).toEqual(["shop-staging", "shop-production"]);
    await stack.up("--expect-no-changes");

    emulator.projects.setLimits(projectId, { maxConcurrentSessions: 3 });
    emulator.apiKeyRecords.rename(staging.id, "renamed meanwhile");
    const { exitCode, output } = await stack.run("up", "--yes", "--skip-preview");
    expect(exitCode).not.toBe(0);
    expect(output).toContain('Project "shop" allows 3 browsers at once, and this deployment needs 4.');
    expect([staging, production].map(({ id }) => nameOf(id))).toEqual([
      "renamed meanwhile",
      "shop-production",
    ]);

    emulator.projects.setLimits(projectId, { maxConcurrentSessions: null });
    await stack.up("--refresh", "--run-program");
    expect(nameOf(staging.id)).toBe("shop-staging");
    await stack.destroy();
    expect([staging, production].map(({ id }) => nameOf(id))).toEqual(["made by hand", "made by hand"]);
  });

  test("examples/keys-and-limits finds a project only by its exact name", async () => {
    await configure({ project: "Shop", "keys.staging": emulator.createApiKey({ name: "ci" }).id });
    const { exitCode, output } = await stack.preview();
    expect(exitCode).not.toBe(0);
    expect(output).toContain(`There is no project with the name "Shop".`);
    expect(output).toContain(`"shop" (id ${projectId})`);
  });
});
