import type { Extension } from "../client/index.js";
import { type PropertyMap, textOf } from "./properties.js";

/**
 * Output that stands in the state while the extension is not as declared, with the reason. Without it the next diff would
 * compare equal inputs, and the engine would drop the replacement that is due.
 */
export const unfinishedOutput = "unfinished";

/** What the service says of an extension. Where it has no checksum on record, there is nothing to compare. */
export function liveOutputs(extension: Extension, known: PropertyMap): PropertyMap {
  const checksum = extension.checksum ?? textOf(known, "checksum");
  const name = extension.name ?? textOf(known, "name");
  return {
    ...(name === undefined ? {} : { name }),
    ...(checksum === undefined ? {} : { checksum }),
    sizeBytes: extension.sizeBytes,
    createdAt: extension.createdAt,
  };
}
