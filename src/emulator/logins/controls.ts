import { InputError } from "../../errors.js";
import { eventFrame } from "../http/exchange.js";
import { ServiceError } from "../http/service-error.js";
import type { ProjectStore } from "../projects/store.js";
import { refuse } from "../storage/ids-and-names.js";
import type { AuthConnection, AuthStatus, ConnectionSettings } from "./connections/connection.js";
import { formOf, type LoginForm, readSubmission } from "./form.js";
import { type Login, type LoginEnd, scriptStep } from "./login.js";
import type { LoginScenario } from "./scenarios/schema.js";
import type { LoginService } from "./service.js";
import { hostedUrl } from "./state.js";

/** An auth connection to create. Its defaults are those of a request. */
export interface NewAuthConnection extends Partial<ConnectionSettings> {
  /** Default: a new one. */
  readonly id?: string | undefined;
  /** Default: the default project. */
  readonly projectId?: string | undefined;
  readonly domain: string;
  readonly profileName: string;
  /** Default `NEEDS_AUTH`. One that is `AUTHENTICATED` counts as logged in before. */
  readonly status?: AuthStatus | undefined;
  /** What its logins play: the name of a scenario, or a scenario of its own. Default `password`. */
  readonly scenario?: string | LoginScenario | undefined;
}

/** A login, as a test sees it. */
export interface EmulatedLogin
  extends Pick<
    Login,
    | "id"
    | "type"
    | "status"
    | "step"
    | "position"
    | "websiteError"
    | "errorCode"
    | "errorMessage"
    | "handoffCode"
  > {
  /** What it asks for; empty lists when it asks for nothing. */
  readonly form: LoginForm;
  /** URL of its page. Whoever has it can continue the login. */
  readonly hostedUrl: string;
  readonly expiresAt: Date;
}

/** An auth connection, as a test sees it. */
export interface EmulatedAuthConnection
  extends ConnectionSettings,
    Pick<AuthConnection, "id" | "projectId" | "domain" | "profileName" | "status"> {
  /** Name of the scenario its logins play; null for one of its own. */
  readonly scenario: string | null;
  /** Its last login; null before the first. */
  readonly login: EmulatedLogin | null;
}

/**
 * The auth connections of an emulator, without a client. Each operation throws `InputError` for an
 * unknown id or a bad value.
 */
export interface EmulatedAuthConnections {
  /** Creates a connection. */
  create(connection: NewAuthConnection): EmulatedAuthConnection;
  /** One connection, as of now. */
  get(id: string): EmulatedAuthConnection;
  /** Every connection of a project, by default of the default project, newest first. */
  list(projectId?: string): readonly EmulatedAuthConnection[];
  /** Chooses what its next logins play. */
  setScenario(id: string, scenario: string | LoginScenario): EmulatedAuthConnection;
  /** Starts a login. None may be in progress. */
  startLogin(id: string): EmulatedLogin;
  /** Answers what a login asks for: values by the id of their field, or the id of a choice. */
  submit(id: string, answer: Readonly<Record<string, string>> | string): EmulatedLogin;
  /**
   * Ends the present step at once, as if its time were over or the person had acted elsewhere. The
   * login must not wait for input.
   */
  proceed(id: string): EmulatedLogin;
  /** Ends a login in progress. A status of `FAILED` has by default the code `flow_failed`. */
  endLogin(id: string, end: LoginEnd): EmulatedLogin;
  /** Ends a login in progress as canceled. */
  cancel(id: string): EmulatedLogin;
  /** Records a health check, as when the service finds the profile signed in or out. */
  recordHealthCheck(id: string, status: AuthStatus): EmulatedAuthConnection;
  /** How many event streams are open. */
  subscribers(id: string): number;
  /**
   * Sends an event to every open stream of the connection, independent of its login: any object
   * with `event`, or a string, which is sent as it is, also a part of an event. Resolves when each
   * stream has room for more.
   */
  send(
    id: string,
    event: { readonly event: string; readonly [member: string]: unknown } | string,
  ): Promise<void>;
  /** Brings every login up to date. Needed only after a jump of the clock in the option `now`. */
  settle(): void;
  /** Deletes a connection. A login in progress is canceled. */
  remove(id: string): void;
}

