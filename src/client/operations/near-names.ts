/** Advice about an id that names no object: people write a name, or a typing error. */
import { quote } from "../../text/escape.js";
import { nearest } from "../../text/near.js";
import type { CallOptions } from "../http/call.js";
import { isSameName } from "../names.js";
import { ignoreFailure } from "../not-found.js";

/** Most objects among which a near name is sought. */
const soughtMax = 500;

/** Object with an id, and perhaps with a name. */
interface Named {
  readonly id: string;
  readonly name?: string | null | undefined;
  readonly status?: string | null | undefined;
}

/** List of the objects that a text may mean. */
export interface NamedList {
  list(options: CallOptions & { readonly limit?: number }): Promise<readonly Named[]>;
}

/**
 * Sentence with the object that `given` may mean, with name and id; empty if none is near, or if the
 * list cannot be read. `noun`: kind of object, such as `browser pool`.
 */
export async function nearNameAdvice(
  noun: string,
  given: string,
  objects: NamedList,
  options: CallOptions = {},
): Promise<string> {
  const rows = (await ignoreFailure(objects.list({ ...options, limit: soughtMax }))) ?? [];
  const same = rows.find(({ name }) => isSameName(name, given));
  if (same !== undefined) {
    const isExact = same.name === given ? "" : `, spelled ${quote(same.name ?? "")}`;
    const article = /^[aeiou]/i.test(noun) ? "an" : "a";
    return `${quote(given)} is the name of ${article} ${noun}${isExact}: its id is ${same.id}.`;
  }
  const near = nearest(
    given,
    rows.flatMap(({ id, name }) => (name ? [name, id] : [id])),
  );
  const meant = rows.find(({ id, name }) => near !== undefined && (name === near || id === near));
  return meant === undefined || meant.id === given
    ? ""
    : `Did you mean the ${noun} ${quote(meant.name ?? "")} (id ${meant.id})?`;
}

/** Advice about the id of an auth connection. Connections have no name: people write the domain. */
export function nearDomainAdvice(
  given: string,
  connections: {
    list(
      options: CallOptions & { readonly limit?: number },
    ): Promise<readonly { id: string; domain: string }[]>;
  },
  options: CallOptions = {},
): Promise<string> {
  const byDomain: NamedList = {
    list: async (page) => (await connections.list(page)).map(({ id, domain }) => ({ id, name: domain })),
  };
  return nearNameAdvice("auth connection", given, byDomain, options);
}
