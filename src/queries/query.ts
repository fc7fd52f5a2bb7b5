import type { BrowserInfraClient } from "../client/index.js";
import { type ArgumentRule, checkNames, checkValues } from "./argument-rule.js";
import { type WithoutNull, withoutNull } from "./results.js";

/**
 * A question to the service, free of Pulumi: the functions of a program and the provider plugin ask
 * it alike.
 */
export interface Query<Args extends object = object, Found = unknown> {
  /** Name of the function that asks it, such as `getProject`. */
  readonly name: string;
  /** Which arguments it takes. */
  readonly takes: ArgumentRule;
  /** Whether it asks in the project of the settings, or in the whole organization. */
  readonly scope: "project" | "organization";
  /** Asks with arguments that were checked. Null in the answer means that there is no value. */
  ask(client: BrowserInfraClient, args: Args): Promise<Found>;
}

/**
 * Checks the names of the arguments and which of them have a value, and asks. `client` acts in the
 * project that `scope` wants, or in none. The answer has no null: what has no value is undefined.
 *
 * Rejects with `InputError`, whose `property` is the argument, before any request; with
 * `LookupError`, `ApiError` and the other errors of the client.
 */
export async function runQuery<Args extends object, Found>(
  query: Query<Args, Found>,
  client: BrowserInfraClient,
  args: Args,
): Promise<WithoutNull<Found>> {
  checkNames(args, query.takes);
  checkValues(args, query.takes);
  const answer = query.ask(client, args);
  return answer.then((found) => withoutNull(found));
}
