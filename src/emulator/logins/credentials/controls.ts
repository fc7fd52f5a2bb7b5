import { z } from "zod";
import { id, named, noArgument, only, project, text } from "../../http/seed-members.js";
import { anyText, exactly } from "../../http/shapes.js";
import { ObjectControls } from "../../objects/controls.js";
import { domainProblem } from "../auth-connections/auth-connection.js";
import type { CredentialStore, CredentialToCreate, EmulatedCredential } from "./store.js";

/** Credential to create, in the default project unless `projectId` is given. */
export type NewEmulatedCredential = Omit<CredentialToCreate, "projectId"> & {
  readonly projectId?: string | undefined;
};

const values = z.record(z.string(), anyText, "must be an object of strings");

/** Credential in a seed. @internal */
export const credentialEntry = exactly({
  id: id.optional(),
  project,
  name: named("Unique within the project."),
  domain: text(domainProblem, { description: "Domain of the credential, such as example.com." }),
  values: values.describe("Values by field of the login, such as username."),
});

type Entry = z.infer<typeof credentialEntry>;

/** Credentials, without a client. Methods throw `InputError` for an unknown id. */
export class EmulatedCredentials extends ObjectControls<EmulatedCredential> {
  /** @internal */
  declare protected readonly table: CredentialStore;

  /** @internal */
  readonly operations = { setFields: only("fields", values), remove: noArgument };

  /** Creates a credential, by default in the default project. The name must be free. */
  create({ projectId, ...credential }: NewEmulatedCredential): EmulatedCredential {
    const made = { ...credential, projectId: this.projectId(projectId) };
    return this.stored(this.table.insert(made), credential.name);
  }

  /** Sets values of a credential, like a login that stores the entered values. */
  setFields(id: string, fields: Readonly<Record<string, string>>): void {
    this.table.update(this.require(id), { fields });
  }

  /** @internal */
  createFrom({ project, values: fields, ...credential }: Entry, projectId: string): EmulatedCredential {
    return this.create({ ...credential, fields, projectId });
  }
}
