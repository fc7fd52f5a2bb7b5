import { z } from "zod";
import { InputError } from "../../../errors.js";
import { selectorOf } from "../../browsers/browser-pools/setting-rules.js";
import { eventFrame } from "../../http/exchange.js";
import { id, named, noArgument, only, project, text } from "../../http/seed-members.js";
import { ServiceError } from "../../http/service-error.js";
import { anyText, exactly, flag } from "../../http/shapes.js";
import {
  type Lacks,
  ObjectControls,
  type ProjectIds,
  referred,
  type Written,
} from "../../objects/controls.js";
import { refuse } from "../../storage/ids-and-names.js";
import { withValues } from "../../storage/members.js";
import { formOf, type LoginForm, readSubmission } from "../form.js";
import { type Login, scriptStep } from "../login.js";
import { builtInScenarioNames } from "../scenarios/scenarios.js";
import { type LoginEnd, type LoginScenario, loginEnd, loginScenarioSchema } from "../scenarios/schema.js";
import type { LoginService } from "../service.js";
import { hostedUrl } from "../state.js";
import {
  type AuthConnection,
  type AuthStatus,
  type ConnectionSettings,
  type ConnectionToStore,
  domainProblem,
} from "./auth-connection.js";
import { settingEntries } from "./requests.js";
import type { ConnectionTables } from "./store.js";

/** Auth connection to create. The defaults are the defaults of a request. */
export interface NewAuthConnection
  extends Omit<ConnectionToStore, "projectId" | "settings">,
    Partial<ConnectionSettings> {
  /** Default: the default project. */
  readonly projectId?: string | undefined;
}

/** Login, as visible to a test. */
export interface EmulatedLogin
  extends Pick<
    Login,
    | "id"
    | "type"
    | "status"
    | "step"
    | "position"
    | "steps"
    | "websiteError"
    | "errorCode"
    | "errorMessage"
    | "handoffCode"
  > {
  /** Input that the login asks for; empty lists if none. */
  readonly form: LoginForm;
  /** URL of the login page. Anyone with the URL can continue the login. */
  readonly hostedUrl: string;
  readonly expiresAt: Date;
}

/** Auth connection, as visible to a test. */
export interface EmulatedAuthConnection
  extends ConnectionSettings,
    Pick<AuthConnection, "id" | "projectId" | "domain" | "profileName" | "status"> {
  /** Name of the scenario for logins; null for a scenario of the connection only. */
  readonly scenario: string | null;
  /** Last login; null before the first login. */
  readonly login: EmulatedLogin | null;
}

/** Shape of an optional name of a scenario in a seed. @internal */
export const scenarioEntry = anyText
  .optional()
  .describe(`Name of a login scenario: ${builtInScenarioNames.join(", ")}, or one of this seed.`);

const status = z.enum(["AUTHENTICATED", "NEEDS_AUTH"], 'must be "AUTHENTICATED" or "NEEDS_AUTH"');

/** Auth connection in a seed. @internal */
export const authConnectionEntry = exactly({
  id: id.optional(),
  project,
  domain: text(domainProblem, { description: "Domain of the login, such as example.com." }),
  profileName: named("Browser profile that is signed in; unique within the project and the domain."),
  scenario: z
    .union([scenarioEntry.unwrap(), loginScenarioSchema], "must be a name or a scenario")
    .optional()
    .describe("Name of a login scenario, or a scenario of this connection only."),
  status: status.optional().describe("Whether the profile is signed in. Default: NEEDS_AUTH."),
  hasLoggedIn: flag
    .optional()
    .describe("Whether a login has succeeded. Default: whether the status is AUTHENTICATED."),
  hasStoredCredentials: flag
    .optional()
    .describe("Whether the credentials of a login were kept. Default: false."),
  ...settingEntries,
  startLogin: flag
    .optional()
    .describe("Whether a login starts when the connection is created. Default: false."),
});

/**
 * Auth connections of an emulator, without a client. Operations throw `InputError` for an unknown
 * id or a bad value.
 */
