import { z } from "zod";
import { forbidden } from "../http/service-error.js";
import { checkedString, exactly } from "../http/shapes.js";

/** What a key may do. What no statement names is denied. Source: the published interface. */
export interface EmulatedApiKeyPolicy {
  readonly statements: readonly { readonly action: string; readonly resource: string }[];
}

/** A string of a form, which the message shows by an example. The forms are guesses. */
function like(form: RegExp, example: string) {
  return checkedString((text) => (form.test(text) ? undefined : `must have the form of "${example}"`));
}

/**
 * A policy in a request. Its actions may name areas that the emulator does not have: they allow
 * nothing here.
 *
 * @internal
 */
export const policyShape = exactly({
  statements: z.array(
    exactly({
      action: like(/^[\w*]+:[\w*]+$/, "browsers:use"),
      resource: like(/^projects\/[^/\s]+\/[^/\s]+\/[^\s]+$/, "projects/<id>/browser_pools/*"),
    }),
    "must be a list",
  ),
});

/**
 * Refuses a request in a project that a policy does not allow. The action of a request is its area
 * with `read` for GET, `use` for an operation on one object, such as an acquire, and `write` for
 * the rest. A list and a creation have no id: only a resource that ends in `*` allows them. In a
 * statement, `*` stands for any text. All of this is a guess: the list of actions is not published.
 */
export function refuseOutside(
  { statements }: EmulatedApiKeyPolicy,
  { method, path }: { readonly method: string; readonly path: string },
  projectId: string,
): void {
  const [area = "", ...rest] = path.split("/").slice(1);
  const [kind, id = "", operation] =
    area === "auth" ? ["auth_connections", ...rest.slice(1)] : [area, ...rest];
  const verb = method === "GET" ? "read" : operation === undefined ? "write" : "use";
  const action = `${kind}:${verb}`;
  const resource = `projects/${projectId}/${kind}/${id}`;
  const isAllowed = statements.some(
    (statement) => matches(statement.action, action) && matches(statement.resource, resource),
  );
  if (!isAllowed) {
    throw forbidden(`The policy of the API key does not allow ${action} on ${resource}.`);
  }
}

function matches(pattern: string, text: string): boolean {
  const expression = pattern.replace(/[^\w*]/g, "\\$&").replaceAll("*", ".*");
  return new RegExp(`^${expression}$`).test(text);
}
