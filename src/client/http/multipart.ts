import { randomBytes } from "node:crypto";
import { InputError } from "../../errors.js";
import type { RequestBody } from "./call.js";

/** Size of the pieces handed to the socket, in bytes; also the grain of progress reports. */
const sliceBytes = 65_536;

export interface UploadProgress {
  /** Bytes of the archive handed to the connection so far. */
  readonly sentBytes: number;
  readonly totalBytes: number;
}

/** Throws `InputError` for an archive that is empty or larger than `bytesMax`. */
export function checkArchive(archive: Uint8Array, bytesMax: number): void {
  const bad = (why: string) => new InputError("archive_invalid", "archive", `The "archive" ${why}`);
  if (!(archive instanceof Uint8Array) || archive.byteLength === 0) {
    throw bad("is empty or not a Uint8Array. Pass the bytes of a zip archive.");
  }
  const { byteLength } = archive;
  if (byteLength > bytesMax) {
    throw bad(`has ${byteLength} bytes; the limit is ${bytesMax}. Remove some files.`);
  }
}

interface MultipartForm {
  readonly archive: Uint8Array;
  /** Name of the archive in the form, such as `extension.zip`. */
  readonly filename: string;
  /** Text fields. Undefined values are left out. Names and values are not escaped. */
  readonly fields: Readonly<Record<string, string | undefined>>;
  /** Values of fields that no message may repeat. Default: none. */
  readonly secrets?: readonly string[];
  readonly onProgress: ((progress: UploadProgress) => void) | undefined;
}

/**
 * Body of an upload. The fields come first, so that a server can refuse a used name early. Built by hand:
 * the length is known, and every slice waits for the socket.
 */
export function multipartBody({
  archive,
  filename,
  fields,
  secrets,
  onProgress,
}: MultipartForm): RequestBody {
  const boundary = `pulumi-browser-infra-${randomBytes(16).toString("hex")}`;
  const part = (disposition: string) => `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n`;
  const fieldParts = Object.entries(fields).map(([name, value]) =>
    value === undefined ? "" : `${part(`name="${name}"`)}\r\n${value}\r\n`,
  );
  const filePart = `${part(`name="file"; filename="${filename}"`)}Content-Type: application/zip\r\n\r\n`;
  const head = Buffer.from(fieldParts.join("") + filePart);
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    byteLength: head.byteLength + archive.byteLength + tail.byteLength,
    carriesArchive: true,
    ...(secrets && { secrets }),
    chunks: async function* () {
      yield head;
      for (let sentBytes = 0; sentBytes < archive.byteLength; ) {
        const slice = archive.subarray(sentBytes, sentBytes + sliceBytes);
        yield slice;
        sentBytes += slice.byteLength;
        reportProgress(onProgress, { sentBytes, totalBytes: archive.byteLength });
      }
      yield tail;
    },
  };
}

/** Reports the progress of a transfer to a caller. */
export function reportProgress<T>(onProgress: ((progress: T) => void) | undefined, progress: T): void {
  try {
    onProgress?.(progress);
  } catch {
    // Dropped, as documented: a display must neither fail a read nor put a write in doubt.
  }
}
