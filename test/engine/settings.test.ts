import { startService } from "./service.js";
import { Stack } from "./stack.js";

describe("settings, with the real engine", () => {
  let stack: Stack;

  afterEach(() => stack.remove());

  async function previewWith(environment: NodeJS.ProcessEnv, ...configuration: [string, string][]) {
    stack = await Stack.create(environment);
    for (const [name, value] of configuration) {
      await stack.succeed("config", "set", name, value);
    }
    stack.write("extension/manifest.json", '{ "manifest_version": 3, "name": "Reader", "version": "1.0.0" }');
    stack.write(
      "index.js",
      'new (require("pulumi-browser-infra").Extension)("reader", { path: "./extension" });',
    );
    return stack.preview();
  }

  test("that are missing stop the preview with the command that sets them", async () => {
    const { exitCode, output } = await previewWith({});
    expect(exitCode).not.toBe(0);
    expect(output).toContain("pulumi config set --secret browser-infra:apiKey");
    expect(output).not.toMatch(/^\s+at .*\.js/m);
  });

  test("X6: that would send the key unencrypted are refused", async () => {
    const { exitCode, output } = await previewWith({ BROWSER_INFRA_API_KEY: "sk_1" }, [
      "browser-infra:baseUrl",
      "http://api.example.com",
    ]);
    expect(exitCode).not.toBe(0);
    expect(output).toContain("https");
  });

  test("of the stack win over the environment", async () => {
    const { emulator, environment } = await startService();
    try {
      const { exitCode } = await previewWith(
        { ...environment, BROWSER_INFRA_BASE_URL: "https://unreachable.invalid" },
        ["browser-infra:baseUrl", emulator.url],
      );
      expect(exitCode).toBe(0);
      await stack.up();
      expect(emulator.extensions.list()).toHaveLength(1);
    } finally {
      await emulator.close();
    }
  });

  test("name the project an extension stays in, also after the setting has changed", async () => {
    const { emulator, environment } = await startService();
    try {
      const first = emulator.createProject({ name: "first" });
      const second = emulator.createProject({ name: "second" });
      await previewWith(environment, ["browser-infra:projectId", first.id]);
      await stack.up();
      expect(emulator.extensions.list(first.id)).toHaveLength(1);

      await stack.succeed("config", "set", "browser-infra:projectId", second.id);
      await stack.up("--expect-no-changes");
      expect(emulator.extensions.list(second.id)).toHaveLength(0);
      await stack.succeed("destroy", "--yes", "--skip-preview");
      expect(emulator.extensions.list(first.id)).toHaveLength(0);
    } finally {
      await emulator.close();
    }
  });
});
