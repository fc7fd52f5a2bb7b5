import { randomBytes } from "node:crypto";
import type { RequestBody } from "./call.js";

/** Size of the pieces handed to the socket, in bytes; also the grain of progress reports. */
const sliceBytes = 65_536;

export interface UploadProgress {
  /** Bytes of the archive handed to the connection so far. */
  readonly sentBytes: number;
  readonly totalBytes: number;
}

/**
 * Body of an upload. `name` comes first, so that a server can refuse a used name early, and is not
 * escaped. Built by hand: the length is known, and every slice waits for the socket.
 */
export function multipartBody(
  archive: Uint8Array,
  name: string | undefined,
  onProgress: ((progress: UploadProgress) => void) | undefined,
): RequestBody {
  const boundary = `pulumi-browser-infra-${randomBytes(16).toString("hex")}`;
  const part = (disposition: string) => `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n`;
  const namePart = name === undefined ? "" : `${part('name="name"')}\r\n${name}\r\n`;
  const filePart = `${part('name="file"; filename="extension.zip"')}Content-Type: application/zip\r\n\r\n`;
  const head = Buffer.from(namePart + filePart);
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    byteLength: head.byteLength + archive.byteLength + tail.byteLength,
    carriesArchive: true,
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
