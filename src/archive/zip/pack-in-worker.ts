import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { ArchiveError } from "../../errors.js";
import type { ExtensionArchive } from "../contents.js";
import type { FolderSource } from "../source/location.js";
import { canceledError, requireNotCanceled } from "../steps.js";

/** Message from a worker. Between threads, an error loses its class. */
export type PackResult =
  | { readonly archive: ExtensionArchive }
  | { readonly code: string; readonly message: string };

/**
 * The worker's code in the plugin's bundle: `scripts/plugin/bundle.mjs` replaces the name by the
 * code. Elsewhere the name is undefined, and the code is in a file in the same folder.
 */
declare const bundledPackWorker: string | undefined;

const program =
  typeof bundledPackWorker === "string"
    ? { code: bundledPackWorker, eval: true }
    : { code: join(__dirname, "pack-worker.js"), eval: false };

/** Size of a worker's young heap, in MiB. A worker creates little garbage. */
const youngHeapMb = 2;

/** End of the previous packing. Only one worker runs at a time, to limit the memory. */
let previous: Promise<unknown> = Promise.resolve();

/** Whether a worker can be started. False if the package runs from TypeScript sources. */
export function canPackInWorker(): boolean {
  return program.eval || existsSync(program.code);
}

/**
 * Packs a folder in a new worker, so that the event loop stays free even for large files. Canceling
 * ends the work at once, also while waiting for a previous folder. Throws the errors of
 * `packFolder`, and `ArchiveError` `archive_compression_failed` if the worker crashes.
 */
export function packInWorker(source: FolderSource, signal?: AbortSignal): Promise<ExtensionArchive> {
  const { label } = source;
  requireNotCanceled(label, signal);
  let cancel = () => {};
  const canceling = new Promise<never>((_resolve, reject) => {
    cancel = () => reject(canceledError(label, signal));
  });
  signal?.addEventListener("abort", cancel, { once: true });
  const turn = previous;
  const packing = Promise.race([turn, canceling]).then(() => packNow(source, canceling));
  // The next folder waits until all earlier folders have succeeded or failed.
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
    const answer = await Promise.race([receiveResult(worker, source.label), canceling]);
    if ("code" in answer) {
      throw new ArchiveError(answer.code, answer.message);
    }
    return answer.archive;
  } finally {
    await worker.terminate();
  }
}

/** Returns the worker's message. A worker that cannot start or lacks memory sends no message. */
async function receiveResult(worker: Worker, label: string): Promise<PackResult> {
  const end = once(worker, "exit").then(([code]) => Promise.reject(new Error(`exit code ${code}`)));
  try {
    const [answer] = await Promise.race([once(worker, "message"), end]);
    return answer;
  } catch (cause) {
    throw new ArchiveError(
      "archive_compression_failed",
      `${label}: the packing thread ended early (${(cause as Error).message}). ` +
        "Run the command again. If the thread ends early again, give the process more memory.",
      { cause },
    );
  }
}
