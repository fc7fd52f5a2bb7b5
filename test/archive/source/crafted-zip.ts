import { crc32, deflateRawSync } from "node:zlib";

/** Entry of a crafted zip. Omitted members get the value of an honest zip. */
export interface CraftedEntry {
  readonly name: string | Uint8Array;
  readonly contents?: string | Uint8Array;
  /** Compress the contents. */
  readonly deflated?: true;
  /** Name in front of the data, if different from the name in the list of files. */
  readonly localName?: string;
  /** Extra fields in the list of files, and in front of the data. */
  readonly extra?: Buffer;
  readonly localExtra?: Buffer;
  readonly flags?: number;
  readonly method?: number;
  readonly crc32?: number;
  /** Claimed size after unpacking, in bytes. */
  readonly sizeBytes?: number;
  /** Unix mode with the file's kind. */
  readonly mode?: number;
}

/**
 * A zip whose every field can be wrong. `countClaimed` is the number of entries the end record
 * claims.
 */
export function craftedZip(entries: readonly CraftedEntry[], countClaimed = entries.length): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.name);
    const localName = entry.localName === undefined ? name : Buffer.from(entry.localName);
    const contents = Buffer.from(entry.contents ?? "");
    const data = entry.deflated ? deflateRawSync(contents) : contents;
    const { extra = Buffer.alloc(0), localExtra = Buffer.alloc(0) } = entry;
    const fields = (nameBytes: number, extraBytes: number) => {
      const bytes = Buffer.alloc(26);
      bytes.writeUInt16LE(20, 0);
      bytes.writeUInt16LE(entry.flags ?? 0x0800, 2);
      bytes.writeUInt16LE(entry.method ?? (entry.deflated ? 8 : 0), 4);
      bytes.writeUInt16LE(0x0021, 8);
      bytes.writeUInt32LE(entry.crc32 ?? crc32(contents), 10);
      bytes.writeUInt32LE(data.length, 14);
      bytes.writeUInt32LE(entry.sizeBytes ?? contents.length, 18);
      bytes.writeUInt16LE(nameBytes, 22);
      bytes.writeUInt16LE(extraBytes, 24);
      return bytes;
    };
    const place = Buffer.alloc(14);
    place.writeUInt32LE(((entry.mode ?? 0o100644) << 16) >>> 0, 6);
    place.writeUInt32LE(offset, 10);
    local.push(
      Buffer.from("PK\x03\x04", "latin1"),
      fields(localName.length, localExtra.length),
      localName,
      localExtra,
      data,
    );
    central.push(
      Buffer.from("PK\x01\x02\x14\x03", "latin1"),
      fields(name.length, extra.length),
      place,
      name,
      extra,
    );
    offset += 30 + localName.length + localExtra.length + data.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(countClaimed, 4);
  end.writeUInt16LE(countClaimed, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...local, directory, Buffer.from("PK\x05\x06", "latin1"), end]);
}

/** Info-ZIP Unicode Path field of an entry: a second name of the entry. */
export function unicodePath(entryName: string, name: string, version = 1): Buffer {
  const field = Buffer.alloc(9);
  field.writeUInt16LE(0x7075, 0);
  field.writeUInt16LE(5 + Buffer.byteLength(name), 2);
  field.writeUInt8(version, 4);
  field.writeUInt32LE(crc32(entryName), 5);
  return Buffer.concat([field, Buffer.from(name)]);
}
