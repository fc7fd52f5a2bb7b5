import { InputError } from "../../errors.js";
import { eventFrame } from "../http/event-frame.js";
import type { ProjectStore } from "../projects/store.js";
import { ServiceError } from "../http/service-error.js";
import type { AuthConnection, AuthStatus, ConnectionSettings } from "./connections/connection.js";
import { type LoginFlow, scriptStep } from "./login.js";
import { formOf, type LoginForm } from "./form.js";
import type { LoginService } from "./service.js";
import { hostedUrl } from "./state.js";
import type { LoginEnd } from "./transition.js";
import type { LoginScenario } from "./scenarios/schema.js";
import { readSubmission } from "./submission.js";

/** An auth connection to be made. What is not given is as for one that a request makes. */
export interface NewAuthConnection extends Partial<ConnectionSettings> {
  /** Default: a new one. */
  readonly id?: string | undefined;
  /** Default: the default project. */
  readonly projectId?: string | undefined;
  readonly domain: string;
  readonly profileName: string;
  /** Default `NEEDS_AUTH`. One that is `AUTHENTICATED` has logged in before. */
  readonly status?: AuthStatus | undefined;
  /** What its logins play: the name of a scenario, or one of its own. Default `password`. */
  readonly scenario?: string | LoginScenario | undefined;
}

/** A login, as a test sees it. */
export interface EmulatedLogin {
  readonly id: string;
  readonly type: LoginFlow["type"];
  readonly status: LoginFlow["status"];
  readonly step: LoginFlow["step"];
  /** Name of the scenario's step it is at. */
  readonly position: string;
  /** What it asks for; empty lists when it asks for nothing. */
  readonly form: LoginForm;
  readonly websiteError: string | null;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  /** Address of its page. It lets in who has it. */
  readonly hostedUrl: string;
  /** The code in that address, which is good once. */
  readonly handoffCode: string;
  readonly expiresAt: Date;
}

/** An auth connection, as a test sees it. */
export interface EmulatedAuthConnection extends ConnectionSettings {
  readonly id: string;
  readonly projectId: string;
  readonly domain: string;
  readonly profileName: string;
  readonly status: AuthStatus;
  /** Name of the scenario its logins play; null for one of its own. */
  readonly scenario: string | null;
  /** Its last login; null before the first. */
  readonly login: EmulatedLogin | null;
}

/** The auth connections of an emulator, past its clients. Each operation throws `InputError` for an unknown id or a bad value. */
export interface EmulatedAuthConnections {
  /** Makes a connection. */
  create(connection: NewAuthConnection): EmulatedAuthConnection;
  /** One connection, as of now. */
  get(id: string): EmulatedAuthConnection;
  /** Every connection of a project, by default the default one, newest first. */
  list(projectId?: string): readonly EmulatedAuthConnection[];
  /** Chooses what its next logins play. */
  setScenario(id: string, scenario: string | LoginScenario): EmulatedAuthConnection;
  /** Starts a login. None may be under way. */
  startLogin(id: string): EmulatedLogin;
  /** Answers what a login asks for: values by the id of their field, or the id of a choice. */
  submit(id: string, answer: Readonly<Record<string, string>> | string): EmulatedLogin;
  /** Ends the present step at once: its time is over, or the person did what was to be done elsewhere. The login must not wait for input. */
  proceed(id: string): EmulatedLogin;
  /** Ends a login under way. A status of `FAILED` has by default the code `flow_failed`. */
  endLogin(id: string, end: LoginEnd): EmulatedLogin;
  /** Ends a login under way as canceled. */
  cancel(id: string): EmulatedLogin;
  /** Notes a health check, as when the service finds the profile signed in or out. */
  recordHealthCheck(id: string, status: AuthStatus): EmulatedAuthConnection;
  /** How many event streams are open. */
  watchers(id: string): number;
  /**
   * Sends an event to every open stream of the connection, past its login: any object with `event`, or text, which is sent as it is, whole
   * frames or not. Resolves when each has room for more.
   */
  send(
    id: string,
    event: { readonly event: string; readonly [member: string]: unknown } | string,
  ): Promise<void>;
  /** Lets every login do what has become due. Needed only after a jump of the clock in the option `now`, which no timer notices. */
  settle(): void;
  /** Deletes a connection. A login under way is canceled. */
  remove(id: string): void;
}

