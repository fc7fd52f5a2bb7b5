import { z } from "zod";
import type { AuthConnection } from "../records/auth-connection.js";
import type { StartedLogin } from "../records/login.js";
import { anyId, dateTime, ifReadable, inOurNames, listOf, orNull, record, recordId } from "./answer.js";
import { loginFlowShape } from "./login.js";

const text = ifReadable(z.string());
const flag = ifReadable(z.boolean());

/**
 * An auth connection. The members up to `status` are certain. The certain members and `flow_status`
 * decide whether there is a login to wait for, and how the login ended.
 */
export const authConnectionSchema: z.ZodType<AuthConnection> = z
  .object({
    id: recordId,
    domain: z.string(),
    profile_name: z.string(),
    status: z.string().min(1),
    save_credentials: flag,
    record_session: flag,
    allowed_domains: listOf(z.string()),
    login_url: text,
    credential: ifReadable(record({ name: text, provider: text, path: text, auto: flag })),
    sso_provider: text,
    proxy_id: ifReadable(anyId),
    browser: ifReadable(
      record({ region: text, stealth: flag, proxy: ifReadable(record({ id: ifReadable(anyId) })) }),
    ),
    health_checks: flag,
    health_check_interval: ifReadable(z.int().nonnegative()),
    last_auth_at: ifReadable(dateTime),
    last_auth_check_at: ifReadable(dateTime),
    auto_reauth: flag,
    can_reauth: flag,
    can_reauth_reason: text,
    browser_session_id: ifReadable(anyId),
    flow_status: orNull(z.string()),
    flow_step: text,
    flow_type: text,
    flow_expires_at: ifReadable(dateTime),
    ...loginFlowShape,
  })
  // The older name suggests the login but has always meant the check.
  .transform(({ last_auth_at, last_auth_check_at, browser, proxy_id, ...wire }) => ({
    ...inOurNames(wire),
    proxyId: browser?.proxy?.id ?? proxy_id,
    region: browser?.region ?? null,
    stealth: browser?.stealth ?? null,
    lastAuthCheckAt: last_auth_check_at ?? last_auth_at,
  }));

/**
 * Response to the start of a login. The id proves that the login was started, and no other member
 * may turn the result into "unknown".
 */
export const startedLoginSchema: z.ZodType<StartedLogin> = record({
  id: recordId,
  flow_type: text,
  flow_expires_at: ifReadable(dateTime),
  hosted_url: text,
  live_view_url: text,
});
