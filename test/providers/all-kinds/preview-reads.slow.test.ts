import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { kinds, type ResourceKind, resourceKinds } from "../../../src/bridges/kinds.js";
import { Accounts } from "../../../src/providers/call.js";
import type { LifecycleContext, ResourceLifecycle } from "../../../src/providers/lifecycle.js";
import type { PropertyMap } from "../../../src/providers/properties.js";
import { manyProjects, refusals, startFiveOperations } from "../../client/five-operations/service.js";
import { writeApp } from "../../emulator/apps/app-code.js";
import { useEmulator } from "../../support/emulator.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { PlayedProgram } from "../played-program.js";

const html = { "content-type": "text/html" };

/** Foreign servers, by answer to every request. */
const strangers: Readonly<Record<string, RequestListener>> = {
  "a page that does not exist": (_request, response) =>
    response.writeHead(404, html).end("<h1>Not found</h1>"),
  "the page of a hotel": (_request, response) => response.writeHead(200, html).end("<h1>Sign in</h1>"),
  "other JSON": (_request, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end('{ "hello": "world" }'),
  "a redirect": (_request, response) =>
    response.writeHead(302, { location: "https://elsewhere.example/" }).end(),
};

describe("reads of a preview", () => {
  const emulator = useEmulator();
  let programFolder: string;
  let warnings: string[];
  let inputs: Record<ResourceKind, PropertyMap>;
  let run: ReturnType<typeof newRun>;

  /** Life cycles of a provider process, which serves a single run. */
  function newRun(): Readonly<Record<ResourceKind, ResourceLifecycle>> {
    const accounts = new Accounts();
    const opened = resourceKinds.map((kind) => [kind, kinds[kind].lifecycle(accounts)]);
    return Object.fromEntries(opened);
  }

  beforeEach(() => {
    programFolder = temporaryFolder();
    mkdirSync(join(programFolder, "extension"));
    const manifest = '{ "manifest_version": 3, "name": "Reader", "version": "1.0.0" }';
    writeFileSync(join(programFolder, "extension", "manifest.json"), manifest);
    writeApp(join(programFolder, "app"));
    warnings = [];
    run = newRun();
    inputs = {
      Extension: { path: "./extension" },
      AppDeployment: { path: "./app", entrypoint: "src/app.ts" },
      ApiKeyName: { keyId: emulator.createApiKey({ name: "before" }).id, name: "ci" },
      LoginFlow: {
        connectionId: emulator.authConnections.create({ domain: "shop.example", profileName: "buyer" }).id,
      },
      ApiKey: { name: "agents" },
      BrowserPool: { name: "agents", size: 1 },
      Profile: { name: "shopper" },
      Proxy: { name: "exit", type: "isp" },
      Project: { name: "shop" },
      TelemetryDestination: { endpoint: "https://otlp.example.com" },
      Credential: { domain: "shop.example", values: { password: "one" } },
      CredentialProvider: { token: "ops_one" },
      AuthConnection: { domain: "shop.example", profileName: "reader" },
      OrganizationLimits: { defaultProjectMaxConcurrentSessions: 50 },
      ProjectLimits: { projectId: emulator.defaultProject.id, maxConcurrentSessions: 5 },
    };
  });

  function contextOf(
    kind: ResourceKind,
    environment: NodeJS.ProcessEnv = {},
    name = "one",
  ): LifecycleContext {
    const ignore = () => undefined;
    return {
      urn: `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/browser-infra:${kind}::${name}`,
      programFolder,
      configuration: () => undefined,
      environment: {
        BROWSER_INFRA_BASE_URL: emulator.url,
        BROWSER_INFRA_API_KEY: emulator.apiKeys[0],
        ...environment,
      },
      signal: new AbortController().signal,
      report: {
        progress: ignore,
        row: ignore,
        info: ignore,
        warning: (text) => warnings.push(text),
        debug: ignore,
      },
    };
  }

  /** Failures that a preview reports about a new resource. */
  async function failuresOf(kind: ResourceKind, environment: NodeJS.ProcessEnv = {}, news: PropertyMap = {}) {
    const request = { news: { ...inputs[kind], ...news }, olds: undefined, memo: undefined, isPreview: true };
    return (await run[kind].check(request, contextOf(kind, environment))).failures;
  }

  /** Runs `work` with a foreign server. */
  async function withStranger(answer: RequestListener, work: (url: string) => Promise<void>): Promise<void> {
    const server = createServer(answer);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  test("a preview reads the API key's context once for all resources of a run, and accepts valid inputs", async () => {
    for (const kind of resourceKinds) {
      expect(await failuresOf(kind)).toEqual([]);
    }
    expect(emulator.requests.filter(({ path }) => path === "/auth/context")).toHaveLength(1);
    expect(emulator.requests.every(({ method }) => method === "GET")).toBe(true);
    expect(warnings).toEqual([]);
  });

  test.each(resourceKinds)(
    "a preview refuses a key that the service does not know, and names the origin of the key (%s)",
    async (kind) => {
      expect(await failuresOf(kind, { BROWSER_INFRA_API_KEY: "sk_mistyped" })).toEqual([
        {
          property: "",
          reason: expect.stringMatching(
            /401.*Check the API key \(environment variable BROWSER_INFRA_API_KEY\): it may be mistyped, expired or deleted/,
          ),
        },
      ]);
    },
  );

  test.each(resourceKinds)(
    "a preview refuses a missing setting with a single failure that names no input (%s)",
    async (kind) => {
      expect(await failuresOf(kind, { BROWSER_INFRA_API_KEY: undefined })).toEqual([
        { property: "", reason: expect.stringContaining("browser-infra:apiKey") },
      ]);
    },
  );

  test("a preview refuses a project that does not exist, at the input with the project's id", async () => {
    for (const kind of ["Extension", "BrowserPool"] as const) {
      expect(await failuresOf(kind, {}, { projectId: "nowhere" })).toEqual([
        { property: "projectId", reason: expect.stringContaining("project_not_found") },
      ]);
      run = newRun();
    }
    expect(await failuresOf("LoginFlow", { BROWSER_INFRA_PROJECT_ID: "nowhere" })).toEqual([
      { property: "", reason: expect.stringContaining("environment variable BROWSER_INFRA_PROJECT_ID") },
    ]);
    // Keys belong to the organization.
    expect(await failuresOf("ApiKeyName", { BROWSER_INFRA_PROJECT_ID: "nowhere" })).toEqual([]);
  });

  test("the project of an existing object must still exist, except the project of an existing API key", async () => {
    for (const [kind, expected] of [
      ["Profile", [expect.stringContaining("project_not_found")]],
      ["ApiKey", []],
    ] as const) {
      const program = await PlayedProgram.start(kind);
      const { id: projectId } = program.emulator.createProject({ name: "shop" });
      await program.up({ name: "agents", projectId });
      program.emulator.archiveProject(projectId);
      const archived = await program.preview({ name: "buyers", projectId });
      expect([kind, archived.failures, archived.warnings]).toEqual([
        kind,
        [],
        expected.map(() => expect.stringContaining("is archived")),
      ]);
      program.emulator.projects.remove(projectId);
      const gone = await program.preview({ name: "buyers", projectId });
      expect([kind, gone.failures]).toEqual([kind, expected]);
    }
  });

  test("a preview reports no taken name if a killed deployment has already renamed the object", async () => {
    const program = await PlayedProgram.start("Profile");
    await program.up({ name: "buyers" });
    await program.upKilled({ name: "agents" });
    const { steps, failures, warnings } = await program.preview({ name: "agents" });
    expect({ steps, failures, warnings }).toEqual({
      steps: [expect.any(String)],
      failures: [],
      warnings: [],
    });
  });

  test("a preview refuses a project that the API key may not use", async () => {
    const { id: projectId } = emulator.createProject({ name: "theirs" });
    const { id: own } = emulator.createProject({ name: "ours" });
    const { key } = emulator.createApiKey({ name: "of one project", projectId: own });
    expect(await failuresOf("Extension", { BROWSER_INFRA_API_KEY: key }, { projectId })).toEqual([
      { property: "projectId", reason: expect.stringContaining("403") },
    ]);
  });

  test.each(Object.entries(strangers))(
    "a preview refuses a server that is not the service: %s",
    async (_what, answer) => {
      await withStranger(answer, async (url) => {
        for (const kind of resourceKinds) {
          const [failure, ...others] = await failuresOf(kind, { BROWSER_INFRA_BASE_URL: url });
          expect(others).toEqual([]);
          expect(failure).toEqual({ property: "", reason: expect.stringMatching(/[Bb]ase URL/) });
        }
      });
    },
  );

  test.each([
    ["nothing listens", "http://127.0.0.1:9"],
    ["its host has no address", "https://service.invalid"],
  ])(
    "a preview warns once and continues when the service cannot be reached because %s",
    async (_why, url) => {
      for (const kind of resourceKinds) {
        expect(await failuresOf(kind, { BROWSER_INFRA_BASE_URL: url }, {})).toEqual([]);
      }
      expect(warnings).toEqual([expect.stringContaining("could not run the checks of the deployment")]);
    },
  );

  test("a preview warns once and continues when the service answers 503", async () => {
    emulator.faults.add({
      at: "before-commit",
      times: Number.POSITIVE_INFINITY,
      action: { answer: { status: 503, headers: { "x-should-retry": "false" } } },
    });
    for (const kind of resourceKinds) {
      expect(await failuresOf(kind)).toEqual([]);
    }
    expect(warnings).toEqual([expect.stringContaining("503")]);
  });

  // Takes as long as the preview waits for a response.
  test("a preview waits no longer than 5 s for a response, and only once for all resources", async () => {
    emulator.faults.add({ at: "before-commit", times: Number.POSITIVE_INFINITY, action: "hang" });
    const start = performance.now();
    for (const kind of resourceKinds) {
      expect(await failuresOf(kind, {}, kind === "Extension" ? { name: "reader" } : {})).toEqual([]);
    }
    expect(performance.now() - start).toBeLessThan(10_000);
    expect(warnings).toEqual([expect.stringContaining("The service did not answer within 5 s.")]);
  });

  test.each(refusals)(
    "a preview refuses no valid resource of a service with just the five operations (%s)",
    async (refusal) => {
      const service = await startFiveOperations(refusal);
      const [shop = { id: "", name: "" }] = manyProjects(1);
      service.projects.push(shop);
      inputs.ProjectLimits = { projectId: shop.id, maxConcurrentSessions: 5 };
      const environment = {
        BROWSER_INFRA_BASE_URL: service.url,
        BROWSER_INFRA_API_KEY: service.apiKeys[0],
      };
      try {
        for (const kind of resourceKinds) {
          expect(await failuresOf(kind, environment)).toEqual([]);
        }
        expect(warnings).toEqual([]);
        run = newRun();
        const wrong = { ...environment, BROWSER_INFRA_API_KEY: "sk_mistyped" };
        expect(await failuresOf("LoginFlow", wrong)).toEqual([
          { property: "", reason: expect.stringContaining("401") },
        ]);
      } finally {
        await service.close();
      }
    },
  );

  test("a check in an update sends no request", async () => {
    for (const kind of resourceKinds) {
      const request = { news: inputs[kind], olds: undefined, memo: undefined };
      const environment = { BROWSER_INFRA_API_KEY: "sk_mistyped" };
      expect((await run[kind].check(request, contextOf(kind, environment))).failures).toEqual([]);
    }
    expect(emulator.requests).toEqual([]);
  });

  test("a preview refuses the id of an API key or an auth connection that does not exist, at its input", async () => {
    expect(await failuresOf("ApiKeyName", {}, { keyId: "nowhere" })).toEqual([
      { property: "keyId", reason: expect.stringContaining('There is no API key "nowhere"') },
    ]);
    expect(await failuresOf("ApiKeyName", {}, { keyId: "before" })).toEqual([
      { property: "keyId", reason: expect.stringContaining("its id is ") },
    ]);
    expect(await failuresOf("LoginFlow", {}, { connectionId: "nowhere" })).toEqual([
      { property: "connectionId", reason: expect.stringContaining('There is no auth connection "nowhere"') },
    ]);
  });

  test("a preview accepts an unchanged resource although its API key or its auth connection was deleted", async () => {
    for (const [kind, news] of [
      ["ApiKeyName", { keyId: "gone", name: "ci", onDelete: "restore" }],
      ["LoginFlow", { connectionId: "gone" }],
    ] as const) {
      const request = { news, olds: news, memo: undefined, isPreview: true };
      expect((await run[kind].check(request, contextOf(kind))).failures).toEqual([]);
    }
  });
});
