import { Command } from "commander";
import { type ExtensionArchive, packExtension } from "../archive/index.js";
import { type Extension, InputError } from "../client/index.js";
import { extensionNameProblem } from "../client/names.js";
import { OutcomeUnknownError } from "../errors.js";
import { counted, sizeText } from "../text/words.js";
import { displayText } from "./display-text.js";
import { print, remark } from "./print.js";
import { progressLine } from "./progress-line.js";
import { inProject, type ProjectFlags, type Session, withService } from "./service-command.js";
import type { Streams } from "./streams.js";
import { fieldsText } from "./table.js";

/** Files and folders named among those left out; the rest is counted. */
const leftOutNamedMax = 5;

interface UploadFlags extends ProjectFlags {
  readonly name?: string;
  readonly exclude?: readonly string[];
}

/** `browser-infra extensions upload`: packs a folder as the `Extension` resource does, or takes a ready archive, and uploads it once. */
export function extensionUploadCommand(streams: Streams): Command {
  return inProject(new Command("upload"))
    .description("Upload an extension: a folder, packed to the same bytes everywhere, or a ready .zip file.")
    .argument("<path>", "folder with manifest.json at its top, or a .zip file of its contents")
    .option("--name <name>", "name for later reference, unique in the project (default: none)")
    .option(
      "--exclude <glob>",
      "files and folders that do not ship, repeatable: tests/**",
      (glob: string, globs: readonly string[] = []) => [...globs, glob],
    )
    .action(async (path: string, flags: UploadFlags) => {
      const { name, exclude = [] } = flags;
      const problem = name === undefined ? undefined : extensionNameProblem(name);
      if (problem !== undefined) {
        throw new InputError("name_invalid", "name", `The name ${problem}.`);
      }
      await withService(streams, flags.project, async (session) => {
        const archive = await pack(path, exclude, streams, session.signal);
        tellLeftOut(archive, streams, flags);
        const extension = await upload(session, archive, name, streams);
        print(streams, flags, extension, ({ paint }) =>
          fieldsText(
            [
              ["ID", extension.id],
              ["NAME", extension.name ?? { text: "(none)", style: "dim" }],
              ["CHECKSUM", archive.checksum],
              ["SIZE", `${sizeText(archive.sizeBytes)}, ${counted(archive.entries.length, "file")}`],
            ],
            paint,
          ),
        );
      });
    });
}

async function pack(
  path: string,
  exclude: readonly string[],
  streams: Streams,
  signal: AbortSignal,
): Promise<ExtensionArchive> {
  const progress = progressLine(streams);
  progress.show(`Packing ${displayText(path)}`);
  try {
    return await packExtension(path, { exclude, signal });
  } finally {
    progress.clear();
  }
}

/** What never ships is left out without being asked for, so it is said. */
function tellLeftOut(
  { leftOut, leftOutCount }: ExtensionArchive,
  streams: Streams,
  flags: UploadFlags,
): void {
  if (leftOutCount === 0) {
    return;
  }
  const more = leftOutCount > leftOutNamedMax ? ` and ${leftOutCount - leftOutNamedMax} more` : "";
  const named = leftOut.slice(0, leftOutNamedMax).map(displayText).join(", ");
  remark(streams, flags, `Left out, because it never ships: ${named}${more}.`);
}

async function upload(
  { client, signal }: Session,
  archive: ExtensionArchive,
  name: string | undefined,
  streams: Streams,
): Promise<Extension> {
  const progress = progressLine(streams);
  const doing = `Uploading ${sizeText(archive.sizeBytes)}`;
  progress.show(doing);
  try {
    return await client.extensions.upload(
      { archive: archive.bytes, name },
      {
        signal,
        onProgress: ({ sentBytes, totalBytes }) =>
          progress.update(`${doing}, ${Math.floor((sentBytes / totalBytes) * 100)} %`),
      },
    );
  } catch (error) {
    if (!(error instanceof OutcomeUnknownError)) {
      throw error;
    }
    throw new OutcomeUnknownError(
      `${error.message} This archive has the checksum ${archive.checksum}; "browser-infra extensions list --json" shows those of the service.`,
      error.request,
      { cause: error },
    );
  } finally {
    progress.clear();
  }
}
