import type { MaybeUnknown, PropertyMap } from "../properties.js";

/** Value of an input as declared: undefined if omitted, and possibly still unknown in a preview. */
export type Declared<T> = MaybeUnknown<T> | undefined;

/** Inputs of a kind in which every value may be omitted, or still unknown in a preview. */
export type DeclaredOfKnown<In> = { readonly [N in keyof In]: Declared<In[N]> };

/** Converts properties of a state file to typed values and back, for a kind. Implemented by `Properties`. */
export interface Codec<Known> {
  readonly types: Readonly<Record<string, { readonly isSecret?: true; readonly replaces?: true }>>;
  read(properties: PropertyMap): Known;
  readDeclared(properties: PropertyMap): DeclaredOfKnown<Known>;
  write(values: DeclaredOfKnown<Known>): PropertyMap;
}
