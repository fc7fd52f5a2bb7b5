import type { CallOptions, HttpCall } from "../http/call.js";
import { unexpectedResponseError } from "../http/failures.js";
import { mediaType } from "../http/json.js";
import { checkArchive, multipartBody, reportProgress, type UploadProgress } from "../http/multipart.js";
import { pathSegment } from "../http/path.js";
import { readRecord } from "../http/record-calls.js";
import { extensionNameProblem, isSameName } from "../names.js";
import { type Listing, nameTakenAdvice } from "../operations/list.js";
import { NamedOperations } from "../operations/named.js";
import { checkName } from "../options.js";
import { type Extension, extensionSchema } from "./extension.js";

/** Largest archive, in bytes. The service publishes no limit; its own tools stop at 50 MiB. */
const extensionArchiveBytesMax = 67_108_864;

export interface UploadArguments {
  /** The zip archive, sent byte for byte: 1 byte to 64 MiB. Must not change during the upload. */
  readonly archive: Uint8Array;
  /**
   * Name, unique within the project: 1 to 255 of the characters A-Z a-z 0-9 . _ -, but not `.` or
   * `..`, and not 24 of a-z and 0-9, which would look like an id. Default: no name.
   */
  readonly name?: string | undefined;
}

export interface UploadOptions extends CallOptions {
  /**
   * Called after every 64 KiB accepted by the connection. Begins again when a rate limit has
   * refused the upload. Thrown errors are ignored.
   */
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
}

export interface DownloadProgress {
  /** Bytes of the archive received so far. Decreases when the download is retried. */
  readonly receivedBytes: number;
}

export interface DownloadOptions extends CallOptions {
  /** Called after every piece received. Thrown errors are ignored. */
  readonly onProgress?: ((progress: DownloadProgress) => void) | undefined;
}

/**
 * The extensions of a project (`/extensions`). Reads are retried; `upload` and `delete` only while a
 * rate limit refuses the request. `delete` accepts a name in place of the id. Prefer the id: by now,
 * the name may belong to a different extension. An extension in use is not deleted
 * (`resource_in_use`).
 */
export class ExtensionOperations extends NamedOperations<Extension> {
  /**
   * Uploads an archive as a new extension (`POST /extensions`). Sent once, and again only while a
   * rate limit refuses the request.
   *
   * Throws `InputError` before any request; `ApiError` when the service refused, so that nothing
   * was stored (409: the name is already used); `ConnectionError` when nothing was sent;
   * `OutcomeUnknownError` when the extension may exist: look for name and checksum.
   */
  async upload({ archive, name }: UploadArguments, options: UploadOptions = {}): Promise<Extension> {
    checkArchive(archive, extensionArchiveBytesMax);
    checkName("extension", name === undefined ? undefined : extensionNameProblem(name));
    return this.createNamed(name, {}, options, {
      operation:
        name === undefined ? "Uploading an extension without a name" : `Uploading the extension "${name}"`,
      unknownOutcomeAdvice: "List the extensions and compare names and checksums before uploading it again.",
      body: multipartBody({
        ...{ archive, filename: "extension.zip", fields: { name } },
        onProgress: options.onProgress,
      }),
      wrongIf: [
        (extension) => name !== undefined && extension.name !== null && extension.name !== name,
        "it describes another extension",
      ],
    });
  }

  /**
   * Reads an extension by id or name (`GET /extensions/{id_or_name}/metadata`). The service ignores
   * case and accents of the name. Throws `ApiError` (no such extension: `isNotFound`).
   */
  override async get(idOrName: string, options: CallOptions = {}): Promise<Extension> {
    const request = this.request(idOrName, options);
    return readRecord(this.transport, {
      ...request,
      path: `${request.path}/metadata`,
      operation: `Reading the extension "${idOrName}"`,
      // The service compares names loosely, so a looser match is still the requested extension.
      wrongIf: [
        ({ id, name }) => id !== idOrName && !isSameName(name, idOrName),
        "it describes another extension",
      ],
    });
  }

  /**
   * Downloads the archive of an extension (`GET /extensions/{id_or_name}`), at most 64 MiB. Compare
   * the archive's SHA-256 with the record's `checksum`: without a declared length, a connection
   * that ends early looks like the end of the archive.
   */
  async download(idOrName: string, options: DownloadOptions = {}): Promise<Uint8Array> {
    const { onProgress, signal } = options;
    const call: HttpCall = {
      method: "GET",
      path: this.request(idOrName, options).path,
      operation: `Downloading the extension "${idOrName}"`,
      accept: "application/octet-stream",
      bodyBytesMax: extensionArchiveBytesMax,
      carriesArchive: true,
      onBodyBytes: (receivedBytes) => reportProgress(onProgress, { receivedBytes }),
      signal,
    };
    return this.transport.read(call, ({ status, header, bytes, context }) => {
      const type = mediaType(header("content-type"));
      const got = /^text\/|json$/.test(type)
        ? `a body of type ${type}`
        : status === 206
          ? "a part of it (status 206)"
          : bytes.byteLength === 0
            ? `an empty body (status ${status})`
            : undefined;
      if (got !== undefined) {
        throw unexpectedResponseError(call, context, `expected an archive, got ${got}`);
      }
      return bytes;
    });
  }

  /** @internal */
  protected override listing(): Listing<Extension> {
    return {
      path: "/extensions",
      noun: "extension",
      schema: extensionSchema,
      notFoundAdvice:
        "Check the id or name, and that the extension is in the project of the settings: extensions of other projects are not found.",
      conflictAdvice: nameTakenAdvice,
    };
  }

  /** @internal */
  protected override segment(idOrName: string): string {
    return pathSegment("idOrName", idOrName);
  }
}
