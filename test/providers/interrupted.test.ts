import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Emulator, startEmulator } from "../../src/emulator/index.js";
import { ApiKeyLifecycle } from "../../src/providers/api-key/api-key.js";
import { ApiKeyNameLifecycle } from "../../src/providers/api-key-name/api-key-name.js";
import { BrowserPoolLifecycle } from "../../src/providers/browser-pool/pool.js";
import { ExtensionLifecycle } from "../../src/providers/extension/lifecycle.js";
import type { LifecycleContext, ResourceLifecycle } from "../../src/providers/lifecycle.js";
import { LoginFlowLifecycle } from "../../src/providers/login-flow/lifecycle.js";
import { ProjectLifecycle } from "../../src/providers/project/project.js";
import { ProjectLimitsLifecycle } from "../../src/providers/project-limits/project-limits.js";
import type { PropertyMap } from "../../src/providers/properties.js";
import { errorOf } from "../support/error-of.js";
import { temporaryFolder } from "../support/temporary-folder.js";

describe("what is said after Ctrl-C", () => {
  let emulator: Emulator;
  let programFolder: string;
  let ctrlC: AbortController;

  beforeEach(async () => {
    emulator = await startEmulator();
    programFolder = temporaryFolder();
    ctrlC = new AbortController();
    mkdirSync(join(programFolder, "extension"));
    write("one");
  });

  afterEach(() => emulator.close());

  function write(content: string): void {
    const manifest = { manifest_version: 3, name: "Reader", version: "1.0.0", description: content };
    writeFileSync(join(programFolder, "extension", "manifest.json"), JSON.stringify(manifest));
  }

  function contextOf(): LifecycleContext {
    const quiet = () => undefined;
    return {
      urn: "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/browser-infra:Extension::reader",
      programFolder,
      deployment: "127.0.0.1:1",
      configuration: () => undefined,
      environment: { BROWSER_INFRA_BASE_URL: emulator.url, BROWSER_INFRA_API_KEY: emulator.apiKeys[0] },
      signal: ctrlC.signal,
      report: { progress: quiet, row: quiet, info: quiet, warning: quiet, debug: quiet },
    };
  }

  /** The next request of this kind is carried out, gets no answer, and the person gives up. */
  function interruptAt(method: string): void {
    const rule = { method, at: "after-commit" as const };
    emulator.faults.add({ ...rule, action: { call: () => ctrlC.abort() } });
    emulator.faults.add({ ...rule, action: "hang" });
  }

  async function deployed(lifecycle: ExtensionLifecycle, name?: string) {
    const news = { path: "./extension", ...(name === undefined ? {} : { name }) };
    const { inputs } = await lifecycle.check({ olds: undefined, news, memo: undefined }, contextOf());
    return { inputs, ...(await lifecycle.create(inputs, contextOf())) };
  }

  /** The message of what is interrupted. All of them must be short, and agree with each other. */
  async function saidBy(work: Promise<unknown>): Promise<string> {
    const { message } = await errorOf(work);
    expect(message.match(/[.:] (?=[A-Z])|\.$/g)?.length).toBeLessThanOrEqual(3);
    expect(message.match(/again/g)).toHaveLength(1);
    return message;
  }

  test("of the creation of an extension: that it may exist, and to run the command again", async () => {
    interruptAt("POST");
    expect(await saidBy(deployed(new ExtensionLifecycle(), "reader"))).toBe(
      'The creation of extension "reader" was interrupted, and the extension may exist now or appear later. Run "pulumi up" again: it looks for this extension first and creates nothing twice.',
    );
  });

  test("of a deletion: that it may be gone, and to run the command again", async () => {
    const lifecycle = new ExtensionLifecycle();
    const { id, outputs } = await deployed(lifecycle);
    interruptAt("DELETE");
    expect(await saidBy(new ExtensionLifecycle().delete({ id, state: outputs }, contextOf()))).toBe(
      `The deletion of extension ${id} was interrupted, and the extension may be gone. Run the same command again to find out.`,
    );
  });

  test("of a replacement under a fixed name: where the previous version is, and to run the command again", async () => {
    const { id, outputs, inputs: olds } = await deployed(new ExtensionLifecycle(), "reader");
    write("two");
    const run = new ExtensionLifecycle();
    const news = { path: "./extension", name: "reader" };
    const { inputs } = await run.check({ olds, news, memo: undefined }, contextOf());
    run.diff({ id, olds: outputs, news: inputs }, contextOf());
    const next = await run.check({ olds: undefined, news, memo: undefined, deletesFirst: true }, contextOf());
    await run.delete({ id, state: outputs }, contextOf());
    interruptAt("POST");
    expect(await saidBy(run.create(next.inputs, contextOf()))).toMatch(
      /^The replacement of extension "reader" was interrupted\. The previous version was not restored: its archive is saved in "\.browser-infra\/[^"]+" in the program's folder\. Run "pulumi up" again: it uploads the new version, unless that has already arrived\.$/,
    );
  });

  test("of a renaming: that either name is possible, and to run the command again", async () => {
    const { id } = emulator.createApiKey({ name: "CI" });
    const lifecycle = new ApiKeyNameLifecycle();
    const news = { keyId: id, name: "CI, production" };
    await lifecycle.check({ olds: undefined, news, memo: undefined }, contextOf());
    interruptAt("PATCH");
    expect(await saidBy(lifecycle.create(news, contextOf()))).toBe(
      `The change of the name of API key ${id} was interrupted, and the API key has the old name or the new name. Run the same command again: it continues from there.`,
    );
  });

  test.each<[string, () => ResourceLifecycle, PropertyMap, string]>([
    [
      "a project",
      () => new ProjectLifecycle(),
      { name: "shop" },
      'The creation of project "shop" was interrupted, and the project may exist now or appear later. Run "pulumi up" again: it looks for this project first and creates nothing twice.',
    ],
    [
      "an API key",
      () => new ApiKeyLifecycle(),
      { name: "agents" },
      'The creation of API key "agents" was interrupted, and a key whose secret is lost may exist now or appear later. Run "pulumi up" again: it deletes exactly that key, and creates another.',
    ],
    [
      "a browser pool",
      () => new BrowserPoolLifecycle(),
      { name: "agents", size: 1 },
      'The creation of browser pool "agents" was interrupted, and the pool may exist now or appear later. Run "pulumi up" again: it looks for this pool first and creates nothing twice.',
    ],
  ])(
    "of a creation of %s: that it may exist, and to run the command again",
    async (_what, newLifecycle, news, said) => {
      const lifecycle = newLifecycle();
      const { inputs } = await lifecycle.check({ olds: undefined, news, memo: undefined }, contextOf());
      interruptAt("POST");
      expect(await saidBy(lifecycle.create(inputs, contextOf()))).toBe(said);
    },
  );

  test("of a rotation: what it may have done to both keys, and to run the command again", async () => {
    const lifecycle = new ApiKeyLifecycle();
    const news = { name: "agents", triggers: ["1"] };
    const { inputs } = await lifecycle.check({ olds: undefined, news, memo: undefined }, contextOf());
    const { id, outputs } = await lifecycle.create(inputs, contextOf());
    const next = { olds: inputs, news: { ...news, triggers: ["2"] }, memo: undefined };
    const checked = await lifecycle.check(next, contextOf());
    interruptAt("POST");
    expect(await saidBy(lifecycle.update({ id, olds: outputs, news: checked.inputs }, contextOf()))).toBe(
      `The rotation of API key ${id} was interrupted, and the key may expire soon, with a new one in its place whose secret is lost. Run "pulumi up" again: it checks what happened, and creates a key whose secret is known.`,
    );
  });

  test("of a change of a project or its limits: that either is possible, and to run the command again", async () => {
    const { id } = emulator.createProject({ name: "shop" });
    const limits = new ProjectLimitsLifecycle();
    const caps = { projectId: id, maxConcurrentSessions: 5 };
    const checked = await limits.check({ olds: undefined, news: caps, memo: undefined }, contextOf());
    interruptAt("PATCH");
    expect(await saidBy(limits.create(checked.inputs, contextOf()))).toBe(
      `The change of the limits of project ${id} was interrupted, and the project has the old limits or the new limits. Run the same command again: it continues from there.`,
    );

    ctrlC = new AbortController();
    const project = new ProjectLifecycle();
    const { state, inputs: olds } = await imported(project, id);
    const { inputs } = await project.check({ olds, news: { name: "store" }, memo: undefined }, contextOf());
    interruptAt("PATCH");
    expect(await saidBy(project.update({ id, olds: state, news: inputs }, contextOf()))).toBe(
      `The change of project ${id} was interrupted, and the project has its old settings or the new ones. Run the same command again: it continues from there.`,
    );
  });

  test("of a deletion of a project: that it may be gone, and to run the command again", async () => {
    const { id } = emulator.createProject({ name: "shop" });
    const project = new ProjectLifecycle();
    const { state } = await imported(project, id);
    interruptAt("DELETE");
    expect(await saidBy(project.delete({ id, state }, contextOf()))).toBe(
      `The deletion of project ${id} was interrupted, and the project may be gone. Run the same command again to find out.`,
    );
  });

  /** What is in the state about something that exists. */
  async function imported(lifecycle: ResourceLifecycle, id: string) {
    const { inputs = {}, outputs = {} } = (await lifecycle.read({ id, state: {} }, contextOf())) ?? {};
    return { inputs, state: outputs };
  }

  test("of a login: that waiting for it was canceled", async () => {
    const { id } = emulator.authConnections.create({ domain: "shop.example", profileName: "buyer" });
    const waiting = new LoginFlowLifecycle().create({ connectionId: id }, contextOf());
    ctrlC.abort();
    expect((await errorOf(waiting)).message).toBe(
      `Following the login of the auth connection "${id}" was canceled.`,
    );
  });
});
