import { crc32 } from "node:zlib";

/** File for `storedZip`. A wrong `crc32` makes a damaged archive. */
export interface StoredFile {
  readonly name: string;
  readonly contents: string | Uint8Array;
  readonly crc32?: number;
}

/** Zip archive with files in the given order, stored, dated 1980-01-01. */
export function storedZip(files: readonly StoredFile[]): Buffer<ArrayBuffer> {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const file of files) {
    const name = Buffer.from(file.name);
    const contents = Buffer.from(file.contents);
    // Fields common to local header and central directory: version 2.0, UTF-8 names, stored, date,
    // CRC-32, sizes, name length.
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(0x0800, 2);
    fields.writeUInt16LE(0x0021, 8);
    fields.writeUInt32LE(file.crc32 ?? crc32(contents), 10);
    fields.writeUInt32LE(contents.length, 14);
    fields.writeUInt32LE(contents.length, 18);
    fields.writeUInt16LE(name.length, 22);
    local.push(Buffer.from("PK\x03\x04", "latin1"), fields, name, contents);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    central.push(Buffer.from("PK\x01\x02\x14\x00", "latin1"), fields, place, name);
    offset += 4 + fields.length + name.length + contents.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...local, directory, Buffer.from("PK\x05\x06", "latin1"), end]);
}

/**
 * Archive of a small extension. A different `text` gives different bytes; `paddingBytes` makes the
 * archive larger.
 */
export function extensionZip(text = "", paddingBytes = 0): Buffer<ArrayBuffer> {
  const manifest = JSON.stringify({ manifest_version: 3, name: "Example", version: "1.0.0" });
  return storedZip([
    { name: "manifest.json", contents: manifest },
    { name: "content.js", contents: `// ${text}` },
    ...(paddingBytes > 0 ? [{ name: "padding.bin", contents: Buffer.alloc(paddingBytes) }] : []),
  ]);
}
