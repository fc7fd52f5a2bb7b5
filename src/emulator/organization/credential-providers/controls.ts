import { z } from "zod";
import { id, named, noArgument, only } from "../../http/seed-members.js";
import { exactly, filledText, flag, wholeNumber } from "../../http/shapes.js";
import { ObjectControls } from "../../objects/controls.js";
import type {
  CredentialProviderStore,
  CredentialProviderToCreate,
  EmulatedCredentialProvider,
} from "./store.js";

const enabled = flag.optional().describe("Whether logins may read from the provider. Default: true.");

/** Credential provider in a seed. @internal */
export const credentialProviderEntry = exactly({
  id: id.optional(),
  name: named("Unique within the organization."),
  token: filledText.describe("Works if it begins with ops_."),
  cacheTtlSeconds: wholeNumber(0).optional().describe("Default: 300."),
  enabled,
  priority: z.int("must be a whole number").optional().describe("Default: 0."),
});

/** Credential providers, without a client. Methods throw `InputError` for an unknown id. */
export class EmulatedCredentialProviders extends ObjectControls<EmulatedCredentialProvider> {
  /** @internal */
  declare protected readonly table: CredentialProviderStore;

  /** @internal */
  readonly operations = { setEnabled: only("enabled", flag), remove: noArgument };

  /** Creates a provider. The name must be free. */
  create(provider: CredentialProviderToCreate): EmulatedCredentialProvider {
    return this.stored(this.table.insert(provider), provider.name);
  }

  /** Enables or disables a provider, like somebody in the dashboard. */
  setEnabled(id: string, enabled: boolean): void {
    this.table.update(this.require(id), { enabled });
  }

  /** @internal */
  createFrom(entry: z.infer<typeof credentialProviderEntry>): EmulatedCredentialProvider {
    return this.create(entry);
  }
}
