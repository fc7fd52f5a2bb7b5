import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Emulator, startEmulator } from "../../src/emulator/index.js";
import { ApiKeyLifecycle } from "../../src/providers/api-key/api-key.js";
import { BrowserPoolLifecycle } from "../../src/providers/browser-pool/pool.js";
import { ExtensionLifecycle } from "../../src/providers/extension/lifecycle.js";
import { journalFolder } from "../../src/providers/journal/files.js";
import type { LifecycleContext, ResourceLifecycle } from "../../src/providers/lifecycle.js";
import { ProjectLifecycle } from "../../src/providers/project/project.js";
import type { PropertyMap } from "../../src/providers/properties.js";
import { errorOf } from "../support/error-of.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** A kind of resource: its life cycle, a program's inputs, and how many of it the service has. */
type Kind = readonly [
  kind: string,
  create: () => ResourceLifecycle,
  news: PropertyMap,
  count: (emulator: Emulator) => number,
];

const kinds: readonly Kind[] = [
  [
    "ApiKey",
    () => new ApiKeyLifecycle(),
    { name: "agents" },
    ({ apiKeyRecords, apiKeys }) =>
      apiKeyRecords.list().filter(({ deletedAt }) => deletedAt === null).length - apiKeys.length,
  ],
  [
    "Project",
    () => new ProjectLifecycle(),
    { name: "web" },
    ({ projects, defaultProject }) => projects.list().filter(({ id }) => id !== defaultProject.id).length,
  ],
  [
    "BrowserPool",
    () => new BrowserPoolLifecycle(),
    { name: "agents", size: 1 },
    ({ browserPools }) => browserPools.list().length,
  ],
  [
    "Extension",
    () => new ExtensionLifecycle(),
    { path: "./extension", name: "reader" },
    ({ extensions }) => extensions.list().length,
  ],
];

let emulator: Emulator;
let programFolder: string;
let run: number;

beforeEach(async () => {
  run = 1;
  emulator = await startEmulator();
  programFolder = temporaryFolder();
  mkdirSync(join(programFolder, "extension"));
  const manifest = { manifest_version: 3, name: "Reader", version: "1.0.0" };
  writeFileSync(join(programFolder, "extension", "manifest.json"), JSON.stringify(manifest));
});

afterEach(() => emulator.close());

function contextOf(name: string, signal = new AbortController().signal): LifecycleContext {
  const quiet = () => undefined;
  return {
    urn: `urn:pulumi:dev::shop::browser-infra:index:Some::${name}`,
    programFolder,
    deployment: `127.0.0.1:${run}`,
    configuration: () => undefined,
    environment: { BROWSER_INFRA_BASE_URL: emulator.url, BROWSER_INFRA_API_KEY: emulator.apiKeys[0] },
    signal,
    report: { progress: quiet, row: quiet, info: quiet, warning: quiet, debug: quiet },
  };
}

describe("a creation without an answer, in a deployment that then ended by itself", () => {
  /** A deployment whose creation gets no answer, and which a person gives up. */
  async function deployInVain(
    lifecycle: ResourceLifecycle,
    news: PropertyMap,
    at: "before-reading" | "after-commit",
  ): Promise<void> {
    const ctrlC = new AbortController();
    const context = contextOf("one", ctrlC.signal);
    const rule = { method: "POST", at } as const;
    emulator.faults.add({ ...rule, action: { call: () => ctrlC.abort() } });
    emulator.faults.add({ ...rule, action: "reset" });
    const { inputs } = await lifecycle.check({ olds: undefined, news, memo: undefined }, context);
    const error = await errorOf(lifecycle.create?.(inputs, context) ?? Promise.resolve());
    expect(error).toMatchObject({ code: "outcome_unknown" });
    await lifecycle.end?.(true, contextOf("one"));
  }

  test.each(kinds)("of %s, is undone when it leaves the program", async (_kind, create, news, count) => {
    await deployInVain(create(), news, "after-commit");
    expect(count(emulator)).toBe(1);
    run += 1;
    const lifecycle = create();
    // A preview changes nothing.
    await lifecycle.end?.(false, contextOf("other"));
    expect(count(emulator)).toBe(1);
    expect(lifecycle.hasLeftovers?.(contextOf("other"))).toBe(true);
    await lifecycle.end?.(true, contextOf("other"));
    expect(count(emulator)).toBe(0);
    run += 1;
    await create().end?.(true, contextOf("other"));
    expect(existsSync(join(programFolder, journalFolder))).toBe(false);
  });

  test.each(kinds)("of %s, is looked for once if it never arrives", async (_kind, create, news) => {
    await deployInVain(create(), news, "before-reading");
    run += 1;
    const lifecycle = create();
    expect(lifecycle.hasLeftovers?.(contextOf("other"))).toBe(true);
    await lifecycle.end?.(true, contextOf("other"));
    run += 1;
    expect(create().hasLeftovers?.(contextOf("other"))).toBe(false);
  });
});

describe("a deletion that was killed before the state had it, and which a refresh then found", () => {
  test.each(kinds)("of %s, is done with after the next deployment", async (_kind, create, news, count) => {
    const first = create();
    const { inputs } = await first.check({ olds: undefined, news, memo: undefined }, contextOf("one"));
    const created = await first.create?.(inputs, contextOf("one"));
    const { id = "", outputs: state = {} } = created ?? {};
    await first.end?.(true, contextOf("one"));
    run += 1;
    await create().delete?.({ id, state }, contextOf("one"));
    expect(count(emulator)).toBe(0);
    run += 1;
    const refreshing = create();
    expect(await refreshing.read?.({ id, state }, contextOf("one"))).toBeUndefined();
    await refreshing.end?.(true, contextOf("other"));
    run += 1;
    expect(create().hasLeftovers?.(contextOf("other"))).toBe(false);
    await create().end?.(true, contextOf("other"));
    expect(existsSync(join(programFolder, journalFolder))).toBe(false);
  });
});
