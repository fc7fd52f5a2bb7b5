/** Rules for policies and expiry of API keys, also for callers that check before a request. */
import { isDeepStrictEqual } from "node:util";
import { dateTimeMs } from "../../text/date-time.js";
import { quote } from "../../text/escape.js";
import type { ApiKeyPolicy, ApiKeyStatement } from "./api-key.js";

/** Difference below which two times are the same, in milliseconds: one may have no fraction. */
const sameTimeMs = 1000;

/** Published actions by kind. Source: the service's page on permissions. */
const publishedActions: Readonly<Record<string, readonly string[]>> = {
  browsers: ["create", "use", "write", "delete"],
  profiles: ["create", "read", "use", "write", "delete"],
  vaults: ["create", "read", "use", "write", "delete"],
  proxies: ["create", "read", "use", "write", "delete"],
  projects: ["read"],
  organizations: ["read"],
};

/** Published forms of a resource. The groups contain the kind and the id of a single object. */
const resourceForms =
  /^(?:organizations|projects)\/[^/\s*]+\/\*$|^projects\/[^/\s*]+\/([^/\s*]+)\/([^/\s]+)$/;

/** First problem of a policy, as the end of a sentence. Unknown members and kinds are accepted. */
export function policyProblem(policy: ApiKeyPolicy | undefined): string | undefined {
  const statements: unknown = policy?.statements;
  if (!Array.isArray(statements) || statements.length === 0) {
    return 'must have "statements", a list of at least one statement. Without a policy, the key may do everything.';
  }
  const problems = statements.map(statementProblem);
  const wrong = problems.findIndex((problem) => problem !== undefined);
  return wrong === -1 ? undefined : `has a problem in statement ${wrong + 1}: ${problems[wrong]}`;
}

function statementProblem(statement: unknown): string | undefined {
  const { action, resource } = Object(statement) as Readonly<Record<string, unknown>>;
  const [, kind = "", verb = ""] = /^([^\s:]+):([^\s:]+)$/.exec(String(action)) ?? [];
  if (typeof action !== "string" || verb === "") {
    return 'it must have an "action" such as "browsers:use".';
  }
  const form = resourceForms.exec(String(resource));
  if (typeof resource !== "string" || form === null) {
    return 'it must have a "resource" of the form "organizations/<organization id>/*", "projects/<project id>/*" or "projects/<project id>/<kind>/<id>".';
  }
  const verbs = Object.hasOwn(publishedActions, kind) ? publishedActions[kind] : undefined;
  if (verbs?.includes(verb) === false) {
    return `the service has no action ${quote(action)}. For ${kind}, use ${verbs.map((each) => `"${kind}:${each}"`).join(", ")}.`;
  }
  const [, objectKind = kind, id = "*"] = form;
  if (objectKind !== kind) {
    return `${quote(action)} is never allowed by the resource ${quote(resource)}, which is for ${objectKind}.`;
  }
  return verb === "create" && id !== "*"
    ? `${quote(action)} needs the resource of a whole project or organization, such as "projects/<project id>/*".`
    : undefined;
}

/** Describes the problem of a new key's expiry time, as the end of a sentence. */
export function expiryProblem(expiresAt: string | undefined): string | undefined {
  const time = dateTimeMs(String(expiresAt));
  if (time === undefined || !/[Tt]/.test(String(expiresAt))) {
    return 'must be a date-time such as "2030-01-31T00:00:00Z".';
  }
  return time > Date.now() ? undefined : "is in the past. Give a time in the future.";
}

/** Whether two times are equal within the precision of the service. */
export function isSameTime(one: string, other: string): boolean {
  return Math.abs((dateTimeMs(one) ?? Number.NaN) - (dateTimeMs(other) ?? Number.NaN)) < sameTimeMs;
}

/** Whether two policies are equal, with statements in the same order. A null member counts as absent. */
export function isSamePolicy(one: ApiKeyPolicy | null | undefined, other: ApiKeyPolicy | null | undefined) {
  return isDeepStrictEqual(withoutNull(one), withoutNull(other));
}

function withoutNull(policy: ApiKeyPolicy | null | undefined): unknown {
  return JSON.parse(JSON.stringify(policy ?? null), (_name, value) => value ?? undefined);
}

/** Whether a live policy is as declared. Undeclared members, such as conditions, may exist. */
export function isDeclaredPolicy(live: ApiKeyPolicy | null | undefined, declared: ApiKeyPolicy | undefined) {
  return isSamePolicy(live, declared && withUndeclared(declared, live));
}

/**
 * Adds the undeclared members of a live policy to a declared policy: members of the policy, and of
 * every statement with the same action and resource. `before`: the policy declared earlier. A
 * member of `before` that `declared` lacks was removed from the program, and is not added.
 */
export function withUndeclared(
  declared: ApiKeyPolicy,
  live: ApiKeyPolicy | null | undefined,
  before?: ApiKeyPolicy,
): ApiKeyPolicy {
  return {
    ...undeclaredMembers(declared, live, before),
    ...declared,
    statements: declared.statements.map((statement, at) => ({
      ...undeclaredMembers(statement, counterpart(declared, at, live), counterpart(declared, at, before)),
      ...statement,
    })),
  };
}

/** Returns the members of a live policy or statement that are declared neither now nor before. */
export function undeclaredMembers(declared: object, live: object | null | undefined, before: object = {}) {
  const found = Object.entries(live ?? {}).filter(
    ([name, value]) => value !== null && ![declared, before].some((each) => Object.hasOwn(each, name)),
  );
  return Object.fromEntries(found);
}

/** Finds the statement of `other` with the same action and resource. Duplicates pair in order. */
export function counterpart(
  { statements }: ApiKeyPolicy,
  at: number,
  other: ApiKeyPolicy | null | undefined,
): ApiKeyStatement | undefined {
  const isSame = ({ action, resource }: ApiKeyStatement) =>
    action === statements[at]?.action && resource === statements[at]?.resource;
  return other?.statements.filter(isSame)[statements.slice(0, at).filter(isSame).length];
}
