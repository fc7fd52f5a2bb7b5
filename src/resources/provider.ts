import * as pulumi from "@pulumi/pulumi";
import { providerArguments } from "../dynamic/contract.js";

/** Settings of one account. What is left out comes from the environment, not from the stack. */
export interface ProviderArgs {
  /** API key, always a secret. Default: `BROWSER_INFRA_API_KEY`, else `KERNEL_API_KEY`. */
  readonly apiKey?: pulumi.Input<string>;
  /**
   * Address of the service: https, or http to this machine. Default: `BROWSER_INFRA_BASE_URL`, else
   * `KERNEL_BASE_URL`.
   */
  readonly baseUrl?: pulumi.Input<string>;
  /**
   * Project of resources that do not give one. Default: `BROWSER_INFRA_PROJECT_ID`, else
   * `KERNEL_PROJECT_ID`.
   */
  readonly projectId?: pulumi.Input<string>;
}

/**
 * A separate account, for programs that deploy to several:
 *
 * ```ts
 * const apiKey = config.requireSecret("euKey");
 * const eu = new Provider("eu", { apiKey, baseUrl: "https://eu.example.com" });
 * new Extension("reader", { path: "./extension" }, { provider: eu });
 * const project = await getProject({ name: "staging" }, { provider: eu });
 * ```
 *
 * A changed key or address updates the provider and replaces no resource.
 */
export class Provider extends pulumi.ProviderResource {
  constructor(name: string, args: ProviderArgs = {}, opts?: pulumi.ResourceOptions) {
    // To the engine, this is the provider of dynamic resources. These inputs are its whole
    // configuration, hence the names of the stack configuration.
    super(
      "pulumi-nodejs",
      name,
      {
        "browser-infra:apiKey": args.apiKey === undefined ? undefined : pulumi.secret(args.apiKey),
        "browser-infra:baseUrl": args.baseUrl,
        "browser-infra:projectId": args.projectId,
      },
      opts,
    );
    // Not enumerable, so that a program that prints the provider does not print the key.
    Object.defineProperty(this, providerArguments, {
      value: { apiKey: args.apiKey, baseUrl: args.baseUrl, projectId: args.projectId },
    });
  }
}
