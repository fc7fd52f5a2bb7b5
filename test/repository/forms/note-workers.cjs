/** Writes the name of every worker of this process to the file that NOTE_WORKERS names. */
const { appendFileSync } = require("node:fs");
const threads = require("node:worker_threads");

const { Worker } = threads;
threads.Worker = class extends Worker {
  constructor(program, options) {
    super(program, options);
    appendFileSync(process.env.NOTE_WORKERS, `${options.name}\n`);
  }
};
