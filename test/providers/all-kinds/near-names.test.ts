import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { kinds, type ResourceKind, resourceKinds } from "../../../src/bridges/kinds.js";
import { resolveSettings } from "../../../src/config.js";
import { type ReadName, reads, sendRead } from "../../../src/functions/reads.js";
import { Accounts } from "../../../src/providers/call.js";
import type { LifecycleContext } from "../../../src/providers/lifecycle.js";
import type { PropertyMap } from "../../../src/providers/properties.js";
import { play } from "../../cli/played-terminal.js";
import { samples } from "../../contract/rows/samples.js";
import { shareEmulator } from "../../support/emulator.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { stringsOf, valueAt } from "./string-inputs.js";

/** Kinds with a project of their own. Every other kind belongs to the organization. */
const inProject = resourceKinds.filter(
  (kind) =>
    kinds[kind].inputs.types.projectId?.isFilledIn !== true && "projectId" in kinds[kind].inputs.types,
);

describe("the name of an object where an id belongs", () => {
  const emulator = shareEmulator();
  const programFolder = temporaryFolder();
  let staging: string;

  beforeAll(() => {
    staging = emulator.createProject({ name: "Staging" }).id;
  });

  function contextOf(kind: string, more: Record<string, string> = {}): LifecycleContext {
    const ignore = () => undefined;
    return {
      urn: `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/browser-infra:${kind}::main`,
      programFolder,
      configuration: ignore,
      environment: {
        BROWSER_INFRA_BASE_URL: emulator.url,
        BROWSER_INFRA_API_KEY: emulator.apiKeys[0],
        ...more,
      },
      signal: new AbortController().signal,
      report: { progress: ignore, row: ignore, info: ignore, warning: ignore, debug: ignore },
    };
  }

  /** Inputs of a kind that need no object but the project. */
  function inputsOf(kind: ResourceKind, projectId: string): PropertyMap {
    const first = kind === "LoginFlow" ? { connectionId: "c" } : (samples[kind].first as PropertyMap);
    return { ...first, projectId };
  }

  /** Creates the sample of a kind. `text`: the name that a person may write in place of the id. */
  async function created(kind: keyof typeof samples): Promise<{ id: string; text: string }> {
    mkdirSync(join(programFolder, "one"), { recursive: true });
    const manifest = '{ "manifest_version": 3, "name": "Reader", "version": "1.0.0" }';
    writeFileSync(join(programFolder, "one", "manifest.json"), manifest);
    const { lifecycle } = kinds[kind];
    const context = contextOf(kind);
    const name = kind === "AuthConnection" ? {} : { name: "lanterns" };
    const first: PropertyMap = { ...name, ...(samples[kind].first as PropertyMap) };
    const { inputs } = await lifecycle().check({ olds: undefined, news: first, memo: undefined }, context);
    const { id } = await lifecycle().create(inputs, context);
    return { id, text: String(first.name ?? first.domain) };
  }

  const texts = [
    ["Staging", '"Staging" is the name of a project'],
    ["STAGING", '"STAGING" is the name of a project, spelled "Staging"'],
    ["Stagin", 'Did you mean the project "Staging"'],
    ["Satging", 'Did you mean the project "Staging"'],
  ] as const;

  /** Message without the id of the project, which must be in the message. */
  function withoutId(message: string): string {
    expect(message).toContain(staging);
    expect(message).not.toContain("Reading the identity of the API key");
    return message;
  }

  describe.each(inProject)("%s", (kind) => {
    test.each(texts)("a preview with the projectId %j names the project and the id", async (text, advice) => {
      const lifecycle = kinds[kind].lifecycle(new Accounts());
      const request = { olds: undefined, inputs: inputsOf(kind, text), memo: { projectDefaulted: false } };
      const said = await lifecycle
        .preview(request, contextOf(kind))
        .then((failures) => failures.map(({ reason }) => reason).join())
        .catch((error: Error) => error.message);
      expect(withoutId(said)).toContain(advice);
    });

    test.each(texts)(
      "a refused request with the projectId %j names the project and the id",
      async (text, advice) => {
        const lifecycle = kinds[kind].lifecycle(new Accounts());
        // A lookup: an object of the stack would count as gone.
        const stored = { id: kind === "ProjectLimits" ? text : "any", state: { projectId: text } };
        const error = await lifecycle.read(stored, contextOf(kind)).catch((thrown: Error) => thrown.message);
        // A project without limits to read counts as gone, and an API key is found by its own id.
        if (kind !== "ProjectLimits" && kind !== "ApiKey" && kind !== "ApiKeyName") {
          expect(withoutId(String(error))).toContain(advice);
        }
      },
    );
  });

  test.each(Object.keys(reads).filter((name) => reads[name as ReadName].isInProject))(
    "%s with a project's name as the projectId names the project and the id",
    async (name) => {
      const settings = resolveSettings(contextOf("any"));
      const client = new Accounts().clientFor(settings);
      const args = name.endsWith("s") ? {} : { id: "any" };
      const asked = sendRead(name as ReadName, { ...args, projectId: "Stagin" }, settings, client);
      const message = await asked.catch((error: Error) => error.message);
      expect(withoutId(String(message))).toContain('Did you mean the project "Staging"');
    },
  );

  test.each(
    Object.keys(reads).filter(
      (name) => "id" in reads[name as ReadName].rules && "name" in reads[name as ReadName].rules,
    ),
  )("%s with the name of an object as the id says so, and shows a near name", async (name) => {
    const kind = name.slice("get".length) as keyof typeof samples;
    const { id, text } = await created(kind);
    const settings = resolveSettings(contextOf("any"));
    const client = new Accounts().clientFor(settings);
    const ask = async (given: string) =>
      String(
        await sendRead(name as ReadName, { id: given }, settings, client).catch(
          (error: Error) => error.message,
        ),
      );
    expect(await ask(text)).toContain(id);
    const near = await ask(`${text}s`);
    expect(near).toMatch(/Did you mean the /);
    expect(near).toContain(`"${text}" (id ${id})?`);
    expect(await ask("nothing-like-it")).not.toContain("Did you mean");
  });

  test.each([
    [["pools", "list", "--project", "Stagin"], {}],
    [["whoami"], { BROWSER_INFRA_PROJECT_ID: "Stagin" }],
    [["pools", "list"], { BROWSER_INFRA_PROJECT_ID: "Stagin" }],
    [["profiles", "list"], { KERNEL_PROJECT: "Stagin" }],
  ])("browser-infra %j says which project is near", async (args, env) => {
    const { out, err } = await play(emulator, args, { env });
    expect(withoutId(out + err)).toContain('Did you mean the project "Staging"');
  });

  test("browser-infra with a misspelled pool names the pool and the id", async () => {
    emulator.browserPools.create({ name: "runners", size: 1 });
    const { err } = await play(emulator, ["pools", "get", "runner"]);
    expect(err).toMatch(/Did you mean the browser pool "runners" \(id \S+\)\?/);
  });

  /** Kinds of objects that inputs name by id, by the path of the input. */
  const named: Readonly<Record<string, Exclude<ResourceKind, "LoginFlow">>> = {
    "ApiKeyName.keyId": "ApiKey",
    "AuthConnection.proxyId": "Proxy",
    "AuthConnection.telemetryDestinationId": "TelemetryDestination",
    "BrowserPool.extensionIds.0": "Extension",
    "BrowserPool.network.proxyRoutes.0.proxyId": "Proxy",
    "BrowserPool.profileId": "Profile",
    "BrowserPool.proxyId": "Proxy",
    "BrowserPool.telemetryDestinationId": "TelemetryDestination",
    "LoginFlow.connectionId": "AuthConnection",
  };

  const idInputs = resourceKinds.flatMap((kind) =>
    stringsOf(kind)
      .map(([path]) => ({ kind, path, name: [kind, ...path].join(".") }))
      .filter(({ name, path }) => /Ids?(\.0)?$/.test(name) && path.at(-1) !== "projectId"),
  );

  test("every input that is an id has an entry", () => {
    expect(idInputs.map(({ name }) => name).sort()).toEqual(Object.keys(named).sort());
  });

  test.each(idInputs)(
    "a preview with a name in place of the id in $name shows the object that is near",
    async (row) => {
      emulator.reset();
      const { id, text } = await created(named[row.name] as (typeof named)[string]);
      const [input = "", ...rest] = row.path;
      const first = row.kind === "LoginFlow" ? {} : (samples[row.kind].first as PropertyMap);
      const inputs = { ...first, [input]: valueAt(rest, `${text}s`) } as PropertyMap;
      const request = { olds: undefined, inputs, memo: undefined };
      const said = await kinds[row.kind]
        .lifecycle(new Accounts())
        .preview(request, contextOf(row.kind))
        .then((failures) => failures.map(({ reason }) => reason).join())
        .catch((error: Error) => error.message);
      expect(said).toMatch(/There is no /);
      expect(said).toContain(`"${text}" (id ${id})?`);
    },
  );

  // Limits and names of keys say so in words of their own, and a deployment has no name.
  test.each(
    Object.keys(samples).filter(
      (kind) => !/Limits$|^ApiKeyName$|^AppDeployment$/.test(kind),
    ) as (keyof typeof samples)[],
  )(
    "an import and a lookup of a %s with a name in place of the id show the object that is near",
    async (kind) => {
      emulator.reset();
      const { id, text } = await created(kind);
      const ask = (given: string, isImport: boolean) =>
        kinds[kind]
          .lifecycle(new Accounts())
          .read({ id: given, state: {}, isImport }, contextOf(kind))
          .then(JSON.stringify, (error: Error) => error.message);
      for (const isImport of [true, false]) {
        // The service finds an extension by its name, too.
        const answer = kind === "Extension" ? `"id":"${id}"` : `There is no .*its id is ${id}`;
        expect(await ask(text, isImport)).toMatch(new RegExp(answer));
        expect(await ask(`${text}s`, isImport)).toContain(`"${text}" (id ${id})?`);
        expect(await ask("nothing-like-it", isImport)).not.toMatch(/Did you mean|this is a bug/);
      }
    },
  );

  test("getAuthConnection with a domain in place of the id shows the connection of the domain", async () => {
    const { id, text } = await created("AuthConnection");
    const settings = resolveSettings(contextOf("any"));
    const client = new Accounts().clientFor(settings);
    const asked = sendRead("getAuthConnection", { id: text }, settings, client);
    await expect(asked).rejects.toThrow(`its id is ${id}`);
  });
});
