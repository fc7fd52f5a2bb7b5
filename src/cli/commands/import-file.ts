import { hiddenInput } from "../../dynamic/hidden-input.js";
import { loaderInput, loaderText, type ResourceKind, resourceType } from "../../dynamic/loader-text.js";
import { jsonText } from "../terminal/json-text.js";
import { writeWhole } from "../terminal/new-file.js";
import { shellQuoted } from "../terminal/shell-quoted.js";

/** A resource that exists, as it is to stand in the state and in the program. */
export interface ImportedResource {
  readonly kind: ResourceKind;
  /** Its logical name in the program. */
  readonly logicalName: string;
  readonly id: string;
  /** Inputs as `check` would return them. */
  readonly inputs: object;
  /** Outputs that are not inputs. */
  readonly outputs: object;
  /** Members of the hidden input. */
  readonly hidden?: object;
  /** Its arguments in the program, as TypeScript. */
  readonly args: string;
}

/** Where an import file goes. */
export interface OutputFlags {
  readonly output: string;
  readonly force?: true;
}

/**
 * Writes a file for `pulumi import --file`. Dynamic providers cannot be asked to read what is imported, so inputs and outputs are both given,
 * and both name the provider. Source: Pulumi's import file, with outputs since CLI 3.254. Throws as `writeWhole` does.
 */
export function writeImportFile({ output, force }: OutputFlags, imported: readonly ImportedResource[]): void {
  const resources = imported.map(({ kind, logicalName, id, inputs, outputs, hidden = {} }) => {
    const known = { ...inputs, [hiddenInput]: hidden, [loaderInput]: loaderText(kind) };
    return {
      type: resourceType(kind),
      name: logicalName,
      id,
      inputs: known,
      outputs: { ...known, ...outputs },
    };
  });
  writeWhole(output, Buffer.from(jsonText({ resources })), force ?? false);
}

/** What to do with an import file, for the person who asked for it. `noun` is in the plural, `hint` ends a sentence. */
export function nextSteps(
  { output }: OutputFlags,
  imported: readonly ImportedResource[],
  noun: string,
  hint: string,
): string {
  const count = imported.length === 1 ? `1 ${noun.replace(/s$/, "")}` : `${imported.length} ${noun}`;
  return [
    `Wrote ${count} to ${output}. Next:`,
    "",
    `  pulumi import --file ${shellQuoted(output)} --generate-code=false --protect=false`,
    "",
    hint,
    "",
    ...imported.map(({ kind, logicalName, args }) => `  new ${kind}("${logicalName}", ${args});`),
    "",
    "",
  ].join("\n");
}
