import { createHash } from "node:crypto";
import { InputError } from "../../../errors.js";
import { NamedTable } from "../../storage/table.js";

export interface EmulatedExtension {
  /** 24 characters of a-z and 0-9. */
  readonly id: string;
  readonly projectId: string;
  /** Unique within the project; null for an upload without a name. */
  readonly name: string | null;
  /** SHA-256 of the archive's bytes, 64 lowercase hex digits; null after `forgetChecksum`. */
  readonly checksum: string | null;
  readonly sizeBytes: number;
  /** ISO 8601 date-time. */
  readonly createdAt: string;
}

/** Extensions in the database, with their archives. @internal */
export class ExtensionStore extends NamedTable<EmulatedExtension> {
  /** Whether a browser was built with an extension and keeps the archive. */
  isHeld: (id: string) => boolean = () => false;

  /** Stores an extension and the archive together. Undefined if the id or the name is taken. */
  insert(
    projectId: string,
    name: string | null,
    bytes: Uint8Array,
    id?: string,
  ): EmulatedExtension | undefined {
    return this.database.atomically(() => {
      const extension = this.addNamed({ id, projectId, name, ...checksumAndSize(bytes) });
      if (extension) {
        this.#putArchive(extension.id, bytes);
      }
      return extension;
    });
  }

  /** Bytes of the archive. The extension must exist. */
  archive(id: string): Uint8Array<ArrayBuffer> {
    const row = this.database.prepare("SELECT bytes FROM archives WHERE extension_id = ?").get(id);
    return row?.bytes as Uint8Array<ArrayBuffer>;
  }

  /** Replaces the bytes, size and checksum of an extension, which must exist. */
  replaceBytes(id: string, bytes: Uint8Array): EmulatedExtension {
    return this.database.atomically(() => {
      this.#putArchive(id, bytes);
      return this.set(id, checksumAndSize(bytes)) as EmulatedExtension;
    });
  }

  /** Removes an extension and, unless a browser holds it, the archive. */
  override remove(id: string): void {
    this.database.atomically(() => {
      super.remove(id);
      this.dropUnheld([id]);
    });
  }

  /** Removes the archives of extensions that neither exist nor are held. */
  dropUnheld(ids: readonly string[]): void {
    for (const id of ids.filter((each) => this.find(each) === undefined && !this.isHeld(each))) {
      this.database.prepare("DELETE FROM archives WHERE extension_id = ?").run(id);
    }
  }

  #putArchive(id: string, bytes: Uint8Array): void {
    const put = this.database.prepare(
      `INSERT INTO archives SELECT :id, :bytes WHERE :id <> ''
       ON CONFLICT (extension_id) DO UPDATE SET bytes = excluded.bytes`,
    );
    put.run({ id, bytes });
    // A statement keeps a copy of its last values until garbage collection, and the collector does
    // not count the size of the copy.
    put.run({ id: "", bytes: new Uint8Array() });
  }
}

/** Refusal of a name that is taken. */
export function extensionExists(name: string | null): InputError {
  const problem = `An extension with the name "${name}" already exists in its project. Choose another.`;
  return new InputError("name_invalid", "name", problem);
}

/** Checksum in the service's form: 64 lowercase hexadecimal digits. */
export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function checksumAndSize(bytes: Uint8Array) {
  return { checksum: sha256(bytes), sizeBytes: bytes.byteLength };
}
