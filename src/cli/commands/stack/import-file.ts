import { importedResource } from "../../../bridges/dynamic/hidden-input.js";
import { privateMode } from "../../../emulator/storage/private-file.js";
import { shellQuoted } from "../../../text/shell.js";
import { counted } from "../../../text/words.js";
import { isStandardOutput, requireWritable, writeNewFile } from "../../terminal/new-file.js";
import type { Output } from "../../terminal/output.js";
import type { Streams } from "../../terminal/streams.js";
import { jsonText } from "../../terminal/text.js";
import { declarationOf, type ImportedResource } from "./import-program.js";

export interface OutputFlags {
  readonly output: string;
  readonly force?: true;
}

/** Writes imported resources. `noun` is singular; `hint` introduces lines for the program. */
type ImportWriter = (imported: readonly ImportedResource[], noun: string, hint: string) => void;

/**
 * Checks before any work that an import file can be written, and returns the writer. `saved`: name
 * of the file in the next steps. Throws `InputError` `output_unusable`, and as `writeNewFile`.
 */
export function createImportWriter(
  { output: file, force }: OutputFlags,
  streams: Streams,
  output: Output,
  saved: string,
): ImportWriter {
  const toPipe = isStandardOutput(file, "the import file", output.json);
  if (!toPipe) {
    requireWritable(file, force);
  }
  return (imported, noun, hint) => {
    const text = importFileText(imported.map((each) => importedResource(each.kind, each.logicalName, each)));
    const wrote = `Wrote ${counted(imported.length, noun)} to`;
    if (toPipe) {
      streams.stdout.write(text);
      const begin = `${wrote} standard output. Save the output as ${saved}, then run:`;
      output.remark(nextSteps(begin, saved, imported, hint).trimEnd());
      return;
    }
    writeImportFile(file, text, force);
    const resources = imported.map((each) => {
      const { kind, logicalName, id } = each;
      return { kind, logicalName, id, declaration: declarationOf(each) };
    });
    const begin = `${wrote} ${file}. Next, run:`;
    output.printOutcome({ file, resources }, nextSteps(begin, file, imported, hint));
  };
}

/** Writes an import file that only the owner may read: names, places of secrets and settings of objects. */
export function writeImportFile(file: string, text: string, force?: boolean): void {
  writeNewFile(file, Buffer.from(text), force, undefined, privateMode);
}

export function importFileText(resources: readonly object[]): string {
  return `${jsonText({ resources }, 2)}\n`;
}

/** Command that reads an import file. By default, an import would protect the resources from deletion. */
export function importCommandFor(file: string): string {
  return `pulumi import --file ${shellQuoted(file)} --generate-code=false --protect=false`;
}

function nextSteps(wrote: string, file: string, imported: readonly ImportedResource[], hint: string): string {
  return `${wrote}

  ${importCommandFor(file)}

${hint}

${imported.map((each) => `  ${declarationOf(each)}`).join("\n")}
`;
}
