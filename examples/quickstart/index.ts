import { Extension } from "pulumi-browser-infra";

// Packed, hashed and uploaded; replaced when any byte in the folder changes.
const reader = new Extension("page-reader", {
  path: "./extension",
});

/** The id a browser is started with. */
export const extensionId = reader.id;
/** New for every new content, so the old extension stays until the new one stands. */
export const extensionName = reader.name;
/** SHA-256 of the uploaded archive: the same on every machine that packs this folder. */
export const checksum = reader.checksum;
