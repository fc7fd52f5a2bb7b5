import type { ServerResponse } from "node:http";
import { ConnectionEnded, type Exchange, type StreamSink, type StreamSource } from "./exchange.js";
import { type FaultAction, truncation } from "./fault-action.js";
import type { Strike } from "./faults.js";

/**
 * Sends a stream until the stream or the connection ends. A fault applies after the number of
 * events in the rule; a truncation applies after the number of bytes. Nothing else is sent
 * meanwhile. At most one event is in memory beyond Node's buffer.
 */
export async function sendStream(
  { outgoing }: Exchange,
  source: StreamSource,
  strikes: readonly Strike[],
  perform: (action: FaultAction) => Promise<void>,
): Promise<void> {
  const gone = new Promise<void>((resolve) => {
    outgoing.once("close", () => {
      source.closed();
      resolve();
    });
  });
  if (outgoing.destroyed) {
    throw new ConnectionEnded();
  }
  const sink = new StrikableSink(outgoing, strikes, perform, () => source.drained());
  outgoing.on("drain", () => sink.drained());
  await sink.strike();
  if (outgoing.destroyed) {
    throw new ConnectionEnded();
  }
  source.opened(sink);
  await gone;
}

class StrikableSink implements StreamSink {
  readonly #outgoing: ServerResponse;
  readonly #strikes: Strike[];
  readonly #perform: (action: FaultAction) => Promise<void>;
  readonly #caughtUp: () => void;
  #events = 0;
  #bytes = 0;
  #isStruck = false;
  #isFull = false;
  #isEnding = false;

  constructor(
    outgoing: ServerResponse,
    strikes: readonly Strike[],
    perform: (action: FaultAction) => Promise<void>,
    caughtUp: () => void,
  ) {
    this.#outgoing = outgoing;
    this.#strikes = [...strikes];
    this.#perform = perform;
    this.#caughtUp = caughtUp;
  }

  send(piece: string): boolean {
    if (this.#outgoing.destroyed) {
      return false;
    }
    const bytes = Buffer.from(piece);
    const cut = this.#cut(bytes.byteLength);
    const part = bytes.subarray(0, cut);
    this.#bytes += part.byteLength;
    if (cut === undefined) {
      this.#events += 1;
    }
    const due = this.#due();
    if (due.length === 0) {
      this.#isFull = !this.#outgoing.write(part);
      return !this.#isFull;
    }
    // Node calls back once the operating system has the bytes, so a reset cannot overtake them.
    this.#isStruck = true;
    this.#outgoing.write(part, () => void this.#carryOut(due));
    return false;
  }

  end(): void {
    this.#isEnding = true;
    if (!this.#isStruck) {
      this.#outgoing.end();
    }
  }

  /** Carries out the faults due before the first event. */
  async strike(): Promise<void> {
    const due = this.#due();
    this.#isStruck = true;
    for (const { action } of due) {
      await this.#act(action);
    }
    this.#isStruck = false;
  }

  /** Called when the connection has room again. */
  drained(): void {
    this.#isFull = false;
    if (!this.#isStruck) {
      this.#caughtUp();
    }
  }

  async #carryOut(due: readonly Strike[]): Promise<void> {
    try {
      for (const { action } of due) {
        await this.#act(action);
      }
    } catch (error) {
      // An action that ends or holds the connection leaves nothing to do. A failing action ends the
      // connection.
      if (!(error instanceof ConnectionEnded)) {
        this.#outgoing.destroy();
      }
      return;
    }
    this.#isStruck = false;
    if (this.#isEnding) {
      this.#outgoing.end();
    } else if (!this.#isFull) {
      this.#caughtUp();
    }
  }

  async #act(action: FaultAction): Promise<void> {
    if (action === "end") {
      this.#outgoing.end();
      throw new ConnectionEnded();
    }
    await this.#perform(action);
  }

  /** Removes and returns the faults that are due. */
  #due(): readonly Strike[] {
    const due = this.#strikes.filter(({ action, afterEvents }) => {
      const truncateAfter = truncation(action);
      return truncateAfter === undefined ? afterEvents <= this.#events : truncateAfter <= this.#bytes;
    });
    for (const strike of due) {
      this.#strikes.splice(this.#strikes.indexOf(strike), 1);
    }
    return due;
  }

  /** Number of bytes of a piece that may still be sent; undefined for all. */
  #cut(byteLength: number): number | undefined {
    const left = Math.min(
      ...this.#strikes.map(({ action }) => (truncation(action) ?? Number.POSITIVE_INFINITY) - this.#bytes),
    );
    return left <= byteLength ? left : undefined;
  }
}
