import {
  hiddenInput,
  loaderInput,
  loaderText,
  type ResourceKind,
  resourceType,
} from "../../dynamic/contract.js";
import { counted } from "../../text/words.js";
import { writeNewFile } from "../terminal/new-file.js";
import { jsonText, shellQuoted } from "../terminal/text.js";

/** An existing resource, as the state and the program should have it. */
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

/** Where to write an import file. */
export interface OutputFlags {
  readonly output: string;
  readonly force?: true;
}

/**
 * Writes a file for `pulumi import --file`. The engine cannot ask a dynamic provider to read an
 * imported resource, so the file has both inputs and outputs, and both hold the provider. Throws
 * what `writeNewFile` throws. Source: Pulumi's import file, with outputs since CLI 3.254.
 */
export function writeImportFile({ output, force }: OutputFlags, imported: readonly ImportedResource[]): void {
  const resources = imported.map(({ kind, logicalName: name, id, hidden = {}, ...values }) => {
    const inputs = { ...values.inputs, [hiddenInput]: hidden, [loaderInput]: loaderText(kind) };
    return { type: resourceType(kind), name, id, inputs, outputs: { ...inputs, ...values.outputs } };
  });
  writeNewFile(output, Buffer.from(`${jsonText({ resources }, 2)}\n`), force);
}

/** What to do with an import file. `noun` is singular; `hint` introduces lines for the program. */
export function nextSteps(
  { output }: OutputFlags,
  imported: readonly ImportedResource[],
  noun: string,
  hint: string,
): string {
  const lines = imported.map(({ kind, logicalName, args }) => `  new ${kind}("${logicalName}", ${args});`);
  return `Wrote ${counted(imported.length, noun)} to ${output}. Next, run:

  pulumi import --file ${shellQuoted(output)} --generate-code=false --protect=false

${hint}

${lines.join("\n")}
`;
}
