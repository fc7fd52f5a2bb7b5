import { mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { peerDependencies } from "@pulumi/pulumi/package.json";
import { Agent } from "undici";
import { explainStoredKey } from "../../../src/bridges/stored-key.js";
import { BrowserInfraClient } from "../../../src/client/index.js";
import { resolveSettings } from "../../../src/config.js";
import { nodeVersionProblem } from "../../../src/node-version.js";
import { browserPoolKind } from "../../../src/providers/browsers/browser-pool/pool.js";
import { ExtensionLifecycle } from "../../../src/providers/browsers/extension/lifecycle.js";
import type { LifecycleContext, ResourceLifecycle } from "../../../src/providers/lifecycle.js";
import { LoginFlowLifecycle } from "../../../src/providers/logins/login-flow/lifecycle.js";
import { apiKeyKind } from "../../../src/providers/organization/api-key/api-key.js";
import { apiKeyNameKind } from "../../../src/providers/organization/api-key-name/api-key-name.js";
import { projectLimitsKind } from "../../../src/providers/organization/project-limits/project-limits.js";
import type { PropertyMap } from "../../../src/providers/properties.js";
import { Extension } from "../../../src/resources/browsers/extension.js";
import { shareEmulator } from "../../support/emulator.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

/** Programs of the suite, with Pulumi's message about the program that cannot work. */
const rows = resolve(__dirname, "../../../scripts/suites/programs/rows.mjs");

/** Messages in docs/programs/troubleshooting.md, each on one line. */
const documented = new Set(
  Array.from(
    readFileSync(resolve(__dirname, "../../../docs/programs/troubleshooting.md"), "utf8").matchAll(
      /^```text\n(.*?)\n```$/gms,
    ),
    ([, message = ""]) => message.replace(/\n/g, " "),
  ),
);
/** End of the warning of a preview about a taken name, which the page has beside the message. */
const ofPreview = "The deployment fails unless it frees that name.";
const manifest = '{ "manifest_version": 3, "name": "Reader", "version": "1.0.0" }';

describe("a mistake of the first ten minutes has a message that says what to do, and an entry in docs/programs/troubleshooting.md", () => {
  const emulator = shareEmulator();
  let programFolder: string;
  let reports: string[];

  beforeAll(async () => {
    await pulumi.runtime.setMocks({
      newResource: ({ name, inputs }) => ({ id: name, state: inputs }),
      call: ({ inputs }) => inputs,
    });
  });

  beforeEach(() => {
    programFolder = temporaryFolder();
    reports = [];
    write("extension/manifest.json", manifest);
  });

  function write(file: string, content: string): void {
    mkdirSync(dirname(join(programFolder, file)), { recursive: true });
    writeFileSync(join(programFolder, file), content);
  }

  function contextOf(changes: Partial<LifecycleContext> = {}): LifecycleContext {
    const quiet = () => undefined;
    const say = (message: string) => reports.push(message);
    return {
      urn: "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/browser-infra:Extension::reader",
      programFolder,
      configuration: () => undefined,
      environment: { BROWSER_INFRA_BASE_URL: emulator.url, BROWSER_INFRA_API_KEY: emulator.apiKeys[0] },
      signal: new AbortController().signal,
      report: { progress: quiet, row: quiet, info: say, warning: say, debug: quiet },
      ...changes,
    };
  }

  /** Failures of the inputs in a preview, or else the error of the deployment. */
  async function refusal(
    lifecycle: ResourceLifecycle,
    news: PropertyMap,
    context = contextOf(),
  ): Promise<string> {
    const { inputs, failures } = await lifecycle.check(
      { olds: undefined, news, memo: undefined, isPreview: true },
      context,
    );
    return failures.length > 0
      ? failures.map(({ reason }) => reason).join("\n")
      : messageOf(lifecycle.create(inputs, context));
  }

  async function messageOf(work: Promise<unknown>): Promise<string> {
    return work.then(
      () => "nothing is wrong",
      (error: Error) => error.message,
    );
  }

  async function thrownBy(work: () => unknown): Promise<string> {
    return messageOf(Promise.resolve().then(work));
  }

  function settings(environment: Record<string, string>) {
    return thrownBy(() => resolveSettings({ environment, configuration: () => undefined }));
  }

  const key = { BROWSER_INFRA_API_KEY: "sk_0123456789abcdef" };
  const extension = (news: PropertyMap, context?: LifecycleContext) =>
    refusal(new ExtensionLifecycle(), news, context);
  const login = (news: PropertyMap) => refusal(new LoginFlowLifecycle(), news);
  const keyName = (news: PropertyMap) => refusal(apiKeyNameKind.lifecycle(), news);

  const pool = (news: PropertyMap) => refusal(browserPoolKind.lifecycle(), news);
  const limits = (news: PropertyMap) => refusal(projectLimitsKind.lifecycle(), news);
  const apiKey = (news: PropertyMap) => refusal(apiKeyKind.lifecycle(), news);

  const mistakes: Record<string, () => Promise<string>> = {
    "no API key": () => settings({}),
    "no address": () => settings(key),
    "an address without https": () => settings({ ...key, BROWSER_INFRA_BASE_URL: "http://api.example.com" }),
    "an address that is not absolute": () => settings({ ...key, BROWSER_INFRA_BASE_URL: "api.example.com" }),
    "a key with a line break": () =>
      settings({ BROWSER_INFRA_API_KEY: "sk_0123\n4567", BROWSER_INFRA_BASE_URL: "https://api.example.com" }),
    "a wrong key": () => {
      const environment = { ...key, BROWSER_INFRA_BASE_URL: emulator.url };
      return extension({ path: "./extension" }, contextOf({ environment }));
    },
    "a key that was rotated": () => {
      const environment = { BROWSER_INFRA_BASE_URL: emulator.url };
      const configuration = (name: string) => (name === "browser-infra:apiKey" ? "sk_old" : undefined);
      const context = contextOf({ environment, configuration });
      const read = new ExtensionLifecycle().read({ id: "reader", state: { checksum: "abc" } }, context);
      return messageOf(
        read.catch((error) => {
          throw explainStoredKey(error, context);
        }),
      );
    },
    "a URL with a path": () => {
      emulator.faults.add({
        path: "/v1/extensions/reader",
        at: "before-reading",
        action: { answer: { status: 404, body: "no such page" } },
      });
      const client = new BrowserInfraClient({
        apiKey: emulator.apiKeys[0] ?? "",
        baseUrl: `${emulator.url}/v1`,
      });
      return messageOf(client.extensions.get("reader").finally(() => client.close()));
    },
    "a service that does not answer": async () => {
      const environment = { ...key, BROWSER_INFRA_BASE_URL: "http://127.0.0.1:9" };
      const news = { path: "./extension" };
      const preview = { olds: undefined, news, memo: undefined, isPreview: true };
      const { failures } = await new ExtensionLifecycle().check(preview, contextOf({ environment }));
      expect(failures).toEqual([]);
      return reports.join("\n");
    },
    "the address of a dashboard": () => {
      const page = { headers: { "content-type": "text/html" }, body: "<html></html>" };
      emulator.faults.add({
        at: "before-reading",
        times: Number.POSITIVE_INFINITY,
        action: { answer: { status: 200, ...page } },
      });
      return extension({ path: "./extension" }).finally(() => emulator.faults.clear());
    },
    "a project that does not exist": () =>
      extension({ path: "./extension", projectId: "abcdefghijklmnopqrstuvwx" }),
    "the name of a project as its id": () => extension({ path: "./extension", projectId: "my shop" }),
    "Bun, which replaces undici": async () => {
      Object.defineProperty(Agent.prototype, "compose", { configurable: true, value: undefined });
      const client = () => new BrowserInfraClient({ apiKey: "sk_emulator", baseUrl: emulator.url });
      return thrownBy(client).finally(() => Reflect.deleteProperty(Agent.prototype, "compose"));
    },

    "a misspelt input": () => extension({ path: "./extension", excludes: ["tests/**"] }),
    "no path": () => extension({}),
    "a path that does not exist": () => extension({ path: "./extention" }),
    "a FileArchive as path": () => extension({ path: { path: "./extension", hash: "abc" } }),
    "a folder above the extension": () => extension({ path: "." }),
    "an archive of another kind": () => {
      write("reader.tgz", "x");
      return extension({ path: "./reader.tgz" });
    },
    "a manifest that is not JSON": () => {
      write("extension/manifest.json", "manifest_version: 3");
      return extension({ path: "./extension" });
    },
    "an old manifest": () => {
      write("extension/manifest.json", manifest.replace("3", "1"));
      return extension({ path: "./extension" });
    },
    "a symbolic link": () => {
      symlinkSync("manifest.json", join(programFolder, "extension/link.json"));
      return extension({ path: "./extension" });
    },
    "a folder that is too large": () => {
      write("extension/video.bin", "");
      truncateSync(join(programFolder, "extension/video.bin"), 3_000_000_000);
      return extension({ path: "./extension" });
    },
    "a private key in a file": () => {
      write(
        "extension/server.txt",
        `-----BEGIN PRIVATE KEY-----\nMIIEpAIBAAKCAQEAx3Qy7v0m8w2JfZp4\n-----END PRIVATE KEY-----\n`,
      );
      return extension({ path: "./extension" });
    },
    "a name with a space": () => extension({ path: "./extension", name: "page reader" }),
    "patterns that are no list": () => extension({ path: "./extension", exclude: "tests/**" }),
    "a name that is taken": async () => {
      // Upload of a foreign program.
      await extension({ path: "./extension", name: "reader" }, contextOf());
      programFolder = temporaryFolder();
      write("extension/manifest.json", manifest.replace("1.0.0", "2.0.0"));
      return extension({ path: "./extension", name: "reader" });
    },
    "a name that is taken, in the preview of a replacement": async () => {
      await extension({ path: "./extension", name: "reader" }, contextOf());
      programFolder = temporaryFolder();
      write("extension/manifest.json", manifest.replace("1.0.0", "2.0.0"));
      const news = { path: "./extension", name: "reader" };
      const preview = { olds: undefined, news, memo: undefined, isPreview: true };
      const { failures } = await new ExtensionLifecycle().check(preview, contextOf());
      expect(failures).toEqual([]);
      return reports.at(-1) ?? "";
    },
    "two resources with the same name": async () => {
      const lifecycle = new ExtensionLifecycle();
      const { urn } = contextOf();
      const news = { path: "./extension", name: "twice" };
      await refusal(lifecycle, news);
      return refusal(lifecycle, news, contextOf({ urn: `${urn}-2` }));
    },
    "nothing to adopt": async () => {
      return extension({ path: "./extension", adopt: "somebody-elses" });
    },
    "an extension that was deleted elsewhere": async () => {
      await new ExtensionLifecycle().read({ id: "reader-1", state: { checksum: "abc" } }, contextOf());
      return reports.join("\n");
    },
    "the option import": () =>
      thrownBy(() => new Extension("reader", { path: "./extension" }, { import: "abc" })),

    "a secret key as key id": () => keyName({ keyId: "sk_live_0123456789abcdef", name: "CI" }),
    "a name as key id": () => keyName({ keyId: "CI, production", name: "CI" }),
    "a key that does not exist": () => keyName({ keyId: "abcdefghijklmnopqrstuvwx", name: "CI" }),

    "a pool without browsers": () => pool({ size: 0 }),
    "a pool with an extension that does not exist": () =>
      pool({ size: 1, extensionIds: ["abcdefghijklmnopqrstuvwx"] }),
    "a limit of nothing": () => limits({ projectId: emulator.defaultProject.id, maxConcurrentSessions: 0 }),
    "a key that is renewed before it exists": () => apiKey({ daysToExpire: 10, rotateBeforeDays: 10 }),

    "a URL as connection id": () => login({ connectionId: "https://shop.example/login" }),
    "a wrong unit": () => login({ connectionId: "abc", timeout: "25 min" }),
    "a time without a unit": () => login({ connectionId: "abc", timeout: 1500 }),
    "a connection that does not exist": () => login({ connectionId: "abcdefghijklmnopqrstuvwx" }),
    "a login that was never begun": () => {
      const { id } = emulator.authConnections.create({ domain: "shop.example", profileName: "buyer" });
      return login({ connectionId: id, timeout: "1s" });
    },

    "an old Node": async () =>
      nodeVersionProblem({ node: "20.19.4" }, "pulumi-browser-infra", ">=22.19") ?? "",
  };

  test.each(Object.entries(mistakes))("%s", async (_mistake, message) => {
    const said = withoutChance(await message());
    expect(said).toMatchSnapshot();
    // The page has the message of a preview once, with the added sentence in its prose.
    const shown = said.replace(` ${ofPreview}`, "");
    expect(documented.has(shown) ? "" : `missing in docs/programs/troubleshooting.md: ${said}`).toBe("");
  });

  test("docs/programs/compatibility.md contains the messages of Pulumi and npm about Plug'n'Play and TypeScript 7", () => {
    const page = readFileSync(resolve(__dirname, "../../../docs/programs/compatibility.md"), "utf8");
    expect(page).toContain(`typescript@"${peerDependencies.typescript}"`);
    const [, refusal = ""] = /refused: \/(.+)\/,/.exec(readFileSync(rows, "utf8")) ?? [];
    expect(refusal).not.toBe("");
    expect(page).toMatch(new RegExp(refusal));
  });

  /** Replaces the parts that vary between runs. */
  function withoutChance(message: string): string {
    return message
      .replaceAll(new URL(emulator.url).host, "127.0.0.1:4010")
      .replaceAll(programFolder, "/app")
      .replace(/\b[0-9a-f]{64}\b/g, "<checksum>")
      .replace(/\b(?!abcdefgh)[a-z0-9]{24}\b/g, "<id>")
      .replace(/Request id: [^.]+\./g, "Request id: <id>.")
      .replace(/created \d{4}-[^)]+\)/g, "created <time>)")
      .replace(/created at \S+Z\./g, "created at <time>.");
  }
});
