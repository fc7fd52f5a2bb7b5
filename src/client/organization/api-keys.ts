import { checkProjectId } from "../../config.js";
import { InputError, OutcomeUnknownError } from "../../errors.js";
import { quote } from "../../text/escape.js";
import { messageOf } from "../../text/words.js";
import type { CallOptions } from "../http/call.js";
import { jsonBody } from "../http/json.js";
import { createRecord, readRecord } from "../http/record-calls.js";
import { apiKeyIdProblem, apiKeyNameProblem, secretIdProblem, secretNameProblem } from "../names.js";
import type { ListOptions } from "../operations/list.js";
import { type RenamableListing, RenamableOperations } from "../operations/renamable.js";
import { checkInteger, checkName, checkOneOf } from "../options.js";
import {
  type ApiKey,
  type ApiKeyPolicy,
  apiKeySchema,
  type CreatedApiKey,
  changedApiKeySchema,
  createdApiKeySchema,
} from "./api-key.js";
import {
  expiryProblem,
  isDeclaredPolicy,
  isSamePolicy,
  isSameTime,
  policyProblem,
} from "./api-key-policy.js";
import { type ApiKeyRotation, checkRotation, graceDaysOf, keyDaysMax } from "./api-key-rotation.js";

const statuses = ["active", "deleted", "all"] as const;
const sortKeys = ["created_at", "name", "expires_at"] as const;
const sortDirections = ["asc", "desc"] as const;

/** Options of the lists of API keys. `query` also searches creators, projects, ids, masked keys. */
export interface ApiKeyListOptions extends ListOptions {
  /** Status of the keys. Default `active`, which includes expired keys. */
  readonly status?: (typeof statuses)[number] | undefined;
  /** Sort key of the service. Default `created_at`, which nothing changes during the walk. */
  readonly sortBy?: (typeof sortKeys)[number] | undefined;
  /** Sort direction. Default `desc`. */
  readonly sortDirection?: (typeof sortDirections)[number] | undefined;
}

export interface ApiKeyReadOptions extends CallOptions {
  /** Whether deleted keys are found (see `deletedAt`). Default false: they are `not_found`. */
  readonly includeDeleted?: boolean | undefined;
}

export interface NewApiKey {
  /** Label: 1 to 255 characters. Not unique; the service may trim the label. */
  readonly name: string;
  /** Days until the key expires, 1 to 3650. Default: never. */
  readonly daysToExpire?: number | undefined;
  /** Expiry time: a date-time in the future. Not with `daysToExpire`. Default: never. */
  readonly expiresAt?: string | undefined;
  /** Policy. Default: everything is allowed. */
  readonly policy?: ApiKeyPolicy | undefined;
  /** Id of the project to which the key is limited. Default: the whole organization. */
  readonly projectId?: string | undefined;
}

const apiKeyNotFoundAdvice =
  "Check the key's id: API keys are addressed by id, not by name and not by secret. To find it, list the " +
  "API keys. The key may have been deleted, or this API key may have no access to it.";

/**
 * The API keys that the client's own key has access to (`/org/api_keys`). Only a new key comes with
 * the secret, which cannot be read later. The service refuses requests with a deleted key, keeps the
 * record, and does not delete the client's own key (`cannot_delete_current_key`).
 */
export class ApiKeyOperations extends RenamableOperations<ApiKey, ApiKeyListOptions> {
  /**
   * Reads an API key by id (`GET /org/api_keys/{id}`), with retries. Throws `InputError` before any
   * request for a string that cannot be an id, and `ApiError` (no such key: `isNotFound`).
   */
  override async get(id: string, options: ApiKeyReadOptions = {}): Promise<ApiKey> {
    return readRecord(this.transport, {
      ...this.request(id, options),
      ...(options.includeDeleted && { query: new URLSearchParams({ include_deleted: "true" }) }),
      operation: `Reading the API key "${id}"`,
    });
  }

  /**
   * Replaces the policy of an API key (`PATCH /org/api_keys/{id}`), with retries. Secret, expiry and
   * project stay. Members that `policy` lacks are removed. Before 19 November 2026, the service
   * answered 400. Source: the service's release notes.
   *
   * Throws `InputError` before any request; `ApiError` or `ConnectionError` when the policy is
   * unchanged; `OutcomeUnknownError` when the key may have either policy.
   */
  async changePolicy(id: string, policy: ApiKeyPolicy, options: CallOptions = {}): Promise<ApiKey> {
    checkOption("policy", policyProblem(policy));
    const request = {
      operation: `Changing the policy of the API key "${id}"`,
      // The service may add members of its own.
      wrongIf: [
        (key: ApiKey) => key.id !== id || !isDeclaredPolicy(key.policy, policy),
        "it describes another API key or another policy",
      ] as const,
    };
    return this.change(id, { policy }, options, request, "policy");
  }

