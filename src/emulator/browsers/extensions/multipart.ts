import { invalidInput } from "../../http/service-error.js";

/** Part of a multipart/form-data body. */
interface Part {
  readonly name: string;
  /** Whether the part has a filename or a binary media type; false for a text field. */
  readonly isFile: boolean;
  /** A view of the body's memory. */
  readonly bytes: Buffer;
}

/** Most parts of a body. Further parts are refused. */
const partsMax = 100;

/** Longest header block of one part, in bytes. */
const partHeaderBytesMax = 16_384;

/**
 * Splits a multipart/form-data body (RFC 7578) into its parts, bytes untouched, in the order sent.
 * Throws `ServiceError` 400 for a different media type and for a malformed body.
 */
export function parseMultipart(contentType: string | undefined, body: Buffer): readonly Part[] {
  const boundary = boundaryOf(contentType);
  const delimiter = Buffer.from(`--${boundary}`, "latin1");
  const nextDelimiter = Buffer.from(`\r\n--${boundary}`, "latin1");
  // Bytes before the first delimiter are a preamble, which is ignored.
  const start = body.subarray(0, delimiter.length).equals(delimiter) ? 0 : body.indexOf(nextDelimiter) + 2;
  if (start === 1) {
    throw malformed("its boundary does not occur in it");
  }
  const parts: Part[] = [];
  for (let at = start + delimiter.length; ; ) {
    if (body.subarray(at, at + 2).toString("latin1") === "--") {
      return parts;
    }
    // Spaces and tabs may follow a delimiter on its line.
    while (body[at] === 0x20 || body[at] === 0x09) {
      at += 1;
    }
    if (body.subarray(at, at + 2).toString("latin1") !== "\r\n") {
      throw malformed("it ends within a part");
    }
    const headerEnd = body.indexOf("\r\n\r\n", at, "latin1");
    if (headerEnd === -1 || headerEnd - at > partHeaderBytesMax) {
      throw malformed("the headers of a part do not end");
    }
    const end = body.indexOf(nextDelimiter, headerEnd + 2);
    if (end === -1) {
      throw malformed("it ends within a part");
    }
    // The end of an empty part overlaps with the empty line after its headers.
    parts.push(
      part(body.subarray(at, headerEnd).toString("utf8"), body.subarray(Math.min(headerEnd + 4, end), end)),
    );
    if (parts.length > partsMax) {
      throw malformed(`it has more than ${partsMax} parts`);
    }
    at = end + nextDelimiter.length;
  }
}

function boundaryOf(contentType: string | undefined): string {
  const [mediaType = "", ...rest] = (contentType ?? "").split(";");
  const boundary = /(?:^|;)\s*boundary=(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(rest.join(";"));
  if (mediaType.trim().toLowerCase() !== "multipart/form-data" || boundary === null) {
    throw invalidInput(
      'The request must be multipart/form-data with a boundary, and have the archive in a part named "file".',
    );
  }
  return boundary[1] ?? boundary[2] ?? "";
}

function part(headers: string, bytes: Buffer): Part {
  const lines = headers.split("\r\n").map((line) => line.split(/:(.*)/s));
  const values = new Map(lines.map(([name = "", value = ""]) => [name.trim().toLowerCase(), value]));
  const disposition = values.get("content-disposition") ?? "";
  const parameters = new Map<string, string | undefined>();
  for (const [, parameter = "", quoted, plain] of disposition.matchAll(
    /;\s*([^\s=;"]+)=(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))/g,
  )) {
    parameters.set(parameter.toLowerCase(), quoted ?? plain);
  }
  const name = parameters.get("name");
  if (name === undefined) {
    throw malformed("a part has no name");
  }
  const mediaType = values.get("content-type") ?? "";
  const isBinary = /^\s*application\/(octet-stream|zip|x-zip-compressed)\s*(;|$)/i.test(mediaType);
  return { name, isFile: isBinary || parameters.has("filename") || parameters.has("filename*"), bytes };
}

function malformed(why: string) {
  return invalidInput(`The multipart body is malformed: ${why}.`);
}
