import type { Emulator } from "../../../src/emulator/index.js";
import { startEach } from "../../support/stacks/service.js";
import { Stack } from "../../support/stacks/stack.js";

describe("settings, with the real engine", () => {
  let emulator: Emulator;
  let environment: NodeJS.ProcessEnv;
  let stack: Stack;

  startEach(
    () => Stack.create(),
    (started) => {
      ({ emulator, environment, stack } = started);
      stack.write(
        "index.js",
        'new (require("pulumi-browser-infra").Extension)("reader", { path: "./extension" });',
      );
    },
  );

  const configure = (name: string, value: string) =>
    stack.succeed("config", "set", `browser-infra:${name}`, value);

  test("X6: a preview fails if settings are missing, or if the key would be sent unencrypted", async () => {
    const missing = await stack.preview();
    expect(missing.exitCode).not.toBe(0);
    expect(missing.output).toContain("pulumi config set --secret browser-infra:apiKey");
    expect(missing.output).not.toMatch(/^\s+at .*\.js/m);

    stack.export({ BROWSER_INFRA_API_KEY: "sk_1" });
    await configure("baseUrl", "http://api.example.com");
    const insecure = await stack.preview();
    expect(insecure.exitCode).not.toBe(0);
    expect(insecure.output).toContain("https");
  });

  test("stack settings win over the environment, and an extension stays in its project after projectId changes", async () => {
    const first = emulator.createProject({ name: "first" });
    const second = emulator.createProject({ name: "second" });
    stack.export({ ...environment, BROWSER_INFRA_BASE_URL: "https://unreachable.invalid" });
    await configure("baseUrl", emulator.url);
    await configure("projectId", first.id);
    await stack.up();
    expect(emulator.extensions.list(first.id)).toHaveLength(1);

    await configure("projectId", second.id);
    await stack.up("--expect-no-changes");
    expect(emulator.extensions.list(second.id)).toHaveLength(0);
    await stack.destroy();
    expect(emulator.extensions.list(first.id)).toHaveLength(0);
  });
});
