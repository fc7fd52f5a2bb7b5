import { ApiError, type RequestContext } from "../../errors.js";
import type { CleanText, Redaction } from "../../text/redact.js";
import { paragraph } from "../../text/words.js";
import { errorBodySchema } from "../schema.js";
import type { Failure, HttpCall, HttpResponse } from "./call.js";
import { contextOf } from "./failures.js";
import { mediaType } from "./json.js";
import type { RetryOptions } from "./retry/options.js";
import { parsePerMinute, parseRetryAfter } from "./retry/retry-after.js";

/** Sources of the settings, for errors: `environment variable BROWSER_INFRA_API_KEY`. */
export type Origins = Partial<Record<"apiKey" | "baseUrl" | "projectId", string>>;

/** Client settings for the explanation of a response. */
interface ExplanationSettings {
  readonly redaction: Redaction;
  readonly origins: Origins;
  readonly baseUrl: string;
  readonly retry: RetryOptions;
}

/** Statuses of transient errors. 520 to 529 come from content delivery networks. */
const transientStatuses: ReadonlySet<number> = new Set([
  ...[408, 425, 429, 500, 502, 503, 504, 507],
  ...[520, 521, 522, 523, 524, 525, 526, 527, 529],
]);

/** Statuses of a time limit: of the server for the request (408), or of a gateway for the server. */
const timeoutStatuses: ReadonlySet<number> = new Set([408, 504, 522, 524]);

/** Statuses of a transient refusal that leaves nothing carried out. */
const throttlingStatuses: ReadonlySet<number> = new Set([425, 429]);

/** Status for an operation unknown to the service, and therefore not carried out. */
const notImplemented = 501;

/** Creates the failure for a response with status 300 or above. */
export function failureOfResponse(
  settings: ExplanationSettings,
  call: HttpCall,
  reply: HttpResponse,
): Failure {
  const { status, header } = reply;
  const throttled = throttlingStatuses.has(status);
  const refusalOf = (waiting: HttpCall) =>
    failureOfResponse(settings, waiting, { ...reply, context: contextOf(waiting) });
  return {
    error: (note) => apiError(settings, call, reply, note),
    isTransient: transientStatuses.has(status),
    isThrottled: throttled,
    refusalOf: throttled ? refusalOf : undefined,
    requestsPerMinute: parsePerMinute(header),
    isTimeout: timeoutStatuses.has(status),
    retryAfterMs: parseRetryAfter(header, settings.retry.clock.now()),
    isRetryForbidden: header("x-should-retry")?.trim().toLowerCase() === "false",
    unknownOutcomeReason: isOutcomeUnknown(status) ? describeUnknownOutcome(reply, settings) : undefined,
  };
}

/** Whether a request may have been carried out: a gateway may redirect after the work. */
export function isOutcomeUnknown(status: number): boolean {
  return isRedirect(status) || status === 408 || (status >= 500 && status !== notImplemented);
}

function isRedirect(status: number): boolean {
  return status < 400;
}

/** Reason why the outcome of a write is unknown, as a clause: lower case, no full stop. */
function describeUnknownOutcome(reply: HttpResponse, { redaction }: ExplanationSettings): string {
  const answered = `the service answered ${reply.status}`;
  return isRedirect(reply.status)
    ? `${answered}, ${redirectTarget(reply, redaction.clean)}, which is not followed. Check that the base URL is the service's own`
    : answered;
}

function apiError(
  settings: ExplanationSettings,
  call: HttpCall,
  reply: HttpResponse,
  note: string,
): ApiError {
  const { clean } = settings.redaction;
  const { status, context } = reply;
  const { code: serviceCode, message: why } = isRedirect(status)
    ? { code: undefined, message: redirectTarget(reply, clean) }
    : readServiceError(reply);
  const answered = [paragraph(String(status), serviceCode), why].filter(Boolean).join(", ");
  const message = paragraph(
    `${call.operation} failed: ${answered}.`,
    note,
    isRedirect(status) ? redirectAdvice : advice(call, status, serviceCode, settings),
    requestIdText(context),
  );
  const code = isRedirect(status) ? "redirect_refused" : (serviceCode ?? `http_${status}`);
  return new ApiError(code, message, { status, serviceCode, request: context });
}

/** Sentence with the request id, by which the service finds the call; empty without an id. */
export function requestIdText({ requestId }: RequestContext): string {
  return requestId === undefined ? "" : `Request id: ${requestId}.`;
}

/** Reads the service's code and message, cleaned. Drops a code that is not short snake_case. */
function readServiceError(reply: HttpResponse): { code: string | undefined; message: string } {
  const { redaction } = reply;
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(reply.bytes).toString("utf8"));
  } catch {
    return { code: undefined, message: describeForeignBody(reply) };
  }
  const body = errorBodySchema.safeParse(value);
  if (!body.success) {
    return { code: undefined, message: "without an explanation" };
  }
  const { error, inner_error, details } = body.data;
  const code = body.data.code ?? error?.code ?? "";
  const more = typeof details === "string" ? [details] : (details ?? []).map((detail) => detail.message);
  const parts = [body.data.message ?? error?.message, inner_error?.message, ...more].filter(
    (part) => part !== undefined && part !== "",
  );
  // Every part once: services repeat the outer message inside.
  const message = redaction.clean([...new Set(parts)].join("; ")).replace(/\.+$/, "");
  const isCode = /^[a-z][a-z0-9_]{0,63}$/.test(code) && !redaction.isSecretCode(code);
  return { code: isCode ? code : undefined, message };
}

