import { createHash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { InputError } from "../errors.js";
import { newId, randomText } from "./random-text.js";

/** Says what is wrong with the text of an API key, as the end of a sentence; undefined when nothing is. */
export function apiKeyProblem(key: unknown): string | undefined {
  // It travels behind "Bearer " in a header: visible ASCII, no blanks.
  return typeof key === "string" && /^[\x21-\x7e]{1,255}$/.test(key)
    ? undefined
    : "must be 1 to 255 visible ASCII characters without blanks";
}

/** An API key with its text. The emulator keeps a digest only, so this is the one time the text is told. */
export interface EmulatedApiKey {
  readonly id: string;
  /** What goes behind `Bearer ` in the header `Authorization`. */
  readonly key: string;
  /** The project the key is confined to; null for a key of the whole organization. */
  readonly projectId: string | null;
}

/** The API keys in the database: a digest each, never the key. */
export class ApiKeyStore {
  readonly #database: DatabaseSync;
  readonly #now: () => Date;

  constructor(database: DatabaseSync, now: () => Date) {
    this.#database = database;
    this.#now = now;
  }

  /** Makes exactly these the organization-wide keys given at start: those of an earlier start end, made ones stay. */
  setGiven(keys: readonly string[]): void {
    const marks = keys.map(() => "?").join(", ");
    this.#database
      .prepare(`DELETE FROM api_keys WHERE given_at_start = 1 AND key_sha256 NOT IN (${marks})`)
      .run(...keys.map(digest));
    for (const key of keys) {
      if (this.find(key) === undefined) this.#insert({ id: newId(), key, projectId: null }, true);
    }
  }

  /** Makes a key. Throws `InputError` when its text is malformed or taken. The caller has checked the project. */
  create({
    key = `sk_${randomText(32)}`,
    projectId,
  }: {
    key?: string | undefined;
    projectId?: string | undefined;
  }): EmulatedApiKey {
    const problem = apiKeyProblem(key);
    if (problem !== undefined)
      throw new InputError("invalid_api_key", "key", `The API key in "key" ${problem}.`);
    if (this.find(key) !== undefined)
      throw new InputError("api_key_exists", "key", 'The API key in "key" exists. Choose another.');
    return this.#insert({ id: newId(), key, projectId: projectId ?? null }, false);
  }

  /** The scope of a key; undefined when nobody has it. */
  find(key: string): { readonly projectId: string | null } | undefined {
    const row = this.#database
      .prepare("SELECT project_id FROM api_keys WHERE key_sha256 = ?")
      .get(digest(key));
    return row && { projectId: row.project_id === null ? null : String(row.project_id) };
  }

  #insert(apiKey: EmulatedApiKey, given: boolean): EmulatedApiKey {
    this.#database
      .prepare(
        "INSERT INTO api_keys (id, key_sha256, project_id, given_at_start, created_at) VALUES (?, ?, ?, ?, ?)",
      )
      .run(apiKey.id, digest(apiKey.key), apiKey.projectId, given ? 1 : 0, this.#now().toISOString());
    return apiKey;
  }
}

function digest(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}
