import { type ResourceKind, resourceKinds } from "../../../src/bridges/kinds.js";
import type { Emulator } from "../../../src/emulator/index.js";
import type { PropertyMap } from "../../../src/providers/properties.js";
import { newEmulator } from "../../support/emulator.js";
import { ProviderRuns } from "../provider-runs.js";

/** Requests of a kind. */
interface Sample {
  /** Inputs of resource number `at`. */
  readonly inputs: (at: number, emulator: Emulator) => PropertyMap;
  /** Most requests of a creation, besides a lookup of the holder of the name. */
  readonly perCreation: number;
  /** Most requests of a preview about an object that exists already. Default: none. */
  readonly perPreview?: number;
  /** Reason why each object is read alone. Undefined: the objects are read by the list. */
  readonly readAlone?: string;
}

/** Every kind, so that a new kind without an entry does not compile. */
const samples: Readonly<Record<ResourceKind, Sample>> = {
  Extension: { inputs: () => ({ path: "./extension" }), perCreation: 1 },
  AppDeployment: {
    inputs: (at) => ({ path: "./app", entrypoint: "src/app.ts", version: `v${at}` }),
    // The upload, the events, the record after two seconds, and the apps.
    perCreation: 5,
  },
  BrowserPool: { inputs: (at) => ({ name: `pool-${at}`, size: 1 }), perCreation: 1 },
  Profile: { inputs: (at) => ({ name: `profile-${at}` }), perCreation: 1 },
  // A creation under a one-time name, and a rename.
  Proxy: { inputs: (at) => ({ name: `proxy-${at}`, type: "isp" }), perCreation: 2 },
  ApiKey: { inputs: (at) => ({ name: `key-${at}` }), perCreation: 2 },
  Project: { inputs: (at) => ({ name: `project-${at}` }), perCreation: 1 },
  TelemetryDestination: {
    inputs: (at) => ({ name: `logs-${at}`, endpoint: "https://otlp.example.com" }),
    perCreation: 1,
  },
  CredentialProvider: {
    inputs: (at) => ({ name: `vault-${at}`, token: "ops_one", enabled: false }),
    perCreation: 3,
  },
  Credential: {
    inputs: (at) => ({ name: `credential-${at}`, domain: "shop.example", values: { password: "one" } }),
    perCreation: 1,
    readAlone: "the rows lack the names of the values",
  },
  AuthConnection: {
    inputs: (at) => ({ domain: `shop-${at}.example`, profileName: "buyer" }),
    perCreation: 1,
  },
  ApiKeyName: {
    inputs: (at, emulator) => ({
      keyId: emulator.createApiKey({ name: `before-${at}` }).id,
      name: `ci-${at}`,
    }),
    perCreation: 2,
    perPreview: 1,
  },
  ProjectLimits: {
    inputs: (at, emulator) => ({
      projectId: emulator.createProject({ name: `project-${at}` }).id,
      maxConcurrentSessions: 5,
    }),
    perCreation: 3,
    perPreview: 3,
    readAlone: "no list has the limits of a project",
  },
  OrganizationLimits: {
    inputs: () => ({ defaultProjectMaxConcurrentSessions: 50 }),
    perCreation: 2,
    readAlone: "there is a single object",
  },
  LoginFlow: {
    inputs: (at, emulator) => {
      const connection = {
        domain: `shop-${at}.example`,
        profileName: "buyer",
        status: "AUTHENTICATED",
      } as const;
      return { connectionId: emulator.authConnections.create(connection).id };
    },
    perCreation: 2,
    perPreview: 1,
  },
};

/** Provider runs against a new emulator, and inputs for `count` resources. */
async function start(kind: ResourceKind, count: number) {
  const runs = new ProviderRuns(await newEmulator());
  const { inputs } = samples[kind];
  const isSingle = kind === "OrganizationLimits";
  const news = Array.from({ length: isSingle ? 1 : count }, (_, at) => inputs(at, runs.emulator));
  return { runs, news };
}

describe("reads by list", () => {
  test.each(resourceKinds)(
    "a preview, a deployment and a refresh of many resources read the list in place of each object (%s)",
    async (kind) => {
      const { runs, news } = await start(kind, 20);
      const { perCreation, perPreview = 0, readAlone } = samples[kind];
      runs.begin();
      const failures = await Promise.all(news.map((each, at) => runs.previewed(kind, each, at)));
      expect(failures.flat()).toEqual([]);
      expect(runs.requests).toBeLessThanOrEqual(news.length * perPreview + 5);
      const created = await runs.createAll(kind, news);
      expect(runs.requests).toBeLessThanOrEqual(news.length * perCreation + 5);
      const read = await runs.readAll(kind, created);
      expect(runs.requests).toBeLessThanOrEqual(readAlone === undefined ? 5 : news.length);
      // A row says the same as a read of the object.
      for (const [at, each] of created.slice(0, 3).entries()) {
        runs.begin();
        expect(await runs.read(kind, each, at)).toEqual(read[at]);
      }
      expect(runs.warnings).toEqual([]);
    },
  );

  test("200 profiles cost 3 requests in a preview, 202 in a deployment, and 4 in a refresh", async () => {
    const { runs, news } = await start("Profile", 200);
    runs.begin();
    await Promise.all(news.map((each, at) => runs.previewed("Profile", each, at)));
    expect(runs.requests).toBe(3);
    const created = await runs.createAll("Profile", news);
    expect(runs.requests).toBe(202);
    await runs.readAll("Profile", created);
    expect(runs.requests).toBe(4);
    // One after the other, as with "--parallel 1".
    runs.begin();
    for (const [at, each] of created.entries()) {
      expect(await runs.read("Profile", each, at)).toMatchObject({ id: each.id });
    }
    expect(runs.requests).toBe(4);
  });

  test("a single resource costs as many requests as without a list", async () => {
    const { runs, news } = await start("Profile", 1);
    const [only = {}] = news;
    runs.begin();
    await runs.previewed("Profile", only);
    expect(runs.requests).toBe(2);
    const created = await runs.createAll("Profile", news);
    expect(runs.requests).toBe(2);
    await runs.readAll("Profile", created);
    expect(runs.requests).toBe(1);
  });

  // Fewer objects than pages, and more.
  test.each([2, 12])(
    "%i objects in a list of 1,000 cost at most twice as many requests as objects",
    async (count) => {
      const { runs, news } = await start("Profile", count);
      const created = await runs.createAll("Profile", news);
      for (let at = 0; at < 1_000; at += 1) {
        runs.emulator.profiles.ensure(`theirs-${at}`);
      }
      const read = await runs.readAll("Profile", created);
      expect(runs.requests).toBeLessThanOrEqual(2 * count);
      expect(read.map((each) => each?.id)).toEqual(created.map(({ id }) => id));
      await runs.createAll(
        "Profile",
        news.map((_, at) => ({ name: `new-${at}` })),
      );
      expect(runs.requests).toBeLessThanOrEqual(3 * count);
    },
  );
});
