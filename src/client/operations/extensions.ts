import { InputError } from "../../errors.js";
import type { Call, CallOptions } from "../http/exchange.js";
import { jsonBytesMax, mediaType, readJson } from "../http/json.js";
import { multipartBody, type UploadProgress } from "../http/multipart.js";
import { pathSegment } from "../http/path.js";
import { reportProgress } from "../http/progress.js";
import { readRecord } from "../http/read-record.js";
import { unexpectedAnswer } from "../http/unexpected-answer.js";
import type { Extension } from "../types.js";
import { extensionSchema } from "../wire/extension.js";
import { extensionNameProblem } from "./extension-name.js";
import { pickByName } from "./find-by-name.js";
import { type Listing, ListOperations, type ListOptions } from "./list.js";

/** Largest archive sent or fetched, in bytes (64 MiB). The service's own tools stop at 50 MiB; its own limit is not published. */
export const extensionArchiveBytesMax = 67_108_864;

/** What `upload` takes. */
export interface UploadArguments extends CallOptions {
  /** The zip archive, sent byte for byte: 1 byte to 64 MiB. Must not change until the upload has ended. */
  readonly archive: Uint8Array;
  /** Name for later reference, unique within the project; `extensionNameProblem` holds the rule. Default: none. */
  readonly name?: string | undefined;
  /** Called after each 64 KiB that the connection has taken. What it throws is ignored, so that a display cannot put a write in doubt. */
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
}

/** How far a download has come. */
export interface DownloadProgress {
  /** Bytes of the archive that have come so far; fewer than before when the download had to begin again. */
  readonly receivedBytes: number;
}

/** What `download` takes. */
export interface DownloadOptions extends CallOptions {
  /** Called after each piece that has come. What it throws is ignored. */
  readonly onProgress?: ((progress: DownloadProgress) => void) | undefined;
}

/** The extensions of one project. Reads are repeated after passing faults; `upload` and `delete` are sent once. */
export class ExtensionOperations extends ListOperations<Extension, ListOptions> {
  /**
   * Uploads an archive as a new extension (`POST /extensions`). Sent exactly once.
   *
   * Throws `InputError` before any request; `ApiError` when the service refused, so nothing was stored (409: the name is taken);
   * `ConnectionError` when nothing was sent; `OutcomeUnknownError` when the extension may exist: look for its name and checksum.
   */
  async upload(args: UploadArguments): Promise<Extension> {
    const { archive, name, onProgress, signal } = args;
    if (!(archive instanceof Uint8Array) || archive.byteLength === 0) {
      throw new InputError(
        "archive_invalid",
        "archive",
        'The "archive" is empty. Pass the bytes of a zip archive.',
      );
    }
    if (archive.byteLength > extensionArchiveBytesMax) {
      throw new InputError(
        "archive_invalid",
        "archive",
        `The "archive" has ${archive.byteLength} bytes; at most ${extensionArchiveBytesMax} are sent. Leave files out.`,
      );
    }
    const problem = name === undefined ? undefined : extensionNameProblem(name);
    if (problem !== undefined) {
      throw new InputError("name_invalid", "name", `The extension's "name" ${problem}.`);
    }
    const call: Call = {
      method: "POST",
      path: "/extensions",
      doing:
        name === undefined ? "Uploading an extension without a name" : `Uploading the extension "${name}"`,
      ifUnknown: "List the extensions and compare names and checksums before uploading it again.",
      accept: "application/json",
      body: multipartBody(archive, name, onProgress),
      bodyBytesMax: jsonBytesMax,
      signal,
    };
    return this.transport.write(call, (reply) => readJson(reply, extensionSchema, call));
  }

  /**
   * Reads one extension by id or name (`GET /extensions/{id_or_name}/metadata`).
   * Throws `ApiError`; `isNotFound` tells whether it is gone.
   */
  async get(idOrName: string, options: CallOptions = {}): Promise<Extension> {
    return readRecord(this.transport, {
      path: `/extensions/${pathSegment("idOrName", idOrName)}/metadata`,
      doing: `Reading the extension "${idOrName}"`,
      schema: extensionSchema,
      mistaken: (extension) =>
        answersTo(extension, idOrName) ? undefined : "it describes another extension",
      signal: options.signal,
    });
  }

  /**
   * Finds one extension of the project by its exact name, byte for byte. `get` leaves the comparison to the service, which is loose.
   * Throws `LookupError` with code `name_not_found`, which lists what the service found, with ids.
   */
  async getByName(name: string, options: CallOptions = {}): Promise<Extension> {
    const found = await this.namedLoosely(name, options);
    return pickByName(found, name, "extension", (text) => this.transport.clean(text));
  }

  /**
   * Fetches the archive of an extension (`GET /extensions/{id_or_name}`), at most 64 MiB. Compare its SHA-256 with the record's
   * `checksum`: a connection that ends early without a declared length cannot be told from a whole one.
   */
  async download(idOrName: string, options: DownloadOptions = {}): Promise<Uint8Array> {
    const { onProgress, signal } = options;
    const call: Call = {
      method: "GET",
      path: `/extensions/${pathSegment("idOrName", idOrName)}`,
      doing: `Downloading the extension "${idOrName}"`,
      accept: "application/octet-stream",
      bodyBytesMax: extensionArchiveBytesMax,
      carriesArchive: true,
      onBodyBytes: (receivedBytes) => reportProgress(onProgress, { receivedBytes }),
      signal,
    };
    return this.transport.read(call, (reply) => {
      const type = mediaType(reply.header("content-type"));
      if (/^text\/|json$/.test(type)) {
        throw unexpectedAnswer(call, reply.context, `a body of type ${type}, where an archive is due`);
      }
      if (reply.status === 206) {
        throw unexpectedAnswer(
          call,
          reply.context,
          "a part of the archive, although the whole was asked for",
        );
      }
      if (reply.bytes.byteLength === 0) {
        throw unexpectedAnswer(
          call,
          reply.context,
          `status ${reply.status} with an empty body, where an archive is due`,
        );
      }
      return reply.bytes;
    });
  }

  /**
   * Deletes an extension by id or name (`DELETE /extensions/{id_or_name}`). Sent exactly once. Give the id: a name may meanwhile belong
   * to another extension. Throws `ApiError` when the service refused (`resource_in_use`: a browser pool holds it; gone already:
   * `isNotFound`), `OutcomeUnknownError` when it may be gone: read it to find out.
   */
  async delete(idOrName: string, options: CallOptions = {}): Promise<void> {
    const call: Call = {
      method: "DELETE",
      path: `/extensions/${pathSegment("idOrName", idOrName)}`,
      doing: `Deleting the extension "${idOrName}"`,
      ifUnknown: "Read the extension; if it still exists, delete it again.",
      accept: "*/*",
      bodyBytesMax: 0,
      signal: options.signal,
    };
    await this.transport.write(call, () => undefined);
  }

  protected override listing(): Listing<Extension> {
    return { path: "/extensions", noun: "extensions", schema: extensionSchema };
  }
}

/** The service looks names up without regard to case and accents, so a looser match is still an answer to the question. */
const loosely = new Intl.Collator("en", { sensitivity: "base" });

function answersTo(extension: Extension, idOrName: string): boolean {
  return (
    extension.id === idOrName || (extension.name !== null && loosely.compare(extension.name, idOrName) === 0)
  );
}
