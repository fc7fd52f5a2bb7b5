import { Command } from "commander";
import { sha256Of } from "../../archive/index.js";
import type { Extension } from "../../client/index.js";
import { ContractError, InputError } from "../../errors.js";
import { sizeText } from "../../text/words.js";
import { type ProjectFlags, type Session, withJson, withProject, withService } from "../session.js";
import { requireWritable, writeNewFile } from "../terminal/new-file.js";
import { print, remark } from "../terminal/print.js";
import { progressLine } from "../terminal/progress-line.js";
import type { Streams } from "../terminal/streams.js";
import { displayText } from "../terminal/text.js";
import { findExtension } from "./find.js";

interface DownloadFlags extends ProjectFlags {
  readonly output?: string;
  readonly force?: true;
}

/** `browser-infra extensions download`: saves an archive as a file, completely or not at all. */
export function downloadCommand(streams: Streams): Command {
  return withJson(withProject(new Command("download")))
    .description("Save the archive of one extension as a .zip file.")
    .argument("<id-or-name>", "its id or exact name")
    .option("--output <file>", "where to save it (default: its name with .zip, in the current folder)")
    .option("--force", "replace the file if it already exists")
    .action(async (idOrName: string, flags: DownloadFlags) => {
      const { force = false } = flags;
      if (flags.output !== undefined) {
        requireWritable(flags.output, force);
      }
      await withService(streams, flags.project, async ({ client, signal }) => {
        const extension = await findExtension(client, idOrName, signal);
        const file = flags.output ?? fileNameFor(extension);
        requireWritable(file, force);
        const bytes = await download(client, extension, streams, signal);
        const checksum = sha256Of(bytes);
        requireSameChecksum(extension, checksum);
        writeNewFile(file, bytes, force);
        const { id, name } = extension;
        const verified = extension.checksum !== null;
        if (!verified) {
          remark(streams, flags, "Not verified: the service has no checksum for this extension.");
        }
        print(
          streams,
          flags,
          { file, id, name, checksum, sizeBytes: bytes.length, verified },
          () => `Saved ${displayText(file)} (${sizeText(bytes.length)}, SHA-256 ${checksum}).\n`,
        );
      });
    });
}

async function download(
  client: Session["client"],
  { id, name, sizeBytes }: Extension,
  streams: Streams,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const progress = progressLine(streams);
  const task = `Downloading ${displayText(name ?? id)}`;
  progress.show(`${task}, ${sizeText(sizeBytes)}`);
  try {
    return await client.extensions.download(id, {
      signal,
      onProgress: ({ receivedBytes }) =>
        progress.update(`${task}, ${sizeText(receivedBytes)} of ${sizeText(sizeBytes)}`),
    });
  } finally {
    progress.clear();
  }
}

function requireSameChecksum({ id, checksum: expected }: Extension, checksum: string): void {
  if (expected === null || expected === checksum) {
    return;
  }
  throw new ContractError(
    `The downloaded archive of extension ${displayText(id)} has the checksum ${checksum}, but the service has ${expected} on record. Nothing was saved. Download it again. If the checksums still differ, upload the extension again.`,
    { method: "GET", path: `/extensions/${encodeURIComponent(id)}` },
    { code: "checksum_mismatch" },
  );
}

/**
 * A file name from the extension's name or id. A name must not lead out of this folder or hide the
 * file.
 */
function fileNameFor({ id, name }: Extension): string {
  const safe = [name, id].find((text) => text !== null && /^[A-Za-z0-9_][A-Za-z0-9._-]{0,250}$/.test(text));
  if (safe !== undefined && safe !== null) {
    return `${safe}.zip`;
  }
  throw new InputError(
    "output_unusable",
    "output",
    "Neither the extension's name nor its id is a valid file name. Pass --output.",
  );
}
