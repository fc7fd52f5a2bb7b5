import { type AuthConnection, type LoginEvent, loginStanding } from "../client/index.js";
import { jsonLine } from "./json-text.js";
import type { LoginWatcher } from "./login-watcher.js";
import type { Streams } from "./streams.js";

/** Members that let their reader log in, or watch. */
const secretMembers: ReadonlySet<string> = new Set(["hostedUrl", "liveViewUrl"]);

/** Tells programs how a login goes: one line of JSON for what is known of the connection, then one for each event. */
export class LoginJson implements LoginWatcher {
  readonly #streams: Streams;
  readonly #showAddresses: boolean;

  constructor(streams: Streams, showAddresses: boolean) {
    this.#streams = streams;
    this.#showAddresses = showAddresses;
  }

  seeConnection(connection: AuthConnection): void {
    const { id, domain, profileName, status } = connection;
    const login = loginStanding(connection);
    this.#print({ event: "auth_connection", id, domain, profileName, status, login });
  }

  seeEvent(event: LoginEvent): void {
    this.#print(event);
  }

  close(): void {}

  #print(event: object): void {
    const shown = Object.entries(event).filter(([name]) => this.#showAddresses || !secretMembers.has(name));
    this.#streams.stdout.write(jsonLine(Object.fromEntries(shown)));
  }
}
