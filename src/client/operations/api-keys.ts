import { InputError } from "../../errors.js";
import type { Call, CallOptions } from "../http/call.js";
import { jsonBody } from "../http/json.js";
import { pathSegment } from "../http/path.js";
import { readRecord, recordIn } from "../http/read-record.js";
import { apiKeyIdProblem, apiKeyNameProblem, secretIdProblem } from "../names.js";
import { checkOneOf } from "../options.js";
import type { ApiKey } from "../types.js";
import { apiKeySchema, renamedApiKeySchema } from "../wire/records.js";
import { type Listing, ListOperations, type ListOptions } from "./list.js";

const statuses = ["active", "deleted", "all"] as const;
const sortKeys = ["created_at", "name", "expires_at"] as const;
const sortDirections = ["asc", "desc"] as const;

/** Options of the lists of API keys. `query` also searches creators, projects, ids, masked keys. */
export interface ApiKeyListOptions extends ListOptions {
  /** Which keys, by whether they were deleted. Default `active`, which includes expired keys. */
  readonly status?: (typeof statuses)[number] | undefined;
  /** What the service sorts by. Default `created_at`, which nothing changes during the walk. */
  readonly sortBy?: (typeof sortKeys)[number] | undefined;
  /** Which end comes first. Default `desc`. */
  readonly sortDirection?: (typeof sortDirections)[number] | undefined;
}

/** Options of `get`. */
export interface ApiKeyReadOptions extends CallOptions {
  /** Also finds a deleted key (see `deletedAt`). Default false: it is `not_found`. */
  readonly includeDeleted?: boolean | undefined;
}

const ifNotFound =
  "Check the key's id: API keys are addressed by id, not by name and not by secret. To find it, list the " +
  "API keys. The key may have been deleted, or this API key may have no access to it.";

/** The API keys that the client's own key has access to. Secrets are never read. */
export class ApiKeyOperations extends ListOperations<ApiKey, ApiKeyListOptions> {
  /**
   * Reads one API key by id (`GET /org/api_keys/{id}`), with retries. Throws `InputError` before
   * any request for what cannot be an id; `ApiError`; `isNotFound` tells whether the key is gone.
   */
  async get(id: string, options: ApiKeyReadOptions = {}): Promise<ApiKey> {
    return readRecord(this.transport, {
      path: this.#path(id),
      ...(options.includeDeleted && { query: new URLSearchParams({ include_deleted: "true" }) }),
      operation: `Reading the API key "${id}"`,
      ifNotFound,
      ...recordOf(id),
      signal: options.signal,
    });
  }

  /**
   * Gives an API key a name (`PATCH /org/api_keys/{id}`), with retries, and returns the key as the
   * service now has it; the service may have trimmed the name. Only its id and name must be
   * readable: what else is not has no value in the result, `expiresAt`, `deletedAt` and `projectId`
   * included.
   *
   * Throws `InputError` before any request; `ApiError` or `ConnectionError` when the name is
   * unchanged; `OutcomeUnknownError` when the key may have either name.
   */
  async rename(id: string, name: string, options: CallOptions = {}): Promise<ApiKey> {
    const path = this.#path(id);
    const problem = this.transport.isSecret(name)
      ? "is a secret key (not shown here); choose a label for it"
      : apiKeyNameProblem(name);
    if (problem !== undefined) {
      throw new InputError("name_invalid", "name", `The API key's "name" ${problem}.`);
    }
    const call: Call = {
      method: "PATCH",
      path,
      operation: `Renaming the API key "${id}"`,
      ifUnknown:
        "The key has either its old name or the new one. Read the key to see which. Renaming it again is safe.",
      ifNotFound,
      body: jsonBody({ name }),
      signal: options.signal,
    };
    const expected = { ...call, ...recordOf(id), schema: renamedApiKeySchema };
    return this.transport.set(call, (reply) => recordIn(reply, expected));
  }

  /** @internal */
  protected override listing(options: ApiKeyListOptions): Listing<ApiKey> {
    const { status, sortBy, sortDirection } = options;
    checkOneOf("status", status, statuses);
    checkOneOf("sortBy", sortBy, sortKeys);
    checkOneOf("sortDirection", sortDirection, sortDirections);
    for (const property of ["name", "query"] as const) {
      // It would be part of the URL, and so in the logs of every server and proxy on the way.
      if (this.transport.isSecret(options[property])) {
        throw new InputError(
          "filter_invalid",
          property,
          `"${property}" is a secret key (not shown here). Use a name, an id or a masked key.`,
        );
      }
    }
    return {
      path: "/org/api_keys",
      noun: "API key",
      schema: apiKeySchema,
      parameters: { status, sort_by: sortBy, sort_direction: sortDirection },
    };
  }

  #path(id: string): string {
    const problem = this.transport.isSecret(id) ? secretIdProblem : apiKeyIdProblem(id);
    if (problem !== undefined) {
      throw new InputError("id_invalid", "id", `"id" ${problem}.`);
    }
    return `/org/api_keys/${pathSegment("id", id, "the key's id")}`;
  }
}

function recordOf(id: string) {
  return {
    schema: apiKeySchema,
    mistake: (apiKey: ApiKey) => (apiKey.id === id ? undefined : "it describes another API key"),
  };
}
