import type { MaybeUnknown, PropertyMap } from "../properties.js";

/** A value that a preview may not know yet, or that is not given. */
export type Declared<T> = MaybeUnknown<T> | undefined;

/** Inputs during a preview. */
export type DeclaredOfKnown<In> = { readonly [N in keyof In]: Declared<In[N]> };

/** Reads and writes what a state file holds: a `Properties`. */
export interface Codec<Known> {
  readonly types: Readonly<Record<string, { readonly isSecret?: true; readonly replaces?: true }>>;
  read(properties: PropertyMap): Known;
  readDeclared(properties: PropertyMap): DeclaredOfKnown<Known>;
  write(values: DeclaredOfKnown<Known>): PropertyMap;
}
