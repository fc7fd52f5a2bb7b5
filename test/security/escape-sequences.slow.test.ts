import { readExtension } from "../../src/archive/index.js";
import { kinds, resourceKinds } from "../../src/bridges/kinds.js";
import * as errors from "../../src/errors.js";
import { PartiallyCreatedError } from "../../src/providers/lifecycle.js";
import { manifestText } from "../archive/fixtures.js";
import { folderOf } from "../archive/folders.js";
import { PlayedResource } from "../bridges/played-resource.js";
import { checkConfig } from "../bridges/plugin/plugin-requests.js";
import { bridges, ProviderProcess, programFolder } from "../bridges/provider-process.js";
import { json } from "../client/fault-server.js";
import { closeBenches, startBench } from "../client/test-client.js";
import { newEmulator } from "../support/emulator.js";
import { errorOf } from "../support/error-of.js";

/** Clears a terminal, sets the title, reverses and hides text, and begins a line that a pipeline obeys. */
const hostile = "a\u001b[2J\u001b]0;x\u0007\u009b31m\u202e\u200bb\n::error::c";

/** Characters that steer a terminal, hide text or begin a line. */
const unsafe = /[\p{C}\p{Zl}\p{Zp}]/u;

/** Hostile values of every form that an input can have. */
const hostileForms = [hostile, [hostile], { [hostile]: hostile }, [{ [hostile]: hostile }]];

afterEach(closeBenches);

