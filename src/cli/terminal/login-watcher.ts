import type { AuthConnection, LoginEvent } from "../../client/index.js";

/** Shows how a login goes. */
export interface LoginWatcher {
  /** Shows how the connection stands before its login is followed. */
  readonly seeConnection: (connection: AuthConnection) => void;
  readonly seeEvent: (event: LoginEvent) => void;
  /** Ends the showing. After an interruption the terminal's last line stays, for the shell writes below it. */
  readonly close: (interrupted: boolean) => void;
}
