import { z } from "zod";
import { dateTime, id, named, noArgument, only, project, text } from "../../http/entries.js";
import { exactly, notAString } from "../../http/shapes.js";
import type { ProjectStore } from "../projects/store.js";
import { type EmulatedApiKeyPolicy, policyShape } from "./policy.js";
import { apiKeyProblem, type EmulatedApiKey, type EmulatedApiKeyRecord } from "./record.js";
import type { ApiKeyStore, NewApiKey } from "./store.js";

/**
 * API key in a seed.
 *
 * @internal
 */
export const apiKeyEntry = exactly({
  id: id.optional(),
  name: named("Label; several keys may have the same."),
  key: text(apiKeyProblem, {
    description:
      "The key itself. Default: a new one that is shown nowhere, for a key that is only listed and renamed.",
    pattern: "^[!-~]{1,255}$",
  }).optional(),
  project: project.describe("Id or exact name of the project the key is scoped to. Default: none."),
  expiresAt: dateTime.optional().describe("When it expires, also in the past. Default: never."),
  policy: policyShape.optional().describe("What it may do, as a request has it. Default: everything."),
  createdBy: exactly({
    id: z.string(notAString).optional(),
    email: z.string(notAString),
    name: z.string(notAString).nullish(),
  })
    .optional()
    .describe("Who created it. Default: the one person of the emulated organization."),
});

type Entry = z.infer<typeof apiKeyEntry>;

/** API keys, without a client. Methods throw `InputError` for an unknown or deleted id or a bad value. */
export class EmulatedApiKeys {
  readonly #apiKeys: ApiKeyStore;
  readonly #projects: ProjectStore;

  /** @internal */
  readonly entry = apiKeyEntry;

  /** @internal */
  readonly operations = {
    rename: only("name", apiKeyEntry.shape.name),
    setExpiry: only("expiresAt", dateTime.nullable()),
    setPolicy: only("policy", policyShape.nullable()),
    remove: noArgument,
  };

  /** @internal */
  constructor(apiKeys: ApiKeyStore, projects: ProjectStore) {
    this.#apiKeys = apiKeys;
    this.#projects = projects;
  }

  /** Every record, including records of deleted keys, newest first. */
  list(): readonly EmulatedApiKeyRecord[] {
    return this.#apiKeys.all();
  }

  /** Renames a key. The name is stored unchanged; a request would trim the name. */
  rename(id: string, name: string): EmulatedApiKeyRecord {
    return this.#apiKeys.rename(id, name);
  }

  /** Sets the expiry of a key, also in the past; null for never. */
  setExpiry(id: string, expiresAt: Date | string | null): EmulatedApiKeyRecord {
    return this.#apiKeys.setExpiry(id, expiresAt);
  }

  /** Sets the policy of a key; null allows everything. Requests cannot change a policy. */
  setPolicy(id: string, policy: EmulatedApiKeyPolicy | null): EmulatedApiKeyRecord {
    return this.#apiKeys.setPolicy(id, policy);
  }

  /** Deletes a key. The record remains, marked as deleted. */
  remove(id: string): void {
    this.#apiKeys.remove(id);
  }

  /** @internal */
  create(apiKey: NewApiKey): EmulatedApiKey {
    if (typeof apiKey.projectId === "string") {
      this.#projects.require(apiKey.projectId);
    }
    return this.#apiKeys.create(apiKey);
  }

  /**
   * Finds a key by id, else by the key itself, else by the name in the project. A deleted key with
   * the id counts, because the record still exists.
   *
   * @internal
   */
  existing({ id, key, name, project }: Entry, projectId: string): { readonly id: string } | undefined {
    const scope = project === undefined ? null : projectId;
    if (id === undefined && key !== undefined) {
      return this.#apiKeys.living(key);
    }
    return this.list().find((each) =>
      id === undefined
        ? each.name === name && each.projectId === scope && each.deletedAt === null
        : each.id === id,
    );
  }

  /** @internal */
  createFrom({ project, ...apiKey }: Entry, projectId: string): EmulatedApiKey {
    return this.create({ ...apiKey, projectId: project === undefined ? null : projectId });
  }
}
