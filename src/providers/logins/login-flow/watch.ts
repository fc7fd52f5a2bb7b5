import { commandForLogin, LoginReporter } from "../../../client/logins/following/reporter.js";
import type { Report } from "../../lifecycle.js";

/** Time between two messages on the row while nothing changes. Milliseconds. */
const repeatEveryMs = 30_000;

/** Shows the status of a login on the resource's row, with repetitions: nothing seems to hang. */
export class LoginWatch {
  readonly #report: Report;
  readonly #followCommand: string;
  readonly #timer: NodeJS.Timeout;
  readonly reporter: LoginReporter;
  #status = "";
  #hasRow = false;

  constructor(report: Report, connectionId: string, projectId: string | undefined, timeoutMs: number) {
    this.#report = report;
    this.#followCommand = commandForLogin("follow", connectionId, projectId);
    this.#timer = setInterval(() => this.#repeat(), repeatEveryMs);
    const reported = {
      status: (text: string, isOver: boolean) => {
        this.#status = isOver ? "" : text;
        if (isOver) {
          report.progress(text);
          return;
        }
        this.#show();
        if (this.reporter.state === undefined) {
          // A person must start the login.
          this.#showRow();
        }
      },
      // For the person who runs the deployment, although the address is a secret in the state.
      address: (text: string) => {
        report.info(text);
        this.#showRow();
      },
      notNeeded: (text: string) => report.info(text),
    };
    const startCommand = commandForLogin("start", connectionId, projectId);
    this.reporter = new LoginReporter(reported, startCommand, timeoutMs, "the timeout");
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Adds a single row, once a person must act: at 80 columns, the resource's row has no room. */
  #showRow(): void {
    if (!this.#hasRow) {
      this.#hasRow = true;
      this.#report.row(`to log in, run: ${this.#followCommand}`, "the deployment waits for this login");
    }
  }

  #show(): void {
    const status = `${this.#status} (${this.reporter.timeLeft})`;
    // Pulumi's live table shows permanent lines only at the end, and cuts off rows at the right.
    // The address is therefore also in the row, and comes first.
    const address = this.reporter.addressToOpen;
    this.#report.progress(address === undefined ? status : `open ${address} - ${status}`);
  }

  #repeat(): void {
    // The address is not repeated: outside a terminal, every row is a line in the log.
    if (this.#status !== "" && this.reporter.addressToOpen === undefined) {
      this.#show();
    }
  }
}
