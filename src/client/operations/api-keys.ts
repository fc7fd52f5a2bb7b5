import { InputError } from "../../errors.js";
import type { Call, CallOptions } from "../http/exchange.js";
import { jsonBody, jsonBytesMax, readJson } from "../http/json.js";
import { pathSegment } from "../http/path.js";
import { readRecord } from "../http/read-record.js";
import type { Transport } from "../http/transport.js";
import { unexpectedAnswer } from "../http/unexpected-answer.js";
import { isSecretKey } from "../secret-key.js";
import type { ApiKey } from "../types.js";
import { apiKeySchema } from "../wire/api-key.js";
import { apiKeyIdProblem } from "./api-key-id.js";
import { apiKeyNameProblem } from "./api-key-name.js";
import { checkOneOf, type Listing, ListOperations, type ListOptions } from "./list.js";

const statuses = ["active", "deleted", "all"] as const;
const sortKeys = ["created_at", "name", "expires_at"] as const;
const sortDirections = ["asc", "desc"] as const;

/** What the lists of API keys take. Names are not unique, so `name` may find several; `query` also looks at creators, projects, ids and masked keys. */
export interface ApiKeyListOptions extends ListOptions {
  /** Which keys, by whether they were deleted. Default `active`, which includes expired keys. */
  readonly status?: (typeof statuses)[number] | undefined;
  /** What the service sorts by. Default `created_at`, the only one whose order no rename and no new date disturbs during the walk. */
  readonly sortBy?: (typeof sortKeys)[number] | undefined;
  /** Which end comes first. Default `desc`. */
  readonly sortDirection?: (typeof sortDirections)[number] | undefined;
}

/** What `get` takes. */
export interface ApiKeyReadOptions extends CallOptions {
  /** Also finds a key that was deleted; its `deletedAt` says when. Default false: it is `not_found`. */
  readonly includeDeleted?: boolean | undefined;
}

const ifNotFound =
  "Check the key's id: API keys are addressed by id, not by name and not by secret, and listing the API keys shows it. The key may have been deleted, or this API key may not see it.";

/** The API keys that the client's own key may see. Never their secrets, and none is made or deleted here. */
export class ApiKeyOperations extends ListOperations<ApiKey, ApiKeyListOptions> {
  readonly #apiKey: string;

  /** Made by `BrowserInfraClient`. `apiKey` is only compared with, so that a secret in the wrong place is refused and not sent. */
  constructor(transport: Transport, pagesMax: number, apiKey: string) {
    super(transport, pagesMax);
    this.#apiKey = apiKey;
  }

  /**
   * Reads one API key by id (`GET /org/api_keys/{id}`). Repeated after passing faults.
   * Throws `InputError` before any request for what cannot be an id; `ApiError`; `isNotFound` tells whether the key is gone.
   */
  async get(id: string, options: ApiKeyReadOptions = {}): Promise<ApiKey> {
    const path = this.#path(id);
    return readRecord(this.transport, {
      path,
      ...(options.includeDeleted && { query: new URLSearchParams({ include_deleted: "true" }) }),
      doing: `Reading the API key "${id}"`,
      ifNotFound,
      schema: apiKeySchema,
      mistaken: (apiKey) => mistakeIn(apiKey, id),
      signal: options.signal,
    });
  }

  /**
   * Gives an API key a name (`PATCH /org/api_keys/{id}`) and returns the key as the service has it then; it may have trimmed the name.
   * Sets an absolute value, so it is repeated after passing faults and lost answers, with the budget of reads.
   *
   * Throws `InputError` before any request; `ApiError` when the service refused, so the name is what it was; `ConnectionError` when nothing
   * was sent; `OutcomeUnknownError` when the key may have either name.
   */
  async rename(id: string, name: string, options: CallOptions = {}): Promise<ApiKey> {
    const path = this.#path(id);
    const problem = this.#secret(name)
      ? "is a secret key, which is not shown here; choose a label for it"
      : apiKeyNameProblem(name);
    if (problem !== undefined) {
      throw new InputError("name_invalid", "name", `The API key's "name" ${problem}.`);
    }
    const call: Call = {
      method: "PATCH",
      path,
      doing: `Renaming the API key "${id}"`,
      ifUnknown:
        "The key has either its former name or the new one. Read it, or rename it again: that is safe.",
      ifNotFound,
      accept: "application/json",
      body: jsonBody({ name }),
      bodyBytesMax: jsonBytesMax,
      signal: options.signal,
    };
    return this.transport.set(call, (reply) => {
      const apiKey = readJson(reply, apiKeySchema, call);
      const mistake = mistakeIn(apiKey, id);
      if (mistake !== undefined) {
        throw unexpectedAnswer(call, reply.context, mistake);
      }
      return apiKey;
    });
  }

  protected override listing(options: ApiKeyListOptions): Listing<ApiKey> {
    const { status, sortBy, sortDirection } = options;
    checkOneOf("status", status, statuses);
    checkOneOf("sortBy", sortBy, sortKeys);
    checkOneOf("sortDirection", sortDirection, sortDirections);
    for (const property of ["name", "query"] as const) {
      // It would stand in the address of the request, and so in the logs of everything on the way.
      if (this.#secret(options[property])) {
        throw new InputError(
          "filter_invalid",
          property,
          `"${property}" is a secret key, which is not shown here. Look for a name, an id or the masked form of a key.`,
        );
      }
    }
    return {
      path: "/org/api_keys",
      noun: "API keys",
      schema: apiKeySchema,
      parameters: { status, sort_by: sortBy, sort_direction: sortDirection },
    };
  }

  #path(id: string): string {
    const problem = apiKeyIdProblem(id, this.#apiKey);
    if (problem !== undefined) {
      throw new InputError("id_invalid", "id", `"id" ${problem}.`);
    }
    return `/org/api_keys/${pathSegment("id", id, "the key's id")}`;
  }

  #secret(text: unknown): boolean {
    return typeof text === "string" && isSecretKey(text, this.#apiKey);
  }
}

function mistakeIn(apiKey: ApiKey, id: string): string | undefined {
  return apiKey.id === id ? undefined : "it describes another API key";
}
