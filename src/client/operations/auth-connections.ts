import { authConnectionProblems, connectionSettingsOnWire } from "../auth-connection-settings.js";
import type { CallOptions } from "../http/call.js";
import { jsonBody } from "../http/json.js";
import { changeRecord, createRecord, deleteRecord, readRecord } from "../http/record-calls.js";
import { authConnectionPath, authConnectionRequest, ifNoAuthConnection } from "../login/connection.js";
import { LoginErrors } from "../login/errors.js";
import { LoginStream } from "../login/follow.js";
import type { FollowOptions } from "../login/follow-options.js";
import { isFinal } from "../login/standing.js";
import { isSameName } from "../names.js";
import { checkSettings } from "../options.js";
import type {
  AuthConnection,
  AuthConnectionKey,
  AuthConnectionSettings,
} from "../records/auth-connection.js";
import type { LoginEvent, LoginStateEvent, StartedLogin } from "../records/login.js";
import { authConnectionSchema, startedLoginSchema } from "../wire/auth-connection.js";
import { checkFilter, type Listing, ListOperations, type PagedOptions } from "./list.js";

/** Options of the lists of auth connections. */
export interface AuthConnectionListOptions extends PagedOptions {
  /** Only those of the profile with this name, as the service compares names. */
  readonly profileName?: string | undefined;
  /** Only those that log in at this domain, as the service compares domains. */
  readonly domain?: string | undefined;
}

/** Options of `waitForLogin`. */
export interface WaitForLoginOptions extends FollowOptions {
  /** Called with each event, to show the progress of the login. What it throws ends the wait. */
  readonly onEvent?: ((event: LoginEvent) => void) | undefined;
}

/** Options of `waitForAuthentication`. */
export interface WaitForAuthenticationOptions extends WaitForLoginOptions {
  /**
   * Called with the connection when it is first read, when a login has begun, and when the wait
   * ends because the profile is logged in and no login is reported any more. `loginStanding` tells
   * these apart. What it throws ends the wait.
   */
  readonly onConnection?: ((connection: AuthConnection) => void) | undefined;
}

/**
 * The auth connections of the client's project, and their logins. `create`, `delete` and
 * `startLogin` are sent once; `update` sets absolute values and is retried.
 */
export class AuthConnectionOperations extends ListOperations<AuthConnection, AuthConnectionListOptions> {
  /**
   * Reads one auth connection by id (`GET /auth/connections/{id}`). Its `hostedUrl` and
   * `liveViewUrl` are secrets. Throws `ApiError`; `isNotFound` tells whether it is gone.
   */
  async get(id: string, options: CallOptions = {}): Promise<AuthConnection> {
    return readRecord(this.transport, authConnectionRequest(id, options.signal));
  }

  /**
   * Creates an auth connection (`POST /auth/connections`). Sent once, and again only while a rate
   * limit refuses it.
   *
   * Throws `InputError` before any request; `ApiError` when nothing was created (409: the project
   * has one for this domain and profile); `OutcomeUnknownError` when it may exist.
   */
  async create(
    settings: AuthConnectionKey & AuthConnectionSettings,
    options: CallOptions = {},
  ): Promise<AuthConnection> {
    const { domain, profileName } = settings;
    checkSettings("auth connection", authConnectionProblems(settings));
    return createRecord(this.transport, {
      path: "/auth/connections",
      operation: `Creating the auth connection of "${domain}" and the profile "${profileName}"`,
      ifUnknown: "List the auth connections of that domain and profile before creating it again.",
      body: jsonBody({ domain, profile_name: profileName, ...connectionSettingsOnWire(settings) }),
      schema: authConnectionSchema,
      // The service may write the domain in another form.
      wrongIf: [
        (found) => !isSameName(found.profileName, profileName),
        "it describes another auth connection",
      ],
      signal: options.signal,
    });
  }

  /**
   * Finds the auth connection of a domain and a profile, of which a project can have one. Case does
   * not count. Undefined when there is none. Throws `InputError` before any request, and `ApiError`.
   */
  async find({ domain, profileName }: AuthConnectionKey, options: CallOptions = {}) {
    const rows = await this.list({ domain, profileName, ...options });
    return rows.find((row) => isSameName(row.domain, domain) && isSameName(row.profileName, profileName));
  }

  /**
   * Changes the settings that are given (`PATCH /auth/connections/{id}`), with retries, and returns
   * the connection as the service now has it. Null clears a setting.
   *
   * Throws `InputError` before any request; `ApiError` or `ConnectionError` when nothing changed;
   * `OutcomeUnknownError` when it may have either settings.
   */
  async update(
    id: string,
    settings: AuthConnectionSettings,
    options: CallOptions = {},
  ): Promise<AuthConnection> {
    checkSettings("auth connection", authConnectionProblems(settings));
    return changeRecord(this.transport, {
      ...authConnectionRequest(id, options.signal),
      operation: `Changing the auth connection "${id}"`,
      ifUnknown:
        "It has either its old settings or the new ones. Read it to see which. Changing it again is safe.",
      body: jsonBody(connectionSettingsOnWire(settings)),
    });
  }

  /**
   * Deletes an auth connection (`DELETE /auth/connections/{id}`), which cancels a login in
   * progress. Its profile stays. Sent once, and again only while a rate limit refuses it. Throws
   * `ApiError` (already gone: `isNotFound`), and `OutcomeUnknownError` when it may be gone.
   */
  async delete(id: string, options: CallOptions = {}): Promise<void> {
    return deleteRecord(this.transport, {
      path: authConnectionPath("id", id),
      operation: `Deleting the auth connection "${id}"`,
      ifUnknown: "Read the auth connection; if it still exists, delete it again.",
      ifNotFound: ifNoAuthConnection,
      signal: options.signal,
    });
  }

