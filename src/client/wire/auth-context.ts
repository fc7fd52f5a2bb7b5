/** The shape of what the service tells a caller about itself, by the rules of `wire.ts`. */
import { z } from "zod";

const projectScope = z.object({ project_id: z.string().nullish() });

/** What `GET /auth/context` sends. Source: the service's published clients. */
export const authContextWire = z.object({
  authentication: z.object({
    method: z.string(),
    source: z.string(),
    credential_id: z.string().nullish(),
  }),
  authorization: z.object({ credential_scope: projectScope, effective_scope: projectScope }),
  organization: z.object({ id: z.string() }),
  principal: z.object({ id: z.string(), type: z.string() }),
});

/** Who the service takes a caller for, and what the caller may reach. */
export interface AuthContext {
  /** How it authenticated: `api_key` or `jwt`. The set is open. */
  readonly method: string;
  /** Where the credential came from: `api_key`, `oauth` or `dashboard`. The set is open. */
  readonly source: string;
  /** Id of the credential, for an API key most likely the key's own; null when it has none. */
  readonly credentialId: string | null;
  /** Project the credential is scoped to; null for the whole organization. */
  readonly credentialProjectId: string | null;
  /** Project that requests as this one act in; null when neither the credential nor the request names one. */
  readonly effectiveProjectId: string | null;
  /** Id of the organization. */
  readonly organizationId: string;
  /** Who acts: an `api_key` or a `user`, with its id. The set of types is open. */
  readonly principal: { readonly id: string; readonly type: string };
}

/** Reads the context of a caller into our own names. */
export const authContextSchema: z.ZodType<AuthContext> = authContextWire.transform((wire) => ({
  method: wire.authentication.method,
  source: wire.authentication.source,
  credentialId: wire.authentication.credential_id ?? null,
  credentialProjectId: wire.authorization.credential_scope.project_id ?? null,
  effectiveProjectId: wire.authorization.effective_scope.project_id ?? null,
  organizationId: wire.organization.id,
  principal: { id: wire.principal.id, type: wire.principal.type },
}));
