import type { DatabaseSync } from "node:sqlite";
import { InputError } from "../../../../errors.js";
import { atomically } from "../../../storage/database.js";
import { refuse, required } from "../../../storage/ids-and-names.js";
import { NamedTable, type Page, type PageRequest } from "../../../storage/table.js";

/** Settings of one-time codes. */
export interface EmulatedTotp {
  readonly secret: string;
  readonly algorithm: "SHA1" | "SHA256" | "SHA512";
  readonly digits: number;
  readonly period: number;
}

/** Credential, as stored by the emulator. Only a program can see the secrets. */
export interface EmulatedCredential {
  /** 24 characters of a-z and 0-9. */
  readonly id: string;
  readonly projectId: string;
  /** Unique within the project. */
  readonly name: string;
  readonly domain: string;
  /** Values by the field of a login. */
  readonly fields: Readonly<Record<string, string>>;
  readonly ssoProvider: string | null;
  readonly totp: EmulatedTotp | null;
  /** ISO 8601 date-time. */
  readonly createdAt: string;
  /** ISO 8601 date-time of the last change. */
  readonly updatedAt: string;
}

/** Credential to store. */
export type CredentialToCreate = Pick<EmulatedCredential, "projectId" | "name" | "domain" | "fields"> &
  Partial<Pick<EmulatedCredential, "ssoProvider" | "totp">> & { readonly id?: string | undefined };

/** Parameters of a list of credentials. */
interface CredentialQuery extends PageRequest {
  readonly projectId: string;
  readonly domain?: string | undefined;
  readonly query?: string | undefined;
}

/**
 * Credentials in the database.
 *
 * @internal
 */
export class CredentialStore extends NamedTable<EmulatedCredential> {
  constructor(database: DatabaseSync, now: () => Date) {
    super(database, "credentials", now, { json: ["fields", "totp"] });
  }

  /** Stores a credential; undefined if the id or the name is taken. */
  insert({ ssoProvider = null, totp = null, ...rest }: CredentialToCreate): EmulatedCredential | undefined {
    const updatedAt = this.now().toISOString();
    return this.insertNamed({ ...rest, ssoProvider, totp, updatedAt });
  }

  /** Creates a credential for a program. Throws `InputError` `credential_exists`. */
  create(credential: CredentialToCreate): EmulatedCredential {
    const problem = `A credential with this id, or with the name "${credential.name}" in its project, already exists. Choose others.`;
    return this.insert(credential) ?? refuse(new InputError("credential_exists", "name", problem));
  }

  /** Changes a credential; undefined if the new name is taken. */
  update(
    credential: EmulatedCredential,
    changes: Partial<EmulatedCredential>,
  ): EmulatedCredential | undefined {
    return atomically(this.database, () => {
      const changed = this.change(credential, { ...changes, updatedAt: this.now().toISOString() });
      if (changed !== undefined && changed.name !== credential.name) {
        this.#relink(credential, { name: changed.name });
      }
      return changed;
    });
  }

  /**
   * Removes a credential. Auth connections lose their reference to the credential, as published.
   */
  override remove(id: string): void {
    atomically(this.database, () => {
      const credential = this.find(id);
      super.remove(id);
      if (credential !== undefined) {
        this.#relink(credential, null);
      }
    });
  }

  /** Finds a credential by id. Throws `InputError` for an unknown id. */
  require(id: string): EmulatedCredential {
    return required(this.find(id), "credential_unknown", id);
  }

  /**
   * Returns one page, newest first: a guess. There is no filter by name. Source: the published
   * interface.
   */
  ofDomain({ projectId, domain, query, ...page }: CredentialQuery): Page<EmulatedCredential> {
    return this.selectPage(page, [
      ["project_id = ?", projectId],
      ["folded(domain) = folded(?)", domain],
      [
        "(id = ? OR instr(lowered(name), lowered(?)) > 0 OR instr(lowered(domain), lowered(?)) > 0)",
        query,
        query,
        query,
      ],
    ]);
  }

  /** Replaces the reference of auth connections to a credential: a guess for a new name. */
  #relink({ projectId, name }: EmulatedCredential, reference: { readonly name: string } | null): void {
    this.database
      .prepare(
        `UPDATE auth_connections SET settings = json_set(settings, '$.credential', json(?))
         WHERE project_id = ? AND folded(settings ->> '$.credential.name') = folded(?)`,
      )
      .run(JSON.stringify(reference), projectId, name);
  }
}