describe("an escape sequence in foreign text", () => {
  const request = { method: "GET", path: "/a" };
  const details = { status: 400, serviceCode: "x", request };
  const login = {
    connectionId: "c",
    flowStatus: null,
    flowStep: null,
    serviceCode: null,
    serviceMessage: null,
  };
  const made: Readonly<Record<string, Error>> = {
    ApiError: new errors.ApiError("x", hostile, details),
    ArchiveError: new errors.ArchiveError("x", hostile),
    BrowserInfraError: new errors.BrowserInfraError("x", hostile),
    BuildError: new errors.BuildError("x", hostile),
    CanceledError: new errors.CanceledError(hostile),
    ConfigError: new errors.ConfigError("x", hostile),
    ConflictError: new errors.ConflictError("x", hostile),
    ConnectionError: new errors.ConnectionError("x", hostile, request),
    ContractError: new errors.ContractError(hostile, request),
    InputError: new errors.InputError("x", "x", hostile),
    LocalError: new errors.LocalError("x", hostile),
    LoginError: new errors.LoginError("login_failed", hostile, login),
    LookupError: new errors.LookupError("x", hostile),
    OutcomeUnknownError: new errors.OutcomeUnknownError(hostile, request),
    RecoveryError: new errors.RecoveryError("x", hostile),
  };

  test("X19: every error of the package escapes an escape sequence in the message and the stack", () => {
    const classes = Object.entries(errors).filter(([, each]) => Object.hasOwn(each, "prototype"));
    expect(Object.keys(made).sort()).toEqual(
      classes
        .map(([name]) => name)
        .filter((name) => /^[A-Z]\w*Error$/.test(name))
        .sort(),
    );
    const advised = new errors.InputError("x", "x", "a").withAdvice(hostile);
    const partial = new PartiallyCreatedError("x", {}, [hostile]);
    for (const error of [...Object.values(made), advised, partial]) {
      expect(error.message).toContain("a\\u001b[2J");
      expect(error.message).not.toMatch(unsafe);
      expect(error.stack?.replaceAll(/\n {4}at /g, "")).not.toMatch(unsafe);
    }
    expect(partial.reasons.join()).not.toMatch(unsafe);
  });

  test("X19: no error of a client operation contains an escape sequence from an argument or a response", async () => {
    const body = { code: hostile, message: hostile, details: [{ message: hostile }] };
    const { client } = await startBench([json(400, body, { "x-request-id": "a" })], {
      retry: { attempts: 1 },
    });
    const members = {
      id: hostile,
      name: hostile,
      domain: hostile,
      profileName: hostile,
      values: {},
      size: 1,
    };
    for (const [group, operations] of Object.entries(client)) {
      for (const method of methodsOf(operations)) {
        for (const args of [[hostile, hostile], ["a", hostile], [members], ["a", members]]) {
          const message = await messageOfCall(operations, method, args);
          expect([group, method, message.match(unsafe)]).toEqual([group, method, null]);
        }
      }
    }
  });

  test("X19: an escape sequence in a manifest is escaped in errors and warnings", async () => {
    const places = {
      icons: { [hostile]: "a.png", 16: hostile },
      chrome_url_overrides: { [hostile]: "b.html" },
      default_locale: hostile,
      background: { service_worker: hostile, scripts: [hostile] },
      version: hostile,
    };
    for (const [member, value] of Object.entries(places)) {
      const folder = folderOf([["manifest.json", manifestText({ [member]: value })]]);
      const said = await readExtension(folder).then(
        ({ warnings }) => warnings.join(),
        ({ message }: Error) => message,
      );
      expect([member, said.match(unsafe)]).toEqual([member, null]);
      // Chromium ignores an unknown page.
      expect([member, said.includes("a\\u001b[2J")]).toEqual([member, member !== "chrome_url_overrides"]);
    }
  });

  test("X19: an escape sequence in a member or value of an emulator seed is escaped in the error", async () => {
    const seeds: readonly object[] = [
      { [hostile]: 1 },
      { projects: [{ name: "a", [hostile]: 1 }] },
      { projects: [{ name: hostile, id: hostile }] },
      { loginScenarios: { [hostile]: {} } },
      { loginScenarios: { a: { [hostile]: 1 } } },
      { apiKeys: [{ name: "a", project: hostile }] },
      { extensions: [{ archive: hostile }] },
      { defaultLoginScenario: hostile },
      { authConnections: [{ domain: "a.example", profileName: "a", scenario: hostile }] },
    ];
    for (const seed of seeds) {
      const { message } = await errorOf(newEmulator({ seed }));
      expect([JSON.stringify(seed), message.match(unsafe)]).toEqual([JSON.stringify(seed), null]);
    }
    const { message } = await errorOf(newEmulator({ seed: { loginScenarios: { [hostile]: {} } } as object }));
    expect(message).toContain('loginScenarios["a\\u001b[2J');
  });

  describe.each(bridges)("through the bridge %s", (bridge) => {
    let provider: ProviderProcess;

    beforeAll(async () => {
      const environment = { BROWSER_INFRA_BASE_URL: "http://127.0.0.1:9", BROWSER_INFRA_API_KEY: "sk_1" };
      provider = await ProviderProcess.start(programFolder(), { bridge, environment });
    });

    afterAll(() => provider.stop());

    test("X19: no check failure of any kind contains an escape sequence", async () => {
      for (const kind of resourceKinds) {
        for (const form of hostileForms) {
          const inputs = Object.keys(kinds[kind].inputs.types).map((name) => [name, form]);
          const resource = new PlayedResource(provider, { kind });
          const { failures } = await resource.check({ ...Object.fromEntries(inputs), [hostile]: form });
          expect(failures.length).toBeGreaterThan(0);
          for (const { property, reason } of failures) {
            expect([kind, `${property} ${reason}`.match(unsafe)]).toEqual([kind, null]);
          }
        }
      }
    });

    test("X19: no error and no log message of a read contains an escape sequence", async () => {
      for (const kind of resourceKinds) {
        const resource = new PlayedResource(provider, { kind });
        const read = resource.read({
          id: hostile,
          inputs: {},
          outputs: { name: hostile, projectId: hostile },
        });
        const said = await read.then(String, (error: Error) => error.message);
        expect([kind, said.match(unsafe)]).toEqual([kind, null]);
      }
      expect(linesOf(provider).filter((line) => unsafe.test(line))).toEqual([]);
    });
  });

  test("X19: names of secrets that only the service has are quoted in the message of an import", async () => {
    const emulator = await newEmulator();
    const projectId = emulator.defaultProject.id;
    const credential = emulator.credentials.create({
      name: "login",
      domain: "example.com",
      fields: { [hostile]: "1", username: "2" },
    });
    const destination = emulator.telemetryDestinations.create({
      name: "export",
      endpoint: "https://example.com",
      headers: { [hostile]: "1" },
    });
    const environment = { BROWSER_INFRA_BASE_URL: emulator.url, BROWSER_INFRA_API_KEY: "sk_emulator" };
    const own = await ProviderProcess.start(programFolder(), { bridge: "plugin", environment });
    try {
      await new PlayedResource(own, { kind: "Credential" }).import(`${projectId}/${credential.id}`);
      await new PlayedResource(own, { kind: "TelemetryDestination" }).import(destination.id);
      const lines = linesOf(own);
      expect(lines.join()).toMatch(/values\."a\\u001b\[2J.*\\u000a::error::c", values\.username/);
      expect(lines.join()).toMatch(/headers of telemetry destination .*: "a\\u001b\[2J/i);
      expect(lines.filter((line) => unsafe.test(line))).toEqual([]);
    } finally {
      await own.stop();
    }
  });

  test("X19: no check failure of the plugin provider's settings contains an escape sequence", async () => {
    const provider = await ProviderProcess.start(programFolder(), { bridge: "plugin" });
    try {
      const { failures } = await checkConfig(provider, "eu", { [hostile]: hostile });
      expect(failures).toHaveLength(1);
      expect(JSON.stringify(failures).replaceAll("\\\\", "\\")).toContain("a\\u001b[2J");
      expect(failures.map(({ property, reason }) => property + reason).join()).not.toMatch(unsafe);
    } finally {
      await provider.stop();
    }
  });
});

/** Messages that a provider has logged, without the line breaks that separate messages and hide rows. */
function linesOf(provider: ProviderProcess): readonly string[] {
  return provider.logged.map(({ message }) => message.replace(/^\n|\n$/g, ""));
}

/** The public methods of an object, without those of every object. */
function methodsOf(operations: object): readonly string[] {
  const prototype = Object.getPrototypeOf(operations);
  return prototype === null || prototype === Object.prototype
    ? []
    : [
        ...Object.getOwnPropertyNames(prototype).filter(
          (name) =>
            name !== "constructor" &&
            typeof Object.getOwnPropertyDescriptor(prototype, name)?.value === "function",
        ),
        ...methodsOf(prototype),
      ];
}

/** Message of the error that a call ends with; empty without an error of this package. */
async function messageOfCall(operations: object, method: string, args: readonly unknown[]): Promise<string> {
  try {
    const result: unknown = Reflect.apply(Reflect.get(operations, method), operations, args);
    const iterator = Object(result)[Symbol.asyncIterator]?.();
    await (iterator === undefined ? result : iterator.next());
    return "";
  } catch (error) {
    // A method with different parameters may end with an error of the language.
    return error instanceof errors.BrowserInfraError ? error.message : "";
  }
}
