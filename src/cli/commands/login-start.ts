import { Option } from "commander";
import type { StartedLogin } from "../../client/index.js";
import type { ServiceCommand } from "../session.js";
import { withoutAddressesOf } from "../terminal/login-progress.js";
import type { Shown } from "../terminal/table.js";
import { moment, shellQuoted } from "../terminal/text.js";

/** The option of commands that learn the addresses of a login. */
export const showAddressesOption = new Option(
  "--show-addresses",
  "show the addresses of the login even outside a terminal; anyone who reads them can log in",
);

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
export const start: ServiceCommand<[string, StartFlags]> = {
  name: "start",
  help: "Start a login. Fails if one is in progress.",
  scope: "project",
  arguments: { "<connection-id>": "the auth connection's id" },
  options: [showAddressesOption],
  helpAfter: startText,
  async work({ inProject, output, streams, signal }, connectionId, { showAddresses }) {
    const { authConnections } = await inProject();
    const login = await authConnections.startLogin(connectionId, { signal });
    const mayShow = showAddresses || (streams.stdout.isTTY && !output.json);
    const shown: Partial<StartedLogin> = mayShow ? login : withoutAddressesOf(login);
    output.printOutcome(shown, [
      ["CONNECTION", login.id],
      ["TYPE", login.flowType],
      ["EXPIRES", moment(login.flowExpiresAt)],
      ["ADDRESS", addressCell(login, mayShow)],
    ]);
    output.remark(`To watch it, run: browser-infra login follow ${shellQuoted(login.id)}`);
  },
};

function addressCell({ hostedUrl }: StartedLogin, mayShow: boolean): Shown {
  return mayShow || hostedUrl === null
    ? hostedUrl
    : { text: "shown only in a terminal, or with --show-addresses", style: "dim" };
}
