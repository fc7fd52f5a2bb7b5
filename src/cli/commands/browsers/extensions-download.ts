import { Option } from "commander";
import { sha256Of } from "../../../archive/index.js";
import type { BrowserInfraClient, Extension } from "../../../client/index.js";
import { ContractError, InputError } from "../../../errors.js";
import { sizeText } from "../../../text/words.js";
import { findExtension } from "../../find.js";
import { byIdOrName } from "../../noun.js";
import type { ServiceCommand, Session } from "../../session.js";
import { isStandardOutput, requireWritable, writeNewFile } from "../../terminal/new-file.js";
import { withProgress } from "../../terminal/progress-line.js";
import type { Streams } from "../../terminal/streams.js";
import { displayText } from "../../terminal/text.js";

interface DownloadFlags {
  readonly output?: string;
  readonly force?: true;
}

/** `browser-infra extensions download`: saves an archive as a file, completely or not at all. */
export const download: ServiceCommand<[string, DownloadFlags]> = {
  name: "download",
  help: "Save the archive of one extension as a .zip file.",
  exitCodes: ["notFound"],
  scope: "project",
  arguments: byIdOrName,
  options: [
    new Option(
      "--output <file>",
      "output file; - means standard output (default: name or id of the extension with .zip, in the current folder)",
    ),
    new Option("--force", "replace the file if it already exists"),
  ],
  async work(session, idOrName, { output: given, force }) {
    const { output, streams, signal } = session;
    const toPipe = given !== undefined && isStandardOutput(given, "the archive", output.json);
    if (toPipe) {
      requirePipe(streams);
    } else if (given !== undefined) {
      requireWritable(given, force);
    }
    const client = await session.client();
    const extension = await findExtension(client, idOrName, signal);
    const file = given ?? fileNameFor(extension);
    if (!toPipe) {
      requireWritable(file, force);
    }
    const { bytes, checksum } = await downloadArchive(client, extension, session);
    const verified = extension.checksum !== null;
    if (!verified) {
      output.remark("Not verified: the service has no checksum for this extension.");
    }
    const details = `${sizeText(bytes.length)}, SHA-256 ${checksum}`;
    if (toPipe) {
      streams.stdout.write(bytes);
      output.remark(`Wrote the archive to standard output (${details}).`);
      return;
    }
    writeNewFile(file, bytes, force);
    const { id, name } = extension;
    output.printOutcome(
      { file, id, name, checksum, sizeBytes: bytes.length, verified },
      `Saved ${displayText(file)} (${details}).\n`,
    );
  },
};

/** Throws `InputError` `output_unusable` if standard output is a terminal. */
function requirePipe({ stdout }: Streams): void {
  if (stdout.isTTY) {
    throw new InputError(
      "output_unusable",
      "output",
      "Standard output is a terminal, which cannot show an archive. Redirect the output to a file or a pipe, or choose a different --output.",
    );
  }
}

/** Downloads an archive. Throws `ContractError` `checksum_mismatch` for a different checksum. */
export async function downloadArchive(
  client: BrowserInfraClient,
  extension: Extension,
  { streams, signal }: Session,
) {
  const { id, name, sizeBytes } = extension;
  const [task, size] = [`Downloading ${displayText(name ?? id)}`, sizeText(sizeBytes)];
  const bytes = await withProgress(streams, `${task}, ${size}`, (update) =>
    client.extensions.download(id, {
      signal,
      onProgress: ({ receivedBytes }) => update(`${task}, ${sizeText(receivedBytes)} of ${size}`),
    }),
  );
  const checksum = sha256Of(bytes);
  requireSameChecksum(extension, checksum);
  return { bytes, checksum };
}

function requireSameChecksum({ id, checksum: expected }: Extension, checksum: string): void {
  if (expected === null || expected === checksum) {
    return;
  }
  throw new ContractError(
    `The downloaded archive of extension ${displayText(id)} has the checksum ${checksum}, but the service has ${expected} on record. Nothing was saved. Download the extension again. If the checksums still differ, upload the extension again.`,
    { method: "GET", path: `/extensions/${encodeURIComponent(id)}` },
    { code: "checksum_mismatch" },
  );
}

/** File name from name or id. Must not lead out of the current folder or hide the file. */
function fileNameFor({ id, name }: Extension): string {
  const safe = [name ?? id, id].find((text) => /^[A-Za-z0-9_][A-Za-z0-9._-]{0,250}$/.test(text));
  if (safe !== undefined) {
    return `${safe}.zip`;
  }
  throw new InputError(
    "output_unusable",
    "output",
    "Neither the extension's name nor its id is a valid file name. Pass --output.",
  );
}
