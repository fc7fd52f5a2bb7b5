/** A thread that reads, hashes and compresses files: the code behind `DeflateWorkers`. Takes a `Batch`, gives an `Answer`. */
import { parentPort } from "node:worker_threads";
import { answerTo, type Batch } from "./compress-batch.js";

parentPort?.on("message", (batch: Batch) => {
  const answer = answerTo(batch);
  parentPort?.postMessage(answer, "data" in answer ? [answer.data.buffer] : []);
});
