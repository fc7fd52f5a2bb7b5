import { join } from "node:path";
import { kinds, type ResourceKind, resourceKinds } from "../../../src/bridges/kinds.js";
import { resolveSettings } from "../../../src/config.js";
import type { Emulator } from "../../../src/emulator/index.js";
import { type ReadName, reads, sendRead } from "../../../src/functions/reads.js";
import { Accounts } from "../../../src/providers/call.js";
import type { LifecycleContext, ResourceLifecycle } from "../../../src/providers/lifecycle.js";
import type { PropertyMap } from "../../../src/providers/properties.js";
import { shows } from "../../base/text/spellings.js";
import { writeApp } from "../../emulator/apps/app-code.js";
import { shareEmulator } from "../../support/emulator.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { canary, secretExamples, secretsOf } from "./secret-examples.js";

/** Resource of an earlier run: id, outputs, checked inputs, and inputs after a harmless change. */
interface Stored {
  readonly id: string;
  readonly state: PropertyMap;
  readonly inputs: PropertyMap;
  readonly changed: PropertyMap;
}

type Operation = Exclude<keyof ResourceLifecycle, "importIds" | "nullInputs">;

/**
 * Call of a life cycle that returns failures or values for the state, the methods of requests to
 * refuse, and the status of the refusals.
 */
interface Row {
  readonly methods: readonly ("GET" | "POST" | "PATCH" | "DELETE")[];
  readonly status?: number;
  readonly call: (
    lifecycle: ResourceLifecycle,
    stored: Stored,
    context: LifecycleContext,
  ) => Promise<unknown>;
}

/** Every operation of a life cycle. Without methods: no request is sent. */
const operations: Readonly<Record<Operation, Row>> = {
  check: {
    methods: ["GET"],
    // Only such a refusal is a failure of a preview.
    status: 403,
    call: async (lifecycle, { inputs }, context) =>
      (await lifecycle.check({ olds: undefined, news: inputs, memo: undefined, isPreview: true }, context))
        .failures,
  },
  preview: {
    methods: ["GET"],
    status: 403,
    call: (lifecycle, { inputs }, context) =>
      lifecycle.preview({ olds: undefined, inputs, memo: undefined }, context),
  },
  diff: {
    methods: [],
    call: async (lifecycle, { id, state, changed }, context) =>
      lifecycle.diff({ id, olds: state, news: changed }, context),
  },
  create: {
    methods: ["GET", "POST"],
    call: (lifecycle, { inputs }, context) => lifecycle.create({ ...inputs, name: "another" }, context),
  },
  read: {
    methods: ["GET"],
    call: (lifecycle, { id, state }, context) => lifecycle.read({ id, state }, context),
  },
  update: {
    methods: ["GET", "PATCH"],
    call: (lifecycle, { id, state, changed }, context) =>
      lifecycle.update({ id, olds: state, news: changed }, context),
  },
  unknownAfterUpdate: {
    methods: [],
    call: async (lifecycle, { id, state, changed }) =>
      lifecycle.unknownAfterUpdate?.({ id, olds: state, news: changed }),
  },
  delete: {
    methods: ["DELETE"],
    call: (lifecycle, { id, state }, context) => lifecycle.delete({ id, state }, context),
  },
};

/** Requests that an operation of a kind does not send. */
const unsent: readonly string[] = [
  // Names of proxies are not unique, so nothing is looked up before a creation.
  "Proxy create GET",
  // A change is a new deployment.
  "AppDeployment update PATCH",
  // An update of a login sends nothing, and the login belongs to no resource.
  ...["update GET", "update PATCH", "delete DELETE"].map((row) => `LoginFlow ${row}`),
];

/** State with a secret output, and a change, of the kinds with secret outputs. */
const outputExamples: Readonly<
  Record<string, { readonly state: PropertyMap; readonly change: PropertyMap }>
> = {
  "ApiKey.key": { state: { name: "agents" }, change: { name: "robots" } },
  "LoginFlow.hostedUrl": { state: { connectionId: "c" }, change: { timeout: "1m" } },
  "LoginFlow.liveViewUrl": { state: { connectionId: "c" }, change: { timeout: "1m" } },
};

const secretOutputs = resourceKinds.flatMap((kind) => {
  const inputs = secretsOf(kinds[kind].inputs);
  return secretsOf(kinds[kind].state)
    .filter((secret) => !inputs.includes(secret))
    .map((secret) => `${kind}.${secret}`);
});

const rowsOf = (...names: readonly Operation[]) =>
  names.flatMap((name) => operations[name].methods.map((method) => [name, method] as const));
const inputRows = rowsOf(...(Object.keys(operations) as Operation[]));
const outputRows = rowsOf("read", "update", "delete");

