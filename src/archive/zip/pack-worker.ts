/** The worker behind `packInWorker`: packs one folder, answers, and ends. */
import { parentPort, workerData } from "node:worker_threads";
import { ArchiveError } from "../../errors.js";
import { openFolder } from "../source/extension-folder.js";
import { packOpenFolder } from "./pack-folder.js";
import type { PackAnswer, PackRequest } from "./pack-in-worker.js";

const { location, exclude }: PackRequest = workerData;

const folder = openFolder(location, exclude, undefined);

folder
  .then((open) => packOpenFolder(open, location.label))
  .then(
    (archive) => answer({ archive }, [archive.bytes.buffer]),
    (error: unknown) => {
      if (!(error instanceof ArchiveError)) {
        throw error;
      }
      answer({ code: error.code, message: error.message });
    },
  );

function answer(message: PackAnswer, transferred: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transferred);
}
