/** Length of the window that moves over the bytes, and of the shortest word. Bytes. */
const windowBytes = 16;

/** A word that is looked for, and what it is a sign of. */
interface Word<Kind> {
  readonly bytes: Buffer;
  readonly kind: Kind;
  /**
   * Whether the bytes after the word, {@link followingBytes} at most, make it a finding. Default:
   * the word alone is one.
   */
  readonly isConfirmed?: (following: Uint8Array) => boolean;
}

/** Most bytes after a word that decide about it. */
const followingBytes = 1_024;

/**
 * Looks for many words at once, by the algorithm of Wu and Manber: the last two bytes in the window
 * say how far it can move without missing a word. So only one byte in ten is looked at, and hundreds
 * of words take half as long as hashing the same bytes.
 */
export class WordSearch<Kind> {
  /** How far the window can move, by its last two bytes. 0: a word may begin where it begins. */
  readonly #moves = new Uint8Array(2 ** 16).fill(windowBytes - 1);
  /** The words, by the two bytes with which the window ends where they begin. */
  readonly #words = new Map<number, Word<Kind>[]>();
  /** Length of the longest word with the bytes that decide about it, 16 at least. */
  readonly longestBytes: number;

  /** Every word must have 16 bytes or more. */
  constructor(words: readonly Word<Kind>[]) {
    this.longestBytes = Math.max(
      windowBytes,
      ...words.map(
        ({ bytes, isConfirmed }) => bytes.length + (isConfirmed === undefined ? 0 : followingBytes),
      ),
    );
    const end = windowBytes - 1;
    for (const word of words) {
      for (let at = 1; at <= end; at += 1) {
        const pair = pairAt(word.bytes, at);
        this.#moves[pair] = Math.min(this.#moves[pair] ?? 0, end - at);
      }
      const pair = pairAt(word.bytes, end);
      const others = this.#words.get(pair) ?? [];
      others.push(word);
      this.#words.set(pair, others);
    }
  }

  /** What the first word found is a sign of; undefined when there is none. */
  find(bytes: Uint8Array): Kind | undefined {
    const moves = this.#moves;
    for (let at = windowBytes - 1; at < bytes.length; ) {
      const pair = pairAt(bytes, at);
      const move = moves[pair] ?? 0;
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
        // Most of them differ here already.
        bytes[start] === word[0] &&
        word.equals(bytes.subarray(start, start + word.length)) &&
        isConfirmed(bytes.subarray(start + word.length, start + word.length + followingBytes)),
    );
  }
}

/** The byte at `at` and the one before it, as one number. */
function pairAt(bytes: Uint8Array, at: number): number {
  return ((bytes[at - 1] ?? 0) << 8) | (bytes[at] ?? 0);
}

/** Looks for words in a file that is read piece by piece. */
export class PieceSearch<Kind> {
  readonly #words: WordSearch<Kind>;
  /** The longest word can begin this many bytes before a piece that holds its end. */
  readonly #seamBytes: number;
  /** The end of what came before: a word may lie across two pieces, or more. */
  #tail: Uint8Array = Buffer.alloc(0);
  #found: Kind | undefined;

  constructor(words: WordSearch<Kind>) {
    this.#words = words;
    this.#seamBytes = words.longestBytes - 1;
  }

  /** Searches the next piece. Keeps nothing of it but a copy of its end. */
  add(piece: Uint8Array): void {
    const seam = Buffer.concat([this.#tail, piece.subarray(0, this.#seamBytes)]);
    this.#found ??= this.#words.find(seam) ?? this.#words.find(piece);
    const end = Buffer.concat([this.#tail, piece.subarray(-this.#seamBytes)]);
    this.#tail = end.subarray(-this.#seamBytes);
  }

  /** What the first word found so far is a sign of; undefined when there is none. */
  get found(): Kind | undefined {
    return this.#found;
  }
}
