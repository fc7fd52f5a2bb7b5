import { Extension } from "pulumi-browser-infra";

const reader = new Extension("page-reader", { path: "./extension" });

/** The id to start a browser with. */
export const extensionId = reader.id;
