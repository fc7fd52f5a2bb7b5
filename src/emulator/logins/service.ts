import { InputError } from "../../errors.js";
import { eventFrame } from "../http/exchange.js";
import { readShape } from "../http/shapes.js";
import { idProblem, nameProblem, refuse, refuseProblem } from "../storage/ids-and-names.js";
import {
  type AuthConnection,
  type ConnectionToStore,
  domainProblem,
} from "./auth-connections/auth-connection.js";
import { AuthConnectionStore, type ConnectionTables } from "./auth-connections/store.js";
import { LoginTokens } from "./auth-connections/tokens.js";
import { LoginEngine, type LoginEngineParts } from "./engine.js";
import { type Login, LoginStore } from "./login.js";
import { type LoginScenario, loginScenarioSchema } from "./scenarios/schema.js";
import { stateEvent } from "./state.js";
import { type StateFrame, Subscribers } from "./subscribers.js";
import { timelineOf } from "./timeline.js";

/** Parts of auth connections and their logins. */
interface LoginServiceParts extends ConnectionTables, Pick<LoginEngineParts, "scenarios" | "speed"> {
  readonly heartbeatIntervalMs: number;
}

/** Auth connections, their logins, and the event streams of followers. */
export class LoginService {
  readonly connections: AuthConnectionStore;
  readonly engine: LoginEngine;
  readonly subscribers: Subscribers;
  /** Base URL of the login pages. Set once the emulator listens. */
  origin = "";
  readonly tokens: LoginTokens;
  readonly #parts: LoginServiceParts;
  readonly #logins: LoginStore;

  constructor(parts: LoginServiceParts) {
    const { database, now, heartbeatIntervalMs } = parts;
    this.#parts = parts;
    this.connections = new AuthConnectionStore(parts);
    this.subscribers = new Subscribers(heartbeatIntervalMs, now);
    this.tokens = new LoginTokens(database, now);
    this.#logins = new LoginStore(database, "logins");
    this.engine = new LoginEngine({ ...parts, connections: this.connections, logins: this.#logins });
    this.engine.onState = (login) =>
      this.subscribers.sendState(login.connectionId, () => this.stateFrame(login));
  }

  /** Name of the scenario of connections without a chosen scenario. */
  get defaultScenario(): string {
    return this.#parts.scenarios.byDefault;
  }

  /**
   * Creates a connection. Throws `InputError` `auth_connection_invalid`, `auth_connection_exists`,
   * `scenario_invalid`, `scenario_unknown`, `credential_unknown`, `credential_provider_unknown` or
   * `proxy_unknown`. The caller has checked the project.
   */
  create(connection: ConnectionToStore): AuthConnection {
    const { id, domain, profileName, scenario } = connection;
    const problems = {
      id: id === undefined ? undefined : idProblem(id),
      domain: domainProblem(domain),
      profileName: nameProblem(profileName),
    };
    for (const [property, problem] of Object.entries(problems)) {
      refuseProblem("auth_connection_invalid", property, `An auth connection's "${property}"`, problem);
    }
    if (scenario !== undefined) {
      this.checkScenario(scenario);
    }
    const exists = (property: string, thing: string) =>
      new InputError(
        "auth_connection_exists",
        property,
        `An auth connection with ${thing} already exists. Choose another.`,
      );
    if (id !== undefined && this.connections.find(id)) {
      throw exists("id", `the id "${id}"`);
    }
    return (
      this.connections.insert(connection) ??
      refuse(exists("profileName", `the domain "${domain}" and the profile "${profileName}"`))
    );
  }

  /** Throws `InputError` `scenario_unknown` for a bad name, `scenario_invalid` for bad data. */
  checkScenario(scenario: string | LoginScenario): void {
    if (typeof scenario === "string") {
      this.engine.scenarioOf({ scenarioName: scenario, ownScenario: null });
      return;
    }
    readShape(loginScenarioSchema, scenario, (problem) => {
      const message = `The login scenario is invalid: ${problem}.`;
      return new InputError("scenario_invalid", "scenario", message);
    });
  }

  /** History of a connection, newest first. */
  timeline({ id }: AuthConnection) {
    this.engine.bringUpToDate(id);
    return timelineOf(this.#logins.listByConnection(id), this.connections.healthChecks(id));
  }

  /** Removes a connection. Cancels a login in progress, and sends the state to the subscribers. */
  remove({ id }: AuthConnection): void {
    this.engine.end(id, { status: "CANCELED" });
    this.subscribers.end(id);
    this.#parts.database.atomically(() => {
      for (const login of this.#logins.listByConnection(id)) {
        this.#logins.remove(login.id);
      }
      this.connections.remove(id);
    });
  }

  stateFrame(login: Login): StateFrame {
    const connection =
      this.connections.find(login.connectionId) ?? refuse(new Error("a login has no connection"));
    return {
      text: eventFrame(stateEvent(login, connection, this.origin)),
      isLast: login.status !== "IN_PROGRESS",
    };
  }
}
