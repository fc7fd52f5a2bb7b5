/** Types of the used part of archiver, which has no types of its own. */
declare module "archiver" {
  import type { Transform } from "node:stream";

  export class ZipArchive extends Transform {
    constructor(options: { zlib: { level: number } });
    directory(folder: string, destination: string | false): this;
    finalize(): Promise<void>;
  }

  export class TarArchive extends Transform {
    constructor(options: { gzip: true; gzipOptions: { level: number } });
    append(contents: Buffer, entry: { name: string; mode: number; date: Date }): this;
    finalize(): Promise<void>;
  }
}
