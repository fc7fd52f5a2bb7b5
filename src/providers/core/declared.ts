import type { MaybeUnknown, PropertyMap } from "../properties.js";

/** Declared value: undefined if not given, possibly unknown in a preview. */
export type Declared<T> = MaybeUnknown<T> | undefined;

/** Inputs during a preview. */
export type DeclaredOfKnown<In> = { readonly [N in keyof In]: Declared<In[N]> };

/** Reads and writes properties in the form of the state file. Implemented by `Properties`. */
export interface Codec<Known> {
  readonly types: Readonly<Record<string, { readonly isSecret?: true; readonly replaces?: true }>>;
  read(properties: PropertyMap): Known;
  readDeclared(properties: PropertyMap): DeclaredOfKnown<Known>;
  write(values: DeclaredOfKnown<Known>): PropertyMap;
}
