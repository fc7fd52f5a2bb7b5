/** Most items a message lists one by one; the rest is counted. */
export const listedMax = 5;

/** Longest name shown in a message, in characters. */
const shownNameMax = 300;

/**
 * A name in double quotes, on one line. Control and format characters and quotes are escaped: a name comes from a file
 * system or a zip, and must not be able to steer a terminal.
 */
export function quoted(name: string): string {
  const shown = name.length > shownNameMax ? `${name.slice(0, shownNameMax)}…` : name;
  return `"${shown.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}"]/gu, (character) =>
    character === '"' ? '\\"' : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  )}"`;
}

/** Bytes of a name that is not UTF-8: what can be read, and `\xNN` for the rest. */
export function quotedBytes(name: Buffer): string {
  const text = Array.from(name, (byte) =>
    byte >= 0x20 && byte < 0x7f && byte !== 0x22
      ? String.fromCharCode(byte)
      : `\\x${byte.toString(16).padStart(2, "0")}`,
  );
  return `"${text.slice(0, shownNameMax).join("")}"`;
}

/** The first items, and how many more there are: `"a", "b" and 3 more`. */
export function listed(items: readonly string[], max = listedMax, separator = ", "): string {
  const more = items.length - max;
  return items.slice(0, max).join(separator) + (more > 0 ? ` and ${more} more` : "");
}

/** `1 file`, `2 files`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
}

/** A size for people: `44.0 MiB`, `3.5 KiB`, `17 bytes`. */
export function sizeText(bytes: number): string {
  for (const [unit, unitBytes] of [
    ["GiB", 1024 ** 3],
    ["MiB", 1024 ** 2],
    ["KiB", 1024],
  ] as const) {
    if (bytes >= unitBytes) {
      return `${(bytes / unitBytes).toFixed(1)} ${unit}`;
    }
  }
  return counted(bytes, "byte");
}

/** The largest files with their sizes, largest first: `model.bin 44.0 MiB, demo.mp4 9.8 MiB`. */
export function largestFiles(
  files: readonly { readonly path: string; readonly sizeBytes: number }[],
): string {
  return files
    .toSorted((a, b) => b.sizeBytes - a.sizeBytes)
    .slice(0, listedMax)
    .map(({ path, sizeBytes }) => `${quoted(path)} ${sizeText(sizeBytes)}`)
    .join(", ");
}
