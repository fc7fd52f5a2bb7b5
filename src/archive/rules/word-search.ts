/** Length of the window that moves over the bytes, and of the shortest word. Bytes. */
const windowBytes = 16;

/** A word to search for, and the kind of a match. */
interface Word<Kind> {
  readonly bytes: Buffer;
  readonly kind: Kind;
  /** Whether the next bytes, at most {@link followingBytes}, confirm a match. Default: true. */
  readonly isConfirmed?: (following: Uint8Array) => boolean;
}

/** Maximum number of bytes after a word passed to `isConfirmed`. */
const followingBytes = 1_024;

/**
 * Searches for many words at once, by the algorithm of Wu and Manber: the last two bytes in the
 * window determine how far the window can move without missing a word. So only one byte in ten is
 * read, and hundreds of words take half as long as hashing the same bytes.
 */
export class WordSearch<Kind> {
  /** Moves of the window, by the last two bytes. 0: a word may begin at the start of the window. */
  readonly #shifts = new Uint8Array(2 ** 16).fill(windowBytes - 1);
  /** Words by bytes 15 and 16, the last two bytes of the window at the start of the word. */
  readonly #words = new Map<number, Word<Kind>[]>();
  /** Length of the longest word together with the bytes that may confirm a match. */
  readonly longestBytes: number;

  /** Every word must have 16 bytes or more. */
  constructor(words: readonly Word<Kind>[]) {
    this.longestBytes = Math.max(0, ...words.map(({ bytes }) => bytes.length)) + followingBytes;
    const end = windowBytes - 1;
    for (const word of words) {
      for (let at = 1; at <= end; at += 1) {
        const pair = pairAt(word.bytes, at);
        this.#shifts[pair] = Math.min(this.#shifts[pair] as number, end - at);
      }
      const pair = pairAt(word.bytes, end);
      const others = this.#words.get(pair) ?? [];
      others.push(word);
      this.#words.set(pair, others);
    }
  }

  /** Returns the kind of the first word found, or undefined. */
  find(bytes: Uint8Array): Kind | undefined {
    const moves = this.#shifts;
    for (let at = windowBytes - 1; at < bytes.length; ) {
      const pair = pairAt(bytes, at);
      const move = moves[pair] as number;
      if (move === 0) {
        const found = this.#wordAt(bytes, at - windowBytes + 1, pair);
        if (found !== undefined) {
          return found.kind;
        }
      }
      at += move || 1;
    }
    return undefined;
  }

  #wordAt(bytes: Uint8Array, start: number, pair: number): Word<Kind> | undefined {
    return this.#words.get(pair)?.find(
      ({ bytes: word, isConfirmed = () => true }) =>
        // Most words differ in the first byte.
        bytes[start] === word[0] &&
        word.equals(bytes.subarray(start, start + word.length)) &&
        isConfirmed(bytes.subarray(start + word.length, start + word.length + followingBytes)),
    );
  }
}

/** Combines the byte at `at` and the preceding byte into one number. */
function pairAt(bytes: Uint8Array, at: number): number {
  return ((bytes[at - 1] as number) << 8) | (bytes[at] as number);
}

/** Searches for words in a file read in pieces. */
export class PieceSearch<Kind> {
  readonly #words: WordSearch<Kind>;
  /** Maximum number of bytes of a word before the piece that contains its end. */
  readonly #seamBytes: number;
  /** End of the previous pieces: a word may span two or more pieces. */
  #tail: Uint8Array = Buffer.alloc(0);
  #found: Kind | undefined;

  constructor(words: WordSearch<Kind>) {
    this.#words = words;
    this.#seamBytes = words.longestBytes - 1;
  }

  /** Searches the next piece. Keeps only a copy of the end. */
  add(piece: Uint8Array): void {
    const seam = Buffer.concat([this.#tail, piece.subarray(0, this.#seamBytes)]);
    this.#found ??= this.#words.find(seam) ?? this.#words.find(piece);
    const end = Buffer.concat([this.#tail, piece.subarray(-this.#seamBytes)]);
    this.#tail = end.subarray(-this.#seamBytes);
  }

  /** Kind of the first word found so far, or undefined. */
  get found(): Kind | undefined {
    return this.#found;
  }
}
