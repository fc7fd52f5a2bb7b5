import * as pulumi from "@pulumi/pulumi";
import { providerArguments } from "../bridges/dynamic/contract.js";
import { providerInputs } from "../config.js";
import { checkProviderArguments, type ProviderSettings } from "./provider-arguments.js";

/**
 * Where a `Provider` finds its API key: an environment variable, or a setting of the stack. Only
 * the name is registered with Pulumi.
 */
export type ApiKeySource =
  | {
      /** Name of an environment variable of the shell or the pipeline in which Pulumi runs. */
      readonly env: string;
      readonly config?: undefined;
    }
  | {
      /**
       * Name of a secret setting of the stack, with the namespace `pulumi-nodejs:`. Pulumi passes
       * settings of no other namespace to the process of a provider.
       */
      readonly config: string;
      readonly env?: undefined;
    };

/** Settings of one account. What is left out comes from the environment, not from the stack. */
export interface ProviderArgs extends ProviderSettings {
  /**
   * Where the provider finds the API key. The key itself then reaches no state file, no log and no
   * JSON output. If nothing is there, the preview fails; no other key is used. Not together with
   * `apiKey`.
   */
  readonly apiKeyFrom?: ApiKeySource;
}

/**
 * A separate account, for programs that deploy to several:
 *
 * ```ts
 * import { Extension, getProject, Provider } from "pulumi-browser-infra";
 *
 * const apiKeyFrom = { env: "EU_API_KEY" };
 * const eu = new Provider("eu", { apiKeyFrom, baseUrl: "https://eu.example.com" });
 * new Extension("reader", { path: "./extension" }, { provider: eu });
 * const project = await getProject({ name: "staging" }, { provider: eu });
 * ```
 *
 * With `apiKeyFrom: { config: "pulumi-nodejs:euApiKey" }`, the key is a secret setting of the
 * stack: `pulumi config set --secret pulumi-nodejs:euApiKey`. A changed key or address updates the
 * provider and replaces no resource.
 *
 * Throws `InputError` for an argument that it does not have, for null, and for an `apiKeyFrom` that
 * names nothing. The values themselves are checked when a resource or a function uses them.
 */
export class Provider extends pulumi.ProviderResource {
  constructor(name: string, args: ProviderArgs = {}, opts?: pulumi.ResourceOptions) {
    checkProviderArguments(args, "pulumi-nodejs");
    // To the engine, this is the provider of dynamic resources. These inputs are its whole
    // configuration, hence the names of the stack configuration.
    const inputs = {
      "browser-infra:apiKey": args.apiKey === undefined ? undefined : pulumi.secret(args.apiKey),
      "browser-infra:baseUrl": args.baseUrl,
      "browser-infra:projectId": args.projectId,
      [providerInputs.name]: name,
      [providerInputs.keyVariable]: args.apiKeyFrom?.env,
      [providerInputs.keySetting]: args.apiKeyFrom?.config,
    };
    super("pulumi-nodejs", name, inputs, opts);
    // Not enumerable, so that a program that prints the provider does not print the key.
    Object.defineProperty(this, providerArguments, { value: inputs });
  }
}
