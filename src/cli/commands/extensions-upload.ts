import { Command } from "commander";
import { type ExtensionArchive, packExtension } from "../../archive/index.js";
import { type Extension, InputError } from "../../client/index.js";
import { extensionNameProblem } from "../../client/names.js";
import { OutcomeUnknownError } from "../../errors.js";
import { counted, sizeText } from "../../text/words.js";
import { collect, jsonOption, projectOption, type Session, withService } from "../session.js";
import type { Output } from "../terminal/output.js";
import { withProgress } from "../terminal/progress-line.js";
import type { Streams } from "../terminal/streams.js";
import { displayText, shellQuoted } from "../terminal/text.js";

interface UploadFlags {
  readonly name?: string;
  readonly exclude?: readonly string[];
}

/** `browser-infra extensions upload`: packs a folder as the resource does, and uploads it once. */
export function uploadCommand(streams: Streams): Command {
  return new Command("upload")
    .description("Upload an extension: a folder, packed to the same bytes everywhere, or a ready .zip file.")
    .argument(
      "<path>",
      "folder with manifest.json at its top level, or .zip file of such a folder's contents",
    )
    .option("--name <name>", "name of the extension, unique in the project (default: no name)")
    .option("--exclude <glob>", "files and folders to leave out, such as 'tests/**'; repeatable", collect)
    .addOption(projectOption)
    .addOption(jsonOption)
    .action(
      withService(streams, async (session, path: string, { name, exclude = [] }: UploadFlags) => {
        const problem = name === undefined ? undefined : extensionNameProblem(name);
        if (problem !== undefined) {
          throw new InputError("name_invalid", "name", `The name ${problem}.`);
        }
        const { output, signal } = session;
        const archive = await withProgress(streams, `Packing ${displayText(path)}`, () =>
          packExtension(path, { exclude, signal }),
        );
        const { checksum, sizeBytes, entries } = archive;
        remarkLeftOut(archive, output);
        const extension = await upload(session, archive, name);
        output.printOutcome(extension, [
          ["ID", extension.id],
          ["NAME", extension.name ?? { text: "(none)", style: "dim" }],
          ["CHECKSUM", checksum],
          ["SIZE", `${sizeText(sizeBytes)}, ${counted(entries.length, "file")}`],
        ]);
      }),
    );
}

/** Says what does not ship though nobody asked for that, and which patterns leave out nothing. */
function remarkLeftOut({ leftOut, leftOutCount, unusedPatterns }: ExtensionArchive, output: Output): void {
  if (leftOutCount > 0) {
    const names = leftOut.map(displayText).join(", ");
    // All of them: `leftOut` is limited itself.
    const more = leftOutCount > leftOut.length ? ` and ${leftOutCount - leftOut.length} more` : "";
    output.remark(`Left out, because such files never ship (${leftOutCount}): ${names}${more}.`);
  }
  if (unusedPatterns.length > 0) {
    const patterns = unusedPatterns.map((pattern) => displayText(shellQuoted(pattern))).join(", ");
    output.remark(`These patterns of --exclude leave out nothing: ${patterns}.`);
  }
}

async function upload(
  { client, streams, signal }: Session,
  { bytes, checksum, sizeBytes }: ExtensionArchive,
  name: string | undefined,
): Promise<Extension> {
  const task = `Uploading ${sizeText(sizeBytes)}`;
  try {
    return await withProgress(streams, task, (update) =>
      client.extensions.upload(
        { archive: bytes, name },
        {
          signal,
          onProgress: ({ sentBytes, totalBytes }) =>
            update(`${task}, ${Math.floor((sentBytes / totalBytes) * 100)} %`),
        },
      ),
    );
  } catch (error) {
    if (!(error instanceof OutcomeUnknownError)) {
      throw error;
    }
    throw error.withAdvice(
      `This archive has the checksum ${checksum}. "browser-infra extensions list --json" shows the checksums that the service has.`,
    );
  }
}
