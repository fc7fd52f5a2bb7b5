import { ApiError } from "../../errors.js";
import type { CleanText } from "../service-text.js";
import { errorBodySchema } from "../wire/answer.js";
import type { Call, Reply } from "./exchange.js";
import { mediaType } from "./json.js";

/** Where the settings came from, for the advice that follows an error. */
export type Origins = Partial<Record<"apiKey" | "baseUrl" | "projectId", string>>;

/** Turns an answer with status 300 or above into an `ApiError`. `note` is a sentence on repeats, or empty. */
export function refusal(
  call: Call,
  reply: Reply,
  note: string,
  clean: CleanText,
  origins: Origins,
): ApiError {
  const { status, context } = reply;
  const redirected = status < 400;
  const service = redirected
    ? { code: undefined, message: redirectTarget(reply, clean) }
    : readServiceError(reply, clean);
  const sentences = [
    `${call.doing} failed: ${[[status, service.code].filter(Boolean).join(" "), service.message].filter(Boolean).join(", ")}.`,
    note,
    redirected ? redirectAdvice : advice(call, status, service.code, origins),
    context.requestId === undefined ? "" : `Request id: ${context.requestId}.`,
  ];
  const code = redirected ? "redirect_refused" : (service.code ?? `http_${status}`);
  return new ApiError(code, sentences.filter(Boolean).join(" "), {
    status,
    serviceCode: service.code,
    request: context,
  });
}

/**
 * Whether an error says that the thing is gone: status 404 *with* the service's code `not_found`. A 404 of a proxy, of a wrong base URL
 * (no such code), or of an unknown project (`project_not_found`) says nothing about the thing itself.
 */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404 && error.serviceCode === "not_found";
}

/** The service's own code and words, cleaned. A code that is not snake_case of at most 64 characters is dropped. */
function readServiceError(reply: Reply, clean: CleanText): { code: string | undefined; message: string } {
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
  const code = clean(body.data.code ?? error?.code ?? "");
  const more = typeof details === "string" ? [details] : (details ?? []).map((detail) => detail.message);
  const parts = [body.data.message ?? error?.message, inner_error?.message, ...more].filter(
    (part) => part !== undefined && part !== "",
  );
  // Each part once: services repeat the outer message inside.
  const message = clean([...new Set(parts)].join("; ")).replace(/\.+$/, "");
  return { code: /^[a-z][a-z0-9_]{0,63}$/.test(code) ? code : undefined, message };
}

/** Text of a proxy's error page is left out: it is long, and it is not the service's. */
function describeForeignBody(reply: Reply): string {
  if (reply.bytes.byteLength === 0) {
    return "with an empty body";
  }
  const page =
    mediaType(reply.header("content-type")) === "text/html" ? "an HTML page" : "a body that is not JSON";
  return `with ${page}, so perhaps from something between here and the service`;
}

const redirectAdvice =
  "Redirects are never followed, so that the API key and the body reach only the host named in the base URL. Set the base URL to the service's own address.";

/** Names the host only: path and query of a redirect may hold a token. */
function redirectTarget(reply: Reply, clean: CleanText): string {
  const location = reply.header("location");
  if (location === undefined) {
    return "a redirect without a target";
  }
  const absolute = /^(?:https?:)?\/\//i.test(location) && URL.canParse(location, "https://base.invalid");
  return absolute
    ? `a redirect to ${clean(new URL(location, "https://base.invalid").host)}`
    : "a redirect within the same host";
}

/** What to do, by the service's code. Sources: the service's documentation and its tools. */
const adviceByCode: Readonly<Record<string, string>> = {
  projects_disabled:
    "This organization is not set up for projects: leave the project id out, and read no projects.",
  resource_in_use: "Something still uses it, for instance a browser pool; take it out there first.",
  sdk_update_required: "Upgrade pulumi-browser-infra.",
  sdk_upgrade_required: "Upgrade pulumi-browser-infra.",
};

/** What to do, by status, when the code says nothing more exact. */
const adviceByStatus: Readonly<Record<number, string>> = {
  400: "Correct what the service objects to.",
  403: "Check that the API key may act on this project, and that the plan of the organization allows it.",
  404: "Check the id or name, the project, and that this API key may see it; an answer without code not_found may also mean a wrong base URL.",
  409: "The name is taken in this project: choose another, or import or delete what has it.",
  413: "Make the archive smaller.",
  422: "Correct what the service objects to.",
  429: "The organization has sent too many requests: wait, or run fewer operations at once.",
};

function advice(
  { ifNotFound, method }: Call,
  status: number,
  code: string | undefined,
  origins: Origins,
): string {
  if (status === 404 && code === "not_found" && ifNotFound !== undefined) {
    return ifNotFound;
  }
  if (code === "project_not_found") {
    return `Check the project id${from(origins.projectId)}: it is unknown or archived.`;
  }
  if (status === 401) {
    return `Check the API key${from(origins.apiKey)}: it may be mistyped, expired or deleted.`;
  }
  if (code !== undefined && Object.hasOwn(adviceByCode, code)) {
    return adviceByCode[code] ?? "";
  }
  // A read takes no name: what clashes with it passes.
  if (status === 409 && method === "GET") {
    return "Try again later.";
  }
  return (
    adviceByStatus[status] ??
    (status >= 500 ? "Try again later." : "See the service's documentation for this status.")
  );
}

function from(origin: string | undefined): string {
  return origin === undefined ? "" : ` (${origin})`;
}
