import type { DatabaseSync } from "node:sqlite";
import type { Hono } from "hono";
import { InputError } from "../../errors.js";
import type { Access, RouteEnvironment } from "../access.js";
import { issueText } from "../http/shapes.js";
import type { ProjectStore } from "../projects/store.js";
import { idProblem, nameProblem } from "../storage/ids-and-names.js";
import { connectionAccess, LoginTokens } from "./connections/access.js";
import { type AuthConnection, domainProblem } from "./connections/connection.js";
import { addAuthConnectionRoutes } from "./connections/routes.js";
import { AuthConnectionStore, type ConnectionToStore } from "./connections/store.js";
import { LoginEngine } from "./engine.js";
import { addLoginPageRoutes } from "./page/routes.js";
import { addLoginRoutes, stateFrame } from "./routes.js";
import type { Scenarios } from "./scenarios/scenarios.js";
import { type LoginScenario, loginScenarioSchema } from "./scenarios/schema.js";
import { LoginStore } from "./store.js";
import { Subscribers } from "./subscribers.js";

/** What auth connections and their logins need. */
interface LoginServiceParts {
  readonly database: DatabaseSync;
  readonly now: () => Date;
  readonly speed: number;
  readonly heartbeatIntervalMs: number;
  /** Scenarios of the seed, by name. */
  readonly scenarios: Scenarios;
}

/** Auth connections, their logins, and the event streams of those who follow them. */
export class LoginService {
  readonly connections: AuthConnectionStore;
  readonly engine: LoginEngine;
  readonly subscribers: Subscribers;
  /** Where the login pages are served. Set once the emulator listens. */
  origin = "";
  readonly #tokens: LoginTokens;
  readonly #scenarios: Scenarios;

  constructor({ database, now, speed, heartbeatIntervalMs, scenarios }: LoginServiceParts) {
    this.#scenarios = scenarios;
    this.connections = new AuthConnectionStore(database, now);
    this.subscribers = new Subscribers(heartbeatIntervalMs, now);
    this.#tokens = new LoginTokens(database, now);
    this.engine = new LoginEngine({
      database,
      connections: this.connections,
      logins: new LoginStore(database),
      scenarios,
      now,
      speed,
    });
    this.engine.onState = (login) =>
      this.subscribers.show(login.connectionId, () => stateFrame(login, this.connections, () => this.origin));
  }

  /** Name of the scenario of connections for which none is chosen. */
  get defaultScenario(): string {
    return this.#scenarios.byDefault;
  }

  /**
   * Creates a connection. Throws `InputError` `auth_connection_invalid`, `scenario_invalid`,
   * `scenario_unknown` or `auth_connection_exists`. The caller has checked the project.
   */
  create(connection: ConnectionToStore): AuthConnection {
    const { id, domain, profileName, scenario } = connection;
    const problems = [
      ["id", id === undefined ? undefined : idProblem(id)],
      ["domain", domainProblem(domain)],
      ["profileName", nameProblem(profileName)],
    ] as const;
    for (const [property, problem] of problems) {
      if (problem !== undefined) {
        throw new InputError(
          "auth_connection_invalid",
          property,
          `An auth connection's "${property}" ${problem}.`,
        );
      }
    }
    if (scenario !== undefined) {
      this.checkScenario(scenario);
    }
    const isTaken = id !== undefined && this.connections.find(id) !== undefined;
    const made = isTaken ? undefined : this.connections.insert(connection);
    if (made) {
      return made;
    }
    throw new InputError(
      "auth_connection_exists",
      isTaken ? "id" : "profileName",
      `An auth connection with ${isTaken ? `the id "${id}"` : `the domain "${domain}" and the profile "${profileName}"`} already exists. Choose another.`,
    );
  }

  /** Throws `InputError` `scenario_unknown` for a bad name, `scenario_invalid` for bad data. */
  checkScenario(scenario: string | LoginScenario): void {
    if (typeof scenario === "string") {
      this.engine.scenarioOf({ scenarioName: scenario, ownScenario: null });
      return;
    }
    const [issue] = loginScenarioSchema.safeParse(scenario).error?.issues ?? [];
    if (issue) {
      throw new InputError(
        "scenario_invalid",
        "scenario",
        `The login scenario is invalid: ${issueText(issue)}.`,
      );
    }
  }

  /** Removes a connection. A login in progress is canceled, and its subscribers get that state. */
  remove({ id }: AuthConnection): void {
    this.engine.end(id, { status: "CANCELED" });
    this.subscribers.end(id);
    this.connections.remove(id);
  }

  /** Adds the operations on connections and logins, and the login page. */
  addRoutes(app: Hono<RouteEnvironment>, ofProject: Access, projects: ProjectStore): void {
    const { connections, engine, subscribers } = this;
    const origin = () => this.origin;
    const ofConnection = connectionAccess(ofProject, { tokens: this.#tokens, connections, engine, projects });
    addAuthConnectionRoutes(app, ofProject, ofConnection, {
      connections,
      engine,
      origin,
      remove: (connection) => this.remove(connection),
    });
    addLoginRoutes(app, ofProject, ofConnection, {
      connections,
      engine,
      subscribers,
      tokens: this.#tokens,
      origin,
    });
    addLoginPageRoutes(app);
  }
}
