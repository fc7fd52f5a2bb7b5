/** Facts of the schema about the whole package: names, addresses, languages, settings. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectFolder } from "../../setup/project.mjs";

/** The provider's name: the first part of every token, and the namespace of the configuration. */
export const provider = "browser-infra";

export const manifest = JSON.parse(readFileSync(join(projectFolder, "package.json"), "utf8"));

/** Address of the repository, for links in the docs. */
export const repository = manifest.repository.url.replace(/^git\+/, "").replace(/\.git$/, "");

/** Publisher of the plugin at GitHub: a part of the names of packages at NuGet and Maven. */
const [owner = "", repositoryName = ""] = String(manifest.pluginDownloadURL).split("/").slice(3);

/** @typedef {Readonly<Record<string, unknown>> & { readonly description: string }} PropertySpec */

/**
 * Facts at the top of the schema. `downloadUrl`: where the CLI finds the plugin, by default the
 * value of package.json.
 *
 * @param {string} [downloadUrl]
 */
export function packageFacts(downloadUrl = manifest.pluginDownloadURL) {
  return {
    name: provider,
    displayName: "Browser Infrastructure",
    version: manifest.version,
    description: manifest.description,
    keywords: [...manifest.keywords, "category/infrastructure", "kind/native"],
    homepage: manifest.homepage,
    license: manifest.license,
    repository,
    publisher: manifest.name,
    logoUrl: `https://raw.githubusercontent.com/${owner}/${repositoryName}/v${manifest.version}/logo.svg`,
    pluginDownloadURL: downloadUrl,
    // The generators then write whole packages: the version, go.mod, pyproject.toml.
    meta: { supportPack: true },
    language: {
      nodejs: { packageName: `@pulumi/${provider}`, respectSchemaVersion: true },
      python: {
        packageName: "pulumi_browser_infra",
        pyproject: { enabled: true },
        respectSchemaVersion: true,
      },
      go: {
        importBasePath: `${repository.replace("https://", "")}/sdk/go/browserinfra`,
        generateResourceContainerTypes: true,
        respectSchemaVersion: true,
      },
      csharp: {
        rootNamespace: owner.replace(/^./, (letter) => letter.toUpperCase()),
        namespaces: { [provider]: "BrowserInfra" },
        respectSchemaVersion: true,
      },
      java: { basePackage: `com.${owner}`, buildFiles: "gradle" },
    },
  };
}

/**
 * Settings of a provider, by name. No default is declared as `defaultInfo`: the program would then
 * read the variable, and the key would get into the state.
 *
 * @type {Readonly<Record<string, PropertySpec>>}
 */
export const settings = {
  apiKey: {
    type: "string",
    secret: true,
    description:
      "API key of the account, always a secret: the state encrypts it. Default: the key named by `apiKeyFromEnv` or " +
      "`apiKeyFromConfig`, else the environment variable `BROWSER_INFRA_API_KEY`, else `KERNEL_API_KEY`. A " +
      "key from the environment is in no state file. `pulumi up --json` and `--debug` can show the arguments of " +
      "a provider in plain text; if other people can read that output, use `apiKeyFromEnv` instead.",
  },
  baseUrl: {
    type: "string",
    description:
      "Address of the service: https, or http to this machine. A path is kept. There is no default address: " +
      "a key is only sent to a host that you name. Default: the environment variable `BROWSER_INFRA_BASE_URL`, " +
      "else `KERNEL_BASE_URL`.",
  },
  projectId: {
    type: "string",
    description:
      "Project id for resources and functions that give none. Default: the environment variable " +
      "`BROWSER_INFRA_PROJECT_ID`, else `KERNEL_PROJECT_ID`, else `KERNEL_PROJECT` if that is an id, else the " +
      "project of the API key.",
  },
  apiKeyFromEnv: {
    type: "string",
    description:
      "Name of the environment variable that holds the API key, in the environment in which Pulumi runs: " +
      "`EU_API_KEY`. Only the name gets into the state. If the variable is not set, the preview fails; no other key " +
      "is used. Not together with `apiKey` or `apiKeyFromConfig`.",
  },
  apiKeyFromConfig: {
    type: "string",
    description:
      "Name of the secret setting of the stack that holds the API key, in the namespace `browser-infra:`, such as " +
      "`browser-infra:euApiKey` after `pulumi config set --secret browser-infra:euApiKey`. If the stack does not " +
      "have it, the preview fails; no other key is used. Not together with `apiKey` or `apiKeyFromEnv`.",
  },
};

const { apiKeyFromEnv: _fromEnv, apiKeyFromConfig: _fromConfig, ...ofStack } = settings;

/** Settings of a stack for the default provider, in the namespace `browser-infra:`. */
export const stackSettings = ofStack;

/** Description of the provider resource, for users who declare a provider. */
export const providerDescription =
  "Account of resources and functions. Only a program with several accounts needs to declare providers: the default " +
  "provider takes settings from the stack configuration in the namespace `browser-infra:`, and missing settings from " +
  "the environment. A declared provider takes missing arguments from the environment, not from the stack. A changed " +
  "key of the same organization updates the provider and replaces no resource. A changed address, or a key of a " +
  "different organization, moves the resources of the provider: the resources are created in the new account and " +
  "deleted in the old account.";
