import type { CallOptions } from "../http/call.js";
import { projectNameProblem } from "../names.js";
import { checkFilter, type ListOptions, nameTakenAdvice } from "../operations/list.js";
import { type RenamableListing, RenamableOperations } from "../operations/renamable.js";
import { checkSettings } from "../options.js";
import {
  type Credential,
  type CredentialChanges,
  credentialSchema,
  type NewCredential,
} from "./credential.js";
import { credentialOnWire, credentialProblems } from "./credential-settings.js";

export interface CredentialListOptions extends ListOptions {
  /** Only credentials for the domain. */
  readonly domain?: string | undefined;
}

/**
 * The credentials that the service stores for a project (`/credentials`). Reads and `update` are
 * retried; `create` and `delete` only while a rate limit refuses the request. No response contains
 * the values or the seed of one-time codes.
 *
 * Source: the service's published description.
 */
export class CredentialOperations extends RenamableOperations<Credential, CredentialListOptions> {
  /**
   * Creates a credential. Sent once, and again only while a rate limit refuses the request. No
   * error contains a value or the seed of one-time codes, except strings of fewer than 6
   * characters.
   *
   * Throws `InputError` before any request; `ApiError` when nothing was created (409: the name is
   * taken); `ConnectionError` when nothing was sent; `OutcomeUnknownError` when the credential may
   * exist: look for the name.
   */
  async create(credential: NewCredential, options: CallOptions = {}): Promise<Credential> {
    const { name, domain } = credential;
    checkSettings("credential", credentialProblems(credential));
    return this.createNamed(name, { domain, ...credentialOnWire(credential) }, options);
  }

  /**
   * Changes the given settings, with retries, and returns the credential as stored by the service.
   * No error contains a secret, as for `create`.
   *
   * Throws `InputError` before any request; `ApiError` (409: the name is taken) or
   * `ConnectionError` when nothing changed; `OutcomeUnknownError` when the credential may have the
   * old or the new settings.
   */
  async update(id: string, changes: CredentialChanges, options: CallOptions = {}): Promise<Credential> {
    checkSettings("credential", credentialProblems(changes));
    return this.change(id, credentialOnWire(changes), options);
  }

  /** @internal */
  protected override listing({ domain }: CredentialListOptions): RenamableListing<Credential> {
    checkFilter("domain", domain);
    return {
      path: "/credentials",
      noun: "credential",
      schema: credentialSchema,
      nameProblem: projectNameProblem,
      hasNoNameFilter: true,
      conflictAdvice: nameTakenAdvice,
      parameters: { domain },
    };
  }
}
