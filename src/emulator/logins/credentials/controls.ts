import { z } from "zod";
import { id, named, noArgument, only, project, text } from "../../http/seed-members.js";
import { exactly, notAString } from "../../http/shapes.js";
import { ObjectControls } from "../../objects/controls.js";
import type { EmulatedProjects } from "../../organization/projects/store.js";
import { domainProblem } from "../auth-connections/auth-connection.js";
import type { CredentialStore, CredentialToCreate, EmulatedCredential } from "./store.js";

/** Credential to create, in the default project unless `projectId` is given. */
export type NewEmulatedCredential = Omit<CredentialToCreate, "projectId"> & {
  readonly projectId?: string | undefined;
};

const values = z.record(z.string(), z.string(notAString), "must be an object of strings");

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
  readonly #credentials: CredentialStore;

  /** @internal */
  readonly entry = credentialEntry;

  /** @internal */
  readonly operations = { setFields: only("fields", values), remove: noArgument };

  /** @internal */
  constructor(credentials: CredentialStore, projects: EmulatedProjects) {
    super("credential_unknown", credentials, projects);
    this.#credentials = credentials;
  }

  /** Creates a credential, by default in the default project. The name must be free. */
  create({ projectId, ...credential }: NewEmulatedCredential): EmulatedCredential {
    return this.#credentials.create({ ...credential, projectId: this.projectId(projectId) });
  }

  /** Sets values of a credential, like a login that stores the entered values. */
  setFields(id: string, fields: Readonly<Record<string, string>>): void {
    this.#credentials.update(this.require(id), { fields });
  }

  /** @internal */
  existing(entry: Entry, projectId: string): { readonly id: string } | undefined {
    return this.#credentials.existing(entry, projectId);
  }

  /** @internal */
  createFrom({ project, values: fields, ...credential }: Entry, projectId: string): EmulatedCredential {
    return this.create({ ...credential, fields, projectId });
  }
}
