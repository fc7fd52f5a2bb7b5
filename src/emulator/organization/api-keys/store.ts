import type { z } from "zod";
import { InputError } from "../../../errors.js";
import { maskedKey } from "../../../text/redact.js";
import { dateTime, noArgument, only } from "../../http/seed-members.js";
import type { Lacks, Written } from "../../objects/controls.js";
import type { EmulatedApiKeyPolicy } from "../../objects/scope.js";
import type { Database } from "../../storage/database.js";
import {
  idProblem,
  isoTime,
  nameProblem,
  newId,
  refuse,
  refuseProblem,
} from "../../storage/ids-and-names.js";
import { withValues } from "../../storage/members.js";
import { Table } from "../../storage/table.js";
import type { EmulatedProjects } from "../projects/store.js";
import { policyShape } from "./policy.js";
import {
  type ApiKeyCreator,
  apiKeyEntry,
  apiKeyProblem,
  digest,
  type EmulatedApiKey,
  type EmulatedApiKeyRecord,
  newApiKey,
  type StoredApiKey,
} from "./record.js";

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

type Entry = z.infer<typeof apiKeyEntry>;

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

const dayMs = 86_400_000;

/**
 * API keys of an emulator, stored as digests, without secrets. Methods throw `InputError` for an
 * unknown or deleted id or a bad value.
 */
export class EmulatedApiKeys {
  /** @internal */
  readonly noun = "API key";

  /** @internal */
  readonly operations = {
    rename: only("name", apiKeyEntry.shape.name),
    setExpiry: only("expiresAt", dateTime.nullable()),
    setPolicy: only("policy", policyShape.nullable()),
    remove: noArgument,
  };

  readonly #database: Database;
  readonly #keys: Table<StoredApiKey>;
  readonly #projects: EmulatedProjects;
  readonly #now: () => Date;
  /** Time of the last request by the id of the key. Not stored: every request would be a write. */
  readonly #lastUses = new Map<string, string>();

  /** @internal */
  constructor(database: Database, projects: EmulatedProjects, now: () => Date) {
    this.#database = database;
    this.#keys = new Table(database, "apiKeys");
    this.#projects = projects;
    this.#now = now;
  }

  /** Sets the keys given at the start. Removes keys given at earlier starts; created keys stay. @internal */
  setGiven(keys: readonly string[]): void {
    const digests = keys.map(digest);
    for (const { id, isGivenAtStart, keySha256 } of this.#keys.select()) {
      if (isGivenAtStart && !digests.includes(keySha256)) {
        this.#keys.remove(id);
      }
    }
    for (const key of keys) {
      const known = this.#findUndeleted(key);
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
   * `expiry_invalid`, `api_key_exists` or `project_unknown`. @internal
   */
  create(apiKey: NewApiKey): EmulatedApiKey {
    const { id, key, name, projectId } = apiKey;
    if (typeof projectId === "string") {
      this.#projects.require(projectId);
    }
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
    if (key !== undefined && this.#findUndeleted(key)) {
      const message = 'The API key in "key" already exists. Choose another key.';
      throw new InputError("api_key_exists", "key", message);
    }
    return this.#insert(apiKey, false);
  }

  /** Finds the record of a key; undefined for an unknown, deleted or expired key. @internal */
  authenticate(key: string): EmulatedApiKeyRecord | undefined {
    const found = this.#findUndeleted(key);
    return found && !this.#hasExpired(found) ? this.#record(found) : undefined;
  }

  /** Remembers a request with a key until the emulator ends. @internal */
  noteUse(id: string): void {
    this.#lastUses.set(id, this.#now().toISOString());
  }

  /** Time of the last request with a key, as an ISO 8601 date-time; null before the first request. @internal */
  lastUse(id: string): string | null {
    return this.#lastUses.get(id) ?? null;
  }

  /** Finds a key by id. Deleted keys are found only with `deletedToo`. @internal */
  find(id: string, deletedToo = false): EmulatedApiKeyRecord | undefined {
    const found = this.#keys.find(id);
    return found && (found.deletedAt === null || deletedToo) ? this.#record(found) : undefined;
  }

  /** Every record, including records of deleted keys, newest first. */
  list(): readonly EmulatedApiKeyRecord[] {
    return this.#keys.select().map((key) => this.#record(key));
  }

  /** Renames a key. The name is stored unchanged; a request would trim the name. */
  rename(id: string, name: string): EmulatedApiKeyRecord {
    checkName(name);
    return this.#set(id, { name });
  }

  /** Sets the expiry of a key, also in the past; null for never. */
  setExpiry(id: string, expiresAt: Date | string | null): EmulatedApiKeyRecord {
    return this.#set(id, { expiresAt: expiry(expiresAt) });
  }

  /** Sets the policy of a key; null allows everything. Requests cannot remove a policy. */
  setPolicy(id: string, policy: EmulatedApiKeyPolicy | null): EmulatedApiKeyRecord {
    return this.#set(id, { policy });
  }

  /** Deletes a key. The record remains, marked as deleted. */
  remove(id: string): void {
    this.#set(id, { deletedAt: this.#now().toISOString() });
  }

  /**
   * Creates a successor of a key, with the same policy, which is a guess. The rotated key expires
   * after the grace period, if not before. @internal
   */
  rotate(id: string, { createdBy, daysToExpire, expireInDays }: Rotation): EmulatedApiKey {
    return this.#database.atomically(() => {
      const { name, projectId, expiresAt, policy } = this.#require(id);
      const days = daysToExpire ?? this.#keys.find(id)?.lifetimeDays ?? null;
      const graceEnd = this.inDays(expireInDays);
      this.#set(id, { expiresAt: expiresAt !== null && expiresAt < graceEnd ? expiresAt : graceEnd });
      const end = days === null ? null : this.inDays(days);
      return this.create({ name, projectId, createdBy, policy, expiresAt: end });
    });
  }

