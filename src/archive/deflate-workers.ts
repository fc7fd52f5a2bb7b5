import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { ArchiveError } from "../errors.js";
import type { Answer, Batch } from "./compress-batch.js";

/** Most cores that one folder is compressed on. */
export const coresMax = 4;

/**
 * Size of the young part of a thread's heap, in MiB. The buffers of one file are thrown away with it, and only when that part
 * is collected: with Node's own size a thread held 45 MB more of them, and was no faster (100 MB in 2,000 files).
 */
const youngHeapMb = 2;

const workerFile = join(__dirname, "deflate-worker.js");

/** Cores a folder may be compressed on, the caller's among them. 0 where the package is run from its sources, which no thread can load. */
export function coresForThreads(): number {
  return existsSync(workerFile) ? Math.min(availableParallelism(), coresMax) : 0;
}

interface Job {
  readonly batch: Batch;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** Threads that compress batches of files. They start when there is work for them, and live until `end`. */
export class DeflateWorkers {
  /** The most that run at the same time. */
  readonly threads: number;
  readonly #all = new Set<Worker>();
  readonly #idle: Worker[] = [];
  readonly #queue: Job[] = [];
  readonly #running = new Map<Worker, Job>();
  #ended: { readonly reason: unknown } | undefined;

  /** `threads`: at least 1. */
  constructor(threads: number) {
    this.threads = threads;
  }

  /** How many batches wait for a thread. */
  get waiting(): number {
    return this.#queue.length;
  }

  /** Compresses a batch as soon as a thread is free. Rejects when the thread breaks down, and when the threads are ended first. */
  compress(batch: Batch): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined) {
        reject(this.#ended.reason);
        return;
      }
      this.#queue.push({ batch, resolve, reject });
      this.#runNext();
    });
  }

  /** Ends every thread, also in the middle of a file. What is not done rejects with `reason`, now and from now on. */
  async end(reason?: unknown): Promise<void> {
    this.#ended ??= { reason };
    for (const { reject } of [...this.#running.values(), ...this.#queue.splice(0)]) {
      reject(reason);
    }
    this.#running.clear();
    await Promise.all([...this.#all].map((worker) => worker.terminate()));
  }

  #runNext(): void {
    const [job] = this.#queue;
    if (job === undefined) {
      return;
    }
    const worker = this.#idle.pop() ?? (this.#all.size < this.threads ? this.#start() : undefined);
    if (worker !== undefined) {
      this.#queue.shift();
      this.#running.set(worker, job);
      worker.postMessage(job.batch);
    }
  }

  #start(): Worker {
    // Nothing the program's own process was started with is of use there: loaders, debuggers, preloaded modules.
    const worker = new Worker(workerFile, {
      name: "browser-infra deflate",
      execArgv: [],
      env: {},
      resourceLimits: { maxYoungGenerationSizeMb: youngHeapMb },
    });
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
