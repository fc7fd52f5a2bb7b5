import { Option } from "commander";
import type { BrowserInfraClient, Deployment, DeploymentListOptions } from "../../../client/index.js";
import { BuildError } from "../../../errors.js";
import { listings } from "../../../providers/reads/listings.js";
import { timerMsMax } from "../../../text/duration.js";
import { byId, type Noun, timeFact } from "../../noun.js";
import type { ServiceCommand } from "../../session.js";
import type { CellContent } from "../../terminal/table.js";
import { displayText } from "../../terminal/text.js";

/** Deployment with the app versions that it serves, as the name: `agent@latest`. */
interface Row extends Deployment {
  readonly name: string | null;
}

/** `browser-infra apps`: the deployments of a project, with the apps that the deployments serve. */
export const apps: Noun<Row> = {
  group: "apps",
  noun: "app deployment",
  listing: {
    ...listings.AppDeployment,
    operations: (client) => ({
      // Only what serves an app is imported.
      list: async (filter) => (await rows(client, filter)).filter(({ status }) => status === "running"),
      iterate: async function* (filter) {
        yield* await rows(client, filter);
      },
      get: (id, options) => read(client, id, options.signal),
      delete: (id, options) => client.deployments.delete(id, options),
    }),
  },
  help: "Show and delete the deployments of apps in a project, and their logs.",
  facts: [
    { header: "APP", cell: ({ name }) => name ?? { text: "(none)", style: "dim" }, cutWhenNarrow: true },
    { header: "STATUS", cell: statusCell },
    timeFact("CREATED", ({ createdAt }) => createdAt),
    { header: "REASON", cell: ({ statusReason }) => statusReason, onlyInGet: true },
    { header: "ENTRYPOINT", cell: ({ entrypoint }) => entrypoint, onlyInGet: true },
    { header: "CHECKSUM", cell: ({ checksum }) => checksum, onlyInGet: true },
    { header: "VARIABLES", cell: ({ envVarNames }) => envVarNames.join(", "), onlyInGet: true },
  ],
  list: {
    help: "List the deployments of apps, newest first, with the app versions that they serve.",
    rows,
  },
  get: { help: "Show one deployment, without the values of its variables." },
  lookupArgument: byId,
  delete: {
    help: "Stop and delete one deployment, after a confirmation. Its app is then not served any more.",
  },
  others: () => [logs],
};

async function rows(client: BrowserInfraClient, filter: DeploymentListOptions): Promise<readonly Row[]> {
  return named(client, await client.deployments.list(filter), filter.signal);
}

async function read(client: BrowserInfraClient, id: string, signal: AbortSignal | undefined): Promise<Row> {
  const [row] = await named(client, [await client.deployments.get(id, { signal })], signal);
  return row as Row;
}

/** Adds the app versions, which a deployment itself does not have. */
async function named(
  client: BrowserInfraClient,
  found: readonly Deployment[],
  signal: AbortSignal | undefined,
) {
  const versions = found.length === 0 ? [] : await client.apps.list({ signal });
  return found.map((deployment): Row => {
    const own = versions.filter(({ deploymentId }) => deploymentId === deployment.id);
    const name = own.map(({ appName, version }) => `${appName}@${version}`).join(", ");
    return { ...deployment, name: name || null };
  });
}

function statusCell({ status }: Deployment): CellContent {
  const bad = ["failed", "stopped"].includes(status);
  return { text: status, style: status === "running" ? "green" : bad ? "red" : "yellow" };
}

interface LogsFlags {
  readonly follow?: true;
  readonly since?: string;
}

/** `logs`: the log of a build, and with `--follow` of the running app. */
const logs: ServiceCommand<[string, LogsFlags]> = {
  name: "logs",
  help: "Show the log of a deployment until its build has ended. A failed build ends with 1.",
  exitCodes: ["notFound"],
  scope: "project",
  arguments: byId,
  options: [
    new Option("--follow", "go on with the log of the running app, until it stops or Ctrl+C"),
    new Option("--since <time>", "only lines since then: a duration such as 5m, or a date-time"),
  ],
  json: "one line of JSON for each event",
  async work({ client, output, streams, signal }, id, { follow: continuesAfterRunning, since }) {
    const { deployments } = await client();
    const { stdout } = streams;
    const options = { since, continuesAfterRunning, ...(continuesAfterRunning && { timeoutMs: timerMsMax }) };
    let last: Deployment | undefined;
    await stdout.whileWritable("The log", signal, async (stop) => {
      for await (const event of deployments.follow(id, { ...options, signal: stop })) {
        if (event.event === "deployment_state") {
          last = event.deployment;
        }
        if (output.json) {
          stdout.write(`${JSON.stringify(event)}\n`);
        } else if (event.event === "log") {
          const lines = event.message.replace(/\n$/, "").split("\n");
          stdout.write(lines.map((line) => `${displayText(line)}\n`).join(""));
        } else if (event.event === "deployment_state") {
          output.remark(`The deployment is ${displayText(event.deployment.status)}.`);
        }
      }
    });
    if (last?.status === "failed") {
      throw new BuildError(
        "build_failed",
        `The build failed: ${last.statusReason ?? "the service gives no reason"}.`,
      );
    }
  },
};
