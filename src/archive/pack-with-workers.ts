import { ArchiveError } from "../errors.js";
import { type Answer, answerTo, type CompressedBatch } from "./compress-batch.js";
import { DeflateWorkers } from "./deflate-workers.js";
import type { FolderFile } from "./folder.js";
import type { Pace } from "./pace.js";
import type { PackedFile } from "./packed-files.js";
import { releaseMemory } from "./release-memory.js";
import { Turns } from "./turns.js";

/**
 * Raw bytes that are compressed in one go, unless a single file has more: about 15 ms of work, beside which the cost of a
 * message is small.
 */
const batchBytesMax = 512 * 1024;

/** Raw bytes that the caller's thread compresses in one go, between two turns of its event loop: about 50 ms of work. */
const callerBytesMax = 2 * 1024 * 1024;

/**
 * Raw bytes that are being compressed at the same time, unless a single file has more: then nothing is beside it. While
 * a file is compressed it takes about 1.6 times its size in memory.
 */
const inFlightBytesMax = 16 * 1024 * 1024;

/** One folder at a time: it keeps the cores busy, and several at once would only take their memory at the same time. */
const turns = new Turns();
/** Outlive their folder only while another one waits. */
let workers: DeflateWorkers | undefined;

/**
 * Compresses files on `threads` threads, at least 1, beside the caller's, and yields them in the order given. The caller's
 * event loop turns, however large a file is, and cancelling ends the work within one. Throws `ArchiveError` and `CanceledError`.
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
  if (workers?.threads !== threads) {
    await workers?.end();
    workers = new DeflateWorkers(threads);
  }
  const mine = workers;
  const cancel = () => void mine.end(pace.canceled());
  signal?.addEventListener("abort", cancel, { once: true });
  let isDone = false;
  try {
    yield* inOrder(batchesOf(files), { label, pace, workers: mine });
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

interface InFlight {
  readonly rawBytes: number;
  readonly answer: Promise<Answer>;
  isReady: boolean;
}

/**
 * Keeps the threads supplied, does what they have no time for, and yields the files in the order of the batches, whichever
 * is ready first.
 */
async function* inOrder(
  batches: Iterator<FolderFile[]>,
  { label, pace, workers }: { label: string; pace: Pace; workers: DeflateWorkers },
): AsyncGenerator<PackedFile> {
  const inFlight: InFlight[] = [];
  let inFlightBytes = 0;
  let next = batches.next();
  while (!next.done || inFlight.length > 0) {
    const [oldest] = inFlight;
    const rawBytes = next.done ? 0 : rawBytesOf(next.value);
    const fits = oldest === undefined || inFlightBytes + rawBytes <= inFlightBytesMax;
    if (!next.done && fits && !oldest?.isReady) {
      // The caller's thread takes part, and turns to its other work in between. What would hold it up is for the others.
      const isMine = rawBytes <= callerBytesMax && workers.waiting >= workers.threads;
      await pace.step();
      const batch = { label, files: next.value };
      const answer = isMine ? Promise.resolve(answerTo(batch)) : workers.compress(batch);
      inFlight.push(watched({ rawBytes, answer, isReady: isMine }));
      inFlightBytes += rawBytes;
      next = batches.next();
    } else if (oldest !== undefined) {
      inFlight.shift();
      const answer = await oldest.answer;
      if (!("data" in answer)) {
        throw new ArchiveError(answer.code, answer.message);
      }
      yield* filesOf(answer);
      releaseMemory(answer.data);
      inFlightBytes -= oldest.rawBytes;
    }
  }
}

/** Notes when the answer is there. A failure is thrown when the batch has its turn; until then it is only noted. */
function watched(batch: InFlight): InFlight {
  const note = () => {
    batch.isReady = true;
  };
  batch.answer.then(note, note);
  return batch;
}

function* filesOf({ files, data }: CompressedBatch): Generator<PackedFile> {
  let at = 0;
  for (const { dataBytes, ...file } of files) {
    yield { ...file, data: data.subarray(at, at + dataBytes) };
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