describe("a secret of a resource that the service repeats", () => {
  const emulator: Emulator = shareEmulator();
  const programFolder = temporaryFolder();
  beforeAll(() => writeApp(join(programFolder, "app")));

  /** Context in a process that has sent no request. `said` receives all messages. */
  function contextOf(kind: string, said: string[], places: Record<string, string> = {}): LifecycleContext {
    const say = (...words: string[]) => said.push(words.join(" "));
    return {
      urn: `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/browser-infra:${kind}::main`,
      programFolder,
      configuration: () => undefined,
      environment: {
        BROWSER_INFRA_BASE_URL: emulator.url,
        BROWSER_INFRA_API_KEY: emulator.apiKeys[0],
        ...places,
      },
      signal: new AbortController().signal,
      report: { progress: say, row: say, info: say, warning: say, debug: say },
    };
  }

  /** All that a call in a new process says while every request with `method` is refused. */
  async function saidBy(
    kind: ResourceKind,
    name: Operation,
    method: string,
    stored: Stored,
    secret: string,
    places?: Record<string, string>,
  ): Promise<string> {
    const { status = 400, call } = operations[name];
    const body = { code: "bad_request", message: `The value ${secret} cannot be used.` };
    const answer = { status, body, headers: { "x-request-id": encodeURIComponent(secret) } };
    emulator.faults.add({ method, at: "before-commit", times: Number.POSITIVE_INFINITY, action: { answer } });
    const said: string[] = [];
    const lifecycle = kinds[kind].lifecycle(new Accounts());
    try {
      const result = await call(lifecycle, stored, contextOf(kind, said, places));
      // Failures. The engine encrypts the secrets of other results.
      said.push(Array.isArray(result) ? JSON.stringify(result) : "");
    } catch (error) {
      said.push((error as Error).message);
    } finally {
      emulator.faults.clear();
    }
    return said.join("\n");
  }

  test("X2: every secret output of every kind has an example in the tests of stored secrets", () => {
    expect(Object.keys(outputExamples).sort()).toEqual([...secretOutputs].sort());
  });

  describe.each(Object.entries(secretExamples))("%s", (path, { secret, word = canary, inputs, change }) => {
    const kind = path.split(".")[0] as ResourceKind;
    const environment = { STORED_SECRET: secret, PULUMI_CONFIG: JSON.stringify({ stored: secret }) };
    const declared = {
      "given by value": inputs(secret, ""),
      "named by a variable": inputs("STORED_SECRET", "FromEnv"),
      "named by a setting": inputs("pulumi-nodejs:stored", "FromConfig"),
    };

    describe.each(Object.entries(declared))("%s", (_how, news) => {
      let stored: Stored;

      beforeAll(async () => {
        const lifecycle = kinds[kind].lifecycle(new Accounts());
        const context = contextOf(kind, [], environment);
        const checked = async (given: PropertyMap) =>
          (await lifecycle.check({ olds: undefined, news: given, memo: undefined }, context)).inputs;
        const own = await checked(news as PropertyMap);
        const { id, outputs } = await lifecycle.create(own, context);
        stored = { id, state: outputs, inputs: own, changed: { ...own, ...(change as PropertyMap) } };
      });

      afterAll(() =>
        kinds[kind].lifecycle().delete({ id: stored.id, state: stored.state }, contextOf(kind, [])),
      );

      test.each(inputRows)(
        "X2: %s says nothing of the secret if the service refuses %s",
        async (name, method) => {
          const said = await saidBy(kind, name, method, stored, secret, environment);
          expect(said.includes("[redacted]")).toBe(!unsent.includes(`${kind} ${name} ${method}`));
          expect(shows(said, word)).toBe(false);
        },
      );

      test("X2: a function says nothing of the secret in the process that has checked the resource", async () => {
        const accounts = new Accounts();
        const context = contextOf(kind, [], environment);
        await kinds[kind]
          .lifecycle(accounts)
          .check({ olds: undefined, news, memo: undefined } as never, context);
        const body = { code: "bad_request", message: `The value ${secret} cannot be used.` };
        emulator.faults.add({
          method: "GET",
          at: "before-commit",
          action: { answer: { status: 400, body } },
        });
        const settings = resolveSettings(context);
        const name = `get${kind}` as ReadName;
        expect(reads).toHaveProperty(name);
        const error = await sendRead(name, { id: "any" }, settings, accounts.clientFor(settings)).catch(
          String,
        );
        expect(error).toContain("[redacted]");
        expect(shows(String(error), word)).toBe(false);
      });
    });
  });

  describe.each(Object.entries(outputExamples))("%s", (path, { state, change }) => {
    const [kind, output] = path.split(".") as [ResourceKind, string];
    const secret = `https://login.example/${canary}-9`;

    test.each(outputRows)(
      "X2: %s says nothing of the output if the service refuses %s",
      async (name, method) => {
        const { id } = emulator.createApiKey({ name: "agents" });
        const stored = { id, state: { ...state, [output]: secret }, inputs: state };
        const said = await saidBy(
          kind,
          name,
          method,
          { ...stored, changed: { ...state, ...change } },
          secret,
        );
        expect(said.includes("[redacted]")).toBe(!unsent.includes(`${kind} ${name} ${method}`));
        expect(shows(said, canary)).toBe(false);
      },
    );
  });
});
