import { importedResource } from "../../../bridges/dynamic/hidden-input.js";
import type { ResourceKind } from "../../../bridges/kinds.js";
import type { ReadResult } from "../../../providers/lifecycle.js";
import { shellQuoted } from "../../../text/shell.js";
import { counted } from "../../../text/words.js";
import { isStandardOutput, requireWritable, writeNewFile } from "../../terminal/new-file.js";
import type { Output } from "../../terminal/output.js";
import type { Streams } from "../../terminal/streams.js";
import { jsonText } from "../../terminal/text.js";

/** Existing resource, as read by the life cycle. */
export interface ImportedResource extends ReadResult {
  readonly kind: ResourceKind;
  /** Logical name in the program. */
  readonly logicalName: string;
  /** Arguments in the program. */
  readonly args: object;
}

/** Options for the path of an import file. */
export interface OutputFlags {
  readonly output: string;
  readonly force?: true;
}

/** Writes imported resources. `noun` is singular; `hint` introduces lines for the program. */
type ImportWriter = (imported: readonly ImportedResource[], noun: string, hint: string) => void;

/**
 * Checks before any work that an import file can be written, and returns the writer: to a file,
 * with the next steps on standard output, or to standard output, with the next steps on standard
 * error. Throws `InputError` `output_unusable`, and as `writeNewFile`.
 */
export function createImportWriter(
  { output: file, force }: OutputFlags,
  streams: Streams,
  output: Output,
): ImportWriter {
  const toPipe = isStandardOutput(file, "the import file", output.json);
  if (!toPipe) {
    requireWritable(file, force);
  }
  return (imported, noun, hint) => {
    const entries = imported.map((each) => importedResource(each.kind, each.logicalName, each));
    const text = `${jsonText({ resources: entries }, 2)}\n`;
    const wrote = `Wrote ${counted(imported.length, noun)} to`;
    if (toPipe) {
      streams.stdout.write(text);
      const saved = "import.json";
      const begin = `${wrote} standard output. Save the output as ${saved}, then run:`;
      output.remark(nextSteps(begin, saved, imported, hint).trimEnd());
      return;
    }
    writeNewFile(file, Buffer.from(text), force);
    const resources = imported.map((each) => {
      const { kind, logicalName, id } = each;
      return { kind, logicalName, id, declaration: declarationOf(each) };
    });
    const begin = `${wrote} ${file}. Next, run:`;
    output.printOutcome({ file, resources }, nextSteps(begin, file, imported, hint));
  };
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
