import { eventFrame, type StreamSink, type StreamSource } from "../http/exchange.js";

export interface StateFrame {
  readonly text: string;
  /** Whether the login has ended, so that the stream ends after this state. */
  readonly isLast: boolean;
}

/**
 * Open event streams of logins, by connection. A state is serialized once for all streams. While
 * the connection of a slow subscriber is full, every state but the latest is dropped.
 */
export class Subscribers {
  readonly #byConnection = new Map<string, Set<Subscriber>>();
  readonly #heartbeatIntervalMs: number;
  readonly #now: () => Date;

  constructor(heartbeatIntervalMs: number, now: () => Date) {
    this.#heartbeatIntervalMs = heartbeatIntervalMs;
    this.#now = now;
  }

  /** Returns a stream of the states of a connection's logins, beginning with `present`. */
  add(connectionId: string, present: () => StateFrame | undefined): StreamSource {
    const others = this.#byConnection.get(connectionId) ?? new Set();
    this.#byConnection.set(connectionId, others);
    const heartbeat = () =>
      eventFrame({ event: "sse_heartbeat", ...{ timestamp: this.#now().toISOString() } });
    return new Subscriber(others, present, heartbeat, this.#heartbeatIntervalMs);
  }

  count(connectionId: string): number {
    return this.#byConnection.get(connectionId)?.size ?? 0;
  }

  sendState(connectionId: string, frame: () => StateFrame): void {
    const subscribers = this.#subscribersOf(connectionId);
    if (subscribers.length > 0) {
      const state = frame();
      for (const subscriber of subscribers) {
        subscriber.sendState(state);
      }
    }
  }

  /** Sends a piece to every subscriber. Resolves when all have room for more or have left. */
  async send(connectionId: string, piece: string): Promise<void> {
    await Promise.all(this.#subscribersOf(connectionId).map((subscriber) => subscriber.send(piece)));
  }

  end(connectionId: string): void {
    for (const subscriber of this.#subscribersOf(connectionId)) {
      subscriber.finish();
    }
  }

  #subscribersOf(connectionId: string): readonly Subscriber[] {
    return [...(this.#byConnection.get(connectionId) ?? [])];
  }
}

/** Stream of states. An open stream is in the set of its connection. */
class Subscriber implements StreamSource {
  readonly #all: Set<Subscriber>;
  readonly #present: () => StateFrame | undefined;
  readonly #heartbeat: () => string;
  readonly #heartbeatIntervalMs: number;
  #sink: StreamSink | undefined;
  #isBehind = false;
  #latest: StateFrame | undefined;
  #timer: NodeJS.Timeout | undefined;
  #waiting: (() => void)[] = [];

  constructor(
    all: Set<Subscriber>,
    present: () => StateFrame | undefined,
    heartbeat: () => string,
    heartbeatIntervalMs: number,
  ) {
    this.#all = all;
    this.#present = present;
    this.#heartbeat = heartbeat;
    this.#heartbeatIntervalMs = heartbeatIntervalMs;
  }

  onOpen(sink: StreamSink): void {
    this.#sink = sink;
    const present = this.#present();
    if (present === undefined) {
      this.end();
      return;
    }
    this.#all.add(this);
    this.#timer = setInterval(() => {
      if (!this.#isBehind) {
        this.#put(this.#heartbeat());
      }
    }, this.#heartbeatIntervalMs);
    this.sendState(present);
  }

  sendState(frame: StateFrame): void {
    if (this.#isBehind) {
      // Nothing follows the last state of a login: later states belong to a later login.
      if (!this.#latest?.isLast) {
        this.#latest = frame;
      }
      return;
    }
    this.#put(frame.text);
    if (frame.isLast) {
      this.end();
    }
  }

  async send(piece: string): Promise<void> {
    await this.#waitForRoom();
    this.#put(piece);
    await this.#waitForRoom();
  }

  onDrain(): void {
    this.#isBehind = false;
    const latest = this.#latest;
    this.#latest = undefined;
    if (latest) {
      this.sendState(latest);
    }
    this.#wakeWaiting();
  }

  onClose(): void {
    clearInterval(this.#timer);
    this.#sink = undefined;
    this.#all.delete(this);
    this.#wakeWaiting();
  }

  /** Ends the stream. If the end of the login still waits for room, sends the end first. */
  finish(): void {
    if (!this.#latest?.isLast) {
      this.end();
    }
  }

  end(): void {
    const sink = this.#sink;
    this.onClose();
    sink?.end();
  }

  /** Resolves when the connection has room or has ended. */
  async #waitForRoom(): Promise<void> {
    while (this.#isBehind && this.#sink) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  #put(piece: string): void {
    if (this.#sink && !this.#sink.send(piece)) {
      this.#isBehind = true;
    }
  }

  #wakeWaiting(): void {
    for (const wake of this.#waiting.splice(0)) {
      wake();
    }
  }
}