/** Omits the text of a proxy's error page: the page is long, and does not come from the service. */
function describeForeignBody(reply: HttpResponse): string {
  if (reply.bytes.byteLength === 0) {
    return "with an empty body";
  }
  const isPage = mediaType(reply.header("content-type")) === "text/html";
  return `with ${isPage ? "an HTML page" : "a body that is not JSON"}, perhaps from a proxy in between`;
}

const redirectAdvice =
  "Redirects are never followed, so that the API key and the body reach only the host in the base URL. " +
  "Set the base URL to the service's own URL.";

/** Names only the host, because the path and the query of a redirect may contain a token. */
function redirectTarget(reply: HttpResponse, clean: CleanText): string {
  const location = reply.header("location");
  if (location === undefined) {
    return "a redirect without a target";
  }
  const url = /^(?:https?:)?\/\//i.test(location) ? URL.parse(location, "https://base.invalid") : null;
  return url === null ? "a redirect within the same host" : `a redirect to ${clean(url.host)}`;
}

/** Advice by the service's code. Sources: the service's documentation and its tools. */
const adviceByCode: Readonly<Record<string, string>> = {
  pool_in_use: "Release the leased browsers and try again, or force the deletion, which ends the browsers.",
  projects_disabled:
    "This organization has no projects: remove the project id, and do not list or read projects.",
  resource_in_use:
    "The object is still in use, for example in a browser pool. Remove the object there first.",
  stale_network: "The network of the pool has changed since the last read, so nothing was changed.",
  limit_exceeded:
    "Make the browser pools smaller, or raise the limit: a ProjectLimits or an OrganizationLimits can.",
  sdk_update_required: "Upgrade pulumi-browser-infra.",
  sdk_upgrade_required: "Upgrade pulumi-browser-infra.",
};

/** Codes that say no more than the status. Only such a refusal gets the general advice of a status. */
const generalCodes: ReadonlySet<string> = new Set([
  ...["bad_request", "invalid_request", "validation_error", "unprocessable_entity", "invalid_argument"],
  ...["forbidden", "unauthorized", "permission_denied", "not_found", "conflict", "already_exists"],
  ...[
    "payload_too_large",
    "too_large",
    "rate_limited",
    "rate_limit_exceeded",
    "too_many_requests",
    "not_implemented",
  ],
]);

const fixAndRetry = "Fix what the service reports above and try again.";

/** Advice by status, for codes without specific advice. */
const adviceByStatus: Readonly<Record<number, string>> = {
  400: fixAndRetry,
  403: "Check that the API key has access to this project and that the organization's plan allows it.",
  404:
    "Check the id or name, the project, and that this API key has access to it. " +
    "A 404 without the code not_found may also mean a wrong base URL.",
  409: fixAndRetry,
  413: "Make the archive smaller.",
  422: fixAndRetry,
  429: "The organization has sent too many requests: wait, or run fewer operations at once.",
  [notImplemented]: "This service does not support the operation. Check that the base URL is the service's.",
};

function advice(
  call: HttpCall,
  status: number,
  code: string | undefined,
  settings: ExplanationSettings,
): string {
  const { origins, baseUrl } = settings;
  if (status === 404 && code === "not_found" && call.notFoundAdvice !== undefined) {
    return call.notFoundAdvice;
  }
  if (code === "project_not_found") {
    return `Check the project id${originText(origins.projectId)}: it is unknown or archived.`;
  }
  if (status === 401) {
    return `Check the API key${originText(origins.apiKey)}: it may be mistyped, expired or deleted.`;
  }
  if (code !== undefined && Object.hasOwn(adviceByCode, code)) {
    return adviceByCode[code] ?? "";
  }
  if (status === 409 && call.conflictAdvice !== undefined) {
    return call.conflictAdvice;
  }
  if (status === 404 && code !== "not_found" && new URL(baseUrl).pathname !== "/") {
    // The path is not shown: people paste keys into the wrong place.
    return `The base URL${originText(origins.baseUrl)} has a path: end it after the host, unless a gateway needs the path.`;
  }
  // A read changes nothing, so a conflict is transient.
  if ((status >= 500 && status !== notImplemented) || (status === 409 && call.method === "GET")) {
    return "Try again later.";
  }
  if (code !== undefined && status !== notImplemented && !generalCodes.has(code)) {
    return "";
  }
  return adviceByStatus[status] ?? "See the service's documentation for this status.";
}

function originText(origin: string | undefined): string {
  return origin === undefined ? "" : ` (${origin})`;
}
