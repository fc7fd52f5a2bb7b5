import { isDeepStrictEqual } from "node:util";
import { type BrowserInfraClient, LoginError, type LoginStateEvent } from "../client/index.js";
import { LoginReporter } from "../client/login/reporter.js";
import { durationMs, durationText } from "../duration.js";
import { InputError } from "../errors.js";
import { withoutQuery } from "../without-addresses.js";
import { Connections, settingsFor } from "./connections.js";
import { orUndefinedWhenGone } from "./gone.js";
import type {
  CheckRequest,
  CheckResult,
  Created,
  DiffRequest,
  DiffResult,
  LifecycleContext,
  ReadResult,
  Report,
  ResourceLifecycle,
  StoredResource,
  UpdateRequest,
} from "./lifecycle.js";
import { loginFlowFailures, timeoutDefault } from "./login-flow-inputs.js";
import { type PropertyMap, textOf, unknownValue } from "./property-values.js";

/** Time between two messages on the row while nothing changes. Milliseconds. */
const sayAgainMs = 30_000;

/** Inputs that start another wait when they change. */
const decisiveInputs = ["connectionId", "triggers"];

/** The life cycle of a login that a deployment waits for. It starts, changes and ends no login: it only watches one. */
export class LoginFlowLifecycle implements ResourceLifecycle {
  readonly #connections: Connections;

  constructor(connections = new Connections()) {
    this.#connections = connections;
  }

  check({ news }: CheckRequest): Promise<CheckResult> {
    return Promise.resolve({ inputs: news, failures: loginFlowFailures(news) });
  }

  diff({ olds, news }: DiffRequest): DiffResult {
    if (decisiveInputs.some((input) => news[input] === unknownValue)) {
      return {};
    }
    const replaces = decisiveInputs.filter((input) => !isDeepStrictEqual(olds[input], news[input]));
    const isSame = ["timeout", "onFailure"].every((input) => olds[input] === news[input]);
    return replaces.length > 0 ? { replaces } : isSame ? { changes: false } : {};
  }

  async create(inputs: PropertyMap, context: LifecycleContext): Promise<Created> {
    const connectionId = textOf(inputs, "connectionId");
    if (connectionId === undefined) {
      throw new InputError(
        "input_unknown",
        "connectionId",
        'The connectionId of this login flow is not known, so it cannot be waited for. Run "pulumi up" again.',
      );
    }
    const client = this.#clientFor(context);
    const timeoutMs = durationMs(textOf(inputs, "timeout") ?? timeoutDefault) ?? 0;
    const watch = new LoginWatch(context.report, timeoutMs);
    try {
      const state = await client.authConnections.waitForAuthentication(connectionId, {
        timeoutMs,
        signal: context.signal,
        onConnection: (connection) => watch.narrator.seeConnection(connection),
        onEvent: (event) => watch.narrator.seeEvent(event),
      });
      return { id: connectionId, outputs: { ...inputs, ...outputsOf(state) } };
    } catch (error) {
      const ended = watch.narrator.state;
      if (inputs.onFailure === "continue" && isEnd(error) && ended !== undefined) {
        context.report.warning(`${error.message} The deployment goes on, as "onFailure" says.`);
        const { serviceCode: errorCode, serviceMessage: errorMessage } = error;
        return { id: connectionId, outputs: { ...inputs, ...outputsOf(ended), errorCode, errorMessage } };
      }
      throw error;
    } finally {
      watch.stop();
    }
  }

  /** Never waits. What the service changes by itself is no drift: the resource says how a login once ended. */
  async read({ id, state }: StoredResource, context: LifecycleContext): Promise<ReadResult | undefined> {
    const client = this.#clientFor(context);
    const connection = await orUndefinedWhenGone(client.authConnections.get(id, { signal: context.signal }));
    if (connection === undefined) {
      return undefined;
    }
    const { connectionId = id, timeout, triggers, onFailure } = state;
    const given = Object.entries({ connectionId, timeout, triggers, onFailure });
    const inputs = Object.fromEntries(given.filter(([, value]) => value !== undefined)) as PropertyMap;
    // What is null does not reach a provider, and would be missing from now on.
    return { id, outputs: { ...outputsOf(undefined), ...state, connectionId }, inputs };
  }

  /** Reached when only the limits of a later wait have changed. */
  update({ olds, news }: UpdateRequest): Promise<PropertyMap> {
    const { timeout: _timeout, onFailure: _onFailure, ...kept } = olds;
    return Promise.resolve({ ...kept, ...news });
  }

  /** The connection and its login belong to somebody else. */
  delete(): Promise<void> {
    return Promise.resolve();
  }

  #clientFor(context: LifecycleContext): BrowserInfraClient {
    return this.#connections.clientFor(settingsFor(context).projectId, context);
  }
}

/** Says on the resource's row what a login waits for, and again from time to time, so that nobody takes it for dead. */
class LoginWatch {
  readonly #report: Report;
  readonly #endsAt: number;
  readonly #timer: NodeJS.Timeout;
  readonly narrator: LoginReporter;
  #status = "";

  constructor(report: Report, timeoutMs: number) {
    this.#report = report;
    this.#endsAt = performance.now() + timeoutMs;
    this.#timer = setInterval(() => this.#sayAgain(), sayAgainMs);
    this.narrator = new LoginReporter({
      status: (text, isOver) => {
        this.#status = isOver ? "" : text;
        if (isOver) {
          report.progress(text);
        } else {
          this.#say();
        }
      },
      // For the person who runs the deployment: a line that stays. In the state the address is a secret.
      address: (text) => report.info(text),
      notNeeded: (text) => report.info(text),
    });
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #say(): void {
    const leftMs = Math.max(1, this.#endsAt - performance.now());
    const status = `${this.#status} (${durationText(leftMs)} left)`;
    // Pulumi's live table shows lines that stay only at its end, and cuts a row at the right: so the address is here too, and first.
    const address = this.narrator.addressToOpen;
    this.#report.progress(address === undefined ? status : `open ${address} - ${status}`);
  }

  /** An address is not said again: where rows are printed one below the other, it would fill the log. */
  #sayAgain(): void {
    if (this.#status !== "" && this.narrator.addressToOpen === undefined) {
      this.#say();
    }
  }
}

/** Whether the login itself ended, otherwise than with success. */
function isEnd(error: unknown): error is LoginError {
  return (
    error instanceof LoginError && ["login_failed", "login_expired", "login_canceled"].includes(error.code)
  );
}

function outputsOf(state: LoginStateEvent | undefined): PropertyMap {
  return {
    flowStatus: state?.flowStatus ?? null,
    flowType: state?.flowType ?? null,
    completedAt: state?.timestamp ?? null,
    postLoginUrl: state?.postLoginUrl ? withoutQuery(state.postLoginUrl) : null,
    errorCode: null,
    errorMessage: null,
    // What the service still tells at the end, mostly nothing. The addresses told before are used up, and best kept nowhere.
    hostedUrl: state?.hostedUrl ?? null,
    liveViewUrl: state?.liveViewUrl ?? null,
  };
}
