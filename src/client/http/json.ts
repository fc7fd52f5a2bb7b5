import type { z } from "zod";
import type { ContractError } from "../../errors.js";
import type { Redaction } from "../../text/redact.js";
import type { HttpCall, HttpResponse, RequestBody } from "./call.js";
import { unexpectedResponseError } from "./failures.js";

/** Largest JSON body accepted, in bytes. A full page of a hundred extensions has about 40 KiB. */
export const jsonBytesMax = 1_048_576;

/** Reads a JSON body. Throws `ContractError`, which never contains a value of the body. */
export function readJson<T>(reply: HttpResponse, schema: z.ZodType<T>, call: Pick<HttpCall, "operation">): T {
  const fail = (what: string) => unexpectedResponseError(call, reply.context, what);
  if (reply.bytes.byteLength === 0) {
    throw fail(`expected JSON, got an empty body (status ${reply.status})`);
  }
  const value = parseJson(reply, fail);
  const { data, error } = schema.safeParse(value);
  if (error !== undefined) {
    throw fail(describeMismatch(error, value, "the body"));
  }
  return data;
}

/** Throws `ContractError` unless a response proves a deletion. A network may send a page. */
export function checkDeleted(reply: HttpResponse, call: Pick<HttpCall, "operation">): void {
  const { status } = reply;
  const fail = (what: string) => unexpectedResponseError(call, reply.context, what);
  if (![200, 202, 204].includes(status)) {
    throw fail(`status ${status} does not confirm a deletion`);
  }
  if (isHtmlPage(reply)) {
    throw fail("an HTML page does not confirm a deletion");
  }
}

/** Whether a body is a page, by the type or by the beginning. */
function isHtmlPage({ header, bytes }: HttpResponse): boolean {
  const isHtml = mediaType(header("content-type")) === "text/html";
  return bytes.byteLength > 0 && (isHtml || /^\s*</.test(new TextDecoder().decode(bytes)));
}

/** Parses the JSON body of a success response. */
function parseJson(reply: HttpResponse, fail: (what: string) => ContractError): unknown {
  const type = mediaType(reply.header("content-type"));
  if (!/^application\/(?:[a-z0-9.+-]+\+)?json$/.test(type)) {
    const got = type === "text/html" ? "an HTML page" : "a body without a JSON content type";
    throw fail(`expected JSON, got ${got}`);
  }
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(reply.bytes);
    return withoutSecrets<unknown>(JSON.parse(text), reply.redaction);
  } catch (error) {
    throw fail(error instanceof SyntaxError ? "the body is not valid JSON" : "the body is not valid UTF-8");
  }
}

/** Describes the wrong member of `value`. `subject` names the value itself. */
export function describeMismatch(error: z.ZodError, value: unknown, subject: string): string {
  const issue = error.issues[0];
  const path = issue?.path ?? [];
  const where = path.length === 0 ? subject : `"${formatPath(path)}"`;
  return `${where} should be ${issue === undefined ? "valid" : expectation(issue)}, got ${kindAt(value, path)}`;
}

/** Members of requests whose contents no message may repeat. */
const secretMembers: readonly string[] = [
  "values",
  "totp_secret",
  "token",
  "password",
  "ca_bundle",
  "headers",
];

export function jsonBody(value: unknown): RequestBody {
  const bytes = Buffer.from(JSON.stringify(value));
  return {
    contentType: "application/json",
    byteLength: bytes.byteLength,
    secrets: secretsIn(value, false),
    chunks: async function* () {
      yield bytes;
    },
  };
}

/** The strings in secret members of a value, at any depth. */
function secretsIn(value: unknown, isSecret: boolean): string[] {
  if (typeof value !== "object" || value === null) {
    return isSecret && typeof value === "string" ? [value] : [];
  }
  return Object.entries(value).flatMap(([name, member]) =>
    secretsIn(member, isSecret || secretMembers.includes(name)),
  );
}

/**
 * Members of responses in the words of the service or of a website. Names, ids and settings are not
 * text: a part of a name may equal a secret of a different object, and the name identifies.
 */
const textMembers: ReadonlySet<string> = new Set([
  ...["message", "details", "error", "last_error", "error_message", "website_error", "status_reason"],
  ...["external_action_message", "label", "placeholder", "hint", "target"],
]);

const codeMembers: ReadonlySet<string> = new Set(["code", "error_code"]);

/**
 * Hides secrets in the texts of a parsed body, and returns the body. Also hides a new API key from now
 * on. Without recursion, because a body may nest deeper than the call stack.
 */
export function withoutSecrets<T>(body: T, redaction: Redaction): T {
  const pending: [value: unknown, member: string][] = [[body, ""]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [owner, member] = next;
    for (const [name, value] of Object.entries(Object(owner))) {
      // The texts of a list belong to the member with the list.
      const own = Array.isArray(owner) ? member : name;
      if (typeof value !== "string") {
        pending.push([value, own]);
      } else if (own === "key") {
        redaction.hide([value]);
      } else if (textMembers.has(own) || (codeMembers.has(own) && redaction.isSecretCode(value))) {
        (owner as Record<string, unknown>)[name] = redaction.hideIn(value);
      }
    }
  }
  return body;
}

/** The media type of a content type, in lower case and without parameters. */
export function mediaType(contentType: string | undefined): string {
  return (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

function expectation(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.expected === "int" ? "a whole number" : withArticle(issue.expected);
    case "custom":
    case "invalid_format":
      return issue.message;
    case "too_small":
      return issue.origin === "string"
        ? `at least ${issue.minimum} character`
        : `${issue.inclusive === false ? "more than" : "at least"} ${issue.minimum}`;
    case "too_big":
      return issue.origin === "string" ? `at most ${issue.maximum} characters` : `at most ${issue.maximum}`;
    default:
      return "something else";
  }
}

function withArticle(type: string): string {
  return `${/^[ao]/.test(type) ? "an" : "a"} ${type}`;
}

/** Formats a path as in JavaScript: `[3].size_bytes`. */
function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((key, i) => (typeof key === "number" ? `[${key}]` : i === 0 ? String(key) : `.${String(key)}`))
    .join("");
}

function kindAt(value: unknown, path: readonly PropertyKey[]): string {
  let at = value;
  for (const key of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) {
      return "nothing";
    }
    at = (at as Record<PropertyKey, unknown>)[key];
  }
  if (at === null) {
    return "null";
  }
  if (typeof at === "string") {
    return `a string of ${at.length} characters`;
  }
  return typeof at === "number" ? `the number ${at}` : withArticle(Array.isArray(at) ? "array" : typeof at);
}
