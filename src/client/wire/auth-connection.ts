import { z } from "zod";
import type { AuthConnection } from "../types.js";
import { dateTime, inOurNames, listOf, orNull, record, recordId } from "./answer.js";
import { loginFlowShape } from "./login.js";

const text = orNull(z.string());
const flag = orNull(z.boolean());

/** An auth connection. Only the first six members are certain. */
export const authConnectionSchema: z.ZodType<AuthConnection> = z
  .object({
    id: recordId,
    domain: z.string(),
    profile_name: z.string(),
    status: z.string().min(1),
    save_credentials: z.boolean(),
    record_session: z.boolean(),
    allowed_domains: listOf(z.string()),
    login_url: text,
    credential: orNull(record({ name: text, provider: text, path: text, auto: flag })),
    sso_provider: text,
    proxy_id: text,
    health_checks: flag,
    health_check_interval: orNull(z.int().nonnegative()),
    last_auth_at: orNull(dateTime),
    last_auth_check_at: orNull(dateTime),
    auto_reauth: flag,
    can_reauth: flag,
    can_reauth_reason: text,
    browser_session_id: text,
    flow_status: text,
    flow_step: text,
    flow_type: text,
    flow_expires_at: orNull(dateTime),
    ...loginFlowShape,
  })
  // The older name says login and has always meant the check.
  .transform(({ last_auth_at, last_auth_check_at, ...wire }) => ({
    ...inOurNames(wire),
    lastAuthCheckAt: last_auth_check_at ?? last_auth_at,
  }));
