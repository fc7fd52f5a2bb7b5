/** A login flow, in the events of its stream and in the connection's record. */
import { z } from "zod";
import type { LoginErrorDetail, LoginErrorEvent, LoginEvent, LoginFlowDetails } from "../records/login.js";
import { anyId, dateTime, errorBodySchema, ifReadable, inOurNames, listOf, record } from "./answer.js";

const text = ifReadable(z.string());
const required = ifReadable(z.boolean()).transform((value) => value ?? true);

const field = record({
  id: anyId,
  ref: z.string(),
  type: z.string(),
  label: text,
  required,
  observed_selector: text,
});

const option = { id: anyId, label: z.string(), description: text };

const discoveredField = record({
  name: z.string(),
  type: z.string(),
  label: z.string(),
  placeholder: text,
  required,
  selector: z.string(),
  linked_mfa_type: text,
  hint: text,
});

/**
 * Members shared by state events and the connection's record. Every member may be absent or null.
 * The members inform a person and decide nothing, so an unreadable member counts as absent.
 */
export const loginFlowShape = {
  fields: listOf(field),
  choices: listOf(record({ ...option, type: z.string(), observed_selector: text })),
  discovered_fields: listOf(discoveredField),
  mfa_options: listOf(record({ type: z.string(), label: z.string(), target: text, description: text })),
  sign_in_options: listOf(record(option)),
  pending_sso_buttons: listOf(record({ selector: z.string(), provider: z.string(), label: z.string() })),
  external_action_message: text,
  website_error: text,
  error_message: text,
  error_code: text,
  post_login_url: text,
  live_view_url: text,
  hosted_url: text,
};

/** Names of the shared members, in our own form. */
export const loginFlowMembers = Object.keys(inOurNames(loginFlowShape)) as (keyof LoginFlowDetails)[];

const timestamp = ifReadable(dateTime);

const stateEvent = z
  .object({
    event: z.literal("managed_auth_state"),
    timestamp,
    flow_status: z.string().min(1),
    flow_step: ifReadable(z.string().min(1)),
    flow_type: text,
    ...loginFlowShape,
  })
  .transform((wire) => Object.assign(inOurNames(wire), { origin: "stream" as const }));

const detail = (wire: Partial<Record<"code" | "message", string | undefined>>): LoginErrorDetail => ({
  code: wire.code ?? null,
  message: wire.message ?? null,
});

/** The explanation is read as tolerantly as in an error response. */
const errorEvent: z.ZodType<LoginErrorEvent> = z
  .object({ event: z.literal("error"), timestamp, error: errorBodySchema })
  .transform(({ error: { code, message, error, details = [], inner_error }, ...wire }) => ({
    ...wire,
    error: {
      ...detail({ code: code ?? error?.code, message: message ?? error?.message }),
      details: (typeof details === "string" ? [{ message: details }] : details).map(detail),
      innerError: inner_error === undefined ? null : detail(inner_error),
    },
  }));

/** Schemas of the events, by the value of `event`. Any other value is an unknown kind. */
export const loginEventSchemas: Readonly<Record<LoginEvent["event"], z.ZodType<LoginEvent>>> = {
  managed_auth_state: stateEvent,
  error: errorEvent,
  sse_heartbeat: z.object({ event: z.literal("sse_heartbeat"), timestamp }),
};
