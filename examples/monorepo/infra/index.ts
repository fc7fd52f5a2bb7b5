import { Extension } from "pulumi-browser-infra";

// A relative path starts at the folder of this program, in whatever folder pnpm or Pulumi was
// started.
const reader = new Extension("page-reader", { path: "../page-reader/dist" });

/** The id to start a browser with. */
export const extensionId = reader.id;
