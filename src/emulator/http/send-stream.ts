import type { ServerResponse } from "node:http";
import { ConnectionEnded, type Exchange, type StreamSink, type StreamSource } from "./exchange.js";
import { type FaultAction, truncation } from "./fault-action.js";
import type { MatchedFault } from "./faults.js";

/**
 * Sends a stream until the stream or the connection ends. A fault applies after the number of
 * events in the rule; a truncation applies after the number of bytes. Nothing else is sent
 * meanwhile. At most one event is in memory beyond Node's buffer.
 */
export async function sendStream(
  { outgoing }: Exchange,
  source: StreamSource,
  faults: readonly MatchedFault[],
  perform: (action: FaultAction) => Promise<void>,
): Promise<void> {
  const gone = new Promise<void>((resolve) => {
    outgoing.once("close", () => {
      source.onClose();
      resolve();
    });
  });
  if (outgoing.destroyed) {
    throw new ConnectionEnded();
  }
  const sink = new FaultSink(outgoing, faults, perform, () => source.onDrain());
  outgoing.on("drain", () => sink.handleDrain());
  if (!(await sink.applyFaults()) || outgoing.destroyed) {
    throw new ConnectionEnded();
  }
  source.onOpen(sink);
  await gone;
}

class FaultSink implements StreamSink {
  readonly #outgoing: ServerResponse;
  readonly #faults: MatchedFault[];
  readonly #perform: (action: FaultAction) => Promise<void>;
  readonly #caughtUp: () => void;
  #events = 0;
  #bytes = 0;
  #isApplyingFaults = false;
  #isFull = false;
  #isEnding = false;

  constructor(
    outgoing: ServerResponse,
    faults: readonly MatchedFault[],
    perform: (action: FaultAction) => Promise<void>,
    caughtUp: () => void,
  ) {
    this.#outgoing = outgoing;
    this.#faults = [...faults];
    this.#perform = perform;
    this.#caughtUp = caughtUp;
  }

  send(piece: string): boolean {
    if (this.#outgoing.destroyed) {
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
      this.#isFull = !this.#outgoing.write(part);
      return !this.#isFull;
    }
    // Node calls back once the operating system has the bytes, so a reset cannot overtake them.
    this.#isApplyingFaults = true;
    this.#outgoing.write(part, () => void this.applyFaults(due));
    return false;
  }

  end(): void {
    this.#isEnding = true;
    if (!this.#isApplyingFaults) {
      this.#outgoing.end();
    }
  }

  /** Called when the connection has room again. */
  handleDrain(): void {
    this.#isFull = false;
    if (!this.#isApplyingFaults) {
      this.#caughtUp();
    }
  }

  /** Carries out the faults that are due. False if a fault has ended the connection, or holds it. */
  async applyFaults(due = this.#takeDue()): Promise<boolean> {
    this.#isApplyingFaults = true;
    try {
      for (const { action } of due) {
        await this.#applyAction(action);
      }
    } catch (error) {
      // An action that ends or holds the connection leaves nothing to do. A failing action ends the
      // connection.
      if (!(error instanceof ConnectionEnded)) {
        this.#outgoing.destroy();
      }
      return false;
    }
    this.#isApplyingFaults = false;
    if (this.#isEnding) {
      this.#outgoing.end();
    } else if (!this.#isFull) {
      this.#caughtUp();
    }
    return true;
  }

  async #applyAction(action: FaultAction): Promise<void> {
    if (action === "end") {
      this.#outgoing.end();
      throw new ConnectionEnded();
    }
    await this.#perform(action);
  }

  #takeDue(): readonly MatchedFault[] {
    const due = this.#faults.filter(({ action, afterEvents }) => {
      const truncateAfter = truncation(action);
      return truncateAfter === undefined ? afterEvents <= this.#events : truncateAfter <= this.#bytes;
    });
    for (const fault of due) {
      this.#faults.splice(this.#faults.indexOf(fault), 1);
    }
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