/**
 * The operations of `Emulator.authConnections`.
 *
 * @internal
 */
export function emulatedAuthConnections(
  service: LoginService,
  projects: ProjectStore,
): EmulatedAuthConnections {
  const { connections, engine, subscribers } = service;
  const require = (id: string): AuthConnection => {
    const problem = `The emulator has no auth connection with the id "${id}". Create it first.`;
    return connections.find(id) ?? refuse(new InputError("auth_connection_unknown", "id", problem));
  };
  const askedBy = (login: Login | undefined): LoginForm =>
    login?.status === "IN_PROGRESS" ? formOf(scriptStep(login)) : { fields: [], choices: [] };
  const loginOf = (login: Login): EmulatedLogin => ({
    id: login.id,
    type: login.type,
    status: login.status,
    step: login.step,
    position: login.position,
    form: askedBy(login),
    websiteError: login.websiteError,
    errorCode: login.errorCode,
    errorMessage: login.errorMessage,
    hostedUrl: hostedUrl(service.origin, login),
    handoffCode: login.handoffCode,
    expiresAt: new Date(login.expiresMs),
  });
  const get = (id: string): EmulatedAuthConnection => {
    require(id);
    const login = engine.latest(id);
    const { settings, projectId, domain, profileName, status, scenarioName, ownScenario } = require(id);
    return {
      ...settings,
      id,
      projectId,
      domain,
      profileName,
      status,
      scenario: ownScenario === null ? (scenarioName ?? service.defaultScenario) : null,
      login: login ? loginOf(login) : null,
    };
  };
  const changed = (id: string, login: Login | undefined, problem: string): EmulatedLogin =>
    loginOf(login ?? refuse(new InputError("login_unknown", "id", `The auth connection "${id}" ${problem}`)));
  const end = (id: string, outcome: LoginEnd) =>
    changed(id, engine.end(require(id).id, outcome), "has no login in progress. Start one first.");

  return {
    get,
    create: ({ id, projectId: given, domain, profileName, status, scenario, ...settings }) => {
      const projectId = projects.require(given ?? projects.defaultProject.id).id;
      const made = service.create({ id, projectId, domain, profileName, status, scenario, settings });
      return get(made.id);
    },
    list: (projectId = projects.defaultProject.id) =>
      connections.all(projects.require(projectId).id).map(({ id }) => get(id)),
    setScenario: (id, scenario) => {
      require(id);
      service.checkScenario(scenario);
      connections.setScenario(id, scenario);
      return get(id);
    },
    startLogin: (id) => {
      const problem = "has a login in progress. End it first, for example with cancel.";
      return changed(id, engine.start(require(id)), problem);
    },
    submit: (id, answer) => {
      const login = engine.latest(require(id).id);
      const form = askedBy(login);
      const isAsked = login !== undefined && form.fields.length + form.choices.length > 0;
      const next = isAsked ? engine.submit(login, answerTo(form, answer)) : undefined;
      return changed(id, next, "is not asking for input at the moment.");
    },
    proceed: (id) =>
      changed(id, engine.proceed(require(id).id), "has no login in progress that continues without input."),
    endLogin: end,
    cancel: (id) => end(id, { status: "CANCELED" }),
    recordHealthCheck: (id, status) => {
      engine.settle(require(id).id);
      connections.addHealthCheck(require(id), status);
      return get(id);
    },
    subscribers: (id) => subscribers.count(require(id).id),
    send: (id, event) =>
      subscribers.send(require(id).id, typeof event === "string" ? event : eventFrame(event)),
    settle: () => engine.settle(),
    remove: (id) => service.remove(require(id)),
  };
}

/** Checks the answer of a program. Throws `InputError` where a request would be refused. */
function answerTo(form: LoginForm, answer: Readonly<Record<string, string>> | string) {
  try {
    const request = typeof answer === "string" ? { selected_choice_id: answer } : { field_values: answer };
    return readSubmission(request, form);
  } catch (error) {
    if (!(error instanceof ServiceError)) {
      throw error;
    }
    throw new InputError("answer_invalid", "answer", error.message, { cause: error });
  }
}
