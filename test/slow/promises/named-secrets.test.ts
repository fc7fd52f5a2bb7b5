import { readFileSync } from "node:fs";
import type { Emulator } from "../../../src/emulator/index.js";
import { newEmulator } from "../../support/emulator.js";
import { filesBelow } from "../../support/files-below.js";
import { sightings } from "../../support/stacks/canary.js";
import { Stack } from "../../support/stacks/stack.js";

// Recognizable, and with characters that URL-encoding changes.
const login = "canary+7f3a/9d2c=login";
const exit = "canary+b06d/4e81=proxy";
const token = "ops_canary+55c1/7e20=vault";

describe("secrets of a Credential, a CredentialProvider and a Proxy, with the real engine", () => {
  let emulator: Emulator;
  let stack: Stack;

  afterEach(() => stack.remove());

  async function start(create: (environment: NodeJS.ProcessEnv) => Promise<Stack>, environment = {}) {
    emulator = await newEmulator({ apiKeys: ["sk_named"] });
    const settings = { BROWSER_INFRA_BASE_URL: emulator.url, BROWSER_INFRA_API_KEY: "sk_named" };
    stack = await create({ ...settings, SHOP_PASSWORD: login, ...environment });
  }

  /** Deploys with every kind of log, changes the named secrets, and returns all visible output. */
  async function deploy(namespace: string): Promise<string> {
    const set = async (suffix: string) => {
      await stack.succeedWithInput(
        `${exit}${suffix}`,
        "config",
        "set",
        "--secret",
        `${namespace}:exitPassword`,
      );
      await stack.succeedWithInput(
        `${token}${suffix}`,
        "config",
        "set",
        "--secret",
        `${namespace}:vaultToken`,
      );
    };
    await set("");
    const seen = [
      await stack.succeed("preview", "--json"),
      await stack.succeed("up", "--yes", "--skip-preview", "--json", "--debug"),
      await stack.succeed("up", "--yes", "--skip-preview", "--logtostderr", "-v=7"),
    ];
    expect(emulator.credentials.list()).toMatchObject([{ fields: { username: "ada", password: login } }]);
    expect(emulator.proxies.list()).toMatchObject([{ config: { has_password: true } }]);
    const [proxy] = emulator.proxies.list();
    expect(emulator.credentialProviders.list()).toMatchObject([{ token }]);
    await set("2");
    seen.push(await stack.succeed("up", "--yes", "--json", "--debug"));
    expect(emulator.proxies.list()).toHaveLength(1);
    expect(emulator.proxies.list()).not.toMatchObject([{ id: proxy?.id }]);
    expect(emulator.credentialProviders.list()).toMatchObject([{ token: `${token}2` }]);
    seen.push(await stack.succeed("refresh", "--yes", "--skip-preview"));
    seen.push(...filesBelow(stack.folder).map((file) => readFileSync(file, "latin1")));
    seen.push(await stack.succeed("destroy", "--yes", "--skip-preview", "--json", "--debug"));
    return seen.join("\n");
  }

  test("X2: secrets that a program only names are in no JSON, no debug output, no log at -v=7 and no state", async () => {
    await start(Stack.create);
    stack.write(
      "index.js",
      `const { Credential, CredentialProvider, Proxy } = require("pulumi-browser-infra");
       new CredentialProvider("vault", { tokenFromConfig: "pulumi-nodejs:vaultToken" });
       new Credential("shop", {
         domain: "shop.example",
         values: { username: "ada" },
         valuesFromEnv: { password: "SHOP_PASSWORD" },
       });
       const config = { host: "proxy.example", port: 3128, passwordFromConfig: "pulumi-nodejs:exitPassword" };
       new Proxy("exit", { type: "custom", config });`,
    );
    const seen = await deploy("pulumi-nodejs");
    expect([login, exit, token].flatMap((secret) => sightings(secret, seen))).toEqual([]);
  });

  test("X2: secrets that a YAML program only names are in no output and no state through the plugin", async () => {
    await start(Stack.createYaml);
    stack.declare({
      shop: {
        type: "Credential",
        properties: {
          domain: "shop.example",
          values: { username: "ada" },
          valuesFromEnv: { password: "SHOP_PASSWORD" },
        },
        options: { deleteBeforeReplace: true },
      },
      vault: {
        type: "CredentialProvider",
        properties: { tokenFromConfig: "browser-infra:vaultToken" },
        options: { deleteBeforeReplace: true },
      },
      exit: {
        type: "Proxy",
        properties: {
          type: "custom",
          config: { host: "proxy.example", port: 3128, passwordFromConfig: "browser-infra:exitPassword" },
        },
      },
    });
    const seen = await deploy("browser-infra");
    expect([login, exit, token].flatMap((secret) => sightings(secret, seen))).toEqual([]);
  });

  test("secrets given as values are in the debug output of Pulumi's SDK, as documented, and in no state", async () => {
    await start(Stack.create);
    stack.write(
      "index.js",
      `const { Credential, Proxy } = require("pulumi-browser-infra");
       const values = { password: process.env.SHOP_PASSWORD };
       new Credential("shop", { domain: "shop.example", values });`,
    );
    const seen = await stack.succeed("up", "--yes", "--skip-preview", "--json", "--debug");
    expect(sightings(login, seen)).not.toEqual([]);
    expect(sightings(login, JSON.stringify(stack.resources()))).toEqual([]);
  });
});
