import { eventFrame } from "../http/event-frame.js";
import type { StreamSink, StreamSource } from "../http/stream-response.js";

/** A state ready to be sent. */
export interface StateFrame {
  readonly text: string;
  /** The login has ended, and the stream does after it. */
  readonly isLast: boolean;
}

/**
 * Who follows which login. A state is made into text once for all who follow. Of one who reads slowly nothing piles up: what comes while
 * the connection is full is dropped but for the latest state, which is sent when there is room again.
 */
export class LoginWatchers {
  readonly #byConnection = new Map<string, Set<LoginWatcher>>();
  readonly #heartbeatIntervalMs: number;
  readonly #now: () => Date;

  constructor(heartbeatIntervalMs: number, now: () => Date) {
    this.#heartbeatIntervalMs = heartbeatIntervalMs;
    this.#now = now;
  }

  /** One who follows the logins of a connection from the present state on, which is asked for once the stream is open. */
  add(connectionId: string, present: () => StateFrame | undefined): StreamSource {
    const watcher = new LoginWatcher({
      present,
      heartbeat: () => eventFrame({ event: "sse_heartbeat", ...{ timestamp: this.#now().toISOString() } }),
      heartbeatIntervalMs: this.#heartbeatIntervalMs,
      joined: () => {
        const watchers = this.#byConnection.get(connectionId) ?? new Set();
        this.#byConnection.set(connectionId, watchers.add(watcher));
      },
      left: () => {
        const watchers = this.#byConnection.get(connectionId);
        watchers?.delete(watcher);
        if (watchers?.size === 0) {
          this.#byConnection.delete(connectionId);
        }
      },
    });
    return watcher;
  }

  /** How many follow the logins of a connection. */
  count(connectionId: string): number {
    return this.#byConnection.get(connectionId)?.size ?? 0;
  }

  /** Shows a state to all who follow. */
  show(connectionId: string, frame: () => StateFrame): void {
    const watchers = this.#byConnection.get(connectionId);
    if (watchers === undefined) {
      return;
    }
    const made = frame();
    for (const watcher of [...watchers]) {
      watcher.show(made);
    }
  }

  /** Sends a piece to all who follow, as it is. Resolves when each of them has room for more, or has left. */
  async send(connectionId: string, piece: string): Promise<void> {
    await Promise.all(
      [...(this.#byConnection.get(connectionId) ?? [])].map((watcher) => watcher.send(piece)),
    );
  }

  /** Ends the streams of all who follow the logins of a connection. */
  end(connectionId: string): void {
    for (const watcher of [...(this.#byConnection.get(connectionId) ?? [])]) {
      watcher.finish();
    }
  }
}

interface WatcherParts {
  readonly present: () => StateFrame | undefined;
  readonly heartbeat: () => string;
  readonly heartbeatIntervalMs: number;
  readonly joined: () => void;
  readonly left: () => void;
}

/** One stream of states. */
class LoginWatcher implements StreamSource {
  readonly #parts: WatcherParts;
  #sink: StreamSink | undefined;
  #isBehind = false;
  #latest: StateFrame | undefined;
  #timer: NodeJS.Timeout | undefined;
  #waiting: (() => void)[] = [];

  constructor(parts: WatcherParts) {
    this.#parts = parts;
  }

  opened(sink: StreamSink): void {
    this.#sink = sink;
    const present = this.#parts.present();
    if (present === undefined) {
      this.end();
      return;
    }
    this.#parts.joined();
    this.#timer = setInterval(() => {
      if (!this.#isBehind) {
        this.#put(this.#parts.heartbeat());
      }
    }, this.#parts.heartbeatIntervalMs);
    this.show(present);
  }

  show(frame: StateFrame): void {
    if (this.#isBehind) {
      // Nothing follows the last one: what comes then is of another login.
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
    while (this.#isBehind && this.#sink) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#put(piece);
    if (this.#isBehind && this.#sink) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  drained(): void {
    this.#isBehind = false;
    const latest = this.#latest;
    this.#latest = undefined;
    if (latest) {
      this.show(latest);
    }
    this.#wakeWaiting();
  }

  closed(): void {
    this.#leave();
  }

  /** Ends the stream, once the end of its login is sent where that waits for room. */
  finish(): void {
    if (!this.#latest?.isLast) {
      this.end();
    }
  }

  /** Ends the stream now. */
  end(): void {
    const sink = this.#sink;
    this.#leave();
    sink?.end();
  }

  #put(piece: string): void {
    if (this.#sink && !this.#sink.send(piece)) {
      this.#isBehind = true;
    }
  }

  #leave(): void {
    clearInterval(this.#timer);
    this.#sink = undefined;
    this.#parts.left();
    this.#wakeWaiting();
  }

  #wakeWaiting(): void {
    for (const wake of this.#waiting.splice(0)) {
      wake();
    }
  }
}