/** The operations of `Emulator.authConnections`. */
export function emulatedAuthConnections(
  service: LoginService,
  projects: ProjectStore,
): EmulatedAuthConnections {
  const { connections, engine, watchers } = service;
  const require = (id: string): AuthConnection => {
    const connection = connections.find(id);
    if (connection) {
      return connection;
    }
    throw new InputError(
      "unknown_auth_connection",
      "id",
      `The emulator has no auth connection with the id "${id}". Create it first.`,
    );
  };
  const loginOf = (flow: LoginFlow): EmulatedLogin => ({
    id: flow.id,
    type: flow.type,
    status: flow.status,
    step: flow.step,
    position: flow.position,
    form: flow.status === "IN_PROGRESS" ? formOf(scriptStep(flow)) : { fields: [], choices: [] },
    websiteError: flow.websiteError,
    errorCode: flow.errorCode,
    errorMessage: flow.errorMessage,
    hostedUrl: hostedUrl(service.origin, flow),
    handoffCode: flow.handoffCode,
    expiresAt: new Date(flow.expiresMs),
  });
  const get = (id: string): EmulatedAuthConnection => {
    require(id);
    const flow = engine.latest(id);
    const { settings, projectId, domain, profileName, status, scenarioName, ownScenario } = require(id);
    const scenario = ownScenario === null ? (scenarioName ?? service.defaultScenario) : null;
    return {
      ...settings,
      id,
      projectId,
      domain,
      profileName,
      status,
      scenario,
      login: flow ? loginOf(flow) : null,
    };
  };
  const changed = (id: string, flow: LoginFlow | undefined, problem: string): EmulatedLogin => {
    if (flow) {
      return loginOf(flow);
    }
    throw new InputError("no_such_login", "id", `The auth connection "${id}" ${problem}`);
  };
  const end = (id: string, outcome: LoginEnd) =>
    changed(id, engine.end(require(id).id, outcome), "has no login under way. Start one first.");

  return {
    get,
    create: ({
      id,
      projectId = projects.defaultProject.id,
      domain,
      profileName,
      status,
      scenario,
      ...settings
    }) => {
      const connection = service.create({
        id,
        projectId: projects.require(projectId).id,
        domain,
        profileName,
        status,
        scenario,
        settings,
      });
      return get(connection.id);
    },
    list: (projectId = projects.defaultProject.id) =>
      connections.all(projects.require(projectId).id).map(({ id }) => get(id)),
    setScenario: (id, scenario) => {
      require(id);
      service.checkScenario(scenario);
      connections.setScenario(id, scenario);
      return get(id);
    },
    startLogin: (id) =>
      changed(id, engine.start(require(id)), "has a login under way. End it first, with cancel for example."),
    submit: (id, answer) => {
      const flow = engine.latest(require(id).id);
      const form = flow?.status === "IN_PROGRESS" ? formOf(scriptStep(flow)) : { fields: [], choices: [] };
      const isAsked = flow !== undefined && form.fields.length + form.choices.length > 0;
      const next = isAsked ? engine.submit(flow, answerTo(form, answer)) : undefined;
      return changed(id, next, "asks for nothing at the moment.");
    },
    proceed: (id) =>
      changed(id, engine.proceed(require(id).id), "has no login under way that goes on without input."),
    endLogin: end,
    cancel: (id) => end(id, { status: "CANCELED" }),
    recordHealthCheck: (id, status) => {
      engine.settle(require(id).id);
      connections.addHealthCheck(require(id), status);
      return get(id);
    },
    watchers: (id) => watchers.count(require(id).id),
    send: (id, event) => watchers.send(require(id).id, typeof event === "string" ? event : eventFrame(event)),
    settle: () => engine.settle(),
    remove: (id) => service.remove(require(id)),
  };
}

/** Checks what a program answers. Throws `InputError` where a request would be refused. */
function answerTo(form: LoginForm, answer: Readonly<Record<string, string>> | string) {
  try {
    const request = typeof answer === "string" ? { selected_choice_id: answer } : { field_values: answer };
    return readSubmission(request, form);
  } catch (error) {
    if (!(error instanceof ServiceError)) {
      throw error;
    }
    throw new InputError("invalid_answer", "answer", error.message, { cause: error });
  }
}
