import { packExtension } from "../../../src/archive/index.js";
import { BrowserInfraClient } from "../../../src/client/index.js";
import type { Emulator } from "../../../src/emulator/index.js";
import { killDeployment, tellingCalls } from "../../support/stacks/kills/killed-deployment.js";
import { killAll, type RunningProcess } from "../../support/stacks/process-tree.js";
import { manifest, startEach, writesIn } from "../../support/stacks/service.js";
import { Stack } from "../../support/stacks/stack.js";

/**
 * A single story of each kind runs through the dynamic bridge. The rest run through the plugin:
 * they cover the life cycle, which both bridges share.
 */
describe("dynamic resources of a program in JavaScript, with the real engine", () => {
  let emulator: Emulator;
  let stack: Stack;
  let left: readonly RunningProcess[];

  startEach(
    (environment) => Stack.create({ ...environment, ...tellingCalls }),
    (started) => {
      ({ emulator, stack } = started);
      left = [];
    },
  );

  afterEach(() => killAll(left));

  function declare(args: Readonly<Record<string, unknown>>, more = ""): void {
    const all = JSON.stringify({ path: "./extension", ...args });
    stack.write(
      "index.js",
      `const { ApiKeyName, Extension } = require("pulumi-browser-infra");
       new Extension("reader", ${all});
       ${more}`,
    );
  }

  /** The service contains exactly the declared objects, and nothing is left to do. */
  async function expectConverged(): Promise<void> {
    const { checksum } = await packExtension(stack.path("extension"));
    expect(emulator.extensions.list()).toMatchObject([{ id: stack.extension().id, checksum }]);
    await stack.expectNoChanges();
  }

  test("a dynamic program adopts an extension and renames a key, and destroy restores the name of the key", async () => {
    const client = new BrowserInfraClient({ baseUrl: emulator.url, apiKey: emulator.apiKeys[0] ?? "" });
    const { bytes } = await packExtension(stack.path("extension"));
    const theirs = await client.extensions.upload({ name: "theirs", archive: bytes });
    await client.close();
    const { id: keyId } = emulator.createApiKey({ name: "before" });
    const nameOf = () => emulator.apiKeyRecords.list().find(({ id }) => id === keyId)?.name;
    declare({ adopt: theirs.id }, `new ApiKeyName("ci", { keyId: "${keyId}", name: "ci" });`);
    expect(await stack.up()).toContain(`Adopted extension ${theirs.id} unchanged`);
    expect([stack.extension().id, nameOf()]).toEqual([theirs.id, "ci"]);
    expect(writesIn(emulator)).toEqual(["POST /extensions", `PATCH /org/api_keys/${keyId}`]);
    await expectConverged();
    await stack.destroy();
    expect([emulator.extensions.list(), nameOf()]).toEqual([[], "before"]);
  });

  test("a dynamic program finds an upload after a lost response, and restores the last version after a refused replacement", async () => {
    declare({ name: "reader" });
    emulator.faults.add({ method: "POST", at: "after-commit", action: "reset" });
    await stack.up();
    const { checksum } = stack.extension().outputs;
    stack.write("extension/manifest.json", manifest("2.0.0"));
    const answer = { status: 400, body: { code: "refused", message: "not this one" } };
    emulator.faults.add({ method: "POST", at: "before-commit", action: { answer } });
    expect(await stack.failingUp()).toContain('The previous version was restored under "reader"');
    expect(stack.extension().outputs).toMatchObject({ checksum, unfinished: { reason: expect.any(String) } });
    await stack.up();
    await expectConverged();
  });

  test("a dynamic program reuses the upload of a deployment that was killed before the state was saved", async () => {
    declare({});
    const moment = { at: "answered", method: "POST", write: 1 } as const;
    const killed = await killDeployment(stack, emulator, { target: "everything", moment });
    left = killed.processes;
    expect(killed).toMatchObject({ isKilled: true });
    await stack.succeed("cancel", "--yes");
    await stack.up();
    await expectConverged();
  });
});
