import { NamedTable } from "../../storage/table.js";

/** Settings of one-time codes. */
export interface EmulatedTotp {
  readonly secret: string;
  readonly algorithm: "SHA1" | "SHA256" | "SHA512";
  readonly digits: number;
  readonly period: number;
}

/** Credential, as stored by the emulator. Only a program can see the secrets. */
export interface EmulatedCredential {
  /** As given, at most 64 characters; otherwise 24 characters of a-z and 0-9. */
  readonly id: string;
  readonly projectId: string;
  /** Unique within the project. */
  readonly name: string;
  readonly domain: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly ssoProvider: string | null;
  readonly totp: EmulatedTotp | null;
  /** ISO 8601 date-time. */
  readonly createdAt: string;
  /** ISO 8601 date-time of the last change. */
  readonly updatedAt: string;
}

export type CredentialToCreate = Pick<EmulatedCredential, "projectId" | "name" | "domain" | "fields"> & {
  readonly [K in "id" | "ssoProvider" | "totp"]?: EmulatedCredential[K] | undefined;
};

/** Credentials in the database. @internal */
export class CredentialStore extends NamedTable<EmulatedCredential> {
  /** Called with a credential before a change, and the new name; null if the credential is removed. */
  renamed: (before: EmulatedCredential, name: string | null) => void = () => {};

  /** Stores a credential; undefined if the id or the name is taken. */
  insert({ ssoProvider = null, totp = null, ...rest }: CredentialToCreate): EmulatedCredential | undefined {
    const updatedAt = this.now().toISOString();
    return this.addNamed({ ...rest, ssoProvider, totp, updatedAt });
  }

  /** Changes a credential; undefined if the new name is taken. */
  update(
    credential: EmulatedCredential,
    changes: { readonly [K in keyof EmulatedCredential]?: EmulatedCredential[K] | undefined },
  ): EmulatedCredential | undefined {
    return this.database.atomically(() => {
      const changed = this.change(credential, { ...changes, updatedAt: this.now().toISOString() });
      if (changed !== undefined && changed.name !== credential.name) {
        this.renamed(credential, changed.name);
      }
      return changed;
    });
  }

  /** Removes a credential. Auth connections lose the reference to the credential, as published. */
  override remove(id: string): void {
    this.database.atomically(() => {
      const credential = this.find(id);
      super.remove(id);
      if (credential !== undefined) {
        this.renamed(credential, null);
      }
    });
  }

  protected override searched({ name, domain }: EmulatedCredential) {
    return [name, domain];
  }
}
