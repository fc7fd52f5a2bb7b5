/** What the bench uses of archiver, which has no types of its own. */
declare module "archiver" {
  import type { Transform } from "node:stream";

  export class ZipArchive extends Transform {
    constructor(options: { zlib: { level: number } });
    directory(folder: string, destination: string | false): this;
    finalize(): Promise<void>;
  }
}
