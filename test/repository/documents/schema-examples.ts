import { readFileSync } from "node:fs";
import { resolve } from "node:path";

/** An example in schema.json. */
export interface SchemaExample {
  /** Resource or function, such as `getProject`. */
  readonly of: string;
  /** Position among the examples of the resource or function, from 0. */
  readonly index: number;
  /** Programs by the language of the block. */
  readonly programs: Readonly<Record<string, string>>;
}

type Described = Readonly<Record<string, { readonly description: string }>>;

const schema: { readonly resources: Described; readonly functions: Described } = JSON.parse(
  readFileSync(resolve(__dirname, "../../../schema.json"), "utf8"),
);

/** Descriptions of the resources and functions in schema.json, by name. */
export const descriptions: ReadonlyMap<string, string> = new Map(
  Object.entries({ ...schema.resources, ...schema.functions }).map(([token, { description }]) => [
    token.replace("browser-infra:index:", ""),
    description,
  ]),
);

/** Program in TypeScript of schema.json, with the import of an entry of the npm package. */
export function withEntry(program: string, entry = "pulumi-browser-infra"): string {
  return program.replace('"@pulumi/browser-infra"', `"${entry}"`);
}

/** All examples in schema.json. */
export const schemaExamples: readonly SchemaExample[] = [...descriptions].flatMap(([of, description]) =>
  Array.from(
    description.matchAll(/^\{\{% example %\}\}$([\s\S]*?)^\{\{% \/example %\}\}$/gm),
    ([, text = ""], index) => ({
      of,
      index,
      programs: Object.fromEntries(
        Array.from(text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm), ([, language = "", code = ""]) => [
          language,
          code,
        ]),
      ),
    }),
  ),
);
