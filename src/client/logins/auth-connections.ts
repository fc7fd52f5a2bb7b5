import type { CallOptions } from "../http/call.js";
import { jsonBody } from "../http/json.js";
import { createRecord } from "../http/record-calls.js";
import { isSameName } from "../names.js";
import { checkFilter, type Listing, type PagedOptions } from "../operations/list.js";
import { RecordOperations } from "../operations/records.js";
import { checkSettings } from "../options.js";
import {
  type AuthConnection,
  type AuthConnectionKey,
  type AuthConnectionSettings,
  authConnectionSchema,
  startedLoginSchema,
} from "./auth-connection.js";
import { authConnectionProblems, connectionSettingsOnWire } from "./auth-connection-settings.js";
import { isFinal, noAuthConnectionAdvice } from "./following/connection-record.js";
import { LoginErrors } from "./following/errors.js";
import { LoginStream } from "./following/follow.js";
import type { FollowOptions } from "./following/follow-options.js";
import type { LoginEvent, LoginStateEvent, StartedLogin } from "./login.js";

export interface AuthConnectionListOptions extends PagedOptions {
  /** Only connections of the named profile, as the service compares names. */
  readonly profileName?: string | undefined;
  /** Only connections that log in at the domain, as the service compares domains. */
  readonly domain?: string | undefined;
}

export interface WaitForLoginOptions extends FollowOptions {
  /** Called with every event, to show the progress of the login. A thrown error ends the wait. */
  readonly onEvent?: ((event: LoginEvent) => void) | undefined;
}

export interface WaitForAuthenticationOptions extends WaitForLoginOptions {
  /**
   * Called with the connection after the first read, when a login has begun, and when the wait ends
   * because the profile is logged in and no login is reported any more. `loginStanding`
   * distinguishes the cases. A thrown error ends the wait.
   */
  readonly onConnection?: ((connection: AuthConnection) => void) | undefined;
}

/**
 * The auth connections of the client's project (`/auth/connections`), with logins. `create`,
 * `delete` and `startLogin` are sent once; `update` sets absolute values and is retried. `hostedUrl`
 * and `liveViewUrl` of a connection are secrets. `delete` cancels a login in progress, and the
 * profile stays.
 */
export class AuthConnectionOperations extends RecordOperations<AuthConnection, AuthConnectionListOptions> {
  /**
   * Creates an auth connection (`POST /auth/connections`). Sent once, and again only while a rate
   * limit refuses the request.
   *
   * Throws `InputError` before any request; `ApiError` when nothing was created (409: the project
   * already has a connection for the domain and the profile); `OutcomeUnknownError` when the
   * connection may exist.
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
      unknownOutcomeAdvice: "List the auth connections of that domain and profile before creating it again.",
      conflictAdvice:
        "A project has one auth connection of a domain and a profile: use or delete that connection.",
      body: jsonBody({ domain, profile_name: profileName, ...connectionSettingsOnWire(settings) }),
      schema: authConnectionSchema,
      // The service may write the domain in a different form.
      wrongIf: [
        (found) => !isSameName(found.profileName, profileName),
        "it describes another auth connection",
      ],
      signal: options.signal,
    });
  }

  /**
   * Finds the auth connection of a domain and a profile; a project has at most one. Case does not
   * count. Returns undefined if there is none. Throws `InputError` before any request, and
   * `ApiError`.
   */
  async find({ domain, profileName }: AuthConnectionKey, options: CallOptions = {}) {
    const rows = await this.list({ domain, profileName, ...options });
    return rows.find((row) => isSameName(row.domain, domain) && isSameName(row.profileName, profileName));
  }

  /**
   * Changes the given settings (`PATCH /auth/connections/{id}`), with retries, and returns the
   * connection as stored by the service. Null clears a setting.
   *
   * Throws `InputError` before any request; `ApiError` or `ConnectionError` when nothing changed;
   * `OutcomeUnknownError` when the connection may have the old or the new settings.
   */
  async update(
    id: string,
    settings: AuthConnectionSettings,
    options: CallOptions = {},
  ): Promise<AuthConnection> {
    checkSettings("auth connection", authConnectionProblems(settings));
    return this.change(id, connectionSettingsOnWire(settings), options);
  }

