import { fstatSync, statSync, writeSync } from "node:fs";
import { devNull } from "node:os";
import { getSystemErrorMap } from "node:util";

/** A stream that the command line writes to: `process.stdout`, or a test's own. */
export interface OutputStream extends NodeJS.WritableStream {
  /** True for a terminal, where a person reads. */
  readonly isTTY?: boolean;
  /** Width of the terminal in cells; undefined for a file or a pipe. */
  readonly columns?: number;
  /** Bits of color that the terminal can show in this environment; 1 means no color. */
  getColorDepth?(env?: object): number;
  /** File descriptor of a stream of the process. */
  readonly fd?: number;
}

/**
 * What a command writes to standard output or standard error. A disk may be full, or the reader of
 * a pipe gone: then nothing is thrown, and what follows is dropped. Whoever needs to know looks at
 * `failure`, after `flushed`.
 */
export class CheckedOutput {
  readonly #stream: OutputStream;
  readonly #file: number | undefined;
  readonly #failed = new AbortController();
  #failure: NodeJS.ErrnoException | undefined;
  #outcomes = "";

  constructor(stream: OutputStream) {
    this.#stream = stream;
    this.#file = fileOf(stream);
    // A stream reports a failed write here too, and an error without a listener ends the process.
    stream.on("error", (error) => this.#fail(error));
  }

  /** Whether it is a terminal, where a person reads. */
  get isTTY(): boolean {
    return this.#stream.isTTY === true;
  }

  /** Width of the terminal in cells; undefined for a file or a pipe. */
  get columns(): number | undefined {
    return this.#stream.columns;
  }

  /** Whether the terminal shows colors in this environment. */
  hasColors(env: object): boolean {
    return this.isTTY && (this.#stream.getColorDepth?.(env) ?? 1) > 1;
  }

  /** Writes text, or bytes as they are. */
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
   * Writes a line of a log, unless its reader is behind: then the line is dropped, so that nobody
   * who starts a command and reads nothing of it makes it wait, now or at its end. At most 4096
   * bytes, which a pipe takes as a whole or not at all.
   */
  writeLogLine(line: string): void {
    const { fd } = this.#stream;
    if (fd === undefined || this.#failure !== undefined) {
      this.write(line);
      return;
    }
    try {
      // Node has made a pipe non-blocking, as soon as `process.stderr` was there.
      writeSync(fd, line);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") {
        this.#fail(error as Error);
      }
    }
  }

  /**
   * Writes what a command has done, such as the id of an upload. A later command could not tell it,
   * so it is also kept in `outcomes`.
   */
  writeOutcome(text: string): void {
    this.#outcomes += text;
    this.write(text);
  }

  /**
   * For a command whose outcome can be had only once, before it does its work. Throws `OutputLost`
   * where an outcome would be written without an error and yet be lost: in `/dev/null`, which is
   * also what Node opens in place of a standard output that is closed.
   */
  requireKept(): void {
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

  /** Why text could not be written; undefined as long as none was lost. */
  get failure(): NodeJS.ErrnoException | undefined {
    return this.#failure;
  }

  /** Aborted once text was lost. */
  get failed(): AbortSignal {
    return this.#failed.signal;
  }

  /** Resolves once everything is written or lost. */
  async flushed(): Promise<void> {
    if (this.#failure !== undefined || this.#file !== undefined) {
      return;
    }
    // Writes are carried out in order, so this one ends after all the others.
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
    this.#failed.abort();
  }
}

/**
 * The descriptor of a file or a device that is no terminal. Node writes to such a stream at once,
 * but does not notice when the disk takes only a part.
 */
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

/** The system's reason why a write failed, such as "no space left on device". */
export function outputProblem({ errno = 0, message }: NodeJS.ErrnoException): string {
  return getSystemErrorMap().get(errno)?.[1] ?? message;
}

/**
 * Thrown by a command that ends because its output cannot be written. `run` says what happened to the
 * output.
 */
export class OutputLost extends Error {
  override readonly name = "OutputLost";
}
