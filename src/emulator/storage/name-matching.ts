import type { DatabaseSync } from "node:sqlite";

/** A name as the exact-match filters compare it: without case and accents. Source: the service's published description of the filters. */
export function folded(name: string): string {
  return name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/** Lets SQL compare names as the filters do: `folded(x)` and `lowered(x)`. SQLite's own `lower` knows ASCII only. */
export function addNameFunctions(database: DatabaseSync): void {
  const onText = (change: (text: string) => string) => (value: unknown) =>
    typeof value === "string" ? change(value) : null;
  database.function("folded", { deterministic: true }, onText(folded));
  database.function(
    "lowered",
    { deterministic: true },
    onText((text) => text.toLowerCase()),
  );
}
