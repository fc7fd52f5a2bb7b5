import { Command, InvalidArgumentError, Option } from "commander";
import { CanceledError } from "../../errors.js";
import { durationMs, timerMsMax } from "../../text/duration.js";
import {
  projectOption,
  projectSettingsText,
  showAddressesOption,
  stackOption,
  withService,
} from "../session.js";
import { OutputLost } from "../terminal/checked-output.js";
import { LoginText, loginJson } from "../terminal/login-progress.js";
import type { Streams } from "../terminal/streams.js";
import { startCommand } from "./login-start.js";

/** How long a login is followed by default. The service ends one after 20 minutes. */
const timeoutDefault = "25m";

/** Shortest time that a login can be followed, in milliseconds. */
const timeoutMsMin = 1_000;

interface FollowFlags {
  /** Milliseconds. */
  readonly timeout: number;
  readonly showAddresses?: true;
  readonly json?: true;
}

/** `browser-infra login`: starts and watches logins of auth connections. It never ends one. */
export function loginCommand(streams: Streams): Command {
  return new Command("login")
    .description("Start and watch the logins of auth connections.")
    .addHelpText("afterAll", projectSettingsText)
    .addCommand(startCommand(streams))
    .addCommand(followCommand(streams));
}

const followText = `
In a terminal, one line shows the state of the login and what it waits for. The
address to open stays above that line. Anywhere else, a line is written whenever
something changes, and every 30 seconds.

Anyone who has the addresses of a login can log in with them. Outside a terminal
and with --json they are shown only with --show-addresses.

With --json, the first line describes the auth connection, and each further line
one event of the login. Without --json, standard output says only that the
profile is logged in.

Exit codes of a login:
  0    the profile is logged in
  6    the login failed
  7    the login expired
  8    the login was canceled at the service
  9    the login did not end in time, or never began`;

function followCommand(streams: Streams): Command {
  return new Command("follow")
    .description("Follow a login until it ends. If none has begun, wait for one.")
    .argument("<connection-id>", "the auth connection's id")
    .addOption(
      new Option("--timeout <time>", "give up after this time, such as 90s, 5m or 1h30m")
        .argParser(readTimeout)
        .default(readTimeout(timeoutDefault), timeoutDefault),
    )
    .addOption(showAddressesOption)
    .option("--json", "print one line of JSON for each event, and an error as JSON")
    .addOption(projectOption)
    .addOption(stackOption)
    .addHelpText("after", followText)
    .action(
      withService(streams, async ({ inProject, signal }, connectionId: string, flags: FollowFlags) => {
        const { timeout: timeoutMs, json, showAddresses = false } = flags;
        const { authConnections } = await inProject();
        const progress = json
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
      }),
    );
}

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