  /**
   * Creates an API key (`POST /org/api_keys`) and returns the key with the secret. Sent once, and
   * again only while a rate limit refuses the request.
   *
   * Throws `InputError` before any request; `ApiError` when the service refused; `ConnectionError`
   * when nothing was sent; `OutcomeUnknownError` when a key may exist whose secret is lost: look
   * for the name, and delete the key.
   */
  async create(
    { name, daysToExpire, expiresAt, policy, projectId }: NewApiKey,
    options: CallOptions = {},
  ): Promise<CreatedApiKey> {
    checkName("API key", this.#nameProblem(name));
    checkInteger("daysToExpire", daysToExpire, 1, keyDaysMax);
    if (expiresAt !== undefined) {
      const isTwice = daysToExpire !== undefined;
      const problem = 'cannot be combined with "daysToExpire". Give one of them.';
      checkOption("expiresAt", isTwice ? problem : expiryProblem(expiresAt));
    }
    if (policy !== undefined) {
      checkOption("policy", policyProblem(policy));
    }
    if (projectId !== undefined) {
      checkProjectId(projectId, "projectId");
    }
    return createRecord(this.transport, {
      path: "/org/api_keys",
      operation: `Creating the API key ${quote(name)}`,
      unknownOutcomeAdvice:
        "A key with this name may exist, but its secret is lost. List the keys, delete that key, and create a new key.",
      ...(projectId !== undefined && { notFoundAdvice: "Check the id of the project." }),
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
        "it describes a different API key, or a key with a different policy or expiry",
      ],
      signal: options.signal,
    });
  }

  /**
   * Rotates an API key (`POST /org/api_keys/{id}/rotate`): returns a new key with the same name and
   * project, a new id and the secret. The old key expires after `keepOldKeyDays`, if not before.
   * Sent once, and again only while a rate limit refuses the request. With `policy`, a new key with
   * a different policy is read, and the policy is changed.
   *
   * Throws the errors of `create`. After an `OutcomeUnknownError`, the old key may be about to
   * expire.
   */
  async rotate(
    id: string,
    { daysToExpire, keepOldKeyDays, policy }: ApiKeyRotation = {},
    options: CallOptions = {},
  ): Promise<CreatedApiKey> {
    const request = this.request(id, options);
    const path = `${request.path}/rotate`;
    checkRotation({ daysToExpire, keepOldKeyDays });
    const created = await createRecord(this.transport, {
      ...request,
      path,
      operation: `Rotating the API key "${id}"`,
      unknownOutcomeAdvice:
        "A new key with the same name may exist, but its secret is lost, and the old key will expire. List the keys, delete the new key, and create another key.",
      body: jsonBody({
        days_to_expire: daysToExpire,
        // The service refuses the default grace period if the new key has a shorter lifetime.
        expire_in_days:
          daysToExpire === undefined ? keepOldKeyDays : graceDaysOf({ daysToExpire, keepOldKeyDays }),
      }),
      schema: createdApiKeySchema,
      wrongIf: [(apiKey) => apiKey.id === id, "it describes the old key"],
    });
    return policy == null ? created : this.#withPolicy(created, policy, path, options);
  }

  /** Gives the new key of a rotation its policy. Throws `OutcomeUnknownError`: nobody gets the key. */
  async #withPolicy(created: CreatedApiKey, policy: ApiKeyPolicy, path: string, options: CallOptions) {
    if (isSamePolicy(created.policy, policy)) {
      return created;
    }
    const { id } = created;
    try {
      // The response may have omitted the policy.
      if (!isSamePolicy((await this.get(id, options)).policy, policy)) {
        await this.changePolicy(id, policy, options);
      }
      return { ...created, policy };
    } catch (error) {
      throw new OutcomeUnknownError(
        `The API key "${id}" of the rotation may have more rights than the old key, and its policy could not be corrected: ${messageOf(error)} Delete the API key "${id}", and create another key.`,
        { method: "POST", path },
        { cause: error },
      );
    }
  }

  /** @internal */
  protected override listing(options: ApiKeyListOptions): RenamableListing<ApiKey> {
    const { status, sortBy, sortDirection } = options;
    checkOneOf("status", status, statuses);
    checkOneOf("sortBy", sortBy, sortKeys);
    checkOneOf("sortDirection", sortDirection, sortDirections);
    for (const property of ["name", "query"] as const) {
      // The secret would be part of the URL, and so be in the logs of every server and proxy.
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
      changedSchema: changedApiKeySchema,
      notFoundAdvice: apiKeyNotFoundAdvice,
      nameProblem: (name) => this.#nameProblem(name),
      parameters: { status, sort_by: sortBy, sort_direction: sortDirection },
    };
  }

  #nameProblem(name: string): string | undefined {
    return this.transport.isSecret(name) ? secretNameProblem : apiKeyNameProblem(name);
  }

  /** @internal */
  protected override segment(id: string): string {
    const problem = this.transport.isSecret(id) ? secretIdProblem : apiKeyIdProblem(id);
    if (problem !== undefined) {
      throw new InputError("id_invalid", "id", `"id" ${problem}.`);
    }
    return super.segment(id);
  }
}

function checkOption(property: string, problem: string | undefined): void {
  if (problem !== undefined) {
    throw new InputError("option_invalid", property, `"${property}" ${problem}`);
  }
}
