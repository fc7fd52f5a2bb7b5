/** Results of the checks of an extension, as sentences without a full stop. */
export class Findings {
  /** Reasons why Chromium does not load the extension. */
  readonly refusals = new Set<string>();
  /** Gaps of an extension that loads, such as a missing popup. */
  readonly warnings = new Set<string>();
}
