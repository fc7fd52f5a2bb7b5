/** Progress of a login, for a person and for a program. */
import { type AuthConnection, type LoginEvent, loginStanding } from "../../client/index.js";
import { LoginReporter, loggedInText } from "../../client/logins/following/reporter.js";
import { withoutAddresses, withoutQuery } from "../../text/redact.js";
import { type ProgressLine, progressLine } from "./progress-line.js";
import { canRedraw, lineWidth, painter, type Streams } from "./streams.js";
import { cutToWidth, displayText, displayWidth, jsonText } from "./text.js";

/** Time between two updates of the line that shows the time left, in milliseconds. */
const redrawMs = 1_000;

/** Longest time without a line where a line cannot be redrawn, in milliseconds. */
const repeatMs = 30_000;

/** Cells left free at the end of the redrawn line, where the terminal shows `^C`. */
const interruptCells = 2;

export interface LoginProgress {
  /** Shows a connection as read before the login is followed. */
  readonly showConnection: (connection: AuthConnection) => void;
  readonly showEvent: (event: LoginEvent) => void;
  /** Stops. After an interruption the last line stays, because the shell continues below. */
  readonly close: (interrupted: boolean) => void;
}

/**
 * Shows a person the progress of a login, on standard error. A terminal gets a status line, redrawn
 * in place, below permanent lines. Anywhere else a line is written after every change, and every
 * 30 seconds. The result, that the profile is logged in, goes to standard output.
 */
export class LoginText implements LoginProgress {
  readonly #streams: Streams;
  readonly #isRedrawn: boolean;
  readonly #line: ProgressLine;
  readonly #timer: NodeJS.Timeout;
  readonly #reporter: LoginReporter;
  #connection: AuthConnection | undefined;
  #status = "";

  /** `timeoutMs`: from now. `showAddresses`: also outside a terminal, where output may be kept. */
  constructor(streams: Streams, startCommand: string, timeoutMs: number, showAddresses: boolean) {
    this.#streams = streams;
    this.#isRedrawn = canRedraw(streams);
    this.#line = progressLine(streams);
    this.#timer = setInterval(() => this.#show(), this.#isRedrawn ? redrawMs : repeatMs);
    const mayShow = showAddresses || streams.stderr.isTTY;
    this.#reporter = new LoginReporter(
      {
        // The result or the error reports how the login ended.
        status: (text, isOver) => this.#setStatus(isOver ? "" : displayText(text)),
        address: (text) =>
          this.#writeAbove(
            mayShow
              ? displayText(text)
              : "A person must log in. The address to open is shown only in a terminal, or with --show-addresses.",
          ),
        notNeeded: (text) => this.#finish(text),
      },
      startCommand,
      timeoutMs,
      "--timeout",
    );
  }

  showConnection(connection: AuthConnection): void {
    if (this.#connection === undefined && loginStanding(connection) !== "not_needed") {
      const { profileName, domain } = connection;
      const paint = painter(this.#streams.stderr, this.#streams.env);
      const heading = `Login of the profile "${displayText(profileName)}" at ${displayText(domain)}`;
      this.#writeAbove(paint("bold", heading));
    }
    this.#connection = connection;
    this.#reporter.reportConnection(connection);
  }

  showEvent(event: LoginEvent): void {
    this.#reporter.reportEvent(event);
    const hasSucceeded = event.event === "managed_auth_state" && event.flowStatus === "SUCCESS";
    if (hasSucceeded) {
      const connection = this.#connection;
      // Some services cannot read connections, so the profile is unknown.
      this.#finish(connection === undefined ? "The login succeeded." : loggedInText(connection, false));
    }
  }

  close(interrupted: boolean): void {
    clearInterval(this.#timer);
    if (!interrupted) {
      this.#line.clear();
    }
  }

  /** Replaces the status. A status too long for the line is also written above, in full. */
  #setStatus(status: string): void {
    this.#status = "";
    if (this.#isRedrawn && displayWidth(status) > this.#statusWidth()) {
      this.#writeAbove(status);
    }
    this.#status = status;
    this.#show();
  }

  #show(): void {
    if (this.#status === "") {
      return;
    }
    if (this.#isRedrawn) {
      this.#line.show(cutToWidth(this.#status, this.#statusWidth()) + this.#timeLeft());
    } else {
      this.#streams.stderr.write(`${this.#status}${this.#timeLeft()}\n`);
      // The 30 seconds count from the last line.
      this.#timer.refresh();
    }
  }

  /** Writes a permanent line above the redrawn line. */
  #writeAbove(text: string): void {
    this.#line.clear();
    this.#streams.stderr.write(`${text}\n`);
    if (this.#isRedrawn) {
      this.#show();
    }
  }

  #finish(text: string): void {
    this.#status = "";
    this.#line.clear();
    this.#streams.stdout.writeOutcome(`${displayText(text)}\n`);
  }

  #statusWidth(): number {
    return Math.max(0, lineWidth(this.#streams) - interruptCells - displayWidth(this.#timeLeft()));
  }

  #timeLeft(): string {
    return ` (${this.#reporter.timeLeft})`;
  }
}

/** Prints the progress of a login for a program: JSON lines for the connection and every event. */
export function loginJson({ stdout }: Streams, showAddresses: boolean): LoginProgress {
  const print = (event: object) => {
    stdout.write(`${jsonText(event, 0, showAddresses ? undefined : withoutSecrets)}\n`);
  };
  return {
    showConnection: (connection) => {
      const { id, domain, profileName, status } = connection;
      const login = loginStanding(connection);
      print({ event: "auth_connection", id, domain, profileName, status, login });
    },
    showEvent: print,
    close: () => {},
  };
}

/** Replacer for `JSON.stringify`: omits addresses for logging in or watching. */
function withoutSecrets(name: string, value: unknown): unknown {
  if (name === "hostedUrl" || name === "liveViewUrl") {
    return undefined;
  }
  if (typeof value !== "string") {
    return value;
  }
  return name === "postLoginUrl" || name === "loginUrl" ? withoutQuery(value) : withoutAddresses(value);
}

/** Record without the addresses of a login: anyone with an address can log in or watch. */
export function withoutAddressesOf<Shown extends object>(record: Shown): Shown {
  return JSON.parse(JSON.stringify(record, withoutSecrets));
}
