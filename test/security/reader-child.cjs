/**
 * Reads from a server that sends too much, in a process of its own whose memory is measured. Prints
 * the class of each error and the most memory that the process has had, in megabytes.
 *
 * Usage: node reader-child.cjs <base URL>
 */
const { join } = require("node:path");
const { peakMb } = require("../../scripts/bench/memory.cjs");
const { BrowserInfraClient } = require(join(__dirname, "../../dist/client/index.js"));

const client = new BrowserInfraClient({
  apiKey: "sk_reader",
  baseUrl: process.argv[2],
  retry: { attempts: 1 },
  deadlines: { requestMs: 20_000 },
});
const acts = {
  get: () => client.extensions.get("reader"),
  list: () => client.extensions.list(),
  project: () => client.projects.get("project"),
  connection: () => client.authConnections.get("connection"),
  upload: () => client.extensions.upload({ archive: new Uint8Array(9) }),
  delete: () => client.extensions.delete("reader"),
  follow: () => client.authConnections.follow("connection", { maxReconnects: 1 }).next(),
};

async function run() {
  const ended = {};
  for (const [name, act] of Object.entries(acts)) {
    ended[name] = await act().then(
      () => "done",
      (error) => error.name,
    );
  }
  await client.close();
  console.log(JSON.stringify({ ended, megabytes: peakMb() }));
}

void run();
