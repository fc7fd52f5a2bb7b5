import { NamedTable } from "../../storage/table.js";
import type { VaultItem } from "./vault.js";

/** Credential provider, as stored by the emulator. Only a program can see the token. */
export interface EmulatedCredentialProvider {
  /** As given, at most 64 characters; otherwise 24 characters of a-z and 0-9. */
  readonly id: string;
  /** Unique within the organization. */
  readonly name: string;
  readonly token: string;
  readonly cacheTtlSeconds: number;
  readonly enabled: boolean;
  readonly priority: number;
  /** ISO 8601 date-time. */
  readonly createdAt: string;
  /** ISO 8601 date-time of the last change. */
  readonly updatedAt: string;
}

/** Credential provider to store. Defaults: a new id, 300 seconds, enabled, priority 0. */
export type CredentialProviderToCreate = Pick<EmulatedCredentialProvider, "name" | "token"> & {
  readonly [K in "id" | "cacheTtlSeconds" | "enabled" | "priority"]?:
    | EmulatedCredentialProvider[K]
    | undefined;
};

/** Credential providers in the database, and the played vaults behind the providers. @internal */
export class CredentialProviderStore extends NamedTable<EmulatedCredentialProvider> {
  vault: readonly VaultItem[] = [];

  /** Stores a provider; undefined if the id or the name is taken. */
  insert({ cacheTtlSeconds = 300, enabled = true, priority = 0, ...rest }: CredentialProviderToCreate) {
    const updatedAt = this.now().toISOString();
    return this.addNamed({ ...rest, cacheTtlSeconds, enabled, priority, updatedAt });
  }

  /** Changes a provider; undefined if the new name is taken. */
  update(
    provider: EmulatedCredentialProvider,
    changes: Partial<Omit<EmulatedCredentialProvider, "id">>,
  ): EmulatedCredentialProvider | undefined {
    return this.change(provider, { ...changes, updatedAt: this.now().toISOString() });
  }

  /** Items that a provider can read. A token works if it begins as published: a guess. */
  itemsOf({ token }: Pick<EmulatedCredentialProvider, "token">): readonly VaultItem[] | undefined {
    return token.startsWith("ops_") ? this.vault : undefined;
  }
}
