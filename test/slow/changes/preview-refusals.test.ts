import { BrowserInfraClient } from "../../../src/client/index.js";
import type { Emulator } from "../../../src/emulator/index.js";
import { startEach, writesIn } from "../../support/stacks/service.js";
import { javaScriptProject, Stack } from "../../support/stacks/stack.js";
import { storedZip } from "../../support/stored-zip.js";

const manifest = '{ "manifest_version": 3, "name": "Reader", "version": "1.0.0" }';

describe("previews of deployments that would be refused, with the real engine", () => {
  let emulator: Emulator;
  let environment: NodeJS.ProcessEnv;
  let stack: Stack;
  let client: BrowserInfraClient;

  startEach(Stack.createYaml, (started) => {
    ({ emulator, environment, stack } = started);
    client = new BrowserInfraClient({ baseUrl: emulator.url, apiKey: emulator.apiKeys[0] ?? "" });
  });

  /**
   * Declares resources by type and properties. An extension with a fixed name is deleted before its
   * replacement.
   */
  function declare(...resources: [type: string, properties: Readonly<Record<string, string>>][]): void {
    const declared = resources.map(([type, properties], index) => {
      const options =
        type === "Extension" && properties.name !== undefined ? { deleteBeforeReplace: true } : {};
      return [`reader-${index}`, { type, properties, options }];
    });
    stack.declare(Object.fromEntries(declared));
  }

  /** Uploads something else under a name, without Pulumi. */
  function uploadOther(name: string) {
    const contents = manifest.replace("1.0.0", "0.9.0");
    return client.extensions.upload({ name, archive: storedZip([{ name: "manifest.json", contents }]) });
  }

  /** Runs a preview, with the output on a single line. */
  async function preview(...args: string[]) {
    const { exitCode, output } = await stack.preview(...args);
    return { exitCode, output: output.replace(/\s+/g, " ") };
  }

  test("a preview fails for a wrong key or an unknown key id, and only warns if the service is unreachable", async () => {
    declare(["Extension", { path: "./extension" }]);
    stack.export({ BROWSER_INFRA_API_KEY: "sk_mistyped" });
    const wrongKey = await preview();
    expect(wrongKey.exitCode).not.toBe(0);
    expect(wrongKey.output).toContain("Check the API key (environment variable BROWSER_INFRA_API_KEY)");
    expect(wrongKey.output).not.toContain("sk_mistyped");
    stack.export(environment);

    // The plugin detects this only when the engine requests the creation, which concerns no single
    // property.
    declare(["ApiKeyName", { keyId: "nowhere", name: "ci" }]);
    const unknownId = await preview();
    expect(unknownId.exitCode).not.toBe(0);
    expect(unknownId.output).toContain('error: Preview failed: There is no API key "nowhere"');
    stack.write("Pulumi.yaml", javaScriptProject);
    stack.write(
      "index.js",
      'new (require("pulumi-browser-infra").ApiKeyName)("ci", { keyId: "nowhere", name: "ci" });',
    );
    const unknownIdOfDynamic = await preview();
    expect(unknownIdOfDynamic.exitCode).not.toBe(0);
    expect(unknownIdOfDynamic.output).toMatch(/keyId.{0,60}There is no API key "nowhere"/);
    expect(writesIn(emulator)).toEqual([]);

    declare(["Extension", { path: "./extension" }], ["Extension", { path: "./extension", name: "reader" }]);
    stack.export({ BROWSER_INFRA_BASE_URL: "http://127.0.0.1:9" });
    const { exitCode, output } = await preview();
    expect(`${exitCode} ${output}`).toMatch(/^0 /);
    expect(output.match(/warning: The service is unreachable/g)).toHaveLength(1);
  });

  test("a preview only warns of a taken fixed name, because a forced replacement is never refused", async () => {
    const other = await uploadOther("reader");
    declare(["Extension", { path: "./extension", name: "reader" }]);
    const taken = await preview();
    expect(taken.output).toContain(`warning: The name "reader" is taken by extension ${other.id}`);
    emulator.extensions.remove(other.id);
    await stack.up();
    const { urn, id } = stack.extension();

    const unchanged = await preview("--expect-no-changes");
    expect(`${unchanged.exitCode} ${unchanged.output}`).toMatch(/^0 /);
    expect(unchanged.output).not.toContain("warning:");
    stack.write("extension/content.js", "// two\n");
    const forced = await preview("--replace", urn);
    expect(`${forced.exitCode} ${forced.output}`).toMatch(/^0 /);
    expect(forced.output).toContain(`warning: The name "reader" is taken by extension ${id}`);
    await stack.up("--replace", urn);
    expect(emulator.extensions.list()).toMatchObject([{ id: stack.extension().id, name: "reader" }]);
  });

  test("a second stack with the fixed name of a first stack is refused until its program adopts the extension", async () => {
    declare(["Extension", { path: "./extension", name: "reader" }]);
    await stack.up();
    const { id } = stack.extension();
    await stack.succeed("stack", "init", "prod");
    const refused = await stack.run("up", "--yes", "--skip-preview", "--stack", "prod");
    expect(refused.exitCode).not.toBe(0);
    expect(refused.output.replace(/\s+/g, " ")).toContain(`add adopt: "${id}" to this resource`);
    expect(emulator.extensions.list()).toMatchObject([{ id }]);

    declare(["Extension", { path: "./extension", name: "reader", adopt: id }]);
    const { output } = await preview("--stack", "prod");
    expect(output).toContain(`Adopts extension ${id} ("reader"`);
    await stack.succeed("up", "--yes", "--skip-preview", "--stack", "prod");
    expect(writesIn(emulator)).toHaveLength(1);
  });
});
