import { eventFrame, type StreamSink, type StreamSource } from "../http/exchange.js";
import type { EmulatedBuild } from "./record.js";
import type { DeploymentStore } from "./store.js";

/** Time of one step of a build, in milliseconds, at speed 1. A guess: builds take about a minute. */
const stepMs = 1_000;

/** Longest time between two looks of a stream for new events, in milliseconds. */
const lookMs = 100;

/** Deployments, and the event streams of followers. */
export class DeploymentService {
  readonly table: DeploymentStore;
  readonly stepMs: number;
  readonly #heartbeatIntervalMs: number;
  /** Builds to play for the next deployments. */
  readonly nextBuilds: EmulatedBuild[] = [];

  constructor(table: DeploymentStore, speed: number, heartbeatIntervalMs: number) {
    this.table = table;
    this.stepMs = stepMs / speed;
    this.#heartbeatIntervalMs = heartbeatIntervalMs;
  }

  /**
   * Returns the stream of a deployment. Guesses: all states are sent, and other events only from `sinceMs` on;
   * the stream goes on after `running`, and ends with `failed` and `stopped`.
   */
  stream(id: string, sinceMs: number): StreamSource {
    let [sent, isBehind] = [0, false];
    let sink: StreamSink | undefined;
    let timers: NodeJS.Timeout[] = [];
    const put = (event: { readonly event: string }) => {
      isBehind = sink?.send(eventFrame(event)) === false;
    };
    const look = () => {
      const deployment = this.table.find(id);
      for (const { atMs, event } of deployment ? this.table.events(deployment).slice(sent) : []) {
        if (isBehind) {
          return;
        }
        sent += 1;
        if (atMs >= sinceMs || event.event === "deployment_state") {
          put(event);
        }
      }
      if (!isBehind && (deployment === undefined || ["failed", "stopped"].includes(deployment.status))) {
        sink?.end();
        close();
      }
    };
    const beat = () => {
      if (!isBehind) {
        put({ event: "sse_heartbeat", ...{ timestamp: this.table.now().toISOString() } });
      }
    };
    const close = () => {
      sink = undefined;
      timers.forEach(clearInterval);
    };
    return {
      onOpen: (opened) => {
        sink = opened;
        timers = [
          setInterval(look, Math.max(1, Math.min(lookMs, this.stepMs))),
          setInterval(beat, this.#heartbeatIntervalMs),
        ];
        look();
      },
      onDrain: () => {
        isBehind = false;
        if (sink) {
          look();
        }
      },
      onClose: close,
    };
  }
}
