/** The shapes of the events of a login flow on the wire, by the rules of `wire.ts`. */
import { z } from "zod";
import { dateTime, errorBodySchema } from "./extension.js";
import {
  type LoginFlowDetails,
  type LoginFlowStatus,
  type LoginFlowStep,
  type LoginFlowType,
  loginFlowDetails,
  loginFlowWire,
} from "./login.js";

/** How the flow stands, as the service sends it. Source: the service's published interface description. */
export const loginStateEventWire = z.object({
  event: z.literal("managed_auth_state"),
  timestamp: dateTime,
  flow_status: z.string().min(1),
  flow_step: z.string().min(1),
  flow_type: z.string().nullish(),
  ...loginFlowWire.shape,
});

/** An error of the service's own, as it sends it. What explains the error is read as tolerantly as in an error answer. */
export const loginErrorEventWire = z.object({
  event: z.literal("error"),
  timestamp: dateTime,
  error: errorBodySchema,
});

/** A sign of life, as the service sends it. */
export const loginHeartbeatEventWire = z.object({
  event: z.literal("sse_heartbeat"),
  timestamp: dateTime,
});

/** How a login flow stands. */
export interface LoginStateEvent extends LoginFlowDetails {
  readonly event: "managed_auth_state";
  /** Who said so: the event stream, or the connection's record, which is read where the stream may have missed something. */
  readonly origin: "stream" | "connection";
  /** When the service reported it, or when the record was read, as an ISO 8601 date-time. */
  readonly timestamp: string;
  readonly flowStatus: LoginFlowStatus;
  /** Never null in an event of the stream. */
  readonly flowStep: LoginFlowStep | null;
  readonly flowType: LoginFlowType | null;
}

/** A code and words, either of which the service may leave out. */
export interface LoginErrorDetail {
  readonly code: string | null;
  readonly message: string | null;
}

/** An error that the service reports inside an open stream. It says nothing of how the login ends. */
export interface LoginErrorEvent {
  readonly event: "error";
  readonly timestamp: string;
  readonly error: LoginErrorDetail & {
    readonly details: readonly LoginErrorDetail[];
    readonly innerError: LoginErrorDetail | null;
  };
}

/** A sign of life while nothing happens. */
export interface LoginHeartbeatEvent {
  readonly event: "sse_heartbeat";
  readonly timestamp: string;
}

/** What following a login gives. `event` tells the kinds apart. */
export type LoginEvent = LoginStateEvent | LoginErrorEvent | LoginHeartbeatEvent;

const detail = (wire: { code?: string | undefined; message?: string | undefined }): LoginErrorDetail => ({
  code: wire.code ?? null,
  message: wire.message ?? null,
});

/** Reads events into our own names, by the value of their member `event`. Other values are of no known kind. */
export const loginEventSchemas: Readonly<Record<LoginEvent["event"], z.ZodType<LoginEvent>>> = {
  managed_auth_state: loginStateEventWire.transform((wire) => ({
    event: wire.event,
    origin: "stream" as const,
    timestamp: wire.timestamp,
    flowStatus: wire.flow_status,
    flowStep: wire.flow_step,
    flowType: wire.flow_type ?? null,
    ...loginFlowDetails(wire),
  })),
  error: loginErrorEventWire.transform(({ event, timestamp, error }) => ({
    event,
    timestamp,
    error: {
      ...detail({
        code: error.code ?? error.error?.code,
        message: error.message ?? error.error?.message,
      }),
      details:
        typeof error.details === "string"
          ? [detail({ message: error.details })]
          : (error.details ?? []).map(detail),
      innerError: error.inner_error === undefined ? null : detail(error.inner_error),
    },
  })),
  sse_heartbeat: loginHeartbeatEventWire,
};
