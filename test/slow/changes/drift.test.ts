import { appendFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import type { Emulator } from "../../../src/emulator/index.js";
import { writeAppFolders } from "../../contract/rows/app-folders.js";
import { extensionFolders, furnish, kinds, samples } from "../../contract/rows/samples.js";
import { bridges } from "../../support/stacks/bridges.js";
import { programsFolder } from "../../support/stacks/install-package.js";
import { manifest, startService } from "../../support/stacks/service.js";
import type { Stack } from "../../support/stacks/stack.js";
import type { YamlResource } from "../../support/stacks/yaml-program.js";

const command = join(programsFolder, "node_modules/.bin/browser-infra");
const connection = "logged-in";

/** Resource of a foreign package, which does not exist once there is a file "gone". */
const foreign = `
const { dynamic } = require("@pulumi/pulumi");
const file = ${JSON.stringify("gone")};
class Theirs extends dynamic.Resource {}
new Theirs({
  create: async (props) => ({ id: "1", outs: props }),
  read: async (id, props) => require("node:fs").existsSync(file) ? { id: "", props: {} } : { id, props },
}, "theirs", {});
`;

/**
 * Reported drift of each kind after the sample has changed. The values of a credential and of
 * headers are never shown.
 */
const changes = {
  ApiKey: 'name is "renamed outside" and not "agents"',
  ApiKeyName: 'name is "renamed outside" and not "release"',
  AppDeployment: expect.stringMatching(
    /^checksum is unset and not "[0-9a-f]{64}", status is "stopped" and not "running"$/,
  ),
  AuthConnection: "recordSession is true and not false",
  BrowserPool: "size is 4 and not 1",
  Credential: "values changed",
  CredentialProvider: "enabled is false and not true",
  Extension: expect.stringMatching(
    /^checksum is "[0-9a-f]{64}" and not "[0-9a-f]{64}", sizeBytes is 11 and not \d+$/,
  ),
  OrganizationLimits: "defaultProjectMaxConcurrentSessions is 42 and not 40",
  Profile: 'name is "renamed-outside" and not "shopper"',
  Project: 'name is "renamed outside" and not "shop"',
  ProjectLimits: "maxConcurrentSessions is 11 and not 9",
  Proxy: 'name is "renamed outside" and not "exit"',
  TelemetryDestination: "headers changed",
};

/** The limits of the organization always exist. */
const gone = [...kinds.filter((kind) => kind !== "OrganizationLimits"), "LoginFlow"].sort();

describe.each(bridges)("browser-infra drift with $name, with the real engine", (bridge) => {
  let emulator: Emulator;
  let settings: NodeJS.ProcessEnv;
  let stack: Stack;

  beforeAll(async () => {
    const service = await startService();
    emulator = service.emulator;
    // Set in many pipelines. Pulumi then refuses to only preview.
    settings = { ...service.environment, PULUMI_SKIP_CONFIRMATIONS: "true" };
    furnish(emulator);
    const domain = "login.example";
    emulator.authConnections.create({
      id: connection,
      domain,
      profileName: "login",
      status: "AUTHENTICATED",
    });
    stack = await bridge.create(settings);
    for (const [folder, version] of Object.entries(extensionFolders)) {
      stack.write(`${folder}/manifest.json`, manifest(version));
    }
    await writeAppFolders(stack.path());
    declare();
    await stack.up();
  });

  afterAll(() => stack.remove());

  const isJavaScript = () => existsSync(stack.path("index.js"));

  /**
   * Declares a resource of each kind, named after the kind. `others` adds or replaces resources.
   */
  function declare(others: Readonly<Record<string, YamlResource>> = {}): void {
    const declared = kinds.map((kind): [string, YamlResource] => {
      const { first, deletesFirst } = samples[kind];
      const options = deletesFirst(first) ? { deleteBeforeReplace: true } : {};
      return [kind, { type: kind, properties: first, options }];
    });
    const LoginFlow = { type: "LoginFlow", properties: { connectionId: connection } };
    bridge.declare(stack, { ...Object.fromEntries(declared), LoginFlow, ...others });
    if (isJavaScript()) {
      appendFileSync(stack.path("index.js"), foreign);
    }
  }

  /** Id of the object that a resource stands for. */
  function idOf(kind: string): string {
    const found = stack.resources().find(({ urn }) => urn.endsWith(`::${kind}`));
    return String(found?.outputs?.keyId ?? found?.id);
  }

  const run = (...args: string[]) => stack.runScript(command, "drift", ...args);

  /**
   * Findings of the three forms, by name of the resource, and the state afterwards. All forms must
   * agree.
   */
  async function inThreeForms() {
    const before = JSON.stringify(stack.resources());
    const text = await run();
    const json = await run("--json");
    const markdown = await run("--markdown", "--stack", "dev");
    expect([text.exitCode, json.exitCode, markdown.exitCode]).toEqual([7, 7, 7]);
    const sentences = Array.from(text.output.matchAll(/^(\w+) \((\w+)\): (.+)\.$/gm), (each) =>
      each.slice(1),
    );
    const cells = Array.from(markdown.output.matchAll(/^\| (\w+) \| (\w+) \| (.+) \|$/gm), (each) =>
      each.slice(1),
    );
    expect(cells.slice(1)).toEqual(sentences);
    const document = JSON.parse(json.output);
    expect(document).toMatchObject({
      stack: "dev",
      clean: false,
      repair: "pulumi up --refresh --run-program --stack dev",
    });
    expect(document.resources.map(({ name }: { name: string }) => name)).toEqual(
      sentences.map(([name]) => name),
    );
    expect(text.output).toMatch(/\n"pulumi up --refresh --run-program --stack dev" repairs the drift\.\n$/);
    expect(markdown.output).toMatch(
      /^## Drift of dev\n[\s\S]+ --run-program --stack dev` repairs the drift\.\n$/,
    );
    expect(JSON.stringify(stack.resources())).toBe(before);
    return { document, said: Object.fromEntries(sentences.map(([name, , what]) => [name, what])) };
  }

  test("drift reports that nothing has drifted, also after an edit of the program", async () => {
    const clean = { exitCode: 0, output: "Nothing has drifted.\n" };
    expect(await run()).toEqual(clean);
    const BrowserPool = { type: "BrowserPool", properties: { name: "edited", size: 3 } };
    declare({ BrowserPool, added: { type: "Profile", properties: { name: "added" } } });
    expect(await run()).toEqual(clean);
    declare();
  });

  test("drift lists the values changed outside of the program, as text, JSON and Markdown", async () => {
    for (const kind of kinds) {
      samples[kind].drift(emulator, idOf(kind));
    }
    const { said, document } = await inThreeForms();
    expect(said).toEqual(changes);
    expect(document.resources).toContainEqual({
      urn: expect.stringContaining(":BrowserPool::BrowserPool"),
      name: "BrowserPool",
      type: expect.stringMatching(/browser-infra:(index:)?BrowserPool$/),
      drift: "changed",
      properties: [{ name: "size", state: 1, service: 4 }],
    });
    const values = { name: "values", state: "[secret]", service: "[secret]" };
    expect(document.resources).toContainEqual(
      expect.objectContaining({ name: "Credential", properties: [values] }),
    );
    expect(document.others).toBe(0);
  });

  test("drift lists deleted objects as text, JSON and Markdown, and counts drifted resources of other packages", async () => {
    for (const kind of kinds) {
      samples[kind].remove?.(emulator, idOf(kind));
    }
    emulator.authConnections.remove(connection);
    stack.write("gone", "");
    const { said, document } = await inThreeForms();
    expect(said).toEqual({
      ...Object.fromEntries(gone.map((kind) => [kind, "gone from the service"])),
      OrganizationLimits: changes.OrganizationLimits,
    });
    expect(document.others).toBe(isJavaScript() ? 1 : 0);
  });

  test("drift includes resources of the state that the program no longer declares", async () => {
    bridge.declare(stack, {});
    const { exitCode, output } = await run();
    expect(exitCode).toBe(7);
    expect(output).toContain("Proxy (Proxy): gone from the service.\n");
  });

  test.each([
    ["an unreachable service", { BROWSER_INFRA_BASE_URL: "http://127.0.0.1:9" }, [], /ECONNREFUSED/],
    ["a wrong key", { BROWSER_INFRA_API_KEY: "sk_wrong_0123456789" }, [], /401 unauthorized/],
    ["a stack that does not exist", {}, ["--stack", "other"], /Pulumi says: no stack named 'other' found\. /],
  ])("drift fails with %s, and reports no resource as clean or gone", async (_what, wrong, args, why) => {
    stack.export(wrong);
    const { exitCode, output } = await run(...args);
    stack.export(settings);
    expect([exitCode, output]).toEqual([1, expect.stringMatching(why)]);
    expect(output).toMatch(
      /^error: The drift check failed, so it is unknown whether anything has drifted\. .+\n$/,
    );
    expect(output.replace("whether anything has drifted", "")).not.toMatch(/drifted|gone|sk_wrong/);
  });
});
