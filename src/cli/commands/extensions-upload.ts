import { Command } from "commander";
import { type ExtensionArchive, packExtension } from "../../archive/index.js";
import { type Extension, InputError } from "../../client/index.js";
import { extensionNameProblem } from "../../client/names.js";
import { OutcomeUnknownError } from "../../errors.js";
import { counted, sizeText } from "../../text/words.js";
import { collect, type ProjectFlags, type Session, withJson, withProject, withService } from "../session.js";
import { print, remark } from "../terminal/print.js";
import { progressLine } from "../terminal/progress-line.js";
import type { Streams } from "../terminal/streams.js";
import { fieldsText } from "../terminal/table.js";
import { displayText } from "../terminal/text.js";

/** Most paths that are named among those left out; the rest are counted. */
const leftOutNamedMax = 5;

interface UploadFlags extends ProjectFlags {
  readonly name?: string;
  readonly exclude?: readonly string[];
}

/**
 * `browser-infra extensions upload`: packs a folder as the `Extension` resource does, or takes a
 * ready archive, and uploads it once.
 */
export function uploadCommand(streams: Streams): Command {
  return withJson(withProject(new Command("upload")))
    .description("Upload an extension: a folder, packed to the same bytes everywhere, or a ready .zip file.")
    .argument(
      "<path>",
      "folder with manifest.json at its top level, or .zip file of such a folder's contents",
    )
    .option("--name <name>", "name of the extension, unique in the project (default: no name)")
    .option("--exclude <glob>", "files and folders to leave out, such as 'tests/**'; repeatable", collect)
    .action(async (path: string, flags: UploadFlags) => {
      const { name, exclude = [] } = flags;
      const problem = name === undefined ? undefined : extensionNameProblem(name);
      if (problem !== undefined) {
        throw new InputError("name_invalid", "name", `The name ${problem}.`);
      }
      await withService(streams, flags.project, async (session) => {
        const archive = await pack(path, exclude, streams, session.signal);
        reportLeftOut(archive, streams, flags);
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

/** Some files never ship. Nobody asked to leave them out, so the command names them. */
function reportLeftOut(
  { leftOut, leftOutCount }: ExtensionArchive,
  streams: Streams,
  flags: UploadFlags,
): void {
  if (leftOutCount === 0) {
    return;
  }
  const named = leftOut.slice(0, leftOutNamedMax).map(displayText);
  const more = leftOutCount - named.length;
  remark(
    streams,
    flags,
    `Left out, because it never ships: ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`,
  );
}

async function upload(
  { client, signal }: Session,
  archive: ExtensionArchive,
  name: string | undefined,
  streams: Streams,
): Promise<Extension> {
  const progress = progressLine(streams);
  const task = `Uploading ${sizeText(archive.sizeBytes)}`;
  progress.show(task);
  try {
    return await client.extensions.upload(
      { archive: archive.bytes, name },
      {
        signal,
        onProgress: ({ sentBytes, totalBytes }) =>
          progress.update(`${task}, ${Math.floor((sentBytes / totalBytes) * 100)} %`),
      },
    );
  } catch (error) {
    if (!(error instanceof OutcomeUnknownError)) {
      throw error;
    }
    throw error.withAdvice(
      `This archive has the checksum ${archive.checksum}. "browser-infra extensions list --json" shows the checksums that the service has.`,
    );
  } finally {
    progress.clear();
  }
}
