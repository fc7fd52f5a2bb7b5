import fc from "fast-check";
import type { ResourceKind } from "../../../src/bridges/kinds.js";
import { own, PlayedResource, type StoredObject } from "../../bridges/played-resource.js";
import { startPlugin } from "../../bridges/plugin/plugin-requests.js";
import type { ProviderProcess } from "../../bridges/provider-process.js";
import { stored } from "../../emulator/calls.js";
import { shareEmulator } from "../../support/emulator.js";
import { storedZip } from "../../support/stored-zip.js";
import { play } from "../played-terminal.js";

const plainName = fc.stringMatching(/^[A-Za-z0-9_-]{1,12}$/);
const anyText = fc.string({ unit: "grapheme", maxLength: 20 }).map((text) => text.replaceAll("\0", ""));

/** Whether an object is in the project of the settings instead of the default project. */
const isInShop = fc.boolean();

const extensions = fc.record({
  isInShop,
  name: fc.option(plainName, { nil: undefined }),
  manifest: fc.record({ name: anyText.map((text) => `N${text}`), version: fc.constantFrom("1", "1.2") }),
  files: fc.dictionary(fc.stringMatching(/^[a-z]{1,8}\.js$/), fc.string(), { maxKeys: 4 }),
  isReplacedByOtherBytes: fc.boolean(),
  hasChecksum: fc.boolean(),
});

const apiKeys = fc.record(
  {
    name: anyText,
    projectId: fc.constant("shop"),
    expiresAt: fc.date({ min: new Date("2100"), max: new Date("2200"), noInvalidDate: true }),
  },
  { requiredKeys: ["name"] },
);

const projects = fc.record({
  name: anyText,
  status: fc.constantFrom("active" as const, "archived" as const),
});

const profile = fc.record({ name: plainName, isById: fc.boolean() });
const captured = fc.dictionary(fc.constantFrom("console", "network", "page", "interaction"), fc.boolean());
const pools = fc.record({
  isInShop,
  size: fc.integer({ min: 1, max: 20 }),
  refreshOnProfileUpdate: fc.boolean(),
  settings: fc.record(
    {
      name: plainName,
      fillRatePerMinute: fc.integer({ min: 1, max: 25 }),
      timeoutSeconds: fc.integer({ min: 10, max: 1000 }),
      stealth: fc.boolean(),
      headless: fc.boolean(),
      kioskMode: fc.boolean(),
      profile,
      extensions: fc.constantFrom([], [{ name: "reader" }]),
      hasProxy: fc.boolean(),
      viewport: fc.record(
        {
          width: fc.integer({ min: 320, max: 4000 }),
          height: fc.integer({ min: 240, max: 3000 }),
          refreshRate: fc.integer({ min: 1, max: 120 }),
        },
        { requiredKeys: ["width", "height"] },
      ),
      // protobuf cannot carry a member with this name, and no policy has such a member.
      chromePolicy: fc
        .dictionary(plainName, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 })
        .filter((policy) => !JSON.stringify(policy).includes('"__proto__"')),
      startUrl: fc.webUrl(),
      telemetry: fc.oneof(
        fc.record({ enabled: fc.constant(false) }),
        fc.record({ enabled: fc.constant(true), browser: captured }),
      ),
    },
    { requiredKeys: [] },
  ),
});

/** Data of a deployment about an imported resource. */
interface Known {
  readonly id: string;
  readonly inputs: object;
  readonly memo: unknown;
  readonly state: object;
}

