import type { CallOptions } from "../http/exchange.js";
import { readRecord } from "../http/read-record.js";
import type { RetryOptions } from "../http/retry.js";
import type { Transport } from "../http/transport.js";
import { authConnectionPath, authConnectionRequest } from "../login/connection.js";
import { LoginErrors } from "../login/errors.js";
import { isFinal } from "../login/events.js";
import { LoginFollower } from "../login/follow.js";
import type { FollowOptions } from "../login/follow-options.js";
import type { AuthConnection, LoginEvent, LoginStateEvent } from "../types.js";

/** What waiting for a login takes. */
export interface WaitForLoginOptions extends FollowOptions {
  /** Called with each event as it comes, to show how far the login is. What it throws ends the wait. */
  readonly onEvent?: ((event: LoginEvent) => void) | undefined;
}

/** What waiting until a profile is logged in takes. */
export interface WaitForAuthenticationOptions extends WaitForLoginOptions {
  /**
   * Called before a login is followed: with the connection as it is first read, and when a login has begun; and when the wait ends because the
   * profile is logged in and nothing tells of a login any more. `loginStanding` tells which it is. What it throws ends the wait.
   */
  readonly onConnection?: ((connection: AuthConnection) => void) | undefined;
}

/** The auth connections of the client's project, and the logins they go through. All are reads. */
export class AuthConnectionOperations {
  readonly #transport: Transport;
  readonly #retry: RetryOptions;

  /** Made by `BrowserInfraClient`. */
  constructor(transport: Transport, retry: RetryOptions) {
    this.#transport = transport;
    this.#retry = retry;
  }

  /**
   * Reads one auth connection by id (`GET /auth/connections/{id}`), the login flow under way among it. Its `hostedUrl` and `liveViewUrl` are secrets.
   * Throws `ApiError`; `isNotFound` tells whether it is gone.
   */
  async get(id: string, options: CallOptions = {}): Promise<AuthConnection> {
    const path = authConnectionPath("id", id);
    return readRecord(this.#transport, authConnectionRequest(id, path, options.signal));
  }

  /**
   * Follows the login of one auth connection (`GET /auth/connections/{id}/events`) and gives its events in the order in which they come, each state
   * once. Ends after a state that is final (`SUCCESS`, `FAILED`, `EXPIRED`, `CANCELED`) and on nothing less: a stream that closes, breaks, falls
   * silent, is refused for now (429, 5xx) or tells nonsense is opened anew after a pause, the one that a `Retry-After` asks for if the time for the
   * whole allows it, and the connection is read in between, so that nothing that happened meanwhile is missed. Such a state has `origin`
   * `connection`. A reader that takes its time holds up the service and fills no memory.
   *
   * An error that the service reports in the stream is given as an event; it then ends the following if it says that there is nothing to follow
   * (`not_found`, `no_active_flow` and the like), and is otherwise treated as a stream that breaks.
   *
   * Throws `InputError` at once; then, from the iteration, `ApiError` for a refusal that does not pass (401, 403, 404, 410 and other 4xx), `LoginError`
   * `login_timed_out` or `login_stream_error`, `CanceledError`, and the error of the last try when opening anew does not help.
   *
   * ```ts
   * for await (const event of client.authConnections.follow(id)) {
   *   if (event.event === "managed_auth_state") console.log(event.flowStatus, event.flowStep);
   * }
   * ```
   */
  follow(connectionId: string, options: FollowOptions = {}): AsyncIterableIterator<LoginEvent, undefined> {
    return new LoginFollower(this.#transport, this.#retry, connectionId, options);
  }

  /**
   * Waits until the login of one auth connection has succeeded, and gives its last state. Throws `LoginError` with code `login_failed`, `login_expired`,
   * `login_canceled` or `login_timed_out`, with the service's own code and words; and whatever `follow` throws, such as `CanceledError`.
   */
  async waitForLogin(connectionId: string, options: WaitForLoginOptions = {}): Promise<LoginStateEvent> {
    const { onEvent, ...followOptions } = options;
    return this.#success(connectionId, await lastState(this.follow(connectionId, followOptions), onEvent));
  }

  /**
   * Waits until a profile is logged in, which asks for no login where it is: gives undefined then. Else waits as `waitForLogin` does, and
   * first for a login to begin, all within one `timeoutMs`. A login that ended before is taken for the one waited for while it says how the
   * profile stands. Gives undefined also for a login whose end was missed and is told no more, where the profile is then logged in. Throws as
   * `waitForLogin`, and `LoginError` `login_not_begun`.
   */
  async waitForAuthentication(
    connectionId: string,
    options: WaitForAuthenticationOptions = {},
  ): Promise<LoginStateEvent | undefined> {
    const { onConnection = () => {}, onEvent, ...followOptions } = options;
    const events = new LoginFollower(this.#transport, this.#retry, connectionId, followOptions, onConnection);
    const end = await lastState(events, onEvent);
    return end && this.#success(connectionId, end);
  }

  #success(connectionId: string, end: LoginStateEvent | undefined): LoginStateEvent {
    if (end?.flowStatus === "SUCCESS") {
      return end;
    }
    throw new LoginErrors(connectionId, (text) => this.#transport.clean(text)).ended(end);
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
