/**
 * What the first line of a private key ends with: of every kind of PEM, of OpenSSH, and, with
 * `BLOCK`, of PGP.
 */
const words = Buffer.from("PRIVATE KEY");
const endings = ["-----", " BLOCK-----"].map((ending) => Buffer.from(ending));

/** The longest of these markers can begin this many bytes before a piece that holds its end. */
const seamBytes = words.length + Math.max(...endings.map(({ length }) => length)) - 1;

/** Whether bytes hold the first line of a private key. They are searched where they are. */
export function holdsPrivateKey({ buffer, byteOffset, length }: Uint8Array): boolean {
  const bytes = Buffer.from(buffer, byteOffset, length);
  for (let at = bytes.indexOf(words); at !== -1; at = bytes.indexOf(words, at + 1)) {
    const end = at + words.length;
    if (endings.some((ending) => bytes.subarray(end, end + ending.length).equals(ending))) {
      return true;
    }
  }
  return false;
}

/** Looks for a private key in a file that is read piece by piece. */
export class PrivateKeySearch {
  /** The end of what came before: a marker may lie across two pieces, or more. */
  #tail: Uint8Array = Buffer.alloc(0);
  #found = false;

  /** Searches the next piece. Keeps nothing of it but a copy of its last few bytes. */
  add(piece: Uint8Array): void {
    const seam = Buffer.concat([this.#tail, piece.subarray(0, seamBytes)]);
    this.#found ||= holdsPrivateKey(seam) || holdsPrivateKey(piece);
    this.#tail = Buffer.concat([this.#tail, piece.subarray(-seamBytes)]).subarray(-seamBytes);
  }

  /** Whether there was one in the pieces so far. */
  get found(): boolean {
    return this.#found;
  }
}
