import { type BrowserInfraError, BuildError } from "../../errors.js";
import { durationText, paragraph } from "../../text/words.js";
import type { RecordRequest } from "../http/record-calls.js";
import type { Transport } from "../http/transport.js";
import { Follower, type Judged } from "../operations/following/follower.js";
import { type StreamLimits, streamDefaults } from "../operations/following/limits.js";
import type { StreamErrorEvent } from "../operations/following/stream-events.js";
import {
  type AppVersionEvent,
  type Deployment,
  type DeploymentLogEvent,
  type DeploymentStateEvent,
  deploymentEventSchemas,
} from "./deployment.js";

/** Limits for following a deployment, and the first event. */
export interface DeploymentFollowOptions extends StreamLimits {
  /** First moment of the log: a duration before now, such as `5m`, or a date-time. Default: all. */
  readonly since?: string | undefined;
  /**
   * Whether to go on after `running`, with the log of the app, until the deployment has failed or stopped.
   * Default: false.
   */
  readonly continuesAfterRunning?: boolean | undefined;
  /** Total time, in milliseconds; then throws `BuildError` `build_timed_out`. Default 1 800 000 (30 min). */
  readonly timeoutMs?: number | undefined;
  /** Time without a new state until the record is read as well. Milliseconds. Default 10 000. */
  readonly recheckMs?: number | undefined;
}

const defaults = { ...streamDefaults, timeoutMs: 1_800_000, recheckMs: 10_000 };

/** Most recent log events that are compared with the events of a reopened stream. */
const recentMax = 500;

/** Whether a build is over, well or badly. An unknown status counts as in progress. */
export function isBuilt({ status }: Deployment): boolean {
  return ["running", "failed", "stopped"].includes(status);
}

/** Events of a deployment besides errors and heartbeats. */
type Own = DeploymentLogEvent | DeploymentStateEvent | AppVersionEvent;

/** A deployment that is being followed. Nothing is sent before the first event is requested. @internal */
export class DeploymentStream extends Follower<Own, DeploymentStateEvent, Deployment> {
  readonly #id: string;
  readonly #continues: boolean;
  #since: string | undefined;
  #status: string | undefined;
  #recent: string[] = [];
  #replayed = new Set<string>();

  constructor(
    transport: Transport,
    id: string,
    record: RecordRequest<Deployment>,
    { since, continuesAfterRunning = false, ...limits }: DeploymentFollowOptions,
  ) {
    const operation = `Following the deployment "${id}"`;
    super(transport, { record, operation, schemas: deploymentEventSchemas, defaults }, limits);
    this.#id = id;
    this.#since = since;
    this.#continues = continuesAfterRunning;
  }

  protected override query(): URLSearchParams | undefined {
    return this.#since === undefined ? undefined : new URLSearchParams({ since: this.#since });
  }

  /** A reopened stream begins again with events that were already reported. */
  protected override noteOpened(): void {
    this.#replayed = new Set(this.#recent);
  }

  protected see(event: Own): Judged<Own, DeploymentStateEvent> {
    if (event.event === "deployment_state") {
      return this.#judged(event);
    }
    this.#since = event.timestamp ?? this.#since;
    const text = JSON.stringify(event);
    this.#recent = [...this.#recent, text].slice(-recentMax);
    if (this.#replayed.has(text)) {
      return {};
    }
    this.reconnects.noteProgress();
    return { shown: event };
  }

  /** The record does not lag: a final state there is the end. */
  protected judge(deployment: Deployment): Judged<Own, DeploymentStateEvent> {
    const timestamp = new Date(this.transport.retry.clock.now()).toISOString();
    return this.#judged({ event: "deployment_state", origin: "record", timestamp, deployment });
  }

  protected timedOut(seconds: number, skipped: string): Error {
    const state =
      this.#status === undefined ? "the service reported no state" : `its last state was ${this.#status}`;
    const what = `The build of deployment "${this.#id}" did not end within ${durationText(seconds * 1_000)}: ${state}.`;
    const advice = "The build goes on: follow it again, or allow more time.";
    return new BuildError("build_timed_out", paragraph(what, skipped, advice));
  }

  protected reported({ error: { code, message } }: StreamErrorEvent, note: string): BrowserInfraError {
    const known = [code, message].filter((text) => text !== null);
    const why = known.map((text) => this.transport.clean(text)).join(", ") || "without an explanation";
    const what = `The build of deployment "${this.#id}" can no longer be followed: ${why}.`;
    return new BuildError("build_stream_error", paragraph(what, note));
  }

  #judged(event: DeploymentStateEvent): Judged<DeploymentStateEvent, DeploymentStateEvent> {
    const { deployment } = event;
    if (isBuilt(deployment) && !(this.#continues && deployment.status === "running")) {
      return { end: { value: event } };
    }
    if (this.#status === deployment.status) {
      return { isState: true };
    }
    this.#status = deployment.status;
    this.noteNews();
    return { isState: true, shown: event };
  }
}
