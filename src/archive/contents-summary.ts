import type { ExtensionContents } from "./contents.js";
import { fileDigests } from "./file-digests.js";

/** What a state file keeps of an archive's contents: small, however many files there are. */
export interface ContentsSummary {
  readonly fileCount: number;
  /**
   * Name and version as the extension's own manifest gives them, with a localized name resolved.
   */
  readonly manifest: { readonly name: string; readonly version: string };
  /** A short digest for each file, or for each folder where there are too many files. */
  readonly files: Readonly<Record<string, string>>;
}

/** The summary of what was read or packed. */
export function contentsSummary({
  entries,
  manifest: { name, version },
}: Pick<ExtensionContents, "entries" | "manifest">): ContentsSummary {
  return { fileCount: entries.length, manifest: { name, version }, files: fileDigests(entries) };
}
