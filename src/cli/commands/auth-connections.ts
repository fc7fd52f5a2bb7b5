import { Command } from "commander";
import type { AuthConnection, AuthConnectionListOptions } from "../../client/index.js";
import {
  jsonOption,
  limitOption,
  offsetOption,
  projectOption,
  projectSettingsText,
  stackOption,
  withService,
} from "../session.js";
import { withoutAddressesOf } from "../terminal/login-progress.js";
import type { Streams } from "../terminal/streams.js";
import { type Cell, type Column, unknownCell } from "../terminal/table.js";
import { moment } from "../terminal/text.js";

interface ListFlags extends Pick<AuthConnectionListOptions, "domain" | "query" | "limit" | "offset"> {
  readonly profile?: string;
}

/** `browser-infra auth-connections`: the auth connections of one project, without addresses. */
export function authConnectionsCommand(streams: Streams): Command {
  return new Command("auth-connections")
    .description("Show the auth connections of a project: which profile logs in where.")
    .addHelpText("afterAll", projectSettingsText)
    .addCommand(listCommand(streams))
    .addCommand(getCommand(streams));
}

function listCommand(streams: Streams): Command {
  return new Command("list")
    .description("List the auth connections. For their logins, see browser-infra login.")
    .option("--query <text>", "only connections that the service finds for this text")
    .option("--profile <name>", "only connections of this browser profile")
    .option("--domain <domain>", "only connections that log in at this domain")
    .addOption(limitOption)
    .addOption(offsetOption)
    .addOption(projectOption)
    .addOption(stackOption)
    .addOption(jsonOption)
    .action(
      withService(streams, async ({ inProject, output, signal }, { profile, ...filter }: ListFlags) => {
        const { domain, query, limit, offset } = filter;
        const { authConnections } = await inProject();
        const options = { profileName: profile, domain, query, limit, offset, signal };
        const found = await authConnections.list(options);
        output.printRows(found.map(withoutAddressesOf), columns, "No auth connections.");
      }),
    );
}

const columns: readonly Column<AuthConnection>[] = [
  { header: "ID", cell: ({ id }) => id },
  { header: "PROFILE", cell: ({ profileName }) => profileName, cutWhenNarrow: true },
  { header: "DOMAIN", cell: ({ domain }) => domain, cutWhenNarrow: true },
  { header: "STATUS", cell: statusCell },
  { header: "LAST LOGIN", cell: loginCell, hideWhenNarrow: true },
];

function getCommand(streams: Streams): Command {
  return new Command("get")
    .description("Show one auth connection, without the addresses of its login.")
    .argument("<id>", "its id, as shown by list")
    .addOption(projectOption)
    .addOption(stackOption)
    .addOption(jsonOption)
    .action(
      withService(streams, async ({ inProject, output, signal }, id: string) => {
        const { authConnections } = await inProject();
        const connection = withoutAddressesOf(await authConnections.get(id, { signal }));
        output.printFields(connection, [
          ["ID", connection.id],
          ["PROFILE", connection.profileName],
          ["DOMAIN", connection.domain],
          ["STATUS", statusCell(connection)],
          ["LAST LOGIN", loginCell(connection)],
          ["LAST CHECK", moment(connection.lastAuthCheckAt)],
          ["CAN LOG IN AGAIN BY ITSELF", canReauthCell(connection)],
        ]);
      }),
    );
}

function statusCell({ status }: AuthConnection): Cell {
  return { text: status, style: status === "AUTHENTICATED" ? "green" : "yellow" };
}

/** The login in progress, or else the last one. */
function loginCell({ flowStatus, flowStep }: AuthConnection): Cell {
  if (flowStatus === null) {
    return { text: "none", style: "dim" };
  }
  return {
    text: flowStatus === "IN_PROGRESS" && flowStep !== null ? `${flowStatus}, ${flowStep}` : flowStatus,
  };
}

function canReauthCell({ canReauth, canReauthReason: reason }: AuthConnection): Cell {
  if (canReauth === null) {
    return unknownCell;
  }
  return { text: `${canReauth ? "yes" : "no"}${reason === null ? "" : ` (${reason})`}` };
}
