/**
 * JSON as Chromium reads the files of an extension. Beyond the standard, Chromium accepts comments
 * between tokens, line breaks in strings and `\x41`. Beyond `JSON.parse`, Chromium refuses half of
 * a surrogate pair, numbers that do not fit, and lists or objects nested more than 199 deep.
 * Measured with Chromium 156.
 */

/** Maximum nesting of lists and objects, including the outermost. */
const depthMax = 199;

/** A number that Chromium does not read as an integer: `3.0`, or beyond 32 bits. */
export class Fraction {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }

  toJSON(): number {
    return this.value;
  }
}

/** Differences between the kinds of files. */
export interface JsonDialect {
  /** Whether a comma may follow the last item of a list or object. Default: false. */
  readonly trailingCommas?: boolean;
}

/**
 * Parses text. An integer of 32 bits becomes a number, any other number a {@link Fraction}. Throws
 * an `Error` with line and column, without any of the text.
 */
export function parseChromiumJson(text: string, dialect: JsonDialect = {}): unknown {
  const parser = new Parser(text, dialect);
  return parser.document();
}

const plainCharacters = /[^"\\\p{Cc}]+|[\r\n\x7f-\x9f]+/uy;
const numberToken = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const whitespacePattern = /[ \t\r\n]+/y;
const literals: ReadonlyMap<string, unknown> = new Map([
  ["true", true],
  ["false", false],
  ["null", null],
]);
const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

class Parser {
  readonly #text: string;
  readonly #dialect: JsonDialect;
  #at = 0;

  constructor(text: string, dialect: JsonDialect) {
    this.#text = text;
    this.#dialect = dialect;
  }

  document(): unknown {
    const value = this.#value(0);
    this.#skipWhitespace();
    if (this.#at < this.#text.length) {
      throw this.#error("the text continues after the end of the value");
    }
    return value;
  }

  #value(depth: number): unknown {
    this.#skipWhitespace();
    const character = this.#text[this.#at];
    if (character === "{" || character === "[") {
      if (depth === depthMax) {
        throw this.#error(`lists and objects are nested more than ${depthMax} deep`);
      }
      return character === "{" ? this.#object(depth + 1) : this.#list(depth + 1);
    }
    if (character === '"') {
      return this.#string();
    }
    for (const [word, value] of literals) {
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length;
        return value;
      }
    }
    return this.#number();
  }

  #object(depth: number): Readonly<Record<string, unknown>> {
    const members: [string, unknown][] = [];
    for (let isMore = this.#skipOpening("}"); isMore; isMore = this.#skipSeparator("}")) {
      if (this.#text[this.#at] !== '"') {
        throw this.#error("the name of a member must be in double quotes");
      }
      const name = this.#string();
      this.#skipWhitespace();
      if (this.#text[this.#at] !== ":") {
        throw this.#error('":" is missing');
      }
      this.#at += 1;
      members.push([name, this.#value(depth)]);
    }
    // Unlike an assignment, `fromEntries` creates a member for "__proto__" too.
    return Object.fromEntries(members);
  }

  #list(depth: number): unknown[] {
    const items: unknown[] = [];
    for (let isMore = this.#skipOpening("]"); isMore; isMore = this.#skipSeparator("]")) {
      items.push(this.#value(depth));
    }
    return items;
  }

  /** Skips the opening bracket of a list or object. Returns false if `end` follows at once. */
  #skipOpening(end: string): boolean {
    this.#at += 1;
    return !this.#skipClosing(end);
  }

  /** Skips the comma after an item. Returns false if `end` closes the list or object. */
  #skipSeparator(end: string): boolean {
    if (this.#skipClosing(end)) {
      return false;
    }
    if (this.#text[this.#at] !== ",") {
      throw this.#error(`"," or "${end}" is missing`);
    }
    const comma = this.#at;
    this.#at += 1;
    const isClosed = this.#skipClosing(end);
    if (isClosed && this.#dialect.trailingCommas !== true) {
      this.#at = comma;
      throw this.#error(`a comma stands before "${end}"`);
    }
    return !isClosed;
  }

  #skipClosing(end: string): boolean {
    this.#skipWhitespace();
    const closes = this.#text[this.#at] === end;
    this.#at += closes ? 1 : 0;
    return closes;
  }

  #string(): string {
    this.#at += 1;
    const parts: string[] = [];
    for (;;) {
      parts.push(this.#match(plainCharacters));
      const character = this.#text[this.#at];
      if (character === '"') {
        this.#at += 1;
        return parts.join("");
      }
      if (character === "\\") {
        parts.push(this.#escape());
      } else if (character === undefined) {
        throw this.#error("a string has no end");
      } else if (/\p{Cc}/u.test(character) && !/[\r\n\x7f-\x9f]/.test(character)) {
        throw this.#error("a string has a control character");
      }
    }
  }

  #escape(): string {
    const [sequence = "", simple, hex] =
      /^\\(?:(["\\/bfnrt])|x([0-9a-fA-F]{2})|u[0-9a-fA-F]{4}(?:\\u[0-9a-fA-F]{4})?)/.exec(
        this.#text.slice(this.#at, this.#at + 12),
      ) ?? [];
    if (sequence === "") {
      throw this.#error("a string has an invalid escape sequence");
    }
    if (simple !== undefined || hex !== undefined) {
      this.#at += sequence.length;
      return simple === undefined
        ? String.fromCharCode(Number.parseInt(hex ?? "", 16))
        : (escapes[simple] ?? "");
    }
    const [first = ""] = JSON.parse(`"${sequence}"`) as string;
    if (/\p{Surrogate}/u.test(first)) {
      throw this.#error("a string has half of a surrogate pair");
    }
    // One character of two units took both sequences.
    this.#at += first.length === 2 ? 12 : 6;
    return first;
  }

  #number(): number | Fraction {
    const start = this.#at;
    const token = this.#match(numberToken);
    if (token === "") {
      throw this.#error(start < this.#text.length ? "a value is expected" : "the text ends within a value");
    }
    if (/[\d.]/.test(this.#text[this.#at] ?? "")) {
      throw this.#error("a number is invalid");
    }
    const value = Number(token);
    if (!Number.isFinite(value)) {
      throw this.#error("a number is too large");
    }
    return /^-?\d+$/.test(token) && value === (value | 0) ? value : new Fraction(value);
  }

  #skipWhitespace(): void {
    for (;;) {
      this.#match(whitespacePattern);
      const start = this.#at;
      if (this.#text[start] !== "/") {
        return;
      }
      const kind = this.#text[start + 1];
      if (kind !== "/" && kind !== "*") {
        throw this.#error("a single / is outside of a string");
      }
      const end = this.#text.indexOf(kind === "/" ? "\n" : "*/", start + 2);
      if (end === -1 && kind === "*") {
        throw this.#error("a comment that begins with /* is not closed");
      }
      this.#at = end === -1 ? this.#text.length : kind === "/" ? end + 1 : end + 2;
    }
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [found = ""] = pattern.exec(this.#text) ?? [];
    this.#at += found.length;
    return found;
  }

  #error(problem: string): Error {
    const lines = this.#text.slice(0, this.#at).split("\n");
    return new Error(`${problem} at line ${lines.length}, column ${(lines.at(-1) ?? "").length + 1}`);
  }
}
