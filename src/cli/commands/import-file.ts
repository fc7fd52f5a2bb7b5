import { importedResource } from "../../bridges/dynamic/hidden-input.js";
import type { ResourceKind } from "../../bridges/kinds.js";
import { InputError } from "../../errors.js";
import type { ReadResult } from "../../providers/lifecycle.js";
import { counted } from "../../text/words.js";
import { isStandardOutput, requireWritable, writeNewFile } from "../terminal/new-file.js";
import type { Output } from "../terminal/output.js";
import type { Streams } from "../terminal/streams.js";
import { jsonText, shellQuoted } from "../terminal/text.js";

/** An existing resource, as its life cycle has read it. */
export interface ImportedResource extends ReadResult {
  readonly kind: ResourceKind;
  /** Its logical name in the program. */
  readonly logicalName: string;
  /** Its arguments in the program. */
  readonly args: object;
}

/** Where to write an import file. */
export interface OutputFlags {
  readonly output: string;
  readonly force?: true;
}

/** Writes what was read. `noun` is singular; `hint` introduces lines for the program. */
type ImportWriter = (imported: readonly ImportedResource[], noun: string, hint: string) => void;

/**
 * Checks before any work that an import file can be written, and returns how: to a file, followed
 * by what to do next, or to standard output, with that on standard error. Throws `InputError`
 * `output_unusable` and what `writeNewFile` throws.
 */
export function importOutput(
  { output: file, force }: OutputFlags,
  streams: Streams,
  output: Output,
): ImportWriter {
  if (isStandardOutput(file)) {
    if (output.json) {
      const problem = "With --output -, standard output is the import file, so there is no place for --json.";
      throw new InputError("output_unusable", "output", `${problem} Leave one out.`);
    }
    return (imported, noun, hint) => {
      streams.stdout.write(importFileText(imported));
      const saved = "import.json";
      const wrote = `Wrote ${counted(imported.length, noun)} to standard output. Save that as ${saved}, then run:`;
      output.remark(nextSteps(wrote, saved, imported, hint).trimEnd());
    };
  }
  requireWritable(file, force);
  return (imported, noun, hint) => {
    writeNewFile(file, Buffer.from(importFileText(imported)), force);
    const resources = imported.map((each) => {
      const { kind, logicalName, id } = each;
      return { kind, logicalName, id, declaration: declarationOf(each) };
    });
    const wrote = `Wrote ${counted(imported.length, noun)} to ${file}. Next, run:`;
    output.printOutcome({ file, resources }, nextSteps(wrote, file, imported, hint));
  };
}

function importFileText(imported: readonly ImportedResource[]): string {
  const resources = imported.map((each) => importedResource(each.kind, each.logicalName, each));
  return `${jsonText({ resources }, 2)}\n`;
}

function nextSteps(wrote: string, file: string, imported: readonly ImportedResource[], hint: string): string {
  return `${wrote}

  pulumi import --file ${shellQuoted(file)} --generate-code=false --protect=false

${hint}

${imported.map((each) => `  ${declarationOf(each)}`).join("\n")}
`;
}

function declarationOf({ kind, logicalName, args }: ImportedResource): string {
  const members = Object.entries(args).map(([name, value]) => `${name}: ${jsonText(value)}`);
  return `new ${kind}("${logicalName}", { ${members.join(", ")} });`;
}
