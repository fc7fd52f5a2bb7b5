import { checkProjectId } from "../../config.js";
import { InputError } from "../../errors.js";
import { quote } from "../../text/escape.js";
import {
  expiryProblem,
  isDeclaredPolicy,
  isSamePolicy,
  isSameTime,
  policyProblem,
} from "../api-key-policy.js";
import { type ApiKeyRotation, checkRotation, graceDaysOf, keyDaysMax } from "../api-key-rotation.js";
import type { CallOptions } from "../http/call.js";
import { jsonBody } from "../http/json.js";
import { pathSegment } from "../http/path.js";
import { changeRecord, createRecord, deleteRecord, readRecord } from "../http/record-calls.js";
import { apiKeyIdProblem, apiKeyNameProblem, secretIdProblem, secretNameProblem } from "../names.js";
import { checkInteger, checkName, checkOneOf } from "../options.js";
import type { ApiKey, ApiKeyPolicy, CreatedApiKey } from "../records/api-key.js";
import { apiKeySchema, createdApiKeySchema, renamedApiKeySchema } from "../wire/records.js";
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

/** What `create` creates. */
export interface NewApiKey {
  /** Label: 1 to 255 characters. Not unique; the service may trim it. */
  readonly name: string;
  /** Days until it expires, 1 to 3650. Default: never. */
  readonly daysToExpire?: number | undefined;
  /** When it expires: a date-time in the future. Not with `daysToExpire`. Default: never. */
  readonly expiresAt?: string | undefined;
  /** What it may do. Default: everything. */
  readonly policy?: ApiKeyPolicy | undefined;
  /** Id of the project that it is limited to. Default: the whole organization. */
  readonly projectId?: string | undefined;
}

const ifNotFound =
  "Check the key's id: API keys are addressed by id, not by name and not by secret. To find it, list the " +
  "API keys. The key may have been deleted, or this API key may have no access to it.";

/**
 * The API keys that the client's own key has access to. Only a key that is new comes with its
 * secret: it cannot be read later.
 */
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
    this.#checkName(name);
    return changeRecord(this.transport, {
      path,
      operation: `Renaming the API key "${id}"`,
      ifUnknown:
        "The key has either its old name or the new one. Read the key to see which. Renaming it again is safe.",
      ifNotFound,
      body: jsonBody({ name }),
      ...recordOf(id),
      schema: renamedApiKeySchema,
      signal: options.signal,
    });
  }

  /**
   * Creates an API key (`POST /org/api_keys`) and returns it with its secret. Sent once, and again
   * only while a rate limit refuses it.
   *
   * Throws `InputError` before any request; `ApiError` when the service refused; `ConnectionError`
   * when nothing was sent; `OutcomeUnknownError` when a key may exist whose secret is lost: look
   * for its name, and delete it.
   */
  async create(
    { name, daysToExpire, expiresAt, policy, projectId }: NewApiKey,
    options: CallOptions = {},
  ): Promise<CreatedApiKey> {
    this.#checkName(name);
    checkInteger("daysToExpire", daysToExpire, 1, keyDaysMax);
    const problems = {
      expiresAt:
        expiresAt === undefined
          ? undefined
          : daysToExpire === undefined
            ? expiryProblem(expiresAt)
            : 'cannot be combined with "daysToExpire". Give one of them.',
      policy: policy === undefined ? undefined : policyProblem(policy),
    };
    for (const [property, problem] of Object.entries(problems)) {
      if (problem !== undefined) {
        throw new InputError("option_invalid", property, `"${property}" ${problem}`);
      }
    }
    if (projectId !== undefined) {
      checkProjectId(projectId, "projectId");
    }
    return createRecord(this.transport, {
      path: "/org/api_keys",
      operation: `Creating the API key ${quote(name)}`,
      ifUnknown:
        "A key with this name may exist whose secret is lost. List the keys, delete it, and create another.",
      ...(projectId !== undefined && { ifNotFound: "Check the id of the project." }),
      body: jsonBody({
        name,
        days_to_expire: daysToExpire,
        expires_at: expiresAt,
        policy,
        project_id: projectId,
      }),
      schema: createdApiKeySchema,
      wrongIf: [
        (apiKey) =>
          // The service may have trimmed the name.
          ![name, name.trim()].includes(apiKey.name) ||
          (policy !== undefined && !isDeclaredPolicy(apiKey.policy, policy)) ||
          (expiresAt !== undefined && apiKey.expiresAt !== null && !isSameTime(apiKey.expiresAt, expiresAt)),
        "it describes another API key, or one that may do more or lives longer",
      ],
      signal: options.signal,
    });
  }

  /**
   * Rotates an API key (`POST /org/api_keys/{id}/rotate`): returns a new key with the same name and
   * project, its own id and its secret. The rotated one expires when `keepOldKeyDays` have passed,
   * if not before. Sent once, and again only while a rate limit refuses it.
   *
   * Throws as `create` does. After an `OutcomeUnknownError`, the rotated key may be about to
   * expire.
   */
  async rotate(
    id: string,
    { daysToExpire, keepOldKeyDays, policy }: ApiKeyRotation = {},
    options: CallOptions = {},
  ): Promise<CreatedApiKey> {
    const path = this.#path(id);
    checkRotation({ daysToExpire, keepOldKeyDays });
    return createRecord(this.transport, {
      path: `${path}/rotate`,
      operation: `Rotating the API key "${id}"`,
      ifUnknown:
        "A new key with the same name may exist whose secret is lost, and then the rotated one will expire. List the keys, delete the new one, and create another.",
      ifNotFound,
      body: jsonBody({
        days_to_expire: daysToExpire,
        // The service refuses its own default for a new key that lives a shorter time.
        expire_in_days:
          daysToExpire === undefined ? keepOldKeyDays : graceDaysOf({ daysToExpire, keepOldKeyDays }),
      }),
      schema: createdApiKeySchema,
      wrongIf: [
        (apiKey) => apiKey.id === id || (policy != null && !isSamePolicy(apiKey.policy, policy)),
        "it describes the rotated key, or one that may do more",
      ],
      signal: options.signal,
    });
  }

  /**
   * Deletes an API key (`DELETE /org/api_keys/{id}`): requests with it are refused from then on.
   * The service keeps its record. Sent once, and again only while a rate limit refuses it. Throws
   * `ApiError` (also `cannot_delete_current_key`; already gone: `isNotFound`), and
   * `OutcomeUnknownError` when it may be gone.
   */
  async delete(id: string, options: CallOptions = {}): Promise<void> {
    return deleteRecord(this.transport, {
      path: this.#path(id),
      operation: `Deleting the API key "${id}"`,
      ifUnknown: "Read the key; if it still exists, delete it again.",
      ifNotFound,
      signal: options.signal,
    });
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

  #checkName(name: string): void {
    checkName("API key", this.transport.isSecret(name) ? secretNameProblem : apiKeyNameProblem(name));
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
    wrongIf: [(apiKey: ApiKey) => apiKey.id !== id, "it describes another API key"] as const,
  };
}
