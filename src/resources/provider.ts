import * as pulumi from "@pulumi/pulumi";
import { providerArguments, providerInputs } from "../config.js";
import { checkProviderArguments, type ProviderArgs } from "./provider-arguments.js";

/**
 * A separate account, for programs that deploy to several accounts:
 *
 * ```ts
 * import { Extension, getProject, Provider } from "pulumi-browser-infra";
 *
 * const apiKeyFrom = { env: "EU_API_KEY" };
 * const eu = new Provider("eu", { apiKeyFrom, baseUrl: "https://eu.example.com" });
 * new Extension("reader", { path: "./browsers/extension" }, { provider: eu });
 * const project = await getProject({ name: "staging" }, { provider: eu });
 * ```
 *
 * With `apiKeyFrom: { config: "pulumi-nodejs:euApiKey" }`, the key is a secret setting of the
 * stack: `pulumi config set --secret pulumi-nodejs:euApiKey`. A changed key or address updates the
 * provider and replaces no resource.
 *
 * Throws `InputError` for an unknown argument, for null, and for an `apiKeyFrom` without a name.
 * The values themselves are checked on first use by a resource or a function.
 */
export class Provider extends pulumi.ProviderResource {
  constructor(name: string, args: ProviderArgs = {}, opts?: pulumi.ResourceOptions) {
    checkProviderArguments(args, "pulumi-nodejs");
    // To the engine, a `Provider` is the provider of dynamic resources. The inputs are the whole
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
