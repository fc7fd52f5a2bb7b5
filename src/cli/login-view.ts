import { type AuthConnection, type LoginEvent, loginStanding } from "../client/index.js";
import { LoginReporter, loggedInText } from "../client/login/reporter.js";
import { durationText } from "../duration.js";
import { cutToWidth, displayText, displayWidth } from "./display-text.js";
import type { LoginWatcher } from "./login-watcher.js";
import { painter } from "./paint.js";
import { canRedraw, lineWidth, type ProgressLine, progressLine } from "./progress-line.js";
import type { Streams } from "./streams.js";

/** Time between two drawings of the line that tells how much time is left. Milliseconds. */
const redrawMs = 1_000;

/** Longest time without a line where none can be redrawn. Milliseconds. */
const sayAgainMs = 30_000;

/** Cells left free behind the line that is redrawn: there the terminal shows `^C`. */
const interruptCells = 2;

/** What a `LoginView` is made with. */
export interface LoginViewOptions {
  /** Time for the whole, counted from now. */
  readonly timeoutMs: number;
  /** Show addresses also where they may be kept, which is outside a terminal. */
  readonly showAddresses: boolean;
}

/**
 * Tells a person how a login goes, on standard error: in a terminal one line that is redrawn in place, with what should stay above it; elsewhere
 * lines, when something changes and from time to time. That the profile is logged in is the result, and stands on standard output.
 */
export class LoginView implements LoginWatcher {
  readonly #streams: Streams;
  readonly #endsAt: number;
  readonly #isRedrawn: boolean;
  readonly #line: ProgressLine;
  readonly #timer: NodeJS.Timeout;
  readonly #narrator: LoginReporter;
  #connection: AuthConnection | undefined;
  #status = "";

  constructor(streams: Streams, { timeoutMs, showAddresses }: LoginViewOptions) {
    this.#streams = streams;
    this.#endsAt = performance.now() + timeoutMs;
    this.#isRedrawn = canRedraw(streams);
    this.#line = progressLine(streams);
    this.#timer = setInterval(() => this.#show(), this.#isRedrawn ? redrawMs : sayAgainMs);
    const mayShow = showAddresses || streams.stderr.isTTY === true;
    this.#narrator = new LoginReporter({
      // How it ended is said by the result, or by the error.
      status: (text, isOver) => {
        if (isOver) {
          this.#status = "";
        } else {
          this.#tell(displayText(text));
        }
      },
      address: (text) =>
        this.#stay(
          mayShow
            ? displayText(text)
            : "Somebody has to log in. The address to open is shown only in a terminal, or with --show-addresses.",
        ),
      notNeeded: (text) => this.#finish(text),
    });
  }

  seeConnection(connection: AuthConnection): void {
    if (this.#connection === undefined && loginStanding(connection) !== "not_needed") {
      const { profileName, domain } = connection;
      const paint = painter(this.#streams.stderr, this.#streams.env);
      this.#stay(
        paint("bold", `Login of the profile "${displayText(profileName)}" at ${displayText(domain)}`),
      );
    }
    this.#connection = connection;
    this.#narrator.seeConnection(connection);
  }

  seeEvent(event: LoginEvent): void {
    this.#narrator.seeEvent(event);
    const hasSucceeded = event.event === "managed_auth_state" && event.flowStatus === "SUCCESS";
    if (hasSucceeded && this.#connection !== undefined) {
      this.#finish(loggedInText(this.#connection, false));
    }
  }

  close(interrupted: boolean): void {
    clearInterval(this.#timer);
    if (!interrupted) {
      this.#line.clear();
    }
  }

  /** Takes the place of the last status. One too long for the line is told in full first, above it. */
  #tell(status: string): void {
    this.#status = "";
    if (this.#isRedrawn && displayWidth(status) > this.#statusWidth()) {
      this.#stay(status);
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
      // Counted from the last line.
      this.#timer.refresh();
    }
  }

  /** Writes a line above the one that is redrawn. */
  #stay(text: string): void {
    this.#line.clear();
    this.#streams.stderr.write(`${text}\n`);
    if (this.#isRedrawn) {
      this.#show();
    }
  }

  /** Writes the result. */
  #finish(text: string): void {
    this.#status = "";
    this.#line.clear();
    this.#streams.stdout.write(`${displayText(text)}\n`);
  }

  #statusWidth(): number {
    return lineWidth(this.#streams) - interruptCells - displayWidth(this.#timeLeft());
  }

  #timeLeft(): string {
    return ` (${durationText(Math.max(1, this.#endsAt - performance.now()))} left)`;
  }
}
