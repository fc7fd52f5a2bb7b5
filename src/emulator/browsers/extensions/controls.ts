import type { z } from "zod";
import { InputError } from "../../../errors.js";
import { id, noArgument, only, plainlyNamed, project } from "../../http/seed-members.js";
import { exactly, filledText, flag } from "../../http/shapes.js";
import { type Lacks, ObjectControls, type Written } from "../../objects/controls.js";
import { foldedName, refuse } from "../../storage/ids-and-names.js";
import { type EmulatedExtension, type ExtensionStore, extensionExists, sha256 } from "./store.js";

/** Extension in a seed. @internal */
export const extensionEntry = exactly({
  id: id.optional(),
  name: plainlyNamed("Unique within the project. Default: none.").optional(),
  project,
  archive: filledText.describe(
    "Path of a zip archive. A relative path starts at the folder of the seed file; in a seed given as an object, at the working directory.",
  ),
  legacy: flag.optional().describe("Whether the record lacks a checksum, as old records do. Default: false."),
});

type Entry = z.infer<typeof extensionEntry> & { readonly bytes: Buffer };

/** Extensions, without a client. Methods throw `InputError` for an unknown id. */
export class EmulatedExtensions extends ObjectControls<EmulatedExtension> {
  /** @internal */
  declare protected readonly table: ExtensionStore;

  /** @internal */
  readonly operations = {
    rename: only("name", plainlyNamed("New name.")),
    forgetChecksum: noArgument,
  };

  /** Replaces bytes, size and checksum, like a repacking by the service. Bytes are not checked. */
  putBytes(id: string, bytes: Uint8Array): EmulatedExtension {
    return this.table.replaceBytes(this.require(id).id, bytes);
  }

  /** Renames an extension. No operation of the service does. Throws `InputError` for a taken name. */
  rename(id: string, name: string): EmulatedExtension {
    return this.table.change(this.require(id), { name }) ?? refuse(extensionExists(name));
  }

  /** Removes the checksum: the record then looks older than the service's checksums. */
  forgetChecksum(id: string): EmulatedExtension {
    return this.table.set(this.require(id).id, { checksum: null }) as EmulatedExtension;
  }

  /** Deletes an extension of a project, by id or name. Default of `projectId`: the default project. */
  override remove(idOrName: string, projectId?: string): void {
    const extension = this.table.findIn(this.projectId(projectId), idOrName);
    const problem = `The project has no extension "${idOrName}". List the extensions of the project, or give a projectId.`;
    this.table.remove((extension ?? refuse(new InputError("extension_unknown", "idOrName", problem))).id);
  }

  /** @internal */
  override existing({ id, name, bytes }: Entry, projectId: string): { readonly id: string } | undefined {
    return (id ?? name) === undefined
      ? this.list(projectId).find((each) => each.name === null && each.checksum === sha256(bytes))
      : super.existing({ id, name }, projectId);
  }

  /** @internal */
  createFrom({ id, name, bytes, legacy }: Entry, projectId: string): EmulatedExtension {
    const made = this.stored(this.table.insert(projectId, name ?? null, bytes, id), name);
    return legacy ? this.forgetChecksum(made.id) : made;
  }

  /** @internal */
  written({ id, name, checksum }: EmulatedExtension, lacks: Lacks): Written<z.input<typeof extensionEntry>> {
    const others = this.table.select((each) => foldedName(each.name ?? "") === foldedName(name ?? ""));
    // Two projects may have extensions of one name.
    const archive = `${name === null || others.length > 1 ? id : name}.zip`;
    lacks(`save the archive as ${archive}, beside the seed.`);
    return { id, name, archive, legacy: checksum === null };
  }
}
