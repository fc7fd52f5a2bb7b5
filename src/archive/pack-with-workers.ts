import { ArchiveError } from "../errors.js";
import type { Answer } from "./deflate-worker.js";
import { DeflateWorkers } from "./deflate-workers.js";
import type { FolderFile } from "./folder.js";
import type { Pace } from "./pace.js";
import type { PackedFile } from "./packed-files.js";
import { Turns } from "./turns.js";

/** Raw bytes that go to a thread in one message, unless a single file has more. A message costs as much as a few kilobytes. */
const batchBytesMax = 512 * 1024;

/**
 * Raw bytes that are with the threads at the same time, unless a single file has more: then it is alone with them. While
 * a file is compressed it takes about 1.6 times its size in memory.
 */
const inFlightBytesMax = 16 * 1024 * 1024;

/** One folder at a time: it keeps the cores busy, and several at once would only take their memory at the same time. */
const turns = new Turns();
/** Outlive their folder only while another one waits. */
let workers: DeflateWorkers | undefined;

/**
 * Compresses files on `threads` threads, at least 1, and yields them in the order given. The caller's thread stays free,
 * however large a file is, and cancelling ends the work within a file. Throws `ArchiveError` and `CanceledError`.
 */
export async function* packWithWorkers(
  files: readonly FolderFile[],
  pace: Pace,
  threads: number,
): AsyncGenerator<PackedFile> {
  const { label, signal } = pace;
  await turns.take(signal).catch(() => {
    throw pace.canceled();
  });
  workers ??= new DeflateWorkers(threads);
  const mine = workers;
  const cancel = () => void mine.end(pace.canceled());
  signal?.addEventListener("abort", cancel, { once: true });
  let isDone = false;
  try {
    yield* inOrder(batchesOf(files), (batch) => mine.compress({ label, files: batch }));
    isDone = true;
  } finally {
    signal?.removeEventListener("abort", cancel);
    // After a failure, threads may still be at work for nobody.
    if (!isDone || !turns.isAwaited) {
      workers = undefined;
      await mine.end();
    }
    turns.release();
  }
}

/** Keeps the threads supplied, and yields what they made in the order of the batches, whichever is ready first. */
async function* inOrder(
  batches: Iterator<FolderFile[]>,
  compress: (batch: FolderFile[]) => Promise<Answer>,
): AsyncGenerator<PackedFile> {
  const inFlight: { readonly rawBytes: number; readonly answer: Promise<Answer> }[] = [];
  let inFlightBytes = 0;
  let next = batches.next();
  while (!next.done || inFlight.length > 0) {
    while (!next.done) {
      const rawBytes = rawBytesOf(next.value);
      if (inFlight.length > 0 && inFlightBytes + rawBytes > inFlightBytesMax) {
        break;
      }
      const answer = compress(next.value);
      // Its failure is thrown when its turn comes; until then nobody listens.
      answer.catch(() => {});
      inFlight.push({ rawBytes, answer });
      inFlightBytes += rawBytes;
      next = batches.next();
    }
    const oldest = inFlight.shift();
    if (oldest !== undefined) {
      yield* filesOf(await oldest.answer);
      inFlightBytes -= oldest.rawBytes;
    }
  }
}

function* filesOf(answer: Answer): Generator<PackedFile> {
  if (!("data" in answer)) {
    throw new ArchiveError(answer.code, answer.message);
  }
  let at = 0;
  for (const { dataBytes, ...file } of answer.files) {
    yield { ...file, data: answer.data.subarray(at, at + dataBytes) };
    at += dataBytes;
  }
}

/** Neighbours together as long as they fit in a message. */
function* batchesOf(files: readonly FolderFile[]): Generator<FolderFile[]> {
  let batch: FolderFile[] = [];
  for (const file of files) {
    if (batch.length > 0 && rawBytesOf(batch) + file.sizeBytes > batchBytesMax) {
      yield batch;
      batch = [];
    }
    batch.push(file);
  }
  yield batch;
}

function rawBytesOf(batch: readonly FolderFile[]): number {
  return batch.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}
