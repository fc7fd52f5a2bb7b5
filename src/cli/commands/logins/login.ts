import { type Command, InvalidArgumentError, Option } from "commander";
import type { StartedLogin } from "../../../client/index.js";
import { commandForLogin } from "../../../client/logins/following/reporter.js";
import { durationMs, timerMsMax } from "../../../text/duration.js";
import { shellQuoted } from "../../../text/shell.js";
import { type ServiceCommand, serviceGroup } from "../../session.js";
import { LoginText, loginJson, withoutAddressesOf } from "../../terminal/login-progress.js";
import type { Streams } from "../../terminal/streams.js";
import { type CellContent, dim } from "../../terminal/table.js";
import { moment } from "../../terminal/text.js";

/** `browser-infra login`: starts and watches logins of auth connections, and never ends a login. */
export function loginCommand(streams: Streams): Command {
  return serviceGroup("login", "Start and watch the logins of auth connections.", [start, follow], streams);
}

const showAddressesOption = new Option(
  "--show-addresses",
  "show the addresses of the login even outside a terminal; anyone who reads them can log in",
);

interface StartFlags {
  readonly showAddresses?: true;
}

const addressesText = `
Anyone who has the addresses of a login can log in with them. Outside a terminal
and with --json they are shown only with --show-addresses.`;

const startText = `${addressesText}

The command does not wait for the login. To wait for it:

  browser-infra login start <connection-id> &&
    browser-infra login follow <connection-id>`;

/** `browser-infra login start`: begins a login of an auth connection, without waiting. */
const start: ServiceCommand<[string, StartFlags]> = {
  name: "start",
  help: "Start a login. Fails if one is in progress.",
  exitCodes: ["notFound", "unknown"],
  scope: "project",
  arguments: { "<connection-id>": "the auth connection's id" },
  options: [showAddressesOption],
  helpAfter: startText,
  async work({ client, projectId, output, streams, signal }, connectionId, { showAddresses }) {
    const { authConnections } = await client();
    const login = await authConnections.startLogin(connectionId, { signal });
    const mayShow = showAddresses || (streams.stdout.isTTY && !output.json);
    const shown: Partial<StartedLogin> = mayShow ? login : withoutAddressesOf(login);
    output.printOutcome(shown, [
      ["CONNECTION", login.id],
      ["TYPE", login.flowType],
      ["EXPIRES", moment(login.flowExpiresAt)],
      ["ADDRESS", addressCell(login, mayShow)],
    ]);
    output.remark(`To watch it, run: ${commandForLogin("follow", shellQuoted(login.id), await projectId())}`);
  },
};

function addressCell({ hostedUrl }: StartedLogin, mayShow: boolean): CellContent {
  return mayShow || hostedUrl === null
    ? hostedUrl
    : dim("shown only in a terminal, or with --show-addresses");
}

/** Default time to follow a login. The service ends a login after 20 minutes. */
const timeoutDefault = "25m";

const timeoutMsMin = 1_000;

interface FollowFlags {
  /** Milliseconds. */
  readonly timeout: number;
  readonly showAddresses?: true;
}

const followText = `
In a terminal, one line shows the state of the login and the awaited input. The
address to open stays above that line. Anywhere else, a line is written whenever
something changes, and every 30 seconds.
${addressesText}

With --json, the first line describes the auth connection, and each further line
one event of the login. Without --json, standard output reports only that
the profile is logged in.`;

const follow: ServiceCommand<[string, FollowFlags]> = {
  name: "follow",
  help: "Follow a login until the end. If no login has begun, wait for a login.",
  exitCodes: ["notFound", "loginFailed", "loginExpired", "loginCanceled", "loginTimedOut"],
  scope: "project",
  arguments: { "<connection-id>": "the auth connection's id" },
  options: [
    new Option("--timeout <time>", "give up after this time, 1s to 24 days, such as 90s, 5m or 1h30m")
      .argParser(readTimeout)
      .default(readTimeout(timeoutDefault), timeoutDefault),
    showAddressesOption,
  ],
  json: "one line of JSON for each event",
  helpAfter: followText,
  async work(
    { client, projectId, output, streams, signal },
    connectionId,
    { timeout: timeoutMs, showAddresses = false },
  ) {
    const { authConnections } = await client();
    const progress = output.json
      ? loginJson(streams, showAddresses)
      : new LoginText(
          streams,
          commandForLogin("start", shellQuoted(connectionId), await projectId()),
          timeoutMs,
          showAddresses,
        );
    try {
      await streams.stdout.whileWritable("The events of the login", signal, (stop) =>
        authConnections.waitForAuthentication(connectionId, {
          timeoutMs,
          signal: stop,
          onConnection: (connection) => progress.showConnection(connection),
          onEvent: (event) => progress.showEvent(event),
        }),
      );
    } finally {
      progress.close(signal.aborted);
    }
  },
};

function readTimeout(text: string): number {
  const ms = durationMs(text);
  if (ms !== undefined && ms >= timeoutMsMin && ms <= timerMsMax) {
    return ms;
  }
  throw new InvalidArgumentError(
    `It must be a time from 1s to 24 days, such as 90s, ${timeoutDefault} or 1h30m.`,
  );
}