describe("browser-infra import, and an engine that imports the same object with the same settings", () => {
  const emulator = shareEmulator();
  /** With and without a project: a process reads its settings once. */
  let engines: { readonly shop: ProviderProcess; readonly none: ProviderProcess };
  let objects = 0;

  beforeAll(async () => {
    emulator.createProject({ id: "shop", name: "Shop" });
    for (const projectId of ["shop", emulator.defaultProject.id]) {
      await stored(emulator, { name: "reader", headers: { "x-kernel-project-id": projectId } });
    }
    const start = (configuration: object) =>
      startPlugin({
        environment: { BROWSER_INFRA_API_KEY: emulator.apiKeys[0] },
        configuration: { baseUrl: emulator.url, ...configuration },
      });
    engines = { shop: await start({ projectId: "shop" }), none: await start({}) };
  });

  afterAll(() => Promise.all(Object.values(engines).map((engine) => engine.stop())));

  /** Unused name. */
  function unique(name: string): string {
    objects += 1;
    return `${name}${objects}`;
  }

  async function byCommand(group: string, id: string, projectId: string | undefined): Promise<Known> {
    const project = projectId === undefined ? [] : ["--project", projectId];
    const { out, err } = await play(emulator, ["import", group, id, ...project, "--output", "-"]);
    expect(err).toContain("Wrote 1 ");
    const [resource] = (JSON.parse(out) as { resources: [StoredObject] }).resources;
    const { memo } = JSON.parse(String(resource.inputs.__browserInfra)) as { readonly memo?: unknown };
    return { id: resource.id, inputs: own(resource.inputs), memo, state: own(resource.outputs) };
  }

  async function byEngine(kind: ResourceKind, id: string, projectId: string | undefined): Promise<Known> {
    const engine = projectId === undefined ? engines.none : engines.shop;
    const { inputs, outputs } = await new PlayedResource(engine, { kind }).import(id);
    const { __memo: memo } = inputs;
    return {
      id,
      inputs: own(inputs),
      memo: memo === undefined ? undefined : JSON.parse(String(memo)),
      state: own(outputs),
    };
  }

  async function expectSame(group: string, kind: ResourceKind, id: string, isInShop = false): Promise<void> {
    const projectId = isInShop ? "shop" : undefined;
    expect(await byCommand(group, id, projectId)).toEqual(await byEngine(kind, id, projectId));
  }

  const howOften = { numRuns: 50 };

  test("the import file and the engine's own import contain the same data of an extension", async () => {
    await fc.assert(
      fc.asyncProperty(extensions, async ({ isInShop, name, manifest, files, ...more }) => {
        const texts = { "manifest.json": JSON.stringify({ manifest_version: 3, ...manifest }), ...files };
        const { id } = await stored(emulator, {
          ...(name && { name: unique(name) }),
          bytes: storedZip(Object.entries(texts).map(([file, contents]) => ({ name: file, contents }))),
          ...(isInShop && { headers: { "x-kernel-project-id": "shop" } }),
        });
        if (more.isReplacedByOtherBytes) {
          emulator.extensions.putBytes(id, Buffer.from("not an archive"));
        }
        if (!more.hasChecksum) {
          emulator.extensions.forgetChecksum(id);
        }
        await expectSame("extensions", "Extension", id, isInShop);
      }),
      howOften,
    );
  });

  test("the import file and the engine's own import contain the same data of an API key", async () => {
    await fc.assert(
      fc.asyncProperty(apiKeys, async ({ name, ...key }) => {
        const { id } = emulator.createApiKey({ ...key, name: unique(name) });
        await expectSame("api-keys", "ApiKeyName", id);
      }),
      howOften,
    );
  });

  test("the import file and the engine's own import contain the same data of a project", async () => {
    await fc.assert(
      fc.asyncProperty(projects, async ({ name, status }) => {
        const { id } = emulator.createProject({ name: unique(name), status });
        await expectSame("projects", "Project", id);
      }),
      { ...howOften, examples: [[{ name: "◆", status: "active" }]] },
    );
  });

  test("the import file and the engine's own import contain the same data of a browser pool", async () => {
    await fc.assert(
      fc.asyncProperty(pools, async ({ isInShop, size, refreshOnProfileUpdate, settings }) => {
        const { name, profile, hasProxy, ...others } = settings;
        const projectId = isInShop ? "shop" : undefined;
        const loaded = profile && emulator.profiles.ensure(profile.name, projectId);
        const { id } = emulator.browserPools.create({
          ...others,
          size,
          ...(loaded && {
            profile: profile?.isById ? { id: loaded.id } : { name: profile?.name },
            refreshOnProfileUpdate,
          }),
          ...(hasProxy && { proxyId: emulator.proxies.create({ type: "isp", projectId }).id }),
          ...(name && { name: unique(name) }),
          projectId,
        });
        await expectSame("pools", "BrowserPool", id, isInShop);
      }),
      howOften,
    );
  });
});
