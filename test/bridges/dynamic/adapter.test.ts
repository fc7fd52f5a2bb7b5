import { resolve } from "node:path";
import { unknownMarker } from "../../../src/bridges/wire-values.js";
import { ProviderProcess, programFolder } from "../provider-process.js";
import type { ProviderFailure } from "../wire-messages.js";

const dist = resolve(__dirname, "../../../dist");
const urn = "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/browser-infra:Extension::reader";
const hidden = JSON.stringify({ urn });

/**
 * Text of a provider with a life cycle from a test: the real adapter in the real process. `body`:
 * members of a ResourceLifecycle.
 */
function textOf(body: string): string {
  return `
    const { DynamicAdapter } = require(${JSON.stringify(`${dist}/bridges/dynamic/adapter.js`)});
    const { EngineLog } = require(${JSON.stringify(`${dist}/bridges/engine-log.js`)});
    const { createCancelController, silenceEchoes, stubCredentials } = require(${JSON.stringify(`${dist}/bridges/dynamic/host-process.js`)});
    silenceEchoes(console);
    const { PartiallyCreatedError } = require(${JSON.stringify(`${dist}/providers/lifecycle.js`)});
    const { unknownValue } = require(${JSON.stringify(`${dist}/providers/properties.js`)});
    const lifecycle = {
      check: async ({ news }) => ({ inputs: news, failures: [] }),
      diff: () => ({ changes: false }),
      ${body}
    };
    exports.handler = () => new DynamicAdapter({ state: { types: {} } }, lifecycle, {
      log: new EngineLog(process.argv.at(-1), stubCredentials()), programFolder: process.cwd(), signal: createCancelController().signal,
      environment: process.env,
      deployment: { isUpdate: false, hasProgram: false, callsRunning: 0 },
    });`;
}

