import { z } from "zod";
import { id, named, noArgument, only, project, text } from "../../http/seed-members.js";
import { anyText, exactly } from "../../http/shapes.js";
import {
  type Lacks,
  ObjectControls,
  placeholder,
  placeholders,
  type Written,
} from "../../objects/controls.js";
import { domainProblem } from "../auth-connections/auth-connection.js";
import { totpShape } from "./routes.js";
import type { CredentialStore, CredentialToCreate, EmulatedCredential } from "./store.js";

/** Credential to create, in the default project unless `projectId` is given. */
export type NewEmulatedCredential = Omit<CredentialToCreate, "projectId"> & {
  readonly projectId?: string | undefined;
};

/** Secret of one-time codes in a saved seed: a secret is in base32. */
const totpPlaceholder = "REPLACEME";

const values = z.record(z.string(), anyText, "must be an object of strings");

/** Credential in a seed. @internal */
export const credentialEntry = exactly({
  id: id.optional(),
  project,
  name: named("Unique within the project."),
  domain: text(domainProblem, { description: "Domain of the credential, such as example.com." }),
  values: values.describe("Values by field of the login, such as username."),
  ssoProvider: anyText.optional().describe("Identity provider, such as google. Default: none."),
  totp: totpShape.optional().describe("Settings of one-time codes. Default: none."),
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

  /** @internal */
  written(credential: EmulatedCredential, lacks: Lacks): Written<Entry> {
    const { id, name, domain, fields, ssoProvider, totp } = credential;
    lacks(`each of the values is ${placeholder}.`);
    if (totp) {
      lacks(`the secret of the one-time codes is ${totpPlaceholder}.`);
    }
    return {
      ...{ id, name, domain, ssoProvider, totp: totp && { ...totp, secret: totpPlaceholder } },
      values: placeholders(fields),
    };
  }
}
