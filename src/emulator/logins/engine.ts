import type { Database } from "../storage/database.js";
import { newId, randomText } from "../storage/ids-and-names.js";
import type { AuthConnection } from "./auth-connections/auth-connection.js";
import type { AuthConnectionStore } from "./auth-connections/store.js";
import { formOf, nextAfter, type Submission } from "./form.js";
import { endLogin, enterStep, type Login, type LoginStore, leaveStep, scriptStep, wakeMs } from "./login.js";
import { type Scenarios, scenarioNamed } from "./scenarios/scenarios.js";
import { type LoginEnd, type LoginScenario, loginTimeoutMsDefault } from "./scenarios/schema.js";

/** Longest time between two reads of the clock, in milliseconds: the clock may jump. */
const sleepMsMax = 10_000;

/** Time until the emulator retries a login that could not continue, in milliseconds. */
const retryMs = 1_000;

/** Most states reported of a login that passed many states at once, as after a restart. */
const statesShownMax = 100;

export interface LoginEngineParts {
  readonly database: Database;
  readonly connections: AuthConnectionStore;
  readonly logins: LoginStore;
  readonly scenarios: Scenarios;
  readonly now: () => Date;
  /** Speed of logins; 1 is the speed of the scenario. */
  readonly speed: number;
}

/**
 * Plays logins by their scenarios, watched or not. The database contains the time at which a login
 * continues, so a login in progress is at the right step after a restart.
 */
export class LoginEngine {
  /** Called with every new state of a login, in order, after the last of the states is stored. */
  onState: (login: Login) => void = () => {};
  readonly #parts: LoginEngineParts;
  #timer: NodeJS.Timeout | undefined;
  #isRunning = false;

  constructor(parts: LoginEngineParts) {
    this.#parts = parts;
  }

  /** Lets logins continue by themselves from now on, beginning with overdue logins. */
  run(): void {
    this.#isRunning = true;
    this.wake();
  }

