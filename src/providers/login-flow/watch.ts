import { LoginReporter } from "../../client/login/reporter.js";
import { durationText } from "../../text/words.js";
import type { Report } from "../lifecycle.js";

/** Time between two messages on the row while nothing changes. Milliseconds. */
const repeatEveryMs = 30_000;

/** Shows what a login waits for on the resource's row, and repeats it: nothing seems to hang. */
export class LoginWatch {
  readonly #report: Report;
  readonly #endsAt: number;
  readonly #timer: NodeJS.Timeout;
  readonly reporter: LoginReporter;
  #status = "";

  constructor(report: Report, timeoutMs: number) {
    this.#report = report;
    this.#endsAt = performance.now() + timeoutMs;
    this.#timer = setInterval(() => this.#repeat(), repeatEveryMs);
    this.reporter = new LoginReporter({
      status: (text, isOver) => {
        this.#status = isOver ? "" : text;
        if (isOver) {
          report.progress(text);
        } else {
          this.#show();
        }
      },
      // For the person who runs the deployment, although the address is a secret in the state.
      address: (text) => report.info(text),
      notNeeded: (text) => report.info(text),
    });
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #show(): void {
    const leftMs = Math.max(1, this.#endsAt - performance.now());
    const status = `${this.#status} (${durationText(leftMs)} left)`;
    // Pulumi's live table shows lines that stay only at its end, and cuts off a row at the right.
    // So the address is in the row too, and comes first.
    const address = this.reporter.addressToOpen;
    this.#report.progress(address === undefined ? status : `open ${address} - ${status}`);
  }

  #repeat(): void {
    // The address is not repeated: it would fill a log in which rows are printed one by one.
    if (this.#status !== "" && this.reporter.addressToOpen === undefined) {
      this.#show();
    }
  }
}