  /**
   * Starts a login of one auth connection (`POST /auth/connections/{id}/login`). Sent once, and
   * again only while a rate limit refuses it. `hostedUrl` of the result is a secret: whoever has it
   * can log in. `follow` and `waitForLogin` tell how the login goes.
   *
   * Throws `InputError` before any request; `ApiError` when none was started (409: one is in
   * progress, or too many were started); `OutcomeUnknownError` when one may have been started.
   */
  async startLogin(id: string, options: CallOptions = {}): Promise<StartedLogin> {
    return createRecord(this.transport, {
      path: `${authConnectionPath("id", id)}/login`,
      operation: `Starting a login of the auth connection "${id}"`,
      ifUnknown: "Read the auth connection to see whether a login is in progress.",
      ifNotFound: ifNoAuthConnection,
      ifConflict:
        "Follow the login that is in progress, or start another one when it is over. " +
        "If its address was opened before and that browser is closed, it is over when it expires.",
      body: jsonBody({}),
      schema: startedLoginSchema,
      wrongIf: [(login) => login.id !== id, "it describes a login of another auth connection"],
      signal: options.signal,
    });
  }

  /** @internal */
  protected override listing({ profileName, domain }: AuthConnectionListOptions): Listing<AuthConnection> {
    checkFilter("profileName", profileName);
    checkFilter("domain", domain);
    return {
      path: "/auth/connections",
      noun: "auth connection",
      schema: authConnectionSchema,
      parameters: { profile_name: profileName, domain },
      isLookup: profileName !== undefined && domain !== undefined,
    };
  }

  /**
   * Follows the login of one auth connection (`GET /auth/connections/{id}/events`) and returns its
   * events in order, each state once. Ends only after a final state (`SUCCESS`, `FAILED`,
   * `EXPIRED`, `CANCELED`). A stream that closes, breaks, falls silent, is refused for now (429,
   * 5xx) or sends only nonsense is reopened after a pause, which follows a `Retry-After` if the
   * time allows it. Meanwhile the connection is read, so that no state is missed. Such a state has
   * `origin` `connection`. A slow reader holds back the service and fills no memory.
   *
   * An event that cannot be read, or that has more than 256 KiB, is skipped; an error that ends the
   * iteration tells how many were. The connection's record only helps: while a stream is open, it
   * does not matter whether the record can be read, and the end of an earlier login in it does not
   * end this one.
   *
   * An error that the service reports in the stream is returned as an event. If it says that there
   * is nothing to follow (such as `no_active_flow`), it ends the stream for good.
   *
   * Throws `InputError` at once; then, from the iteration, `ApiError` for a permanent refusal (most
   * 4xx), `LoginError` `login_timed_out` or `login_stream_error`, `CanceledError`, and the error of
   * the last try when reopening does not help.
   *
   * ```ts
   * import type { BrowserInfraClient } from "pulumi-browser-infra/client";
   *
   * async function showLogin(client: BrowserInfraClient, connectionId: string) {
   *   for await (const event of client.authConnections.follow(connectionId)) {
   *     if (event.event === "managed_auth_state") {
   *       console.log(event.flowStatus, event.flowStep);
   *     }
   *   }
   * }
   * ```
   */
  follow(connectionId: string, options: FollowOptions = {}): AsyncIterableIterator<LoginEvent> {
    return new LoginStream(this.transport, connectionId, options);
  }

  /**
   * Waits until the login of one auth connection has succeeded, and returns its last state. Throws
   * `LoginError` with code `login_failed`, `login_expired`, `login_canceled` or `login_timed_out`,
   * with the service's own code and words, and whatever `follow` throws, such as `CanceledError`.
   */
  async waitForLogin(connectionId: string, options: WaitForLoginOptions = {}): Promise<LoginStateEvent> {
    const { onEvent, ...followOptions } = options;
    return this.#success(connectionId, await lastState(this.follow(connectionId, followOptions), onEvent));
  }

  /**
   * Waits until a profile is logged in. Returns undefined if it already is. In a service that
   * cannot read connections, does what `waitForLogin` does, and `onConnection` is not called.
   * Otherwise waits for a
   * login to begin and then as `waitForLogin` does, all within one `timeoutMs`. A login that ended
   * before counts, unless the profile's status contradicts its end. Also returns undefined when the
   * end of the login was missed and the profile is logged in. Throws as `waitForLogin` does, and
   * `LoginError` `login_not_begun`.
   */
  async waitForAuthentication(
    connectionId: string,
    options: WaitForAuthenticationOptions = {},
  ): Promise<LoginStateEvent | undefined> {
    const { onConnection = () => {}, onEvent, ...followOptions } = options;
    const events = new LoginStream(this.transport, connectionId, followOptions, onConnection);
    const end = await lastState(events, onEvent);
    return end && this.#success(connectionId, end);
  }

  #success(connectionId: string, end: LoginStateEvent | undefined): LoginStateEvent {
    if (end?.flowStatus === "SUCCESS") {
      return end;
    }
    throw new LoginErrors(connectionId, this.transport.clean).ended(end);
  }
}

/** The state that a login ended with; undefined when nothing was followed. */
async function lastState(
  events: AsyncIterable<LoginEvent>,
  onEvent: ((event: LoginEvent) => void) | undefined,
): Promise<LoginStateEvent | undefined> {
  let end: LoginStateEvent | undefined;
  for await (const event of events) {
    onEvent?.(event);
    if (event.event === "managed_auth_state" && isFinal(event)) {
      end = event;
    }
  }
  return end;
}
