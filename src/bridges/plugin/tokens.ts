import type { PropertyMap } from "../../providers/properties.js";
import { kinds, outputsOf, type ResourceKind } from "../kinds.js";

const tokenPattern = /^browser-infra:index:([A-Za-z]+)$/;

/** The name at the end of a token of this package; undefined for any other token. */
export function nameInToken(token: string): string | undefined {
  return tokenPattern.exec(token)?.[1];
}

/** The kind of resource that a token of this package names; undefined for any other token. */
export function kindIn(token: string): ResourceKind | undefined {
  const name = nameInToken(token);
  return name !== undefined && Object.hasOwn(kinds, name) ? (name as ResourceKind) : undefined;
}

function outputsIn(token: string) {
  const kind = kindIn(token);
  return kind === undefined ? {} : outputsOf(kinds[kind]);
}

/**
 * The outputs of a resource type, with null for each that has no value: a program would see one
 * that is missing as unknown in every preview, and with it everything that depends on it.
 */
export function withEveryOutput(token: string, outputs: PropertyMap): PropertyMap {
  return { ...Object.fromEntries(Object.keys(outputsIn(token)).map((name) => [name, null])), ...outputs };
}

/** The outputs of a resource type that are secret. */
export function secretOutputsOf(token: string): readonly string[] {
  return Object.entries(outputsIn(token)).flatMap(([name, { isSecret }]) => (isSecret ? [name] : []));
}
