import { Command } from "commander";
import type { StartedLogin } from "../../client/index.js";
import { jsonOption, projectOption, showAddressesOption, stackOption, withService } from "../session.js";
import { withoutAddressesOf } from "../terminal/login-progress.js";
import type { Streams } from "../terminal/streams.js";
import { type Cell, unknownCell } from "../terminal/table.js";
import { moment, shellQuoted } from "../terminal/text.js";

interface StartFlags {
  readonly showAddresses?: true;
}

const startText = `
Anyone who has the addresses of a login can log in with them. Outside a terminal
and with --json they are shown only with --show-addresses.

The command does not wait for the login. To wait for it:

  browser-infra login start <connection-id> &&
    browser-infra login follow <connection-id>`;

/** `browser-infra login start`: begins a login of an auth connection, and does not wait for it. */
export function startCommand(streams: Streams): Command {
  return new Command("start")
    .description("Start a login. Fails if one is in progress.")
    .argument("<connection-id>", "the auth connection's id")
    .addOption(showAddressesOption)
    .addOption(projectOption)
    .addOption(stackOption)
    .addOption(jsonOption)
    .addHelpText("after", startText)
    .action(
      withService(streams, async (session, connectionId: string, { showAddresses }: StartFlags) => {
        const { inProject, output, signal } = session;
        const { authConnections } = await inProject();
        const login = await authConnections.startLogin(connectionId, { signal });
        const mayShow = showAddresses || (streams.stdout.isTTY && !output.json);
        const shown: Partial<StartedLogin> = mayShow ? login : withoutAddressesOf(login);
        output.printOutcome(shown, [
          ["CONNECTION", login.id],
          ["TYPE", login.flowType ?? unknownCell],
          ["EXPIRES", moment(login.flowExpiresAt)],
          ["ADDRESS", addressCell(login, mayShow)],
        ]);
        output.remark(`To watch it, run: browser-infra login follow ${shellQuoted(login.id)}`);
      }),
    );
}

function addressCell({ hostedUrl }: StartedLogin, mayShow: boolean): Cell {
  if (hostedUrl === null) {
    return unknownCell;
  }
  return mayShow
    ? { text: hostedUrl }
    : { text: "shown only in a terminal, or with --show-addresses", style: "dim" };
}
