/**
 * What the first line of a private key ends with: of every kind of PEM, of OpenSSH, and, with
 * `BLOCK`, of PGP.
 */
const marker = /^PRIVATE KEY(?: BLOCK)?-----/;
const markerBytesMax = "PRIVATE KEY BLOCK-----".length;

/**
 * The part that is searched. One so short, with a first letter that is rare, is found several times
 * faster than the whole, which would take as long as hashing the file.
 */
const word = Buffer.from("KEY");
const wordAt = "PRIVATE ".length;
const firstLetter = "P".charCodeAt(0);

/** The longest marker can begin this many bytes before a piece that holds its end. */
const seamBytes = markerBytesMax - 1;

/** Whether bytes hold the first line of a private key. They are searched where they are. */
export function holdsPrivateKey({ buffer, byteOffset, length }: Uint8Array): boolean {
  const bytes = Buffer.from(buffer, byteOffset, length);
  for (let at = bytes.indexOf(word); at !== -1; at = bytes.indexOf(word, at + word.length)) {
    const start = at - wordAt;
    // Most hits end here. To look closer takes longer than to find the next one.
    const mayBeMarker = start >= 0 && bytes[start] === firstLetter;
    if (mayBeMarker && marker.test(bytes.toString("latin1", start, start + markerBytesMax))) {
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

  /** Whether one has been found in the pieces so far. */
  get found(): boolean {
    return this.#found;
  }
}
