import type { DatabaseSync } from "node:sqlite";
import { InputError } from "../../../errors.js";
import { maskedKey } from "../../../text/redact.js";
import { atomically } from "../../storage/database.js";
import {
  dateTime,
  idProblem,
  nameProblem,
  newId,
  randomText,
  refuse,
  refuseProblem,
} from "../../storage/ids-and-names.js";
import { type Page, Table } from "../../storage/table.js";
import { type ApiKeyQuery, apiKeyPage } from "./list.js";
import type { EmulatedApiKeyPolicy } from "./policy.js";
import {
  type ApiKeyCreator,
  apiKeyProblem,
  apiKeyRecord,
  apiKeyRecords,
  digest,
  type EmulatedApiKey,
  type EmulatedApiKeyRecord,
} from "./record.js";

/** API key to create. */
export interface NewApiKey {
  /** Default: a new id. */
  readonly id?: string | undefined;
  /** Secret. Default: a new secret. */
  readonly key?: string | undefined;
  /** Default `API key`. */
  readonly name?: string | undefined;
  /** Id of the project to which the key is scoped. Default: none, for the whole organization. */
  readonly projectId?: string | null | undefined;
  /** Default: the one person of the emulated organization. */
  readonly createdBy?: { readonly [K in keyof ApiKeyCreator]?: ApiKeyCreator[K] | undefined } | undefined;
  /** Time of expiry, also in the past: a `Date` or an ISO 8601 date-time. Default: never. */
  readonly expiresAt?: Date | string | null | undefined;
  /** Permissions. Default: everything. */
  readonly policy?: EmulatedApiKeyPolicy | null | undefined;
}

/** Parameters of a rotation. */
interface Rotation {
  readonly createdBy: ApiKeyCreator;
  /** Days the new key is valid; null for the lifetime of the rotated key. */
  readonly daysToExpire: number | null;
  /** Days the rotated key stays valid. */
  readonly expireInDays: number;
}

/** Creator of every key without a named creator. */
const defaultCreator: ApiKeyCreator = {
  id: "emulateduser000000000000",
  email: "emulator@example.com",
  name: "Emulator",
};

/** Length of a day, in milliseconds. */
const dayMs = 86_400_000;

/**
 * API keys in the database, stored as digests, without secrets.
 *
 * @internal
 */
export class ApiKeyStore extends Table<EmulatedApiKeyRecord> {
  readonly #now: () => Date;

  constructor(database: DatabaseSync, now: () => Date) {
    super(database, "api_keys", { read: apiKeyRecord, select: apiKeyRecords });
    this.#now = now;
  }

  /** Sets the keys given at the start. Removes keys given at earlier starts; created keys stay. */
  setGiven(keys: readonly string[]): void {
    const marks = keys.map(() => "?").join(", ");
    this.database
      .prepare(`DELETE FROM api_keys WHERE given_at_start = 1 AND key_sha256 NOT IN (${marks})`)
      .run(...keys.map(digest));
    for (const key of keys) {
      const known = this.#living(key);
      if (known === undefined) {
        this.#insert({ key, name: "Given at start" }, true);
      }
      // A given key must be valid, whatever happened in an earlier run.
      else if (this.#hasExpired(known)) {
        this.setExpiry(known.id, null);
      }
    }
  }

  /**
   * Creates a key. Throws `InputError` `id_invalid`, `api_key_invalid`, `name_invalid`,
   * `expiry_invalid` or `api_key_exists`. The caller has checked the project.
   */
  create(apiKey: NewApiKey): EmulatedApiKey {
    const { id, key, name } = apiKey;
    refuseProblem("id_invalid", "id", 'An API key\'s "id"', id === undefined ? undefined : idProblem(id));
    const problem = key === undefined ? undefined : apiKeyProblem(key);
    refuseProblem("api_key_invalid", "key", 'The API key in "key"', problem);
    if (name !== undefined) {
      checkName(name);
    }
    if (id !== undefined && this.find(id, true)) {
      const message = `An API key with the id "${id}" already exists. Choose another id.`;
      throw new InputError("api_key_exists", "id", message);
    }
    if (key !== undefined && this.#living(key)) {
      const message = 'The API key in "key" already exists. Choose another key.';
      throw new InputError("api_key_exists", "key", message);
    }
    return this.#insert(apiKey, false);
  }

  /** Finds the record of a key; undefined for an unknown, deleted or expired key. */
  authenticate(key: string): EmulatedApiKeyRecord | undefined {
    const record = this.#living(key);
    return record && this.#hasExpired(record) ? undefined : record;
  }

  /** Whether a key exists and is not deleted. */
  has(key: string): boolean {
    return this.#living(key) !== undefined;
  }