  /** Time in the given number of days, as an ISO 8601 date-time. @internal */
  inDays(days: number): string {
    return new Date(this.#now().getTime() + days * dayMs).toISOString();
  }

  /**
   * Finds a key by id, else by the key itself, else by the name in the project. A deleted key with
   * the id counts, because the record still exists. @internal
   */
  existing({ id, key, name, project }: Entry, projectId: string): { readonly id: string } | undefined {
    if (id !== undefined) {
      return this.#keys.find(id);
    }
    if (key !== undefined) {
      return this.#findUndeleted(key);
    }
    const scope = project === undefined ? null : projectId;
    return this.#keys.first(
      (each) => each.name === name && each.projectId === scope && each.deletedAt === null,
    );
  }

  /** @internal */
  createFrom({ project, ...apiKey }: Entry, projectId: string): EmulatedApiKey {
    return this.create({ ...apiKey, projectId: project === undefined ? null : projectId });
  }

  /** Every key that was created and not deleted, oldest first. @internal */
  records(): readonly EmulatedApiKeyRecord[] {
    const created = this.#keys.select((key) => !key.isGivenAtStart && key.deletedAt === null);
    return created.map((key) => this.#record(key)).toReversed();
  }

  /** @internal */
  written(record: EmulatedApiKeyRecord, lacks: Lacks) {
    const { id, name, projectId, projectName, expiresAt, policy, createdBy } = record;
    if (projectId !== null && projectName === null) {
      lacks("is not in the seed, because the project of the key is deleted.");
      return undefined;
    }
    lacks("gets a new secret that is shown nowhere; add the old secret as key.");
    const entry: Written<Entry> = { id, name, key: undefined, expiresAt, policy, createdBy };
    // A key without a project is a key of the organization.
    return { ...entry, project: projectId };
  }

  #findUndeleted(key: string): StoredApiKey | undefined {
    const sha256 = digest(key);
    return this.#keys.first(({ keySha256, deletedAt }) => keySha256 === sha256 && deletedAt === null);
  }

  #hasExpired({ expiresAt }: StoredApiKey): boolean {
    return expiresAt !== null && expiresAt <= this.#now().toISOString();
  }

  #record({ keySha256, isGivenAtStart, lifetimeDays, ...key }: StoredApiKey): EmulatedApiKeyRecord {
    const project = key.projectId === null ? undefined : this.#projects.byId(key.projectId);
    return { ...key, projectName: project?.name ?? null };
  }

  #require(id: string): EmulatedApiKeyRecord {
    const problem = `The emulator has no API key with the id "${id}", or it is deleted. List the records to see the existing ids.`;
    return this.find(id) ?? refuse(new InputError("api_key_unknown", "id", problem));
  }

  #set(id: string, changes: Partial<StoredApiKey>): EmulatedApiKeyRecord {
    return this.#record(this.#keys.set(this.#require(id).id, changes) as StoredApiKey);
  }

  #insert(
    {
      id = newId(),
      key = newApiKey(),
      name = "API key",
      projectId = null,
      createdBy,
      expiresAt,
      policy = null,
    }: NewApiKey,
    isGivenAtStart: boolean,
  ): EmulatedApiKey {
    const now = this.#now();
    const end = expiry(expiresAt ?? null);
    this.#keys.add({
      ...{ id, name, maskedKey: maskedKey(key), keySha256: digest(key), projectId, isGivenAtStart, policy },
      createdAt: now.toISOString(),
      createdBy: { ...defaultCreator, ...(createdBy && { name: null, ...withValues(createdBy) }) },
      expiresAt: end,
      lifetimeDays: end === null ? null : daysUntil(end, now),
      deletedAt: null,
    });
    return { ...this.#require(id), key };
  }
}

function daysUntil(end: string, now: Date): number {
  return Math.max(1, Math.ceil((Date.parse(end) - now.getTime()) / dayMs));
}

function checkName(name: string): void {
  refuseProblem("name_invalid", "name", 'An API key\'s "name"', nameProblem(name));
}

function expiry(time: Date | string | null): string | null {
  return isoTime(time, "expiry_invalid", "expiresAt", 'An API key\'s "expiresAt"');
}