export class EmulatedAuthConnections extends ObjectControls<AuthConnection, EmulatedAuthConnection> {
  readonly #logins: LoginService;
  readonly #tables: ConnectionTables;

  /** @internal */
  readonly operations = {
    setScenario: only("scenario", z.union([anyText, loginScenarioSchema])),
    startLogin: noArgument,
    submit: only(
      "answer",
      z.union([z.string(), z.record(z.string(), z.string())], "must be a choice or values"),
    ),
    proceed: noArgument,
    endLogin: loginEnd,
    recordHealthCheck: only("status", status),
    remove: noArgument,
  };

  /** @internal */
  constructor(logins: LoginService, tables: ConnectionTables, projects: ProjectIds) {
    super("auth_connection", logins.connections, projects);
    this.#logins = logins;
    this.#tables = tables;
  }

  create({
    id,
    projectId,
    domain,
    profileName,
    status,
    scenario,
    hasLoggedIn,
    hasStoredCredentials,
    ...settings
  }: NewAuthConnection): EmulatedAuthConnection {
    const made = { id, projectId: this.projectId(projectId), domain, profileName, status, scenario };
    const past = { hasLoggedIn, hasStoredCredentials };
    return this.get(this.#logins.create({ ...made, ...past, settings }).id);
  }

  /** Present state of a connection. */
  get(id: string): EmulatedAuthConnection {
    this.require(id);
    const login = this.#logins.engine.latest(id);
    // Read again: bringing the login up to date may have changed the connection.
    const { settings, projectId, domain, profileName, status, scenarioName, ownScenario } = this.require(id);
    const scenario = ownScenario === null ? (scenarioName ?? this.#logins.defaultScenario) : null;
    const shown = { id, projectId, domain, profileName, status, scenario };
    return { ...settings, ...shown, login: login ? this.#toEmulatedLogin(login) : null };
  }

  update(id: string, settings: Partial<ConnectionSettings>): EmulatedAuthConnection {
    this.#logins.connections.setSettings(this.require(id), settings);
    return this.get(id);
  }

  /** Chooses the scenario of the next logins. */
  setScenario(id: string, scenario: string | LoginScenario): EmulatedAuthConnection {
    this.require(id);
    this.#logins.checkScenario(scenario);
    this.#logins.connections.setScenario(id, scenario);
    return this.get(id);
  }

  /** Starts a login. No login may be in progress. */
  startLogin(id: string): EmulatedLogin {
    const problem = "has a login in progress. End it first, with endLogin.";
    return this.#requireChanged(id, this.#logins.engine.start(this.require(id)), problem);
  }

  /** Submits the input that a login asks for: values by field id, or the id of a choice. */
  submit(id: string, answer: Readonly<Record<string, string>> | string): EmulatedLogin {
    const login = this.#logins.engine.latest(this.require(id).id);
    const form = formOfLogin(login);
    const isAsked = login !== undefined && form.fields.length + form.choices.length > 0;
    const next = isAsked ? this.#logins.engine.submit(login, readProgramInput(form, answer)) : undefined;
    return this.#requireChanged(id, next, "is not asking for input at the moment.");
  }

  /**
   * Ends the present step at once, as if the time were over or the person had acted elsewhere. The
   * login must not wait for input.
   */
  proceed(id: string): EmulatedLogin {
    const problem = "has no login in progress that continues without input.";
    return this.#requireChanged(id, this.#logins.engine.proceed(this.require(id).id), problem);
  }

  /** Ends a login in progress. Default code for the status `FAILED`: `flow_failed`. */
  endLogin(id: string, end: LoginEnd): EmulatedLogin {
    const problem = "has no login in progress. Start one first.";
    return this.#requireChanged(id, this.#logins.engine.end(this.require(id).id, end), problem);
  }

  /** Records a health check, as when the service finds the profile signed in or out. */
  recordHealthCheck(id: string, status: AuthStatus): EmulatedAuthConnection {
    this.#logins.engine.bringUpToDate(this.require(id).id);
    this.#logins.connections.setHealthCheck(this.require(id), status);
    return this.get(id);
  }

  /** Number of open event streams. */
  subscribers(id: string): number {
    return this.#logins.subscribers.count(this.require(id).id);
  }

  /**
   * Sends an event to every open stream of the connection, independent of the login: any object
   * with `event`, or a string. A string is sent unchanged and may be a part of an event. Resolves
   * when every stream has room for more.
   */
  async send(
    id: string,
    event: { readonly event: string; readonly [member: string]: unknown } | string,
  ): Promise<void> {
    const piece = typeof event === "string" ? event : eventFrame(event);
    await this.#logins.subscribers.send(this.require(id).id, piece);
  }

  /** Deletes a connection. A login in progress is canceled. */
  override remove(id: string): void {
    this.#logins.remove(this.require(id));
  }

  /** @internal */
  createFrom(
    { project, startLogin, ...connection }: z.infer<typeof authConnectionEntry>,
    projectId: string,
  ): EmulatedAuthConnection {
    const { id } = this.create({ ...(connection as NewAuthConnection), projectId });
    if (startLogin) {
      this.startLogin(id);
    }
    return this.get(id);
  }

  /** @internal */
  written({ id }: AuthConnection, lacks: Lacks): Written<z.input<typeof authConnectionEntry>> {
    if (this.get(id).login?.status === "IN_PROGRESS") {
      lacks("the login in progress is not in the seed.");
    }
    // Read again: bringing the login up to date may have changed the connection.
    const { settings, scenarioName, ownScenario, lastCheckedAt, projectId, ...connection } = this.require(id);
    const { credential, browser } = settings;
    const { proxies, credentialProviders, telemetryDestinations } = this.#tables;
    const { otlp } = browser.telemetry?.export ?? {};
    const [name, proxyId, given] = [credential?.provider, browser.proxy?.id, otlp?.destination];
    const provider = referred(name, credentialProviders.holderOf(undefined, name ?? ""), lacks);
    const proxy = referred(proxyId, proxies.find(proxyId ?? ""), lacks);
    const receiver = referred(given?.id, telemetryDestinations.find(given?.id ?? ""), lacks);
    const destination = selectorOf(receiver, given);
    return {
      ...{ ...connection, ...settings, scenario: ownScenario ?? scenarioName, startLogin: undefined },
      credential: name === undefined || provider ? credential : undefined,
      browser: withValues({
        ...browser,
        proxy: proxyId === undefined ? browser.proxy : proxy && { id: proxyId },
        telemetry: browser.telemetry && {
          ...browser.telemetry,
          ...(given && { export: destination && { otlp: { ...otlp, destination } } }),
        },
      }),
    };
  }

  protected override shown({ id }: AuthConnection): EmulatedAuthConnection {
    return this.get(id);
  }

  #requireChanged(id: string, login: Login | undefined, problem: string): EmulatedLogin {
    const message = `The auth connection "${id}" ${problem}`;
    return this.#toEmulatedLogin(login ?? refuse(new InputError("login_unknown", "id", message)));
  }

  #toEmulatedLogin(login: Login): EmulatedLogin {
    const { id, type, status, step, position, steps, websiteError, errorCode, errorMessage, handoffCode } =
      login;
    return {
      ...{ id, type, status, step, position, steps, websiteError, errorCode, errorMessage, handoffCode },
      form: formOfLogin(login),
      hostedUrl: hostedUrl(this.#logins.origin, login),
      expiresAt: new Date(login.expiresMs),
    };
  }
}

/** Input that a login asks for now; empty lists if none. */
function formOfLogin(login: Login | undefined): LoginForm {
  return formOf(login?.status === "IN_PROGRESS" ? scriptStep(login) : undefined);
}

/** Checks the input of a program. Throws `InputError` where a request would be refused. */
function readProgramInput(form: LoginForm, answer: Readonly<Record<string, string>> | string) {
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
