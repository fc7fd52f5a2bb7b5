import { z } from "zod";
import type { AuthContext } from "../types.js";
import { orNull } from "./answer.js";

const projectScope = z.object({ project_id: orNull(z.string()) });

/** The answer of `GET /auth/context`. Source: the service's published clients. */
export const authContextSchema: z.ZodType<AuthContext> = z
  .object({
    authentication: z.object({
      method: z.string(),
      source: z.string(),
      credential_id: orNull(z.string()),
    }),
    authorization: z.object({ credential_scope: projectScope, effective_scope: projectScope }),
    organization: z.object({ id: z.string() }),
    principal: z.object({ id: z.string(), type: z.string() }),
  })
  .transform(({ authentication, authorization, organization, principal }) => ({
    method: authentication.method,
    source: authentication.source,
    credentialId: authentication.credential_id,
    credentialProjectId: authorization.credential_scope.project_id,
    effectiveProjectId: authorization.effective_scope.project_id,
    organizationId: organization.id,
    principal,
  }));