  /** Stops logins from continuing by themselves. */
  stop(): void {
    this.#isRunning = false;
    clearTimeout(this.#timer);
  }

  /** Last login of a connection, as of now. */
  latest(connectionId: string): Login | undefined {
    this.bringUpToDate(connectionId);
    return this.#parts.logins.latest(connectionId);
  }

  /**
   * Starts a login; undefined if a login is in progress. Throws `InputError` `scenario_unknown` if
   * the connection's scenario no longer exists.
   */
  start(given: AuthConnection): Login | undefined {
    if (this.latest(given.id)?.status === "IN_PROGRESS") {
      return undefined;
    }
    // Read again: the end of the previous login may have changed the connection.
    const connection = this.#parts.connections.find(given.id) ?? given;
    const scenario = this.scenarioOf(connection);
    const nowMs = this.#nowMs();
    const isSignedIn = connection.status === "AUTHENTICATED" && scenario.whenSignedIn !== undefined;
    const hasValues = this.#parts.connections.hasLoginValues(connection);
    const isStored = !isSignedIn && hasValues && scenario.whenStored !== undefined;
    const login: Login = {
      id: newId(),
      connectionId: connection.id,
      scenario,
      type: scenario.type ?? (isStored ? "REAUTH" : "LOGIN"),
      status: "IN_PROGRESS",
      step: "DISCOVERING",
      position: scenario.start,
      visits: 0,
      steps: [],
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
    const first = isSignedIn ? scenario.whenSignedIn : isStored ? scenario.whenStored : undefined;
    const state = enterStep(login, first ?? scenario.start, nowMs, this.#parts.speed);
    return this.#change(login, [state], () => this.#parts.logins.add(state));
  }

  /** Submits input that a login just read with `latest` asks for. */
  submit(login: Login, submission: Submission): Login {
    const step = scriptStep(login);
    const next = nextAfter(step, submission);
    const { fields } = formOf(step);
    const passwordGiven =
      login.passwordGiven || fields.some(({ id, type }) => type === "password" && submission.values?.has(id));
    return this.#change(login, [
      enterStep({ ...login, passwordGiven, websiteError: null }, next, this.#nowMs(), this.#parts.speed),
    ]);
  }

  /** Ends the present step at once; undefined without a login in progress, or while input is awaited. */
  proceed(connectionId: string): Login | undefined {
    const login = this.latest(connectionId);
    if (login?.status !== "IN_PROGRESS" || login.step === "AWAITING_INPUT") {
      return undefined;
    }
    return this.#change(login, [leaveStep(login, this.#nowMs(), this.#parts.speed)]);
  }

  /** Ends a login, even in the middle of a step; undefined if no login is in progress. */
  end(connectionId: string, end: LoginEnd): Login | undefined {
    const login = this.latest(connectionId);
    if (login?.status !== "IN_PROGRESS") {
      return undefined;
    }
    return this.#change(login, [endLogin(login, end, this.#nowMs())]);
  }

  /** Takes a handoff code; undefined if unknown, `gone` for a used code or a login that is over. */
  exchangeHandoffCode(connectionId: string, code: string): Login | "gone" | undefined {
    const latest = this.latest(connectionId);
    const login = this.#parts.logins
      .listByConnection(connectionId)
      .find(({ handoffCode }) => handoffCode === code);
    if (login === undefined || latest === undefined) {
      return undefined;
    }
    if (login.handedOff || login.id !== latest.id || latest.status !== "IN_PROGRESS") {
      return "gone";
    }
    const taken = { ...latest, handedOff: true };
    this.#parts.logins.set(taken.id, taken);
    return taken;
  }

  /** Brings the login of a connection up to date, with every step at its own time. */
  bringUpToDate(connectionId: string): void {
    const nowMs = this.#nowMs();
    const states: Login[] = [];
    let login = this.#parts.logins.latest(connectionId);
    const before = login;
    while (login?.status === "IN_PROGRESS" && wakeMs(login) <= nowMs) {
      const expires = login.dueMs === null || login.expiresMs <= login.dueMs;
      login = expires
        ? endLogin(login, { status: "EXPIRED" }, login.expiresMs)
        : leaveStep(login, wakeMs(login), this.#parts.speed);
      // Too late for followers to see every state; the last states are enough.
      if (states.push(login) > statesShownMax) {
        states.shift();
      }
    }
    if (before) {
      this.#change(before, states);
    }
  }

  /** Scenario of a connection's logins. Throws `InputError` `scenario_unknown`. */
  scenarioOf(connection: Pick<AuthConnection, "scenarioName" | "ownScenario">): LoginScenario {
    const { scenarioName, ownScenario } = connection;
    const { scenarios } = this.#parts;
    return ownScenario ?? scenarioNamed(scenarios, scenarioName ?? scenarios.byDefault);
  }

  /** Stores the last of several states, by default as an update, and reports all states. */
  #change(
    before: Login,
    states: readonly Login[],
    store = (state: Login) => this.#parts.logins.set(state.id, state),
  ): Login {
    const last = states.at(-1);
    if (last === undefined) {
      return before;
    }
    const { database, connections } = this.#parts;
    database.atomically(() => {
      store(last);
      if (last.status !== "IN_PROGRESS" && last.status !== "CANCELED") {
        const connection = connections.find(last.connectionId);
        const isSuccess = last.status === "SUCCESS";
        const isKept = isSuccess && last.passwordGiven && connection?.settings.saveCredentials === true;
        connections.setLoginResult(last.connectionId, isSuccess, isKept, last.updatedMs);
      }
    });
    for (const state of states) {
      this.onState(state);
    }
    this.#sleep();
    return last;
  }

  /** Brings overdue logins up to date and sets the next timer, unless the engine is stopped. */
  wake(): void {
    if (!this.#isRunning) {
      return;
    }
    let sleepMsMin = 1;
    const nowMs = this.#nowMs();
    for (const login of this.#parts.logins.waiting().filter((each) => wakeMs(each) <= nowMs)) {
      // A failure here recurs in the next request for the login, which reports the failure. The
      // remaining logins continue.
      try {
        this.bringUpToDate(login.connectionId);
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
    const [next] = this.#parts.logins.waiting();
    if (next === undefined) {
      return;
    }
    const delayMs = Math.min(Math.max(sleepMsMin, Math.ceil(wakeMs(next) - this.#nowMs())), sleepMsMax);
    this.#timer = setTimeout(() => this.wake(), delayMs);
  }

  #nowMs(): number {
    return this.#parts.now().getTime();
  }
}
