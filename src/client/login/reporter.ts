import type { AuthConnection, LoginEvent, LoginStateEvent } from "../types.js";
import { loginStanding } from "./begin.js";
import { isFinal } from "./events.js";
import { loginStateText, oneLine } from "./state-text.js";

/** Who tells a person how a login stands. */
export interface LoginTeller {
  /**
   * How it stands now, in a few words without any address: it takes the place of what was told before, which was something else, or
   * told with another address to open. `isOver`: the login ended like this.
   */
  readonly status: (text: string, isOver: boolean) => void;
  /** A sentence with a new address at which a person logs in. It should stay. Secret: the address lets its reader in. */
  readonly address: (text: string) => void;
  /** A sentence that no login is needed, or none any more. Nothing more is told. */
  readonly notNeeded: (text: string) => void;
}

/** Puts into words what waiting for a login tells, the same wherever a person watches, and nothing twice in a row. */
export class LoginNarrator {
  readonly #teller: LoginTeller;
  readonly #addresses = new Set<string>();
  #domain = "the website";
  #told = "";
  #address: string | undefined;
  /** How the login stood when last heard of. */
  state: LoginStateEvent | undefined;

  constructor(teller: LoginTeller) {
    this.#teller = teller;
  }

  /** The address at which a person has to do something now; `undefined` while none has to. Secret: it lets its reader in. */
  get addressToOpen(): string | undefined {
    const isAwaited =
      this.state?.flowStatus === "IN_PROGRESS" && this.state.flowStep?.startsWith("AWAITING_");
    return isAwaited ? this.#address : undefined;
  }

  /** Tells what a reading before the login says, or after one whose end nobody tells; for `onConnection`. */
  seeConnection(connection: AuthConnection): void {
    this.#domain = oneLine(connection.domain);
    const standing = loginStanding(connection);
    if (standing === "not_begun") {
      this.#tell(`no login at ${this.#domain} has begun yet; start one`, false);
    }
    if (standing === "not_needed") {
      this.#teller.notNeeded(loggedInText(connection, this.state === undefined));
    }
  }

  /** Tells what an event says; for `onEvent`. */
  seeEvent(event: LoginEvent): void {
    if (event.event !== "managed_auth_state") {
      return;
    }
    this.state = event;
    const address = event.flowStatus === "IN_PROGRESS" ? addressOf(event.hostedUrl) : undefined;
    if (address !== undefined) {
      this.#address = address;
      if (!this.#addresses.has(address)) {
        this.#addresses.add(address);
        this.#teller.address(`To log in at ${this.#domain}, open ${address}`);
      }
    }
    this.#tell(loginStateText(event), isFinal(event));
  }

  #tell(text: string, isOver: boolean): void {
    const told = `${text} ${this.addressToOpen ?? ""}`;
    if (told === this.#told) {
      return;
    }
    this.#told = told;
    this.#teller.status(text, isOver);
  }
}

/** An address as a browser takes it, in which nothing can rewrite a terminal's line. */
function addressOf(text: string | null): string | undefined {
  const url = text !== null && URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && ["http:", "https:"].includes(url.protocol) ? url.href : undefined;
}

/** That a profile is logged in, as a sentence. `already`: it was before anything was heard of a login. */
export function loggedInText({ profileName, domain }: AuthConnection, already: boolean): string {
  return `The profile "${oneLine(profileName)}" is logged in at ${oneLine(domain)}${already ? " already" : ""}.`;
}
