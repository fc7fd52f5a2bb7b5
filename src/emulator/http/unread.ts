import type { Exchange } from "./exchange.js";
import { readJson } from "./request-body.js";
import { invalidInput } from "./service-error.js";
import { nothing } from "./shapes.js";

/**
 * Refuses input that a route would ignore: unread query parameters, and an unread body, unless
 * empty or `{}`. Throws `ServiceError` 400, naming the first parameter or member.
 */
export async function refuseUnread(exchange: Exchange): Promise<void> {
  const { incoming, parameters } = exchange;
  const given = new URLSearchParams(incoming.url?.split("?").slice(1).join("?"));
  const unread = [...given.keys()].find((name) => !parameters.has(name));
  if (unread !== undefined) {
    throw invalidInput(`The query has an unknown parameter ${JSON.stringify(unread)}.`);
  }
  if (!incoming.readableDidRead) {
    await readJson({ env: { exchange } }, nothing);
  }
}
