import { InputError } from "../errors.js";
import type { Call } from "./exchange.js";
import { extensionNameProblem } from "./extension-name.js";
import { jsonBytesMax, mediaType, readJson } from "./json.js";
import { multipartBody, type UploadProgress } from "./multipart.js";
import { pageRowsMax, readPage, walkPages } from "./paging.js";
import { pathSegment } from "./path-segment.js";
import type { Transport } from "./transport.js";
import { unexpectedAnswer } from "./unexpected-answer.js";
import { type Extension, extensionPageSchema, extensionSchema } from "./wire.js";

/** Largest archive sent or fetched, in bytes (64 MiB). The service's own tools stop at 50 MiB; its own limit is not published. */
export const extensionArchiveBytesMax = 67_108_864;

/** Longest search text, in characters. */
const filterCharactersMax = 255;

/** What every operation accepts. */
export interface CallOptions {
  /** Ends the operation early. A read then throws `CanceledError`, a write that may have been sent `OutcomeUnknownError`. */
  readonly signal?: AbortSignal | undefined;
}

/** What `upload` takes. */
export interface UploadArguments extends CallOptions {
  /** The zip archive, sent byte for byte: 1 byte to 64 MiB. Must not change until the upload has ended. */
  readonly archive: Uint8Array;
  /** Name for later reference, unique within the project; `extensionNameProblem` holds the rule. Default: none. */
  readonly name?: string | undefined;
  /** Called after each 64 KiB that the connection has taken. What it throws is ignored, so that a display cannot put a write in doubt. */
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
}

/** What `list` and `pages` take. */
export interface ListOptions extends CallOptions {
  /** Only the extension with exactly this name. The service compares loosely (case, accents); the rest is dropped here. */
  readonly name?: string | undefined;
  /** Only extensions the service finds for this text; ids match exactly. */
  readonly query?: string | undefined;
}

/** The extensions of one project. Reads are repeated after passing faults; `upload` and `delete` are sent once. */
export class ExtensionOperations {
  readonly #transport: Transport;
  readonly #pagesMax: number;

  /** Made by `BrowserInfraClient`. */
  constructor(transport: Transport, pagesMax: number) {
    this.#transport = transport;
    this.#pagesMax = pagesMax;
  }

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
        "invalid_archive",
        "archive",
        'The "archive" is empty. Pass the bytes of a zip archive.',
      );
    }
    if (archive.byteLength > extensionArchiveBytesMax) {
      throw new InputError(
        "invalid_archive",
        "archive",
        `The "archive" has ${archive.byteLength} bytes; at most ${extensionArchiveBytesMax} are sent. Leave files out.`,
      );
    }
    const problem = name === undefined ? undefined : extensionNameProblem(name);
    if (problem !== undefined)
      throw new InputError("invalid_name", "name", `The extension's "name" ${problem}.`);
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
    return this.#transport.write(call, (reply) => readJson(reply, extensionSchema, call));
  }

  /**
   * Reads one extension by id or name (`GET /extensions/{id_or_name}/metadata`).
   * Throws `ApiError`; `isNotFound` tells whether it is gone.
   */
  async get(idOrName: string, options: CallOptions = {}): Promise<Extension> {
    const call: Call = {
      method: "GET",
      path: `/extensions/${pathSegment("idOrName", idOrName)}/metadata`,
      doing: `Reading the extension "${idOrName}"`,
      accept: "application/json",
      bodyBytesMax: jsonBytesMax,
      signal: options.signal,
    };
    return this.#transport.read(call, (reply) => {
      const extension = readJson(reply, extensionSchema, call);
      if (!answersTo(extension, idOrName))
        throw unexpectedAnswer(call, reply.context, "it describes another extension");
      return extension;
    });
  }

  /**
   * Every extension of the project that matches, all pages, each id once, in the service's order (which it does not publish).
   * Not a snapshot: one that is deleted during the walk can hide another.
   * Throws `ContractError` when the pages repeat or do not end.
   */
  async list(options: ListOptions = {}): Promise<readonly Extension[]> {
    const all: Extension[] = [];
    for await (const page of this.pages(options)) all.push(...page);
    return all;
  }

  /** As `list`, page by page, at most 100 extensions each; a page can be empty after filtering. */
  pages(options: ListOptions = {}): AsyncGenerator<readonly Extension[], void, undefined> {
    const { name, query, signal } = options;
    checkFilter("name", name);
    checkFilter("query", query);
    const exact = (row: Extension) => name === undefined || row.name === name;
    return this.#walk({ name, query, signal }, exact);
  }

  /**
   * Fetches the archive of an extension (`GET /extensions/{id_or_name}`), at most 64 MiB. Compare its SHA-256 with the record's
   * `checksum`: a connection that ends early without a declared length cannot be told from a whole one.
   */
  async download(idOrName: string, options: CallOptions = {}): Promise<Uint8Array> {
    const call: Call = {
      method: "GET",
      path: `/extensions/${pathSegment("idOrName", idOrName)}`,
      doing: `Downloading the extension "${idOrName}"`,
      accept: "application/octet-stream",
      bodyBytesMax: extensionArchiveBytesMax,
      carriesArchive: true,
      signal: options.signal,
    };
    return this.#transport.read(call, (reply) => {
      const type = mediaType(reply.header("content-type"));
      if (/^text\/|json$/.test(type))
        throw unexpectedAnswer(call, reply.context, `a body of type ${type}, where an archive is due`);
      if (reply.status === 206)
        throw unexpectedAnswer(
          call,
          reply.context,
          "a part of the archive, although the whole was asked for",
        );
      if (reply.bytes.byteLength === 0)
        throw unexpectedAnswer(
          call,
          reply.context,
          `status ${reply.status} with an empty body, where an archive is due`,
        );
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
    await this.#transport.write(call, () => undefined);
  }

  async *#walk(
    { name, query, signal }: ListOptions,
    keep: (row: Extension) => boolean,
  ): AsyncGenerator<readonly Extension[], void, undefined> {
    const walk = walkPages(this.#pagesMax, (offset) => {
      const parameters = new URLSearchParams({ limit: String(pageRowsMax), offset: String(offset) });
      if (name !== undefined) parameters.set("name", name);
      if (query !== undefined) parameters.set("query", query);
      const call: Call = {
        method: "GET",
        path: "/extensions",
        query: parameters,
        doing: name === undefined ? "Listing extensions" : `Looking for an extension named "${name}"`,
        accept: "application/json",
        bodyBytesMax: jsonBytesMax,
        signal,
      };
      return this.#transport.read(call, (reply) =>
        readPage(reply, readJson(reply, extensionPageSchema, call), offset, call),
      );
    });
    for await (const rows of walk) yield rows.filter(keep);
  }
}

/** The service looks names up without regard to case and accents, so a looser match is still an answer to the question. */
const loosely = new Intl.Collator("en", { sensitivity: "base" });

function answersTo(extension: Extension, idOrName: string): boolean {
  return (
    extension.id === idOrName || (extension.name !== null && loosely.compare(extension.name, idOrName) === 0)
  );
}

function checkFilter(property: "name" | "query", value: string | undefined): void {
  if (value === undefined) return;
  if (typeof value !== "string" || value === "" || value.length > filterCharactersMax) {
    throw new InputError(
      "invalid_filter",
      property,
      `"${property}" must have 1 to ${filterCharactersMax} characters, or be left out.`,
    );
  }
  if (/[\p{Cc}\p{Cs}]/u.test(value)) {
    throw new InputError(
      "invalid_filter",
      property,
      `"${property}" has a control character or broken Unicode. Leave it out.`,
    );
  }
}
