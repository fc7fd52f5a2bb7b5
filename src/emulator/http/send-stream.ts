import { ConnectionEnded, type Exchange, type StreamSink, type StreamSource } from "./exchange.js";
import { perform, truncation } from "./fault-action.js";
import type { MatchedFault } from "./faults.js";

/**
 * Sends a stream until the stream or the connection ends. A fault applies after the number of
 * events in the rule; a truncation applies after the number of bytes. Nothing else is sent
 * meanwhile. At most one event is in memory beyond Node's buffer.
 */
export async function sendStream(
  exchange: Exchange,
  source: StreamSource,
  faults: readonly MatchedFault[],
): Promise<void> {
  const { outgoing } = exchange;
  const gone = new Promise<void>((resolve) => {
    outgoing.once("close", () => {
      source.onClose();
      resolve();
    });
  });
  if (outgoing.destroyed) {
    throw new ConnectionEnded();
  }
  const sink = new FaultSink(exchange, source, faults);
  outgoing.on("drain", () => sink.handleDrain());
  if (!(await sink.applyFaults()) || outgoing.destroyed) {
    throw new ConnectionEnded();
  }
  source.onOpen(sink);
  await gone;
}

class FaultSink implements StreamSink {
  readonly #exchange: Exchange;
  readonly #source: StreamSource;
  #faults: readonly MatchedFault[];
  #events = 0;
  #bytes = 0;
  #isApplyingFaults = false;
  #isFull = false;
  #isEnding = false;

  constructor(exchange: Exchange, source: StreamSource, faults: readonly MatchedFault[]) {
    this.#exchange = exchange;
    this.#source = source;
    this.#faults = faults;
  }

  send(piece: string): boolean {
    if (this.#exchange.outgoing.destroyed) {
      return false;
    }
    const bytes = Buffer.from(piece);
    const cut = this.#bytesUntilCut(bytes.byteLength);
    const part = bytes.subarray(0, cut);
    this.#bytes += part.byteLength;
    if (cut === undefined) {
      this.#events += 1;
    }
    const due = this.#takeDue();
    if (due.length === 0) {
      this.#isFull = !this.#exchange.outgoing.write(part);
      return !this.#isFull;
    }
    // Node calls back once the operating system has the bytes, so a reset cannot overtake them.
    this.#isApplyingFaults = true;
    this.#exchange.outgoing.write(part, () => void this.applyFaults(due));
    return false;
  }

  end(): void {
    this.#isEnding = true;
    if (!this.#isApplyingFaults) {
      this.#exchange.outgoing.end();
    }
  }

  /** Called when the connection has room again. */
  handleDrain(): void {
    this.#isFull = false;
    if (!this.#isApplyingFaults) {
      this.#source.onDrain();
    }
  }

  /** Carries out the faults that are due. False if a fault has ended the connection, or holds it. */
  async applyFaults(due = this.#takeDue()): Promise<boolean> {
    this.#isApplyingFaults = true;
    try {
      for (const { action } of due) {
        if (action === "end") {
          this.#exchange.outgoing.end();
          return false;
        }
        await perform(action, this.#exchange);
      }
    } catch (error) {
      // An action that ends or holds the connection leaves nothing to do. A failing action ends the
      // connection.
      if (!(error instanceof ConnectionEnded)) {
        this.#exchange.outgoing.destroy();
      }
      return false;
    }
    this.#isApplyingFaults = false;
    if (this.#isEnding) {
      this.#exchange.outgoing.end();
    } else if (!this.#isFull) {
      this.#source.onDrain();
    }
    return true;
  }

  #takeDue(): readonly MatchedFault[] {
    const due = this.#faults.filter(({ action, afterEvents }) => {
      const truncateAfter = truncation(action);
      return truncateAfter === undefined ? afterEvents <= this.#events : truncateAfter <= this.#bytes;
    });
    this.#faults = this.#faults.filter((fault) => !due.includes(fault));
    return due;
  }

  /** Number of bytes of a piece that may still be sent; undefined for all. */
  #bytesUntilCut(byteLength: number): number | undefined {
    const left = Math.min(
      ...this.#faults.map(({ action }) => (truncation(action) ?? Number.POSITIVE_INFINITY) - this.#bytes),
    );
    return left <= byteLength ? left : undefined;
  }
}
