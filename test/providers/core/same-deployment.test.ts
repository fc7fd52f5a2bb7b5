import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { apiKeyKind } from "../../../src/providers/api-key/api-key.js";
import { ExtensionLifecycle } from "../../../src/providers/extension/lifecycle.js";
import type { LifecycleContext, ResourceLifecycle } from "../../../src/providers/lifecycle.js";
import type { PropertyMap } from "../../../src/providers/properties.js";
import { useEmulator } from "../../support/emulator.js";
import { errorOf } from "../../support/error-of.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

/** The engine starts a process for each explicit provider, and those share the journal. */
describe("processes of the same deployment", () => {
  const emulator = useEmulator();
  let programFolder: string;

  beforeEach(() => {
    programFolder = temporaryFolder();
    mkdirSync(join(programFolder, "extension"));
    const manifest = { manifest_version: 3, name: "Reader", version: "1.0.0" };
    writeFileSync(join(programFolder, "extension", "manifest.json"), JSON.stringify(manifest));
  });

  function contextOf(changes: Partial<LifecycleContext> = {}): LifecycleContext {
    const quiet = () => undefined;
    return {
      urn: "urn:pulumi:dev::shop::browser-infra:index:Any::one",
      programFolder,
      deployment: "127.0.0.1:1",
      configuration: () => undefined,
      environment: { BROWSER_INFRA_BASE_URL: emulator.url, BROWSER_INFRA_API_KEY: emulator.apiKeys[0] },
      signal: new AbortController().signal,
      report: { progress: quiet, row: quiet, info: quiet, warning: quiet, debug: quiet },
      ...changes,
    };
  }

  const other = { urn: "urn:pulumi:dev::shop::browser-infra:index:Any::other" };
  const extension = { path: "./extension" };
  const extensions = () => emulator.extensions.list().length;

  async function create(process: ResourceLifecycle, news: PropertyMap, context = contextOf()) {
    const { inputs } = await process.check({ news, olds: undefined, memo: undefined }, context);
    const { id, outputs: state } = await process.create(inputs, context);
    return { id, state };
  }

  test("keep the new key of a resource that moves to another provider", async () => {
    const next = { deployment: "127.0.0.1:2" };
    const first = apiKeyKind.lifecycle();
    const old = await create(first, { name: "agents" });
    await first.end?.(true, contextOf());
    const { id } = await create(apiKeyKind.lifecycle(), { name: "agents" }, contextOf(next));
    await apiKeyKind.lifecycle().delete(old, contextOf(next));
    const live = emulator.apiKeyRecords.list().filter((key) => key.name === "agents" && !key.deletedAt);
    expect(live).toMatchObject([{ id }]);
  });

  test.each([
    ["keep an extension that another one reuses", "127.0.0.1:1", 1],
    ["delete one that an earlier deployment has reused", "127.0.0.1:2", 0],
  ])("%s", async (_what, deployment, left) => {
    const old = await create(new ExtensionLifecycle(), extension);
    expect((await create(new ExtensionLifecycle(), extension)).id).toBe(old.id);
    await new ExtensionLifecycle().delete(old, contextOf({ deployment }));
    expect(extensions()).toBe(left);
  });

  test("leave alone at the end what another one has created in place of what a killed run left", async () => {
    await create(new ExtensionLifecycle(), extension);
    const next = { deployment: "127.0.0.1:2" };
    await create(new ExtensionLifecycle(), extension, contextOf(next));
    await new ExtensionLifecycle().end(true, contextOf({ ...next, ...other }));
    expect(extensions()).toBe(1);
  });

  test("leave alone at the end what a killed run of another stack or account left", async () => {
    await create(new ExtensionLifecycle(), extension);
    const next = { ...other, deployment: "127.0.0.1:2" };
    const process = new ExtensionLifecycle();
    await process.end(true, contextOf({ ...next, urn: other.urn.replace("dev", "prod") }));
    const environment = { ...contextOf().environment, BROWSER_INFRA_API_KEY: "sk_somebody_elses_key" };
    await process.end(true, contextOf({ ...next, environment }));
    expect(extensions()).toBe(1);
    await process.end(true, contextOf(next));
    expect(extensions()).toBe(0);
  });

  test("ask the service again who asks when it did not say at first", async () => {
    const key = await create(apiKeyKind.lifecycle(), { name: "agents" });
    const process = apiKeyKind.lifecycle();
    const unsaid = { path: "/auth/context", at: "before-commit" } as const;
    emulator.faults.add({ ...unsaid, action: { answer: { status: 403 } } });
    expect(await errorOf(process.delete(key, contextOf()))).toMatchObject({ status: 403 });
    await process.delete(key, contextOf());
    expect(emulator.apiKeyRecords.list().find(({ id }) => id === key.id)?.deletedAt).not.toBeNull();
  });
});
