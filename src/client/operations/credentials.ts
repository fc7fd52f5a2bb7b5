import { credentialOnWire, credentialProblems } from "../credential-settings.js";
import type { CallOptions } from "../http/call.js";
import { jsonBody } from "../http/json.js";
import { createRecord } from "../http/record-calls.js";
import { projectNameProblem } from "../names.js";
import { checkSettings } from "../options.js";
import type { Credential, CredentialChanges, NewCredential } from "../records/credential.js";
import { credentialSchema } from "../wire/records.js";
import { checkFilter, type ListOptions } from "./list.js";
import { type RenamableListing, RenamableOperations } from "./renamable.js";

/** Options of the lists of credentials. */
export interface CredentialListOptions extends ListOptions {
  /** Only those for this domain. */
  readonly domain?: string | undefined;
}

/**
 * The credentials that the service stores for one project (`/credentials`). Reads and `update` are
 * retried; `create` and `delete` are not, except while a rate limit refuses them. No answer has the
 * values, or what one-time codes are made of.
 *
 * Source: the service's published description.
 */
export class CredentialOperations extends RenamableOperations<Credential, CredentialListOptions> {
  /**
   * Creates a credential. Sent once, and again only while a rate limit refuses it. No error contains
   * a value or what one-time codes are made of, unless it has fewer than 6 characters.
   *
   * Throws `InputError` before any request; `ApiError` when nothing was created (409: the name is
   * taken); `ConnectionError` when nothing was sent; `OutcomeUnknownError` when it may exist: look
   * for its name.
   */
  async create(credential: NewCredential, options: CallOptions = {}): Promise<Credential> {
    const { name, domain } = credential;
    checkSettings("credential", credentialProblems(credential));
    return createRecord(this.transport, {
      path: "/credentials",
      operation: `Creating the credential "${name}"`,
      ifUnknown: "List the credentials and compare names before creating it again.",
      body: jsonBody({ domain, ...credentialOnWire(credential) }),
      schema: credentialSchema,
      wrongIf: [(found) => found.name !== name, "it describes another credential"],
      signal: options.signal,
    });
  }

  /**
   * Changes what is given, with retries, and returns the credential as the service now has it. No
   * error contains a secret, as for `create`.
   *
   * Throws `InputError` before any request; `ApiError` (409: the name is taken) or `ConnectionError`
   * when nothing changed; `OutcomeUnknownError` when it may be either.
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
      parameters: { domain },
    };
  }
}
