import type { Context } from "hono";
import { readBody, tooLarge } from "../../http/request-body.js";
import { invalidInput } from "../../http/service-error.js";
import type { RouteEnvironment } from "../../objects/access.js";
import { parseMultipart } from "./multipart.js";

/** Most bytes of a request body besides the archive: boundaries, headers and further fields. */
const envelopeBytesMax = 1_048_576;

/** Form with an archive in the field `file`, and text fields. */
interface UploadForm {
  /** Name of the archive in messages, such as `extension archive`. */
  readonly noun: string;
  /** Largest archive accepted, in bytes. */
  readonly bytesMax: number;
  /** Text fields whose values may be in the record of the request. */
  readonly shown: readonly string[];
  /** Names of further text fields. */
  readonly hidden?: RegExp;
}

/**
 * Reads a form with an archive. Throws `ServiceError` for an unknown field, a second field of a name, text in
 * place of the file, and an archive that is too large. No archive: undefined.
 */
export async function readUploadForm(
  context: Context<RouteEnvironment>,
  { noun, bytesMax, shown, hidden }: UploadForm,
): Promise<{ readonly archive: Buffer | undefined; readonly fields: ReadonlyMap<string, string> }> {
  const { exchange } = context.env;
  const refusal = () =>
    tooLarge(`The ${noun} is larger than ${bytesMax / 1_048_576} MiB (${bytesMax} bytes).`);
  const body = await readBody(exchange, bytesMax + envelopeBytesMax, refusal);
  const parts = parseMultipart(context.req.header("content-type"), body);
  const recorded = ({ name, isFile, bytes }: (typeof parts)[number]) =>
    isFile ? `${bytes.byteLength} bytes` : shown.includes(name) ? `${bytes}` : "hidden";
  exchange.contents.body = Object.fromEntries(parts.map((part) => [part.name, recorded(part)]));
  const names = parts.map(({ name }) => name);
  const other = names.find((name) => !["file", ...shown].includes(name) && hidden?.test(name) !== true);
  if (other !== undefined) {
    throw invalidInput(`The form has an unknown field ${JSON.stringify(other)}.`);
  }
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) {
    throw invalidInput(`The form has more than one field ${JSON.stringify(twice)}.`);
  }
  const file = parts.find(({ name }) => name === "file");
  if (file?.isFile === false) {
    throw invalidInput('The form field "file" is text. Send the archive as a file, with a filename.');
  }
  if (file !== undefined && file.bytes.byteLength > bytesMax) {
    throw refusal();
  }
  const texts = parts.filter((part) => part !== file);
  return { archive: file?.bytes, fields: new Map(texts.map(({ name, bytes }) => [name, `${bytes}`])) };
}
