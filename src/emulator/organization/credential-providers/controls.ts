import { z } from "zod";
import { id, named, noArgument, only } from "../../http/seed-members.js";
import { exactly, filledText, flag, wholeNumber } from "../../http/shapes.js";
import { type Lacks, ObjectControls, placeholder, type Written } from "../../objects/controls.js";
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

type Entry = z.infer<typeof credentialProviderEntry>;

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
  createFrom(entry: Entry): EmulatedCredentialProvider {
    return this.create(entry);
  }

  /** @internal */
  written(provider: EmulatedCredentialProvider, lacks: Lacks): Written<Entry> {
    const { id, name, cacheTtlSeconds, enabled, priority } = provider;
    // A token that works stays a token that works.
    const token = this.table.itemsOf(provider) ? `ops_${placeholder}` : placeholder;
    lacks(`the token is ${token}.`);
    return { id, name, token, cacheTtlSeconds, enabled, priority };
  }
}
