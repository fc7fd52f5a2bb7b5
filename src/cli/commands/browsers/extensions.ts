import type { Extension } from "../../../client/index.js";
import { listings } from "../../../providers/reads/listings.js";
import { sizeText } from "../../../text/words.js";
import { findExtension } from "../../find.js";
import { type Noun, nameFact, timeFact } from "../../noun.js";
import { day } from "../../terminal/text.js";
import { checkCommand } from "./extensions-check.js";
import { download } from "./extensions-download.js";
import { upload } from "./extensions-upload.js";

/** `browser-infra extensions`: the extensions of a project. */
export const extensions: Noun<Extension> = {
  group: "extensions",
  noun: "extension",
  listing: listings.Extension,
  help: "Work with the browser extensions of a project.",
  facts: [
    nameFact,
    { header: "SIZE", cell: ({ sizeBytes }) => sizeText(sizeBytes), full: exactSizeText, align: "right" },
    {
      header: "CHECKSUM",
      // Enough to distinguish extensions.
      cell: ({ checksum }) => checksum?.slice(0, 12) ?? null,
      full: ({ checksum }) => checksum,
      hideWhenNarrow: true,
    },
    timeFact("UPLOADED", ({ createdAt }) => createdAt),
    { ...timeFact("LAST USED", ({ lastUsedAt }) => lastUsedAt), onlyInGet: true },
  ],
  list: {
    help: "List the extensions.",
  },
  get: { help: "Show one extension." },
  find: findExtension,
  delete: { help: "Delete one extension, after a confirmation." },
  others: () => [upload, download],
  local: checkCommand,
  details: ({ sizeBytes, createdAt }) => [sizeText(sizeBytes), `uploaded ${day(createdAt) ?? "unknown"}`],
};

function exactSizeText({ sizeBytes }: Extension): string {
  const text = sizeText(sizeBytes);
  return sizeBytes < 1024 ? text : `${text} (${sizeBytes} bytes)`;
}
