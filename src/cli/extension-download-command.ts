import { Command } from "commander";
import { sha256Of } from "../archive/index.js";
import type { Extension } from "../client/index.js";
import { ContractError, InputError } from "../errors.js";
import { sizeText } from "../text/words.js";
import { displayText } from "./display-text.js";
import { findExtension } from "./find-extension.js";
import { requireWritable, writeWhole } from "./new-file.js";
import { print, remark } from "./print.js";
import { progressLine } from "./progress-line.js";
import { inProject, type ProjectFlags, type Session, withService } from "./service-command.js";
import type { Streams } from "./streams.js";

interface DownloadFlags extends ProjectFlags {
  readonly output?: string;
  readonly force?: true;
}

/** `browser-infra extensions download`: fetches an archive into a file, which is there whole or not at all. */
export function extensionDownloadCommand(streams: Streams): Command {
  return inProject(new Command("download"))
    .description("Save the archive of one extension as a .zip file.")
    .argument("<id-or-name>", "its id, or its exact name")
    .option("--output <file>", "where to save it (default: its name with .zip, in this folder)")
    .option("--force", "replace a file that is there already")
    .action(async (idOrName: string, flags: DownloadFlags) => {
      const { force = false } = flags;
      if (flags.output !== undefined) {
        requireWritable(flags.output, force);
      }
      await withService(streams, flags.project, async ({ client, signal }) => {
        const extension = await findExtension(client, idOrName, signal);
        const file = flags.output ?? fileNameFor(extension);
        requireWritable(file, force);
        const bytes = await fetchArchive(client, extension, streams, signal);
        const checksum = sha256Of(bytes);
        requireSame(extension, checksum);
        writeWhole(file, bytes, force);
        if (extension.checksum === null) {
          remark(
            streams,
            flags,
            "The service has no checksum of this extension to compare the archive with.",
          );
        }
        const { id, name } = extension;
        const verified = extension.checksum !== null;
        print(
          streams,
          flags,
          { file, id, name, checksum, sizeBytes: bytes.length, verified },
          () => `Saved ${displayText(file)} (${sizeText(bytes.length)}, SHA-256 ${checksum}).\n`,
        );
      });
    });
}

async function fetchArchive(
  client: Session["client"],
  { id, name, sizeBytes }: Extension,
  streams: Streams,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const progress = progressLine(streams);
  const doing = `Downloading ${displayText(name ?? id)}`;
  progress.show(`${doing}, ${sizeText(sizeBytes)}`);
  try {
    return await client.extensions.download(id, {
      signal,
      onProgress: ({ receivedBytes }) =>
        progress.update(`${doing}, ${sizeText(receivedBytes)} of ${sizeText(sizeBytes)}`),
    });
  } finally {
    progress.clear();
  }
}

function requireSame({ id, checksum: expected }: Extension, checksum: string): void {
  if (expected === null || expected === checksum) {
    return;
  }
  throw new ContractError(
    `The archive of extension ${displayText(id)} does not have the checksum that the service has on record (${expected}, got ${checksum}), so nothing was saved. Download it again; if it stays so, upload the extension anew.`,
    { method: "GET", path: `/extensions/${encodeURIComponent(id)}` },
    { code: "checksum_mismatch" },
  );
}

/** A file name made of a name of the service, which must not lead out of this folder nor hide the file. */
function fileNameFor({ id, name }: Extension): string {
  const safe = [name, id].find((text) => text !== null && /^[A-Za-z0-9_][A-Za-z0-9._-]{0,250}$/.test(text));
  if (safe !== undefined && safe !== null) {
    return `${safe}.zip`;
  }
  throw new InputError(
    "output_unusable",
    "output",
    "Neither the extension's name nor its id can be the name of a file. Give --output.",
  );
}
