/** All nouns: the commands of each, and the records for commands about many kinds. */
import type { Command } from "commander";
import type { BrowserInfraClient } from "../../client/index.js";
import { findRow, type Noun, type NounRecord, nounCommand, subjectOf } from "../noun.js";
import type { Scope } from "../session.js";
import type { Streams } from "../terminal/streams.js";
import { apps } from "./apps/apps.js";
import { extensions } from "./browsers/extensions.js";
import { pools } from "./browsers/pools.js";
import { profiles } from "./browsers/profiles.js";
import { proxies } from "./browsers/proxies.js";
import { authConnections } from "./logins/auth-connections.js";
import { credentials } from "./logins/credentials.js";
import { apiKeys } from "./organization/api-keys.js";
import { credentialProviders } from "./organization/credential-providers.js";
import { projects } from "./organization/projects.js";
import { telemetryDestinations } from "./organization/telemetry-destinations.js";

/** A record. `subject`: the record in a sentence. */
export interface FoundRecord {
  readonly row: NounRecord;
  readonly subject: string;
}

/** Records of one kind. `find` accepts what the commands of the noun accept. */
export interface Records extends Pick<Noun<never>, "group" | "noun" | "lookupArgument"> {
  readonly scope: Scope;
  list(client: BrowserInfraClient, signal: AbortSignal): Promise<readonly FoundRecord[]>;
  find(client: BrowserInfraClient, idOrName: string, signal: AbortSignal): Promise<NounRecord>;
  command(streams: Streams): Command;
}

function recordsOfNoun<Row extends NounRecord>(noun: Noun<Row>): Records {
  return {
    ...noun,
    scope: noun.listing.scope,
    list: async (client, signal) =>
      (await noun.listing.operations(client).list({ signal })).map((row) => ({
        row,
        subject: subjectOf(noun, row),
      })),
    find: (client, idOrName, signal) => findRow(noun, client, idOrName, signal),
    command: (streams) => nounCommand(noun, streams),
  };
}

/** Records by kind, in the order of `--help`. Settings and `LoginFlow` have no records. */
export const recordsOf = new Map<string, Records>([
  ["Project", recordsOfNoun(projects)],
  ["ApiKey", recordsOfNoun(apiKeys)],
  ["CredentialProvider", recordsOfNoun(credentialProviders)],
  ["Extension", recordsOfNoun(extensions)],
  ["Profile", recordsOfNoun(profiles)],
  ["Proxy", recordsOfNoun(proxies)],
  ["Credential", recordsOfNoun(credentials)],
  ["TelemetryDestination", recordsOfNoun(telemetryDestinations)],
  ["BrowserPool", recordsOfNoun(pools)],
  ["AuthConnection", recordsOfNoun(authConnections)],
  ["AppDeployment", recordsOfNoun(apps)],
]);
