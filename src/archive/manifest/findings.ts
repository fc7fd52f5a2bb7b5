/** Results of the checks of an extension, each a sentence without its end. */
export class Findings {
  /** Reasons for which Chromium does not load the extension. */
  readonly refusals = new Set<string>();
  /** Gaps of an extension that loads, such as a missing popup. */
  readonly warnings = new Set<string>();
}
