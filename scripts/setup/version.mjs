/**
 * Whether version `found` is `minimum` or newer. Formats: `v3.259.0`, `24.21.0`, `go1.26` or
 * `>=22.19`. A missing part counts as 0. A label after the numbers is ignored, because only
 * releases are compared here. False if either contains no number.
 *
 * @param {string} found
 * @param {string} minimum
 */
export function isAtLeast(found, minimum) {
  const left = parseVersion(found);
  const right = parseVersion(minimum);
  if (!left || !right) {
    return false;
  }
  const difference = left.map((part, index) => part - (right[index] ?? 0)).find((each) => each !== 0);
  return (difference ?? 0) >= 0;
}

/** @param {string} text */
function parseVersion(text) {
  const match = /(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(text);
  return match ? [Number(match[1]), Number(match[2] ?? 0), Number(match[3] ?? 0)] : undefined;
}
