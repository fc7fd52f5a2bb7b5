import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { ArchiveError } from "../errors.js";
import type { Answer, Batch } from "./deflate-worker.js";

/** Most threads that compress at the same time: one for each core, and no more than this. */
export const threadsMax = 4;

const workerFile = join(__dirname, "deflate-worker.js");

/** Threads of this machine that may compress. None where the package is run from its sources, which no thread can load. */
export function threadsAvailable(): number {
  return existsSync(workerFile) ? Math.min(availableParallelism(), threadsMax) : 0;
}

interface Job {
  readonly batch: Batch;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** Threads that compress batches of files. They start when there is work for them, and live until `end`. */
export class DeflateWorkers {
  readonly #threads: number;
  readonly #all = new Set<Worker>();
  readonly #idle: Worker[] = [];
  readonly #waiting: Job[] = [];
  readonly #running = new Map<Worker, Job>();

  #ended: { readonly reason: unknown } | undefined;

  /** `threads`: the most that run at the same time, at least 1. */
  constructor(threads: number) {
    this.#threads = threads;
  }

  /** Compresses a batch as soon as a thread is free. Rejects when the thread breaks down, and when the threads are ended first. */
  compress(batch: Batch): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined) {
        reject(this.#ended.reason);
        return;
      }
      this.#waiting.push({ batch, resolve, reject });
      this.#runNext();
    });
  }

  /** Ends every thread, also in the middle of a file. What is not done rejects with `reason`, now and from now on. */
  async end(reason?: unknown): Promise<void> {
    this.#ended ??= { reason };
    for (const { reject } of [...this.#running.values(), ...this.#waiting.splice(0)]) {
      reject(reason);
    }
    this.#running.clear();
    await Promise.all([...this.#all].map((worker) => worker.terminate()));
  }

  #runNext(): void {
    const [job] = this.#waiting;
    if (job === undefined) {
      return;
    }
    const worker = this.#idle.pop() ?? (this.#all.size < this.#threads ? this.#start() : undefined);
    if (worker !== undefined) {
      this.#waiting.shift();
      this.#running.set(worker, job);
      worker.postMessage(job.batch);
    }
  }

  #start(): Worker {
    // Nothing the program's own process was started with is of use there: loaders, debuggers, preloaded modules.
    const worker = new Worker(workerFile, { name: "browser-infra deflate", execArgv: [], env: {} });
    let cause: unknown;
    worker.on("message", (answer: Answer) => {
      const job = this.#running.get(worker);
      this.#running.delete(worker);
      this.#idle.push(worker);
      job?.resolve(answer);
      this.#runNext();
    });
    worker.on("error", (error) => {
      cause = error;
    });
    worker.on("messageerror", (error) => {
      cause = error;
      void worker.terminate();
    });
    worker.on("exit", (code) => {
      const job = this.#running.get(worker);
      this.#running.delete(worker);
      this.#all.delete(worker);
      job?.reject(brokenDown(job.batch, cause ?? new Error(`exit code ${code}`)));
      this.#runNext();
    });
    this.#all.add(worker);
    return worker;
  }
}

/** A thread ends by itself when it runs out of memory or cannot be started; what is wrong with a file it answers. */
function brokenDown({ label, files }: Batch, cause: unknown): ArchiveError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const last = files.at(-1)?.path;
  const which = files.length === 1 ? `"${last}"` : `"${files[0]?.path}" to "${last}"`;
  return new ArchiveError(
    "archive_compression_failed",
    `${label}: the thread that compressed ${which} ended before it was done (${reason}). ` +
      "Run again; if it stays, give the process more memory.",
    { cause },
  );
}
