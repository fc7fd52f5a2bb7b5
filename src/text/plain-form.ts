/**
 * Plain form of possibly escaped text. A service may repeat a secret in a URL, in JSON, in an HTML
 * page, or in JSON within HTML. All spellings have the same plain form, so secrets are compared in
 * plain form.
 */
import { oneLine } from "./escape.js";

/** Maximum number of removed layers of escaping. JSON in JSON in a URL has three. */
const layersMax = 4;

/** Escapes of URLs and forms (`+`), of JSON and JavaScript, and of HTML. */
const escapes =
  /%(?<octet>[0-9a-f]{2})|\\x(?<byte>[0-9a-f]{2})|(?<units>\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|\\u[0-9a-f]{4})|\\(?<control>[nrtfvb])|\\(?<self>[^a-z0-9])|&#(?<decimal>\d{1,7});|&#x(?<hex>[0-9a-f]{1,6});|&(?<name>amp|lt|gt|quot|apos|nbsp);|\+/gi;

const namedCharacters: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

/** Removes up to four layers of escaping, and puts the text on a single line. */
export function removeEscapes(text: string): string {
  // As bytes, because a URL escapes UTF-8 byte by byte.
  let plain = toBytes(text);
  for (let layer = 0; layer < layersMax; layer += 1) {
    const decoded = plain.replace(escapes, decode);
    if (decoded === plain) {
      break;
    }
    plain = decoded;
  }
  return oneLine(Buffer.from(plain, "latin1").toString("utf8"));
}

/** Decodes an escape to bytes, a character each. The last argument has the groups. */
function decode(...match: readonly unknown[]): string {
  const { octet, byte, units, self, decimal, hex, name } = match.at(-1) as Partial<Record<string, string>>;
  const single = octet ?? byte;
  if (single !== undefined) {
    return String.fromCharCode(Number.parseInt(single, 16));
  }
  if (units !== undefined) {
    const codes = units.slice(2).split(/\\u/i);
    return toBytes(String.fromCharCode(...codes.map((code) => Number.parseInt(code, 16))));
  }
  const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
  if (!Number.isNaN(code)) {
    return code > 0x10ffff ? " " : toBytes(String.fromCodePoint(code));
  }
  return self ?? namedCharacters[name?.toLowerCase() ?? ""] ?? " ";
}

function toBytes(text: string): string {
  return Buffer.from(text).toString("latin1");
}
