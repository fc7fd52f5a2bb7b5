import { Command, InvalidArgumentError, Option } from "commander";
import { durationMs, timerMsMax } from "../../duration.js";
import { choosingProject, type ProjectFlags, projectSettingsText, withService } from "../session.js";
import { LoginJson } from "../terminal/login-json.js";
import { LoginView } from "../terminal/login-progress.js";
import type { Streams } from "../terminal/streams.js";

/** How long a login is followed when nobody says. The service ends one after 20 minutes. */
const timeoutDefault = "25m";

/** Shortest time a login is followed, in milliseconds. */
const timeoutMsMin = 1_000;

interface FollowFlags extends ProjectFlags {
  /** Milliseconds. */
  readonly timeout: number;
  readonly showAddresses?: boolean;
}

/** `browser-infra login`: the logins of auth connections. They are watched, and neither started nor ended. */
export function loginCommand(streams: Streams): Command {
  return new Command("login")
    .description("Watch the login of an auth connection.")
    .addHelpText("after", projectSettingsText)
    .addCommand(followCommand(streams));
}

const followText = `
In a terminal, one line tells how the login stands and what it waits for; the
address to open stays above it. Elsewhere a line is written when something
changes, and every 30 seconds.

The addresses of a login let in whoever has them. Outside a terminal and with
--json they are shown only with --show-addresses.

With --json, the first line tells the auth connection, and each further line is
one event of the login. Without, standard output has only that the profile is
logged in.`;

function followCommand(streams: Streams): Command {
  return choosingProject(new Command("follow"))
    .description("Follow a login until it is over. One that has not begun is waited for.")
    .argument("<connection-id>", "the auth connection's id")
    .addOption(
      new Option("--timeout <time>", "give up after this time, such as 90s, 5m or 1h30m")
        .argParser(readTimeout)
        .default(readTimeout(timeoutDefault), timeoutDefault),
    )
    .option("--show-addresses", "show the addresses of the login everywhere; whoever reads them can log in")
    .option("--json", "print one line of JSON for each event")
    .addHelpText("after", followText)
    .action(async (connectionId: string, { project, timeout, json, showAddresses = false }: FollowFlags) => {
      await withService(streams, project, async ({ client, signal }) => {
        const view = json
          ? new LoginJson(streams, showAddresses)
          : new LoginView(streams, { timeoutMs: timeout, showAddresses });
        try {
          await client.authConnections.waitForAuthentication(connectionId, {
            timeoutMs: timeout,
            signal,
            onConnection: (connection) => view.seeConnection(connection),
            onEvent: (event) => view.seeEvent(event),
          });
        } finally {
          view.close(signal.aborted);
        }
      });
    });
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
