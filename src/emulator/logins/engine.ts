import type { DatabaseSync } from "node:sqlite";
import { InputError } from "../../errors.js";
import { newId, randomText } from "../storage/ids-and-names.js";
import { atomically } from "../storage/transaction.js";
import { type AuthConnection, hasCredentials } from "./connections/connection.js";
import type { AuthConnectionStore } from "./connections/store.js";
import { type LoginFlow, scriptStep, wakeMs } from "./login.js";
import type { LoginFlowStore } from "./store.js";
import { afterStep, atStep, ended, type LoginEnd } from "./transition.js";
import { type LoginScenario, loginTimeoutMsDefault } from "./scenarios/schema.js";
import type { Scenarios } from "./scenarios/scenarios.js";
import { nextAfter, type Submission } from "./submission.js";

/** Longest sleep between two looks at the clock, in milliseconds: a clock that jumps, as after a laptop's sleep, is noticed by then. */
const sleepMsMax = 10_000;

/** Time until a login that could not go on is tried again, in milliseconds. */
const retryMs = 1_000;

/** How many of the states that a login went through at once are shown, as after a restart. */
const statesShownMax = 100;

/** What logins are played with. */
export interface LoginEngineParts {
  readonly database: DatabaseSync;
  readonly connections: AuthConnectionStore;
  readonly flows: LoginFlowStore;
  readonly scenarios: Scenarios;
  readonly now: () => Date;
  /** How many times faster than written. */
  readonly speed: number;
}

/**
 * Plays logins by their scripts. When a login goes on by itself is kept in the database as a time, so one that is under way when the
 * emulator ends has gone on as if nothing had been when it runs again. Nobody needs to watch.
 */
export class LoginEngine {
  /** Called with every state a login comes to, once it is stored. */
  onState: (flow: LoginFlow) => void = () => {};
  readonly #parts: LoginEngineParts;
  #timer: NodeJS.Timeout | undefined;
  #isRunning = false;

  constructor(parts: LoginEngineParts) {
    this.#parts = parts;
  }

  /** Lets logins go on by themselves from now on, and carries out what has become due before. */
  run(): void {
    this.#isRunning = true;
    this.#wake();
  }

