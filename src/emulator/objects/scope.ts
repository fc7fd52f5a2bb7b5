import { ServiceError } from "../http/service-error.js";

/**
 * Permissions of a key. Anything that no statement allows is denied. Source: published interface.
 */
export interface EmulatedApiKeyPolicy {
  readonly statements: readonly EmulatedApiKeyStatement[];
  /** Members of unpublished form, such as conditions. Kept, and not enforced. */
  readonly [member: string]: unknown;
}

/** Statement of an {@link EmulatedApiKeyPolicy}. */
export interface EmulatedApiKeyStatement {
  readonly action: string;
  readonly resource: string;
  /** Members of unpublished form. Kept, and not enforced. */
  readonly [member: string]: unknown;
}

/** Kinds of objects in a resource. Source: the published page on permissions. */
export const objectKinds = ["browsers", "profiles", "vaults", "proxies"];

/** Reach of a resource: the whole organization, a whole project, or one object. */
interface Coverage {
  /** Undefined: the organization. */
  readonly project?: string | undefined;
  readonly organization?: string | undefined;
  /** Undefined: objects of every kind. */
  readonly kind?: string | undefined;
  /** Undefined: every object. */
  readonly id?: string | undefined;
}

/**
 * Parses a resource; undefined for an unknown form. `projects/{id}/{kind}/*` is on no published
 * page, but the published types allow wildcards there.
 */
export function coverageOf(resource: string): Coverage | undefined {
  const [root, owner = "", kind = "", id, ...others] = resource.split("/");
  if (others.length > 0 || !/^[^\s*]+$/.test(owner)) {
    return undefined;
  }
  if (id === undefined) {
    const isWide = kind === "*" && (root === "organizations" || root === "projects");
    return isWide ? { [root === "projects" ? "project" : "organization"]: owner } : undefined;
  }
  const isObject = root === "projects" && objectKinds.includes(kind) && /^(\*|[^\s*]+)$/.test(id);
  return isObject ? { project: owner, kind, id: id === "*" ? undefined : id } : undefined;
}

/** Ids of the objects that a scoped key may address in a request; undefined for every object. */
export type GrantedIds = readonly string[] | undefined;

/** Part of a request that determines the scope. */
interface Request {
  readonly method: string;
  readonly path: string;
}

/** Verbs of requests about an object of a project, by method and operation. */
const verbs: Readonly<Record<string, readonly string[]>> = {
  GET: ["read"],
  "GET download": ["use"],
  PATCH: ["write"],
  DELETE: ["delete"],
  "POST check": ["use", "read"],
};

/**
 * Finds the objects that a policy grants to a request. Refuses a request without any grant; a list
 * without a grant is empty. Published: the actions, the empty list and the code. Guess: the action
 * needed for a request, derived from the published meanings. An endpoint without an action is
 * refused. `projectId`: project of the request, for objects of projects.
 */
export function grantedTo(
  policy: EmulatedApiKeyPolicy,
  { method, path }: Request,
  projectId: string | undefined,
): GrantedIds {
  const [area = "", second, third, fourth] = path.split("/").slice(1);
  if (area === "profiles" || area === "proxies") {
    const isCreation = method === "POST" && second === undefined;
    const needed = isCreation ? ["create"] : verbs[third === undefined ? method : `${method} ${third}`];
    const sets = (needed ?? []).map((verb) => objectsOf(policy, `${area}:${verb}`, area, projectId));
    return needed === undefined
      ? refuseScope({ method, path })
      : requireGrant(intersection(sets), isCreation, method === "GET" && second === undefined);
  }
  if (method === "GET" && area === "org" && second === "projects" && (fourth ?? "limits") === "limits") {
    return requireGrant(projectsOf(policy), false, third === undefined);
  }
  const isOfOrganization = method === "GET" && area === "org" && /^(limits|entitlements)$/.test(second ?? "");
  const isGranted = policy.statements.some(
    ({ action, resource }) => action === "organizations:read" && coverageOf(resource)?.organization,
  );
  return isOfOrganization && third === undefined && isGranted ? undefined : refuseScope({ method, path });

  function requireGrant(granted: GrantedIds, isCreation: boolean, isList: boolean): GrantedIds {
    const isRefused = granted !== undefined && (isCreation || (granted.length === 0 && !isList));
    return isRefused ? refuseScope({ method, path }) : granted;
  }
}

/**
 * Granted objects of one kind in a project. A seed cannot contain the organization's id, so any
 * organization id counts.
 */
function objectsOf(
  { statements }: EmulatedApiKeyPolicy,
  action: string,
  kind: string,
  projectId: string | undefined,
): GrantedIds {
  const covers = statements
    .filter((statement) => statement.action === action)
    .flatMap(({ resource }) => coverageOf(resource) ?? [])
    .filter((each) => each.organization !== undefined || each.project === projectId)
    .filter((each) => (each.kind ?? kind) === kind);
  return covers.some(({ id }) => id === undefined) ? undefined : covers.flatMap(({ id }) => id ?? []);
}

/** Readable projects. The resource of an object does not cover its project: a guess. */
function projectsOf({ statements }: EmulatedApiKeyPolicy): GrantedIds {
  const covers = statements
    .filter(({ action }) => action === "projects:read")
    .flatMap(({ resource }) => coverageOf(resource) ?? []);
  return covers.some(({ organization }) => organization !== undefined)
    ? undefined
    : covers.flatMap(({ project, kind }) => (kind === undefined && project) || []);
}

function intersection(sets: readonly GrantedIds[]): GrantedIds {
  const narrow = sets.filter((each) => each !== undefined);
  return narrow.length === 0
    ? undefined
    : narrow[0]?.filter((id) => narrow.every((each) => each.includes(id)));
}

/** Refuses a request that the caller's policy does not grant. */
export function refuseScope({ method, path }: Request): never {
  const message = `The policy of the API key does not allow ${method} ${path}.`;
  throw new ServiceError(403, "insufficient_scope", message);
}
