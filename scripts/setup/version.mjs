/** Versions as three numbers; pre-release and build labels are ignored, because only releases are asked for here. */

/**
 * @param {string} text such as `v3.259.0`, `24.21.0`, `go1.26`, `>=22.19`; a missing part counts as 0.
 * @returns {[number, number, number] | undefined} nothing when the text holds no number.
 */
export function parseVersion(text) {
  const match = /(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(text);
  return match ? [Number(match[1]), Number(match[2] ?? 0), Number(match[3] ?? 0)] : undefined;
}

/** Whether `found` is the version `minimum` or a later one. A text without a number is never late enough. */
export function isAtLeast(found, minimum) {
  const left = parseVersion(found);
  const right = parseVersion(minimum);
  if (!left || !right) {
    return false;
  }
  const at = left.findIndex((part, index) => part !== right[index]);
  return at === -1 || left[at] > right[at];
}
