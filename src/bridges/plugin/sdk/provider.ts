import * as pulumi from "@pulumi/pulumi";
import { checkProviderArguments, type ProviderArgs } from "../../../resources/provider-arguments.js";
import { pluginOptions } from "./declare.js";

/**
 * A separate account, for programs that deploy to several accounts:
 *
 * ```ts
 * import { Extension, getProject, Provider } from "pulumi-browser-infra/plugin";
 *
 * const apiKeyFrom = { env: "EU_API_KEY" };
 * const eu = new Provider("eu", { apiKeyFrom, baseUrl: "https://eu.example.com" });
 * new Extension("reader", { path: "./extension" }, { provider: eu });
 * const project = await getProject({ name: "staging" }, { provider: eu });
 * ```
 *
 * With `apiKeyFrom: { config: "browser-infra:euApiKey" }`, the key is a secret setting of the
 * stack: `pulumi config set --secret browser-infra:euApiKey`. A new key of the same organization
 * updates the provider and replaces no resource. A new address moves the resources: each resource
 * is created at the new address and deleted at the old address.
 *
 * Throws `InputError` for an unknown argument, for null, and for an `apiKeyFrom` without a name.
 * The values themselves are checked in the preview.
 */
export class Provider extends pulumi.ProviderResource {
  constructor(name: string, args: ProviderArgs = {}, opts?: pulumi.ResourceOptions) {
    checkProviderArguments(args, "browser-infra");
    const inputs = {
      apiKey: args.apiKey === undefined ? undefined : pulumi.secret(args.apiKey),
      baseUrl: args.baseUrl,
      projectId: args.projectId,
      apiKeyFromEnv: args.apiKeyFrom?.env,
      apiKeyFromConfig: args.apiKeyFrom?.config,
    };
    super("browser-infra", name, inputs, { ...pluginOptions, ...opts });
  }
}
