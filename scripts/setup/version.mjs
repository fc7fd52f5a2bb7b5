/**
 * Whether version `found` is `minimum` or newer. Formats: `v3.259.0`, `24.21.0`, `go1.26` or
 * `>=22.19`. A missing part is older than any number. A label after the numbers is ignored, because
 * only releases are compared here. False if either contains no number.
 *
 * @param {string} found
 * @param {string} minimum
 */
export function isAtLeast(found, minimum) {
  const [left, right] = [found, minimum].map((text) => /\d+(\.\d+)*/.exec(text)?.[0]);
  return left !== undefined && right !== undefined && compare(left, right) >= 0;
}

const { compare } = new Intl.Collator("en", { numeric: true });
