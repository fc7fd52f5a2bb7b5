import type { DatabaseSync } from "node:sqlite";
import type { Hono } from "hono";
import { InputError } from "../../errors.js";
import { issueText } from "../http/shapes.js";
import type { ProjectStore } from "../projects/store.js";
import { idProblem } from "../storage/record-id.js";
import { nameProblem } from "../storage/record-name.js";
import type { Access, RouteEnvironment } from "../access.js";
import { type AuthConnection, domainProblem } from "./connections/connection.js";
import { addAuthConnectionRoutes } from "./connections/routes.js";
import { AuthConnectionStore, type ConnectionToStore } from "./connections/store.js";
import { connectionAccess } from "./connections/access.js";
import { LoginEngine } from "./engine.js";
import { LoginFlowStore } from "./store.js";
import { addLoginPageRoutes } from "./page/routes.js";
import { addLoginRoutes, stateFrame } from "./routes.js";
import { LoginTokens } from "./connections/token.js";
import { LoginWatchers } from "./subscribers.js";
import { type LoginScenario, loginScenarioSchema } from "./scenarios/schema.js";
import type { Scenarios } from "./scenarios/scenarios.js";

/** What auth connections and their logins need. */
export interface LoginServiceParts {
  readonly database: DatabaseSync;
  readonly now: () => Date;
  readonly speed: number;
  readonly heartbeatIntervalMs: number;
  /** Scenarios of the seed, by name. */
  readonly scenarios: Scenarios;
}

/** Auth connections, their logins, and who follows them. */
export class LoginService {
  readonly connections: AuthConnectionStore;
  readonly engine: LoginEngine;
  readonly watchers: LoginWatchers;
  /** Where the login pages are served. Set once the emulator listens. */
  origin = "";
  readonly #database: DatabaseSync;
  readonly #tokens: LoginTokens;
  readonly #scenarios: Scenarios;

  constructor({ database, now, speed, heartbeatIntervalMs, scenarios }: LoginServiceParts) {
    this.#database = database;
    this.#scenarios = scenarios;
    this.connections = new AuthConnectionStore(database, now);
    this.watchers = new LoginWatchers(heartbeatIntervalMs, now);
    this.#tokens = new LoginTokens(database, now);
    this.engine = new LoginEngine({
      database,
      connections: this.connections,
      flows: new LoginFlowStore(database),
      scenarios,
      now,
      speed,
    });
    this.engine.onState = (flow) =>
      this.watchers.show(flow.connectionId, () => stateFrame(flow, this.connections, () => this.origin));
  }

  /** Name of the scenario that connections play for which none is chosen. */
  get defaultScenario(): string {
    return this.#scenarios.byDefault;
  }

  /** Makes a connection. Throws `InputError` when a property is malformed or taken. The caller has checked the project. */
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
          "invalid_auth_connection",
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
      `An auth connection with ${isTaken ? `the id "${id}"` : `the domain "${domain}" and the profile "${profileName}"`} exists. Choose another.`,
    );
  }

  /** Throws `InputError` when there is no scenario of this name, or one that is given is malformed. */
  checkScenario(scenario: string | LoginScenario): void {
    if (typeof scenario === "string") {
      this.engine.scenarioOf({ scenarioName: scenario, ownScenario: null });
      return;
    }
    const [issue] = loginScenarioSchema.safeParse(scenario).error?.issues ?? [];
    if (issue) {
      throw new InputError(
        "invalid_scenario",
        "scenario",
        `The login scenario cannot be used: ${issueText(issue)}.`,
      );
    }
  }

  /** Removes a connection. A login under way is canceled, and who follows it is told. */
  remove({ id }: AuthConnection): void {
    this.engine.end(id, { status: "CANCELED" });
    this.watchers.end(id);
    this.connections.remove(id);
  }

  /** Adds the operations on connections and logins, and the login page. */
  addRoutes(app: Hono<RouteEnvironment>, ofProject: Access, projects: ProjectStore): void {
    const { connections, engine, watchers } = this;
    const origin = () => this.origin;
    const ofConnection = connectionAccess(ofProject, { tokens: this.#tokens, connections, engine, projects });
    addAuthConnectionRoutes(app, ofProject, ofConnection, {
      database: this.#database,
      connections,
      engine,
      origin,
      remove: (connection) => this.remove(connection),
    });
    addLoginRoutes(app, ofProject, ofConnection, {
      connections,
      engine,
      watchers,
      tokens: this.#tokens,
      origin,
    });
    addLoginPageRoutes(app);
  }
}
