import { Command, InvalidArgumentError, Option } from "commander";
import { durationMs, timerMsMax } from "../../text/duration.js";
import { type ProjectFlags, projectSettingsText, withProject, withService } from "../session.js";
import { LoginJson, type LoginProgress, LoginText } from "../terminal/login-progress.js";
import type { Streams } from "../terminal/streams.js";

/** How long a login is followed by default. The service ends one after 20 minutes. */
const timeoutDefault = "25m";

/** Shortest time that a login can be followed, in milliseconds. */
const timeoutMsMin = 1_000;

interface FollowFlags extends ProjectFlags {
  /** Milliseconds. */
  readonly timeout: number;
  readonly showAddresses?: boolean;
}

/**
 * `browser-infra login`: watches the logins of auth connections. It neither starts nor ends one.
 */
export function loginCommand(streams: Streams): Command {
  return new Command("login")
    .description("Watch the login of an auth connection.")
    .addHelpText("after", projectSettingsText)
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
profile is logged in.`;

function followCommand(streams: Streams): Command {
  return withProject(new Command("follow"))
    .description("Follow a login until it ends. If none has begun, wait for one.")
    .argument("<connection-id>", "the auth connection's id")
    .addOption(
      new Option("--timeout <time>", "give up after this time, such as 90s, 5m or 1h30m")
        .argParser(readTimeout)
        .default(readTimeout(timeoutDefault), timeoutDefault),
    )
    .option(
      "--show-addresses",
      "show the addresses of the login even outside a terminal; anyone who reads them can log in",
    )
    .option("--json", "print one line of JSON for each event")
    .addHelpText("after", followText)
    .action(async (connectionId: string, { project, timeout, json, showAddresses = false }: FollowFlags) => {
      await withService(streams, project, async ({ client, signal }) => {
        const progress: LoginProgress = json
          ? new LoginJson(streams, showAddresses)
          : new LoginText(streams, { timeoutMs: timeout, showAddresses });
        try {
          await client.authConnections.waitForAuthentication(connectionId, {
            timeoutMs: timeout,
            signal,
            onConnection: (connection) => progress.seeConnection(connection),
            onEvent: (event) => progress.seeEvent(event),
          });
        } finally {
          progress.close(signal.aborted);
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
