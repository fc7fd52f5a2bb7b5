/** Worker of `packInWorker`: packs one folder, sends the result, and ends. */
import { parentPort, workerData } from "node:worker_threads";
import { ArchiveError } from "../../errors.js";
import { openFolder } from "../source/extension-folder.js";
import type { FolderSource } from "../source/location.js";
import { packOpenFolder } from "./pack-folder.js";
import type { PackResult } from "./pack-in-worker.js";

const source: FolderSource = workerData;

openFolder(source)
  .then((folder) => packOpenFolder(folder, source))
  .then(
    (archive) => postResult({ archive }, [archive.bytes.buffer]),
    (error: unknown) => {
      if (!(error instanceof ArchiveError)) {
        throw error;
      }
      postResult({ code: error.code, message: error.message });
    },
  );

function postResult(message: PackResult, transferred: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transferred);
}
