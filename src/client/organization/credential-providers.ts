import type { CallOptions } from "../http/call.js";
import { readJson } from "../http/json.js";
import { readRecord } from "../http/record-calls.js";
import { trimmedNameProblem } from "../names.js";
import { type RenamableListing, RenamableOperations } from "../operations/renamable.js";
import { checkSettings } from "../options.js";
import {
  type CredentialProvider,
  type CredentialProviderChanges,
  type CredentialProviderItem,
  type CredentialProviderTest,
  credentialProviderProblems,
  credentialProviderSchema,
  type NewCredentialProvider,
  providerItemsSchema,
  providerTestSchema,
} from "./credential-provider.js";

/**
 * The credential providers of the organization (`/org/credential_providers`): password managers
 * from which logins read values. Reads, `update` and `test` are retried; `create` and `delete` only
 * while a rate limit refuses the request. No response contains the token.
 *
 * Source: the service's published clients and interface description.
 */
export class CredentialProviderOperations extends RenamableOperations<CredentialProvider> {
  /**
   * Creates a credential provider. Sent once, and again only while a rate limit refuses the
   * request. The service stores the token without a test: see `test`. No error contains the token.
   *
   * Throws `InputError` before any request; `ApiError` when nothing was created (409: the name is
   * taken; 403: not in the plan, or a key of one project); `ConnectionError` when nothing was sent;
   * `OutcomeUnknownError` when the provider may exist: look for the name.
   */
  async create(provider: NewCredentialProvider, options: CallOptions = {}): Promise<CredentialProvider> {
    const { name, token, cacheTtlSeconds, providerType = "onepassword" } = provider;
    checkSettings("credential provider", credentialProviderProblems(provider));
    const settings = { provider_type: providerType, token, cache_ttl_seconds: cacheTtlSeconds };
    return this.createNamed(name, settings, options);
  }

  /**
   * Changes the given settings, with retries, and returns the provider as stored by the service. No
   * error contains the token.
   *
   * Throws `InputError` before any request; `ApiError` (409: the name is taken) or
   * `ConnectionError` when nothing changed; `OutcomeUnknownError` when the provider may have the
   * old or the new settings.
   */
  async update(
    id: string,
    changes: CredentialProviderChanges,
    options: CallOptions = {},
  ): Promise<CredentialProvider> {
    const { cacheTtlSeconds, ...others } = changes;
    checkSettings("credential provider", credentialProviderProblems(changes));
    return this.change(id, { ...others, cache_ttl_seconds: cacheTtlSeconds }, options);
  }

  /**
   * Lets the service test the token of a provider, with retries: a test changes nothing. A bad
   * token is no error, but `success: false` with the service's reason. Throws `ApiError` (no such
   * provider: `isNotFound`).
   */
  async test(id: string, options: CallOptions = {}): Promise<CredentialProviderTest> {
    const { path, notFoundAdvice, signal } = this.request(id, options);
    const operation = `Testing the credential provider "${id}"`;
    const call = { method: "POST", path: `${path}/test`, operation, notFoundAdvice, signal } as const;
    const tested = await this.transport.read(call, (reply) => readJson(reply, providerTestSchema, call));
    return { ...tested, error: tested.error && this.transport.clean(tested.error) };
  }

  /**
   * Lists the items that a provider can read, without values. Throws `ApiError` (no such provider:
   * `isNotFound`).
   */
  async items(id: string, options: CallOptions = {}): Promise<readonly CredentialProviderItem[]> {
    const { path, notFoundAdvice, signal } = this.request(id, options);
    const { items } = await readRecord(this.transport, {
      path: `${path}/items`,
      notFoundAdvice,
      operation: `Listing the items of the credential provider "${id}"`,
      schema: providerItemsSchema,
      signal,
    });
    return items;
  }

  /** @internal */
  protected override listing(): RenamableListing<CredentialProvider> {
    return {
      path: "/org/credential_providers",
      noun: "credential provider",
      schema: credentialProviderSchema,
      nameProblem: trimmedNameProblem,
      hasNoNameFilter: true,
      notFoundAdvice:
        "Check the credential provider's id, and that this API key belongs to its organization.",
      conflictAdvice: "Names are unique in the organization: choose a different name.",
    };
  }
}