  /** Ends that. */
  stop(): void {
    this.#isRunning = false;
    clearTimeout(this.#timer);
  }

  /** The last login of a connection, as of now. */
  latest(connectionId: string): LoginFlow | undefined {
    this.settle(connectionId);
    return this.#parts.flows.latest(connectionId);
  }

  /** Starts a login; undefined when one is under way. Throws `InputError` when the connection's scenario is not known any more. */
  start(given: AuthConnection): LoginFlow | undefined {
    if (this.latest(given.id)?.status === "IN_PROGRESS") {
      return undefined;
    }
    // Read after the login before went on to its end: that may have changed it.
    const connection = this.#parts.connections.find(given.id) ?? given;
    const scenario = this.scenarioOf(connection);
    const nowMs = this.#nowMs();
    const isSignedIn = connection.status === "AUTHENTICATED" && scenario.whenSignedIn !== undefined;
    const isStored = !isSignedIn && hasCredentials(connection) && scenario.whenStored !== undefined;
    const flow: LoginFlow = {
      id: newId(),
      connectionId: connection.id,
      scenario,
      type: scenario.type ?? (isStored ? "REAUTH" : "LOGIN"),
      status: "IN_PROGRESS",
      step: "DISCOVERING",
      position: scenario.start,
      visits: 0,
      websiteError: null,
      errorCode: null,
      errorMessage: null,
      passwordGiven: false,
      handoffCode: randomText(32),
      handedOff: false,
      browserSessionId: newId(),
      startedMs: nowMs,
      updatedMs: nowMs,
      dueMs: null,
      expiresMs: nowMs + (scenario.expiresAfterMs ?? loginTimeoutMsDefault) / this.#parts.speed,
    };
    const first =
      (isSignedIn ? scenario.whenSignedIn : isStored ? scenario.whenStored : undefined) ?? scenario.start;
    const state = atStep(flow, first, nowMs, this.#parts.speed);
    return this.#change(flow, [state], () => this.#parts.flows.insert(state));
  }

  /** Takes an answer to what a login asks for, which the caller has just read with `latest`; undefined when it asks for nothing. */
  submit(flow: LoginFlow, submission: Submission): LoginFlow | undefined {
    const next = flow.status === "IN_PROGRESS" ? nextAfter(scriptStep(flow), submission) : undefined;
    if (next === undefined) {
      return undefined;
    }
    const { fields = [] } = scriptStep(flow) as { fields?: readonly { id: string; type: string }[] };
    const passwordGiven =
      flow.passwordGiven || fields.some(({ id, type }) => type === "password" && submission.values?.has(id));
    return this.#change(flow, [
      atStep({ ...flow, passwordGiven, websiteError: null }, next, this.#nowMs(), this.#parts.speed),
    ]);
  }

  /** Ends the present step at once, as when its time is over; undefined when there is none that ends by itself or elsewhere. */
  proceed(connectionId: string): LoginFlow | undefined {
    const flow = this.latest(connectionId);
    if (flow?.status !== "IN_PROGRESS" || flow.step === "AWAITING_INPUT") {
      return undefined;
    }
    return this.#change(flow, [afterStep(flow, this.#nowMs(), this.#parts.speed)]);
  }

  /** Ends a login, whatever it does; undefined when none is under way. */
  end(connectionId: string, end: LoginEnd): LoginFlow | undefined {
    const flow = this.latest(connectionId);
    if (flow?.status !== "IN_PROGRESS") {
      return undefined;
    }
    return this.#change(flow, [ended(flow, end, this.#nowMs())]);
  }

  /** Takes a code for what it stands for, once. `gone` for one that was taken before, or whose login is over. */
  takeHandoff(connectionId: string, code: string): LoginFlow | "gone" | undefined {
    const latest = this.latest(connectionId);
    const flow = this.#parts.flows.byHandoffCode(connectionId, code);
    if (flow === undefined || latest === undefined) {
      return undefined;
    }
    if (flow.handedOff || flow.id !== latest.id || latest.status !== "IN_PROGRESS") {
      return "gone";
    }
    const taken = { ...latest, handedOff: true };
    this.#parts.flows.update(taken);
    return taken;
  }

  /** Lets the login of a connection, or of every connection, do all that has become due, each thing at its own time. */
  settle(connectionId?: string): void {
    const nowMs = this.#nowMs();
    const ids = connectionId === undefined ? this.#parts.flows.dueConnections(nowMs) : [connectionId];
    for (const id of ids) {
      const states: LoginFlow[] = [];
      let flow = this.#parts.flows.latest(id);
      const before = flow;
      while (flow?.status === "IN_PROGRESS" && wakeMs(flow) <= nowMs) {
        const expires = flow.dueMs === null || flow.expiresMs <= flow.dueMs;
        flow = expires
          ? ended(flow, { status: "EXPIRED" }, flow.expiresMs)
          : afterStep(flow, wakeMs(flow), this.#parts.speed);
        // Who follows was not told in time: the last of them say enough.
        if (states.push(flow) > statesShownMax) {
          states.shift();
        }
      }
      if (before) {
        this.#change(before, states);
      }
    }
  }

  /** What the logins of a connection play. Throws `InputError` when its scenario is not known. */
  scenarioOf({
    scenarioName,
    ownScenario,
  }: Pick<AuthConnection, "scenarioName" | "ownScenario">): LoginScenario {
    const { scenarios } = this.#parts;
    const name = scenarioName ?? scenarios.byDefault;
    const scenario = ownScenario ?? scenarios.find(name);
    if (scenario) {
      return scenario;
    }
    throw new InputError(
      "unknown_scenario",
      "scenario",
      `There is no login scenario "${name}". Choose one of ${scenarios.names.join(", ")}, or define it in the seed.`,
    );
  }

  /** Stores the last of some states, by default in place of the one before, and shows them all. */
  #change(
    before: LoginFlow,
    states: readonly LoginFlow[],
    store = (state: LoginFlow) => this.#parts.flows.update(state),
  ): LoginFlow {
    const last = states.at(-1);
    if (last === undefined) {
      return before;
    }
    const { database, connections } = this.#parts;
    atomically(database, () => {
      store(last);
      if (last.status !== "IN_PROGRESS" && last.status !== "CANCELED") {
        const connection = connections.find(last.connectionId);
        connections.setLoginResult(last.connectionId, {
          status: last.status === "SUCCESS" ? "AUTHENTICATED" : "NEEDS_AUTH",
          credentialsKept:
            last.status === "SUCCESS" && last.passwordGiven && connection?.settings.saveCredentials === true,
          atMs: last.updatedMs,
        });
      }
    });
    for (const state of states) {
      this.onState(state);
    }
    this.#sleep();
    return last;
  }

  #wake(): void {
    let sleepMsMin = 1;
    for (const id of this.#parts.flows.dueConnections(this.#nowMs())) {
      // What fails here fails again in the request that asks for the login, and is answered there. The others go on.
      try {
        this.settle(id);
      } catch {
        sleepMsMin = retryMs;
      }
    }
    this.#sleep(sleepMsMin);
  }

  #sleep(sleepMsMin = 1): void {
    if (!this.#isRunning) {
      return;
    }
    clearTimeout(this.#timer);
    const nextMs = this.#parts.flows.nextWakeMs();
    if (nextMs === undefined) {
      return;
    }
    const delayMs = Math.min(Math.max(sleepMsMin, Math.ceil(nextMs - this.#nowMs())), sleepMsMax);
    this.#timer = setTimeout(() => this.#wake(), delayMs);
  }

  #nowMs(): number {
    return this.#parts.now().getTime();
  }
}