describe("adapter in Pulumi's dynamic provider process", () => {
  let provider: ProviderProcess;

  beforeAll(async () => {
    provider = await ProviderProcess.start(programFolder(), {
      configuration: { "browser-infra:apiKey": "sk_of_the_stack" },
      environment: {
        BROWSER_INFRA_PROJECT_ID: "proj_of_the_shell",
        BROWSER_INFRA_BASE_URL: "http://127.0.0.1:9",
      },
    });
  });

  afterAll(() => provider.stop());

  test("every call of the dynamic provider gets the stack configuration, also the first calls, sent in parallel", async () => {
    const text = textOf(`create: async (inputs, context) =>
      ({ id: inputs.name, outputs: { key: context.configuration("browser-infra:apiKey") ?? "none" } }),`);
    const created = await Promise.all(
      ["a", "b", "c"].map((name) => provider.create({ __provider: text, __browserInfra: hidden, name })),
    );
    expect(created.map(({ properties }) => properties.key)).toEqual(Array(3).fill("sk_of_the_stack"));
  });

  test("a life cycle gets the environment and the URN of the resource", async () => {
    const text = textOf(`create: async (_inputs, { environment, urn }) =>
      ({ id: "a", outputs: { project: environment.BROWSER_INFRA_PROJECT_ID, urn } }),`);
    const { properties } = await provider.create({ __provider: text, __browserInfra: hidden });
    expect(properties).toMatchObject({ project: "proj_of_the_shell", urn });
  });

  test("a life cycle receives unknown inputs as unknown, and the result of check keeps the inputs unknown", async () => {
    const text = textOf(`check: async ({ news }) =>
      ({ inputs: { ...news, seen: news.path === unknownValue }, failures: [] }),`);
    const { inputs } = await provider.check(
      {},
      { __provider: text, __browserInfra: hidden, path: unknownMarker },
    );
    expect(inputs).toMatchObject({ path: unknownMarker, seen: true });
  });

  test("the memo of a check reaches the next check, and is not among the inputs of the life cycle", async () => {
    const text = textOf(`check: async ({ olds, memo }) =>
      ({ inputs: { olds: olds ?? "none", memo: memo ?? "none" }, failures: [], memo: { digest: "abc" } }),`);
    const first = await provider.check({}, { __provider: text, __browserInfra: hidden });
    expect(first.inputs).toMatchObject({
      olds: "none",
      memo: "none",
      __browserInfra: JSON.stringify({ urn, memo: { digest: "abc" } }),
    });
    const second = await provider.check(first.inputs, { __provider: text, __browserInfra: hidden });
    expect(second.inputs.memo).toEqual({ digest: "abc" });
    expect(second.inputs.olds).toEqual({ olds: "none", memo: "none" });
  });

  test("the results of create, read and update keep the hidden inputs of a dynamic resource", async () => {
    const text = textOf(`
      create: async () => ({ id: "a", outputs: { name: "a" } }),
      read: async ({ id, state }) => ({ id, outputs: state, inputs: state }),
      update: async () => ({ name: "b" }),`);
    const inputs = { __provider: text, __browserInfra: hidden };
    const created = await provider.create(inputs);
    expect(created.properties).toEqual({ ...inputs, name: "a" });
    const read = await provider.read("a", created.properties);
    expect(read.properties).toEqual(created.properties);
    expect(read.inputs).toEqual(created.properties);
    expect(await provider.update("a", created.properties, inputs)).toEqual({ ...inputs, name: "b" });
  });

  test("a lookup by a program reads the resource, although the engine sends inputs without a state", async () => {
    const text = textOf(
      "read: async ({ id, state }) => ({ id, outputs: { ...state, name: id }, inputs: state }),",
    );
    const inputs = { __provider: text, __browserInfra: hidden, projectId: "proj_1" };
    const { properties } = await provider.read("ext_1", undefined, inputs);
    expect(properties).toEqual({ ...inputs, name: "ext_1" });
  });

  test("before the first check of a run, the error about a refused API key names the origin of the key", async () => {
    const text = textOf(`read: async () => {
      const { ApiError } = require(${JSON.stringify(`${dist}/errors.js`)});
      const request = { method: "GET", path: "/extensions/a" };
      throw new ApiError("http_401", "Refused.", { status: 401, serviceCode: undefined, request });
    },`);
    const state = { __provider: text, __browserInfra: hidden };
    await expect(provider.read("a", state)).rejects.toThrow(
      'Refused. Before the program runs, Pulumi uses the API key of the last "pulumi up"',
    );
    await provider.check({}, state);
    await expect(provider.read("a", state)).rejects.toThrow(/Refused\.$/);
  });

  test("a life cycle learns whether a check belongs to a preview or to an update", async () => {
    const text = textOf(`check: async ({ isPreview }) => ({ inputs: { isPreview }, failures: [] }),`);
    const preview = await provider.check({}, { __provider: text, __browserInfra: hidden });
    const update = await provider.check(
      {},
      { __provider: text, __browserInfra: JSON.stringify({ urn, isUpdate: true }) },
    );
    expect([preview.inputs.isPreview, update.inputs.isPreview]).toEqual([true, false]);
  });

  test("a row that a life cycle adds has the name of the resource, and the given text in place of the type", async () => {
    const text = textOf(`create: async (_inputs, { report }) => {
      report.row("to log in, run: x", "waits");
      return { id: "a", outputs: {} };
    },`);
    await provider.create({ __provider: text, __browserInfra: hidden });
    expect(provider.logged.at(-1)).toMatchObject({
      urn: "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/browser-infra:Extension$to log in, run: x::reader",
      message: "waits\n",
      ephemeral: true,
    });
  });

  test("a read of a deleted resource returns an empty id", async () => {
    const text = textOf("read: async () => undefined,");
    const { id } = await provider.read("a", { __provider: text, __browserInfra: hidden });
    expect(id).toBe("");
  });

  test("the adapter leaves the comparison of inputs to the engine if the life cycle reports a difference", async () => {
    const text = textOf('diff: () => ({ replaces: ["checksum"], deleteBeforeReplace: true }),');
    const inputs = { __provider: text, __browserInfra: hidden };
    expect(await provider.diff("a", inputs, inputs)).toEqual({
      changes: "unknown",
      replaces: ["checksum"],
      deleteBeforeReplace: true,
    });
  });

  test("a partially created resource can be deleted, because the properties name the provider", async () => {
    const text = textOf(`
      create: async () => { throw new PartiallyCreatedError("half", { name: "a" }, ["The bytes differ."]); },
      delete: async ({ id, state }) => { if (id !== "half" || state.name !== "a") throw new Error("lost"); },`);
    const inputs = { __provider: text, __browserInfra: hidden };
    const failure: ProviderFailure = await provider.create(inputs).then(
      () => {
        throw new Error("The create succeeded.");
      },
      (error: ProviderFailure) => error,
    );
    expect(failure.initFailed).toEqual({
      id: "half",
      properties: { ...inputs, name: "a" },
      reasons: ["The bytes differ."],
    });
    await provider.delete("half", failure.initFailed?.properties ?? {});
  });

  test("an output that Pulumi cannot store is refused by name", async () => {
    const text = textOf('create: async () => ({ id: "a", outputs: { createdAt: new Date(0) } }),');
    await expect(provider.create({ __provider: text, __browserInfra: hidden })).rejects.toThrow(
      'Property "createdAt" must be plain data: a string, number, boolean, list or object.',
    );
  });

  test("an error of a life cycle reaches the engine as the message alone, and nothing is printed", async () => {
    const text = textOf('read: async () => { throw new Error("Reading failed: 503."); },');
    await expect(provider.read("a", { __provider: text, __browserInfra: hidden })).rejects.toThrow(
      "Reading failed: 503.",
    );
    // Output arrives in order, so the marker follows anything that the error would have printed.
    const marker = textOf(
      'read: async ({ state }) => { console.error("printed"); return { id: "a", outputs: state, inputs: state }; },',
    );
    await provider.read("a", { __provider: marker, __browserInfra: hidden });
    await provider.printed("printed");
    expect(provider.output).not.toContain("Reading failed");
    expect(provider.output).not.toMatch(/reported to the engine|^\s+at /m);
  });

  test("messages appear on the row of the resource, in order, before the call returns", async () => {
    const text = textOf(`create: async (_inputs, { report }) => {
      report.progress("packing"); report.info("reusing"); report.warning("changed");
      return { id: "a", outputs: {} };
    },`);
    await provider.create({ __provider: text, __browserInfra: hidden });
    expect(provider.logged.slice(-3)).toEqual([
      { urn, message: "packing\n", ephemeral: true, severity: 1 },
      { urn, message: "reusing\n", ephemeral: false, severity: 1 },
      { urn, message: "changed\n", ephemeral: false, severity: 2 },
    ]);
  });

  test("running work ends when the engine cancels", async () => {
    const text = textOf(`create: (_inputs, { signal, report }) => new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(new Error("Canceled.")));
      report.progress("started");
    }),`);
    const messagesBefore = provider.logged.length;
    const running = provider.create({ __provider: text, __browserInfra: hidden });
    const outcome = expect(running).rejects.toThrow("Canceled.");
    while (provider.logged.length === messagesBefore) {
      await new Promise(setImmediate);
    }
    await provider.cancel();
    await outcome;
  });
});