  /** Finds a key by id. Deleted keys are found only with `deletedToo`. */
  override find(id: string, deletedToo = false): EmulatedApiKeyRecord | undefined {
    const record = super.find(id);
    return record?.deletedAt === null || deletedToo ? record : undefined;
  }

  /** Returns one page of keys. */
  page(query: ApiKeyQuery): Page<EmulatedApiKeyRecord> {
    return apiKeyPage(this, query);
  }

  /** Every key, including deleted keys, newest first. */
  all(): readonly EmulatedApiKeyRecord[] {
    return this.select();
  }

  /** Renames a key. Throws `InputError` if the name is malformed or the key does not exist. */
  rename(id: string, name: string): EmulatedApiKeyRecord {
    checkName(name);
    return this.#set(id, { name });
  }

  /** Sets the expiry of a key; null for never. Throws `InputError`. */
  setExpiry(id: string, expiresAt: Date | string | null): EmulatedApiKeyRecord {
    return this.#set(id, { expiresAt: expiry(expiresAt) });
  }

  /** Sets the policy of a key; null allows everything. Throws `InputError` for an unknown key. */
  setPolicy(id: string, policy: EmulatedApiKeyPolicy | null): EmulatedApiKeyRecord {
    return this.#set(id, { policy });
  }

  /** Deletes a key; the record stays. Throws `InputError` if the key does not exist. */
  override remove(id: string): void {
    this.#set(id, { deletedAt: this.#now().toISOString() });
  }

  /**
   * Creates a successor of a key, with the same policy, which is a guess. The rotated key expires
   * after the grace period, if not before.
   */
  rotate(id: string, { createdBy, daysToExpire, expireInDays }: Rotation): EmulatedApiKey {
    return atomically(this.database, () => {
      const { name, projectId, expiresAt, policy } = this.#require(id);
      const lifetime = this.database.prepare("SELECT lifetime_days FROM api_keys WHERE id = ?").get(id);
      const days = daysToExpire ?? (lifetime?.lifetime_days as number | null);
      const graceEnd = this.inDays(expireInDays);
      this.#set(id, { expiresAt: expiresAt !== null && expiresAt < graceEnd ? expiresAt : graceEnd });
      const end = days === null ? null : this.inDays(days);
      return this.create({ name, projectId, createdBy, policy, expiresAt: end });
    });
  }

  /** Time in the given number of days, as an ISO 8601 date-time. */
  inDays(days: number): string {
    return new Date(this.#now().getTime() + days * dayMs).toISOString();
  }

  #living(key: string): EmulatedApiKeyRecord | undefined {
    return this.selectOne("key_sha256 = ? AND deleted_at IS NULL", digest(key));
  }

  #hasExpired({ expiresAt }: EmulatedApiKeyRecord): boolean {
    return expiresAt !== null && expiresAt <= this.#now().toISOString();
  }

  #require(id: string): EmulatedApiKeyRecord {
    const problem = `The emulator has no API key with the id "${id}", or it is deleted. List the records to see the existing ids.`;
    return this.find(id) ?? refuse(new InputError("api_key_unknown", "id", problem));
  }

  #set(
    id: string,
    changes: { readonly [K in keyof EmulatedApiKeyRecord]?: string | object | null },
  ): EmulatedApiKeyRecord {
    return this.updateRow(this.#require(id).id, changes) as EmulatedApiKeyRecord;
  }

  #insert(
    {
      id = newId(),
      key = `sk_${randomText(32)}`,
      name = "API key",
      projectId = null,
      createdBy,
      expiresAt,
      policy = null,
    }: NewApiKey,
    givenAtStart: boolean,
  ): EmulatedApiKey {
    const now = this.#now();
    const end = expiry(expiresAt ?? null);
    const creator = createdBy ?? defaultCreator;
    this.insertRow({
      id,
      keySha256: digest(key),
      maskedKey: maskedKey(key),
      name,
      projectId,
      givenAtStart,
      createdById: creator.id ?? defaultCreator.id,
      createdByEmail: creator.email ?? defaultCreator.email,
      createdByName: creator.name ?? null,
      createdAt: now.toISOString(),
      lifetimeDays: end && Math.max(1, Math.ceil((Date.parse(end) - now.getTime()) / dayMs)),
      expiresAt: end,
      policy,
    });
    return { ...this.#require(id), key };
  }
}

function checkName(name: string): void {
  refuseProblem("name_invalid", "name", 'An API key\'s "name"', nameProblem(name));
}

function expiry(time: Date | string | null): string | null {
  return dateTime(time, "expiry_invalid", "expiresAt", 'An API key\'s "expiresAt"');
}
