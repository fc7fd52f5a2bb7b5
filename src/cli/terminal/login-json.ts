import { type AuthConnection, type LoginEvent, loginStanding } from "../../client/index.js";
import { withoutAddresses, withoutQuery } from "../../without-addresses.js";
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
    this.#streams.stdout.write(jsonLine(this.#showAddresses ? event : harmless(event)));
  }
}

/** A value without what lets its reader in, at any depth. */
function harmless(value: unknown): unknown {
  if (typeof value === "string") {
    return withoutAddresses(value);
  }
  if (Array.isArray(value)) {
    return value.map(harmless);
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  const members = Object.entries(value).filter(([name]) => !secretMembers.has(name));
  return Object.fromEntries(
    members.map(([name, member]) => [
      name,
      name === "postLoginUrl" && typeof member === "string" ? withoutQuery(member) : harmless(member),
    ]),
  );
}
