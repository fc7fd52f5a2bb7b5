import { isDeepStrictEqual } from "node:util";
import { BuildError } from "../../errors.js";
import { durationText, paragraph } from "../../text/words.js";
import type { CallOptions, Failure, HttpCall } from "../http/call.js";
import type { EventData } from "../http/exchange/event-stream-decoder.js";
import { type RecordRequest, readRecordOnce } from "../http/record-calls.js";
import type { Transport } from "../http/transport.js";
import { isTransientEvent } from "../logins/following/errors.js";
import type { LoginErrorEvent } from "../logins/login.js";
import { Follower, type FollowLimits, type Judged, type Seen } from "../operations/follower.js";
import { readEvent } from "../operations/stream-events.js";
import { withDefaults } from "../options.js";
import {
  type Deployment,
  type DeploymentEvent,
  type DeploymentStateEvent,
  deploymentEventSchemas,
} from "./deployment.js";

/** Limits for following a deployment, and the first event. */
export interface DeploymentFollowOptions extends CallOptions {
  /** First moment of the log: a duration before now, such as `5m`, or a date-time. Default: all. */
  readonly since?: string | undefined;
  /**
   * Whether to go on after `running`, with the log of the app, until the deployment has failed or stopped.
   * Default: false.
   */
  readonly continuesAfterRunning?: boolean | undefined;
  /** Total time, in milliseconds; then throws `BuildError` `build_timed_out`. Default 1 800 000 (30 min). */
  readonly timeoutMs?: number | undefined;
  /** Time without even a heartbeat until a stream is reopened. Milliseconds. Default 60 000. */
  readonly idleMs?: number | undefined;
  /** Time without a new state until the record is read as well. Milliseconds. Default 10 000. */
  readonly recheckMs?: number | undefined;
  /** Maximum number of times that a stream is reopened without progress. Default 10. */
  readonly maxReconnects?: number | undefined;
}

const defaults = { timeoutMs: 1_800_000, idleMs: 60_000, recheckMs: 10_000, maxReconnects: 10 };

/** Most recent log events that are compared with the events of a reopened stream. */
const recentMax = 500;

/** Whether a build is over, well or badly. An unknown status counts as in progress. */
export function isBuilt({ status }: Deployment): boolean {
  return ["running", "failed", "stopped"].includes(status);
}

/** A deployment that is being followed. Nothing is sent before the first event is requested. @internal */
export class DeploymentStream extends Follower<DeploymentEvent, DeploymentStateEvent, Deployment> {
  readonly #id: string;
  readonly #record: RecordRequest<Deployment>;
  readonly #continues: boolean;
  #since: string | undefined;
  #state: Deployment | undefined;
  #error: LoginErrorEvent | undefined;
  #recent: string[] = [];
  #replayed = new Set<string>();

  constructor(
    transport: Transport,
    id: string,
    record: RecordRequest<Deployment>,
    options: DeploymentFollowOptions,
  ) {
    const { since, continuesAfterRunning = false, signal, ...limits } = options;
    const settings: FollowLimits = { ...withDefaults("", defaults, limits), signal };
    super(transport, settings);
    this.#id = id;
    this.#record = record;
    this.#since = since;
    this.#continues = continuesAfterRunning;
  }

  protected request(): HttpCall {
    const { path, notFoundAdvice } = this.#record;
    return {
      method: "GET",
      path: `${path}/events`,
      operation: `Following the deployment "${this.#id}"`,
      ...(notFoundAdvice === undefined ? {} : { notFoundAdvice }),
      ...(this.#since === undefined ? {} : { query: new URLSearchParams({ since: this.#since }) }),
    };
  }

  protected parse(data: EventData): DeploymentEvent | string | undefined {
    return readEvent(data, deploymentEventSchemas, this.transport.redaction);
  }

  /** A reopened stream begins again with events that were already reported. */
  protected override noteOpened(): void {
    this.#replayed = new Set(this.#recent);
  }

  protected see(event: DeploymentEvent): Seen<DeploymentStateEvent> {
    switch (event.event) {
      case "deployment_state":
        return this.#isEnd(event.deployment)
          ? { end: { value: event } }
          : { isState: true, isShown: this.#isNews(event.deployment) };
      case "error": {
        const isShown = !isDeepStrictEqual(event.error, this.#error?.error);
        this.#error = event;
        return { failure: this.#failureOf(event), isShown };
      }
      case "sse_heartbeat":
        return {};
      default: {
        this.#since = event.timestamp ?? this.#since;
        const text = JSON.stringify(event);
        this.#recent = [...this.#recent, text].slice(-recentMax);
        const isNew = !this.#replayed.has(text);
        if (isNew) {
          this.reconnects.noteProgress();
        }
        return { isShown: isNew };
      }
    }
  }

  protected readOnce(signal: AbortSignal | undefined) {
    return readRecordOnce(this.transport, { ...this.#record, signal });
  }

  /** The record does not lag: a final state there is the end. */
  protected judge(deployment: Deployment): Judged<DeploymentEvent, DeploymentStateEvent> {
    const timestamp = new Date(this.transport.retry.clock.now()).toISOString();
    const event = { event: "deployment_state", origin: "record", timestamp, deployment } as const;
    return this.#isEnd(deployment)
      ? { end: { value: event } }
      : { state: { event, isShown: this.#isNews(deployment) } };
  }

  protected timedOut(seconds: number, skipped: string): Error {
    const state =
      this.#state === undefined
        ? "the service reported no state"
        : `its last state was ${this.#state.status}`;
    const what = `The build of deployment "${this.#id}" did not end within ${durationText(seconds * 1_000)}: ${state}.`;
    return new BuildError(
      "build_timed_out",
      paragraph(what, skipped, "The build goes on: follow it again, or allow more time."),
    );
  }

  #failureOf(event: LoginErrorEvent): Failure {
    const { code, message } = event.error;
    const why = [code, message]
      .filter((text) => text !== null)
      .map((text) => this.transport.clean(text))
      .join(", ");
    const what = `The build of deployment "${this.#id}" can no longer be followed: ${why || "without an explanation"}.`;
    return {
      error: (note) => new BuildError("build_stream_error", paragraph(what, note)),
      isTransient: isTransientEvent(event),
    };
  }

  #isEnd(deployment: Deployment): boolean {
    return isBuilt(deployment) && !(this.#continues && deployment.status === "running");
  }

  #isNews(deployment: Deployment): boolean {
    const isNew = this.#state?.status !== deployment.status;
    this.#state = deployment;
    if (isNew) {
      this.reconnects.noteProgress();
    }
    return isNew;
  }
}