  /**
   * Starts a login of an auth connection (`POST /auth/connections/{id}/login`). Sent once, and
   * again only while a rate limit refuses the request. `hostedUrl` of the result is a secret:
   * whoever has the URL can log in. `follow` and `waitForLogin` report the progress of the login.
   *
   * Throws `InputError` before any request; `ApiError` when no login was started (409: a login is
   * in progress, or too many were started); `OutcomeUnknownError` when a login may have been
   * started.
   */
  async startLogin(id: string, options: CallOptions = {}): Promise<StartedLogin> {
    const request = this.request(id, options);
    return createRecord(this.transport, {
      ...request,
      path: `${request.path}/login`,
      operation: `Starting a login of the auth connection "${id}"`,
      unknownOutcomeAdvice: "Read the auth connection to see whether a login is in progress.",
      conflictAdvice:
        "Follow the login in progress, or start a new login after the end. " +
        "If the login page was opened in a browser that is now closed, the login ends when it expires.",
      body: jsonBody({}),
      schema: startedLoginSchema,
      wrongIf: [(login) => login.id !== id, "it describes a login of another auth connection"],
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
      notFoundAdvice: noAuthConnectionAdvice,
      parameters: { profile_name: profileName, domain },
      isLookup: profileName !== undefined && domain !== undefined,
    };
  }

  /**
   * Follows the login of an auth connection (`GET /auth/connections/{id}/events`) and returns the
   * events in order, every state once. Ends only after a final state (`SUCCESS`, `FAILED`,
   * `EXPIRED`, `CANCELED`). A stream that closes, breaks, falls silent, is refused for now (429,
   * 5xx) or sends only unreadable events is reopened after a pause. The pause follows a `Retry-After`
   * if the time allows. Meanwhile the connection is read, so that no state is missed; a state from
   * the record has `origin` `connection`. A slow reader holds back the service and fills no memory.
   *
   * An event that is unreadable or has more than 256 KiB is skipped; an error that ends the
   * iteration contains the number of skipped events. The connection's record only helps: while a
   * stream is open, an unreadable record does not matter, and the end of an earlier login in the
   * record does not end the iteration.
   *
   * An error that the service reports in the stream is returned as an event. If the error means
   * that there is nothing to follow (such as `no_active_flow`), the stream ends for good.
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
   * Waits until the login of an auth connection has succeeded, and returns the last state. Throws
   * `LoginError` with code `login_failed`, `login_expired`, `login_canceled` or `login_timed_out`,
   * with the service's own code and message, and the errors of `follow`, such as `CanceledError`.
   */
  async waitForLogin(connectionId: string, options: WaitForLoginOptions = {}): Promise<LoginStateEvent> {
    const { onEvent, ...followOptions } = options;
    return this.#requireSuccess(
      connectionId,
      await lastState(this.follow(connectionId, followOptions), onEvent),
    );
  }

  /**
   * Waits until a profile is logged in. Returns undefined for a profile that is already logged in.
   * Otherwise waits for a login to begin and then as `waitForLogin` does, all within `timeoutMs`.
   * An earlier login that has ended counts, unless the profile's status contradicts the end. Also
   * returns undefined when the end of the login was missed and the profile is logged in. In a
   * service that cannot read connections, does the same as `waitForLogin`, and `onConnection` is
   * not called. Throws the errors of `waitForLogin`, and `LoginError` `login_not_begun`.
   */
  async waitForAuthentication(
    connectionId: string,
    options: WaitForAuthenticationOptions = {},
  ): Promise<LoginStateEvent | undefined> {
    const { onConnection = () => {}, onEvent, ...followOptions } = options;
    const events = new LoginStream(this.transport, connectionId, followOptions, onConnection);
    const end = await lastState(events, onEvent);
    return end && this.#requireSuccess(connectionId, end);
  }

  #requireSuccess(connectionId: string, end: LoginStateEvent | undefined): LoginStateEvent {
    if (end?.flowStatus === "SUCCESS") {
      return end;
    }
    throw new LoginErrors(connectionId, this.transport.clean).ended(end);
  }
}

/** Returns the final state of a login; undefined when nothing was followed. */
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
