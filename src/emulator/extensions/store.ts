import { createHash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { InputError } from "../../errors.js";
import { atomically } from "../storage/database.js";
import { refuse } from "../storage/ids-and-names.js";
import { NamedTable } from "../storage/table.js";

/** An extension as the emulator holds it. */
export interface EmulatedExtension {
  /** 24 characters of a-z and 0-9. */
  readonly id: string;
  readonly projectId: string;
  /** Unique within the project; null when it was uploaded without one. */
  readonly name: string | null;
  /** SHA-256 of the archive's bytes, 64 lowercase hex digits; null after `forgetChecksum`. */
  readonly checksum: string | null;
  /** Size of the archive, in bytes. */
  readonly sizeBytes: number;
  /** ISO 8601 date-time. */
  readonly createdAt: string;
}

/**
 * The extensions in the database, with their archives.
 *
 * @internal
 */
export class ExtensionStore extends NamedTable<EmulatedExtension> {
  constructor(database: DatabaseSync, now: () => Date) {
    super(database, "extensions", now);
  }

  /** Stores an extension and its archive together. Undefined when its name has a `holder`. */
  insert(projectId: string, name: string | null, bytes: Uint8Array): EmulatedExtension | undefined {
    return atomically(this.database, () => {
      const extension = this.insertNamed({ projectId, name, ...described(bytes) });
      if (extension) {
        this.#putArchive(extension.id, bytes);
      }
      return extension;
    });
  }

  /** The archive's bytes. The extension must exist. */
  archive(id: string): Uint8Array<ArrayBuffer> {
    const row = this.database.prepare("SELECT bytes FROM archives WHERE extension_id = ?").get(id);
    return row?.bytes as Uint8Array<ArrayBuffer>;
  }

  /** Replaces an extension's bytes, size and checksum. Throws `InputError` for an unknown id. */
  replaceBytes(id: string, bytes: Uint8Array): EmulatedExtension {
    return atomically(this.database, () => {
      this.#putArchive(id, bytes);
      return this.updateRow(id, described(bytes)) ?? refuse(unknownExtension("id", id));
    });
  }

  #putArchive(id: string, bytes: Uint8Array): void {
    const put = this.database.prepare(
      `INSERT INTO archives (extension_id, bytes) SELECT id, :bytes FROM extensions WHERE id = :id
       ON CONFLICT (extension_id) DO UPDATE SET bytes = excluded.bytes`,
    );
    put.run({ id, bytes });
    // A statement keeps a copy of its last values until it is collected, and the collector does not
    // see the size of the copy.
    put.run({ id: "", bytes: new Uint8Array() });
  }

  /** Removes the checksum of a record. Throws `InputError` when there is no such extension. */
  forgetChecksum(id: string): EmulatedExtension {
    return this.updateRow(id, { checksum: null }) ?? refuse(unknownExtension("id", id));
  }
}

/** The refusal of what a program calls an extension. */
export function unknownExtension(property: string, idOrName: string): InputError {
  const problem = `The emulator has no extension "${idOrName}" there. List the extensions to see the existing ones.`;
  return new InputError("extension_unknown", property, problem);
}

/** Says what is wrong with an extension's name, as the end of a sentence; or undefined. */
export function extensionNameProblem(name: string): string | undefined {
  // Source of the pattern: the service's published interface description.
  if (!/^[A-Za-z0-9._-]{1,255}$/.test(name)) {
    return "must be 1 to 255 of the characters A-Z a-z 0-9 . _ -";
  }
  // Every path takes an id or a name. The service's Terraform provider refuses such names; it is a
  // guess that the service does too.
  return /^[a-z0-9]{24}$/.test(name) ? "must not look like an id (24 characters of a-z and 0-9)" : undefined;
}

/** A checksum as the service has it: 64 lowercase hexadecimal digits. */
export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function described(bytes: Uint8Array) {
  return { checksum: sha256(bytes), sizeBytes: bytes.byteLength };
}
