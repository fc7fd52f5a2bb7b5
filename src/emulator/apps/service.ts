import { eventFrame, type StreamSink, type StreamSource } from "../http/exchange.js";
import { dueMs, type EmulatedBuild } from "./record.js";
import type { DeploymentStore } from "./store.js";

/** Time of one step of a build, in milliseconds, at speed 1. A guess: builds take about a minute. */
const stepMs = 1_000;

/** Longest time until a stream looks for new events, in milliseconds. */
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
    let [timer, heartbeat]: (NodeJS.Timeout | undefined)[] = [];
    let sink: StreamSink | undefined;
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
      const isOver = deployment === undefined || ["failed", "stopped"].includes(deployment.status);
      if (isOver && !isBehind) {
        const ended = sink;
        close();
        ended?.end();
        return;
      }
      const due = deployment && dueMs(deployment);
      timer = setTimeout(
        look,
        Math.max(1, Math.min(lookMs, this.stepMs, (due ?? Number.POSITIVE_INFINITY) - this.table.nowMs)),
      );
    };
    const close = () => {
      sink = undefined;
      clearTimeout(timer);
      clearInterval(heartbeat);
    };
    return {
      onOpen: (opened) => {
        sink = opened;
        heartbeat = setInterval(() => {
          if (!isBehind) {
            put({ event: "sse_heartbeat", ...{ timestamp: this.table.now().toISOString() } });
          }
        }, this.#heartbeatIntervalMs);
        look();
      },
      onDrain: () => {
        isBehind = false;
        clearTimeout(timer);
        if (sink) {
          look();
        }
      },
      onClose: close,
    };
  }
}
