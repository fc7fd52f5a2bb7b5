import { z } from "zod";
import { invalidInput } from "../../http/service-error.js";
import { checkedString, listOf, notAnObject } from "../../http/shapes.js";
import { coverageOf, type EmulatedApiKeyPolicy, objectKinds } from "../../objects/scope.js";

/** All actions of the published page on permissions. */
const actions = [
  ...objectKinds
    .flatMap((kind) => ["create", "read", "use", "write", "delete"].map((verb) => `${kind}:${verb}`))
    .filter((action) => action !== "browsers:read"),
  "projects:read",
  "organizations:read",
];

/**
 * Policy in a request. Unknown members pass: the service has conditions of unpublished form. Guess:
 * a malformed statement gets 400.
 *
 * @internal
 */
export const policyShape = z.looseObject(
  {
    statements: listOf(
      z.looseObject(
        {
          action: checkedString((text) =>
            actions.includes(text) ? undefined : `must be one of ${actions.join(", ")}`,
          ),
          resource: checkedString((text) =>
            coverageOf(text) === undefined
              ? 'must have the form "organizations/<id>/*", "projects/<id>/*" or "projects/<id>/<kind>/<id>"'
              : undefined,
          ),
        },
        notAnObject,
      ),
    ),
  },
  notAnObject,
);

/** Objects that the statements of a policy may name. */
export interface Existing {
  readonly organizationId: string;
  /** Whether a project has the object. */
  has(projectId: string, kind: string, id: string): boolean;
}

/**
 * Refuses statements of a key that reach outside of its organization or project, or that name
 * missing objects. The rule is published. Guesses: the status 400, and the refusal of a creation on
 * one object.
 */
export function refuseUnreachable(
  { statements }: EmulatedApiKeyPolicy,
  keyProjectId: string | null,
  isProject: (id: string) => boolean,
  existing: Existing,
): void {
  for (const [at, { action, resource }] of statements.entries()) {
    const { organization, project = "", kind, id } = coverageOf(resource) ?? {};
    const isInside =
      organization === undefined
        ? isProject(project) && (keyProjectId ?? project) === project
        : organization === existing.organizationId && keyProjectId === null;
    const exists = id === undefined || existing.has(project, String(kind), id);
    const problem = !isInside
      ? `${resource} is not in the organization or the project of the key`
      : !exists
        ? `${resource} does not exist`
        : id !== undefined && action.endsWith(":create")
          ? `${action} needs a whole project or organization`
          : undefined;
    if (problem !== undefined) {
      throw invalidInput(`policy.statements[${at}]: ${problem}.`);
    }
  }
}
