import { Extension } from "pulumi-browser-infra";

// Pulumi packs, hashes and uploads this folder, and replaces the extension when any byte changes.
const reader = new Extension("page-reader", {
  path: "./extension",
});

/** The id to start a browser with. */
export const extensionId = reader.id;
/** New content gets a new name, so the old extension stays until the new one exists. */
export const extensionName = reader.name;
/** SHA-256 of the uploaded archive: the same on every machine that packs this folder. */
export const checksum = reader.checksum;
