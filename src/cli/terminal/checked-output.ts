import { fstatSync, statSync, writeSync } from "node:fs";
import { devNull } from "node:os";
import { getSystemErrorMap } from "node:util";
import { CanceledError } from "../../errors.js";

/** Stream that the command line writes to: `process.stdout`, or a stream of a test. */
export interface OutputStream extends NodeJS.WritableStream {
  /** True for a terminal, where a person reads. */
  readonly isTTY?: boolean;
  /** Width of the terminal in cells; undefined for a file or a pipe. */
  readonly columns?: number;
  /** Bits of color that the terminal can show in this environment; 1 means no color. */
  getColorDepth?(env?: object): number;
  readonly fd?: number;
}

/** Output of a command. A failed write sets `failure`, throws nothing, and drops later text. */
export class CheckedOutput {
  readonly #stream: OutputStream;
  readonly #file: number | undefined;
  readonly #failureController = new AbortController();
  #failure: NodeJS.ErrnoException | undefined;
  #outcomes = "";

  constructor(stream: OutputStream) {
    this.#stream = stream;
    this.#file = fileOf(stream);
    // A stream also reports a failed write here. An error without a listener ends the process.
    stream.on("error", (error) => this.#fail(error));
  }

  get isTTY(): boolean {
    return this.#stream.isTTY === true;
  }

  get columns(): number | undefined {
    return this.#stream.columns;
  }

  hasColors(env: object): boolean {
    return this.isTTY && (this.#stream.getColorDepth?.(env) ?? 1) > 1;
  }

  write(text: string | Uint8Array): void {
    if (this.#failure !== undefined) {
      return;
    }
    try {
      if (this.#file === undefined) {
        this.#stream.write(text);
      } else {
        writeWhole(this.#file, text);
      }
    } catch (error) {
      this.#fail(error as Error);
    }
  }

  /**
   * Writes a line of a log. If the reader of a pipe lags behind, the line is dropped: an unread
   * pipe must not make the command wait, now or at the end. At most 4096 bytes, which a pipe takes
   * as a whole or not at all.
   */
  writeLogLine(line: string): void {
    const { fd } = this.#stream;
    if (fd === undefined || this.#failure !== undefined) {
      this.write(line);
      return;
    }
    try {
      // Node made a pipe non-blocking when `process.stderr` was first used.
      writeSync(fd, line);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") {
        this.#fail(error as Error);
      }
    }
  }

  /** Writes an outcome, also to `outcomes`: no later command could print the same. */
  writeOutcome(text: string): void {
    this.#outcomes += text;
    this.write(text);
  }

  /**
   * Throws `OutputLost` if the stream is `/dev/null`, where an outcome is lost without an error.
   * Node also opens `/dev/null` in place of a closed standard output. For commands with an outcome
   * that cannot be printed again, before the work.
   */
  requireNotDiscarded(): void {
    const { fd } = this.#stream;
    if (fd !== undefined && isNullDevice(fd)) {
      this.#fail(new Error(`it is closed, or ${devNull}`));
      throw new OutputLost("The outcome would be lost.");
    }
  }

  /** Everything given to `writeOutcome`. */
  get outcomes(): string {
    return this.#outcomes;
  }

  /** First reason for lost text; undefined as long as no text was lost. */
  get failure(): NodeJS.ErrnoException | undefined {
    return this.#failure;
  }

  /** Does work whose output appears bit by bit. Once text was lost, aborts the work and throws `OutputLost`. */
  async whileWritable(
    what: string,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<unknown>,
  ): Promise<void> {
    const lost = this.#failureController.signal;
    try {
      await work(AbortSignal.any([signal, lost]));
    } catch (error) {
      throw error instanceof CanceledError && lost.aborted && !signal.aborted
        ? new OutputLost(`${what} cannot be written.`, { cause: error })
        : error;
    }
  }

  /** Resolves once all text is written or lost. */
  async flush(): Promise<void> {
    if (this.#failure !== undefined || this.#file !== undefined) {
      return;
    }
    // Writes are carried out in order, so the empty write ends after all earlier writes.
    await new Promise<void>((resolve) => {
      this.#stream.write("", (error) => {
        if (error) {
          this.#fail(error);
        }
        resolve();
      });
    });
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#failureController.abort();
  }
}

/** Descriptor of a file or device. Node does not notice when the disk takes only a part. */
function fileOf({ fd, isTTY }: OutputStream): number | undefined {
  if (fd === undefined || isTTY) {
    return undefined;
  }
  const stats = fstatSync(fd);
  return stats.isFile() || stats.isCharacterDevice() ? fd : undefined;
}

function isNullDevice(fd: number): boolean {
  const stats = fstatSync(fd);
  return stats.isCharacterDevice() && stats.rdev === statSync(devNull).rdev;
}

function writeWhole(file: number, text: string | Uint8Array): void {
  const bytes = typeof text === "string" ? Buffer.from(text) : text;
  for (let at = 0; at < bytes.byteLength; ) {
    at += writeSync(file, bytes, at);
  }
}

/** System's reason for a failed write, such as "no space left on device". */
export function outputProblem({ errno = 0, message }: NodeJS.ErrnoException): string {
  return getSystemErrorMap().get(errno)?.[1] ?? message;
}

/** Ends a command whose standard output cannot be written. `run` reports the lost output. */
export class OutputLost extends Error {
  override readonly name = "OutputLost";
}
