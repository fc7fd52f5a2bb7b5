import { eventFrame, type StreamSink, type StreamSource } from "../http/exchange.js";
import type { RecordedRequest } from "../http/request-log.js";
import { shownMax } from "./state.js";

/** Time between two polls of the emulator, in milliseconds: at most four messages a second. */
const pollIntervalMs = 250;

/** Every fourth poll finds changes by time alone, and sends a message even without changes. */
const pollsPerMessage = 4;

/** Observed parts of the emulator. */
interface Watched {
  /** Value that changes with the state, except for changes by time alone. */
  readonly version: () => string;
  readonly state: () => object;
  /** Returns the given number of newest requests, oldest first. */
  readonly requests: (newest: number) => readonly RecordedRequest[];
  readonly now: () => Date;
}

interface Watcher {
  readonly sink: StreamSink;
  /** Kinds as last sent, as JSON. */
  readonly kinds: Map<string, string>;
  /** Requests sent, as id, status and duration. */
  requests: ReadonlySet<string>;
  isBehind: boolean;
}

/**
 * Watchers of the emulator. A watcher gets the whole state, then the changed kinds and the new
 * requests. The state is polled only while a watcher is connected. A slow watcher may miss
 * messages, but always gets the latest state.
 */
export class Watchers {
  readonly #watched: Watched;
  readonly #watchers = new Set<Watcher>();
  #timer: NodeJS.Timeout | undefined;
  #pollCount = 0;
  #version = "";
  #state: readonly (readonly [kind: string, value: unknown, json: string])[] = [];

  constructor(watched: Watched) {
    this.#watched = watched;
  }

  add(): StreamSource {
    let watcher: Watcher | undefined;
    return {
      onOpen: (sink) => {
        watcher = { sink, kinds: new Map(), requests: new Set(), isBehind: false };
        this.#watchers.add(watcher);
        this.#timer ??= setInterval(() => {
          // A failure here, such as a full disk, recurs in the next request, which reports the
          // failure.
          try {
            this.#poll();
          } catch {}
        }, pollIntervalMs);
        this.#poll();
      },
      onDrain: () => {
        if (watcher) {
          watcher.isBehind = false;
        }
      },
      onClose: () => {
        if (watcher && this.#watchers.delete(watcher) && this.#watchers.size === 0) {
          clearInterval(this.#timer);
          this.#timer = undefined;
          this.#pollCount = 0;
        }
      },
    };
  }

  #poll(): void {
    const { version, state, requests } = this.#watched;
    const isDue = this.#pollCount % pollsPerMessage === 0;
    this.#pollCount += 1;
    if (isDue || this.#version !== version()) {
      this.#state = Object.entries(state()).map(([kind, value]) => [kind, value, JSON.stringify(value)]);
      // Reading the state brings pools up to date, which changes rows.
      this.#version = version();
    }
    const newest = requests(shownMax);
    for (const watcher of this.#watchers) {
      this.#sendChanges(watcher, newest, isDue);
    }
  }

  #sendChanges(watcher: Watcher, newest: readonly RecordedRequest[], isDue: boolean): void {
    const { sink, kinds, requests, isBehind } = watcher;
    const changed = this.#state.filter(([kind, , json]) => kinds.get(kind) !== json);
    const keyOf = ({ requestId, status, tookMs }: RecordedRequest) => `${requestId} ${status} ${tookMs}`;
    const added = newest.filter((request) => !requests.has(keyOf(request)));
    const isCleared = newest.length < requests.size;
    if (isBehind || !(isDue || isCleared || changed.length + added.length > 0)) {
      return;
    }
    for (const [kind, , json] of changed) {
      kinds.set(kind, json);
    }
    watcher.requests = new Set(newest.map(keyOf));
    const state = Object.fromEntries(changed);
    const message = { now: this.#watched.now(), state, requests: { count: newest.length, added } };
    watcher.isBehind = !sink.send(eventFrame({ event: "change", ...message }));
  }
}
