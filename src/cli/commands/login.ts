import { type Command, InvalidArgumentError, Option } from "commander";
import { CanceledError } from "../../errors.js";
import { durationMs, timerMsMax } from "../../text/duration.js";
import { type ServiceCommand, serviceGroup } from "../session.js";
import { OutputLost } from "../terminal/checked-output.js";
import { LoginText, loginJson } from "../terminal/login-progress.js";
import type { Streams } from "../terminal/streams.js";
import { showAddressesOption, start } from "./login-start.js";

/** How long a login is followed by default. The service ends one after 20 minutes. */
const timeoutDefault = "25m";

/** Shortest time that a login can be followed, in milliseconds. */
const timeoutMsMin = 1_000;

interface FollowFlags {
  /** Milliseconds. */
  readonly timeout: number;
  readonly showAddresses?: true;
}

/** `browser-infra login`: starts and watches logins of auth connections. It never ends one. */
export function loginCommand(streams: Streams): Command {
  return serviceGroup("login", "Start and watch the logins of auth connections.", [start, follow], streams);
}

const followText = `
In a terminal, one line shows the state of the login and what it waits for. The
address to open stays above that line. Anywhere else, a line is written whenever
something changes, and every 30 seconds.

Anyone who has the addresses of a login can log in with them. Outside a terminal
and with --json they are shown only with --show-addresses.

With --json, the first line describes the auth connection, and each further line
one event of the login. Without --json, standard output says only that the
profile is logged in.`;

const follow: ServiceCommand<[string, FollowFlags]> = {
  name: "follow",
  help: "Follow a login until it ends. If none has begun, wait for one.",
  scope: "project",
  arguments: { "<connection-id>": "the auth connection's id" },
  options: [
    new Option("--timeout <time>", "give up after this time, such as 90s, 5m or 1h30m")
      .argParser(readTimeout)
      .default(readTimeout(timeoutDefault), timeoutDefault),
    showAddressesOption,
  ],
  json: "one line of JSON for each event",
  helpAfter: followText,
  async work(
    { inProject, output, streams, signal },
    connectionId,
    { timeout: timeoutMs, showAddresses = false },
  ) {
    const { authConnections } = await inProject();
    const progress = output.json
      ? loginJson(streams, showAddresses)
      : new LoginText(streams, timeoutMs, showAddresses);
    const { failed } = streams.stdout;
    try {
      await authConnections.waitForAuthentication(connectionId, {
        timeoutMs,
        // Nobody would see what is still to come.
        signal: AbortSignal.any([signal, failed]),
        onConnection: (connection) => progress.seeConnection(connection),
        onEvent: (event) => progress.seeEvent(event),
      });
    } catch (error) {
      throw error instanceof CanceledError && failed.aborted && !signal.aborted
        ? new OutputLost("The events of the login cannot be written.", { cause: error })
        : error;
    } finally {
      progress.close(signal.aborted);
    }
  },
};

/** Reads the time of `--timeout`. */
function readTimeout(text: string): number {
  const ms = durationMs(text);
  if (ms !== undefined && ms >= timeoutMsMin && ms <= timerMsMax) {
    return ms;
  }
  throw new InvalidArgumentError(
    `It must be a time from 1s to 24 days, such as 90s, ${timeoutDefault} or 1h30m.`,
  );
}
