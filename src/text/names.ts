/**
 * Whether two names are the same for the service. The rule is what its description says: case and
 * accents do not count, and everything else does. It gives a key, so that names can be looked up,
 * and it is the same in every runtime, which a collation is not.
 */
export function isSameName(a: string | null | undefined, b: string | null | undefined): boolean {
  return typeof a === "string" && typeof b === "string" && foldedName(a) === foldedName(b);
}

/** A name as the service compares it. */
export function foldedName(name: string): string {
  return name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
