import { eventFrame, type StreamSink, type StreamSource } from "../http/exchange.js";
import type { RecordedRequest } from "../http/request-log.js";
import { shownMax } from "./state.js";

/** Time between two looks at the emulator, in milliseconds: at most four messages a second. */
const lookIntervalMs = 250;

/** Every fourth look finds what time alone changes, and sends a message in any case. */
const looksPerMessage = 4;

/** What is watched. */
interface Watched {
  /** Differs once something of the state has changed, except by time alone. */
  readonly version: () => string;
  readonly state: () => object;
  /** That many of the newest requests, oldest first. */
  readonly requests: (newest: number) => readonly RecordedRequest[];
  readonly now: () => Date;
}

interface Watcher {
  readonly sink: StreamSink;
  /** The kinds as they were sent, as JSON. */
  readonly kinds: Map<string, string>;
  /** Ids of the requests that were sent, each with its status. */
  requests: ReadonlySet<string>;
  isBehind: boolean;
}

/**
 * Those who watch the emulator. Each gets everything, then the kinds that have changed and the new
 * requests. Nobody looks while nobody watches. Who reads slowly misses messages, but no change.
 */
export class Watchers {
  readonly #watched: Watched;
  readonly #watchers = new Set<Watcher>();
  #timer: NodeJS.Timeout | undefined;
  #looks = 0;
  #version = "";
  /** Each kind of the state, and its JSON. */
  #state: readonly (readonly [kind: string, value: unknown, json: string])[] = [];

  constructor(watched: Watched) {
    this.#watched = watched;
  }

  /** A stream for one more. */
  add(): StreamSource {
    let watcher: Watcher | undefined;
    return {
      opened: (sink) => {
        watcher = { sink, kinds: new Map(), requests: new Set(), isBehind: false };
        this.#watchers.add(watcher);
        this.#timer ??= setInterval(() => {
          // What fails here, such as a full disk, fails in the next request, which reports it.
          try {
            this.#look();
          } catch {}
        }, lookIntervalMs);
        this.#look();
      },
      drained: () => {
        if (watcher) {
          watcher.isBehind = false;
        }
      },
      closed: () => {
        if (watcher && this.#watchers.delete(watcher) && this.#watchers.size === 0) {
          clearInterval(this.#timer);
          this.#timer = undefined;
          this.#looks = 0;
        }
      },
    };
  }

  #look(): void {
    const { version, state, requests } = this.#watched;
    const isDue = this.#looks % looksPerMessage === 0;
    this.#looks += 1;
    if (isDue || this.#version !== version()) {
      this.#state = Object.entries(state()).map(([kind, value]) => [kind, value, JSON.stringify(value)]);
      // To look brings pools up to date, which changes rows.
      this.#version = version();
    }
    const newest = requests(shownMax);
    for (const watcher of this.#watchers) {
      this.#tell(watcher, newest, isDue);
    }
  }

  #tell(watcher: Watcher, newest: readonly RecordedRequest[], isDue: boolean): void {
    const { sink, kinds, requests, isBehind } = watcher;
    const changed = this.#state.filter(([kind, , json]) => kinds.get(kind) !== json);
    const keyOf = ({ requestId, status }: RecordedRequest) => `${requestId} ${status}`;
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
