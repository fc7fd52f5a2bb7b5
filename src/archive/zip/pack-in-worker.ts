import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { ArchiveError } from "../../errors.js";
import type { ExtensionArchive } from "../contents.js";
import type { FolderSource } from "../source/location.js";
import { canceled, requireNotCanceled } from "../steps.js";

/** What a worker answers. Between threads an error loses its class. */
export type PackAnswer =
  | { readonly archive: ExtensionArchive }
  | { readonly code: string; readonly message: string };

/**
 * The worker's code, in the plugin's bundle: `scripts/plugin/bundle.mjs` replaces this name by it.
 * Elsewhere nothing has this name, and the code is in a file next to this one.
 */
declare const bundledPackWorker: string | undefined;

const program =
  typeof bundledPackWorker === "string"
    ? { code: bundledPackWorker, eval: true }
    : { code: join(__dirname, "pack-worker.js"), eval: false };

/** Size of the young part of a worker's heap, in MiB. A worker leaves little garbage there. */
const youngHeapMb = 2;

/** One worker at a time, because several would need their memory at the same time. */
let previous: Promise<unknown> = Promise.resolve();

/** False when the package runs from its sources, which no worker can load. */
export function canPackInWorker(): boolean {
  return program.eval || existsSync(program.code);
}

/**
 * Packs a folder in a new worker, so that the event loop stays free however large a file is. A
 * cancel ends the work at once, also while another folder is packed. Throws what `packFolder` does,
 * and `ArchiveError` `archive_compression_failed` when the worker breaks down.
 */
export function packInWorker(source: FolderSource, signal?: AbortSignal): Promise<ExtensionArchive> {
  const { label } = source;
  requireNotCanceled(label, signal);
  let cancel = () => {};
  const canceling = new Promise<never>((_resolve, reject) => {
    cancel = () => reject(canceled(label, signal));
  });
  signal?.addEventListener("abort", cancel, { once: true });
  const turn = previous;
  const packing = Promise.race([turn, canceling]).then(() => packNow(source, canceling));
  // The next folder waits for this one and those before it, however they end.
  previous = Promise.allSettled([turn, packing]);
  return packing.finally(() => signal?.removeEventListener("abort", cancel));
}

async function packNow(source: FolderSource, canceling: Promise<never>): Promise<ExtensionArchive> {
  // The worker needs no loader, debugger or preloaded module of the program's process.
  const worker = new Worker(program.code, {
    eval: program.eval,
    name: "browser-infra pack",
    workerData: source,
    execArgv: [],
    env: {},
    resourceLimits: { maxYoungGenerationSizeMb: youngHeapMb },
  });
  try {
    const answer = await Promise.race([answerOf(worker, source.label), canceling]);
    if ("code" in answer) {
      throw new ArchiveError(answer.code, answer.message);
    }
    return answer.archive;
  } finally {
    await worker.terminate();
  }
}

/** The worker's answer. A worker that cannot start or runs out of memory ends without one. */
async function answerOf(worker: Worker, label: string): Promise<PackAnswer> {
  const end = once(worker, "exit").then(([code]) => Promise.reject(new Error(`exit code ${code}`)));
  try {
    const [answer] = await Promise.race([once(worker, "message"), end]);
    return answer;
  } catch (cause) {
    throw new ArchiveError(
      "archive_compression_failed",
      `${label}: the thread that packed it ended early (${(cause as Error).message}). ` +
        "Run again. If it happens again, give the process more memory.",
      { cause },
    );
  }
}
