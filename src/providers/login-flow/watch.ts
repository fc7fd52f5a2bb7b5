import { commandForLogin, LoginReporter } from "../../client/login/reporter.js";
import type { Report } from "../lifecycle.js";

/** Time between two messages on the row while nothing changes. Milliseconds. */
const repeatEveryMs = 30_000;

/** Shows what a login waits for on the resource's row, and repeats it: nothing seems to hang. */
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
          // A person must start it.
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
    this.reporter = new LoginReporter(reported, commandForLogin("start", connectionId, projectId), timeoutMs);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Once a person must act. At 80 columns, only this row says so. */
  #showRow(): void {
    if (!this.#hasRow) {
      this.#hasRow = true;
      this.#report.row(`to log in, run: ${this.#followCommand}`, "the deployment waits for this login");
    }
  }

  #show(): void {
    const status = `${this.#status} (${this.reporter.timeLeft})`;
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
