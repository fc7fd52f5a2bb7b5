/**
 * Whether Chromium's parser accepts a version: numbers of 32 bits with dots between. Only the first
 * must not begin with a zero, so `2024.01.05` is valid. `partsMax`: maximum number of parts.
 */
export function isVersion(version: unknown, partsMax: number): version is string {
  return (
    typeof version === "string" &&
    /^(?:0|[1-9]\d*)(?:\.\d+)*$/.test(version) &&
    version.split(".").length <= partsMax &&
    version.split(".").every((number) => Number(number) < 2 ** 32)
  );
}
