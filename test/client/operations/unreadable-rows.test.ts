import { type BrowserInfraClient, ContractError } from "../../../src/client/index.js";
import { errorOf } from "../../support/error-of.js";
import { serveList } from "../list-server.js";
import { closeBenches, startBench, wireExtension } from "../test-client.js";
import {
  wireApiKey,
  wireBrowserPool,
  wireCredential,
  wireCredentialProvider,
  wireProfile,
  wireProject,
  wireProxy,
  wireTelemetryDestination,
} from "../wire-records.js";

afterEach(closeBenches);

/** Operations of the lists of every kind. */
interface Noun {
  list(options?: { readonly name?: string }): Promise<readonly { readonly id: string }[]>;
}

/** Lists of a kind for the given rows, and the warnings. */
async function listing(nounOf: (client: BrowserInfraClient) => Noun, rows: readonly unknown[]) {
  const warnings: string[] = [];
  const { client } = await startBench([serveList({ rows: () => rows as readonly object[] })], {
    onWarning: (message) => warnings.push(message),
  });
  return { noun: nounOf(client), client, warnings };
}

describe.each<[string, { readonly id: string }, object, (client: BrowserInfraClient) => Noun]>([
  ["extension", wireExtension, { checksum: 7 }, ({ extensions }) => extensions],
  ["project", wireProject, { status: 7 }, ({ projects }) => projects],
  ["API key", wireApiKey, { expires_at: 7 }, ({ apiKeys }) => apiKeys],
  ["browser pool", wireBrowserPool, { browser_pool_config: 7 }, ({ browserPools }) => browserPools],
  ["profile", wireProfile, { name: 7 }, ({ profiles }) => profiles],
  ["credential", wireCredential, { domain: 7 }, ({ credentials }) => credentials],
  [
    "credential provider",
    wireCredentialProvider,
    { priority: "first" },
    ({ credentialProviders }) => credentialProviders,
  ],
  ["proxy", wireProxy, { type: 7 }, ({ proxies }) => proxies],
  [
    "telemetry destination",
    wireTelemetryDestination,
    { endpoint: 7 },
    ({ telemetryDestinations }) => telemetryDestinations,
  ],
])("a row that cannot be read, of a list of: %s", (noun, record, wrong, nounOf) => {
  const unreadable = { ...record, id: "row2", name: "broken", ...wrong };
  const [member = ""] = Object.keys(wrong);

  test("an unreadable row is left out of a list, and a warning names the row's id and the wrong member", async () => {
    const { noun: lists, warnings } = await listing(nounOf, [record, unreadable, { ...record, id: "row3" }]);
    expect((await lists.list()).map(({ id }) => id)).toEqual([record.id, "row3"]);
    expect(warnings).toEqual([
      expect.stringContaining(`the ${noun} row2 cannot be read: "${member}" should be`),
    ]);
  });
});

describe("a row that cannot be read", () => {
  const unreadable = { ...wireProject, id: "row2", name: "broken", status: 7 };
  const projects = ({ projects: lists }: BrowserInfraClient) => lists;

  test("an unreadable row fails a search for the row's name in any case, and no search for a different name", async () => {
    const { client, warnings } = await listing(projects, [wireProject, unreadable]);
    for (const search of [
      client.projects.list({ name: "Broken" }),
      client.projects.holderOf("broken"),
      client.projects.getByName("broken"),
    ]) {
      const error = await errorOf(search);
      expect(error).toBeInstanceOf(ContractError);
      expect(error.message).toContain("the project row2 cannot be read");
    }
    expect(warnings).toEqual([]);
    expect(await client.projects.holderOf("staging")).toMatchObject({ id: wireProject.id });
  });

  test("a row with an unreadable name fails every search for a name", async () => {
    const { client } = await listing(projects, [wireProject, { ...unreadable, name: 7 }]);
    expect(await errorOf(client.projects.holderOf("staging"))).toBeInstanceOf(ContractError);
  });

  test.each([[null], [7], [{ ...wireProject, id: "a/b" }]])(
    "an unreadable row without a usable id is named by the place in the list: %j",
    async (row) => {
      const { noun, warnings } = await listing(projects, [wireProject, row]);
      expect(await noun.list()).toHaveLength(1);
      expect(warnings).toEqual([expect.stringContaining("the project in row 2 cannot be read")]);
    },
  );

  test("an unreadable row causes one warning, and costs no row of the neighboring pages", async () => {
    const rows = Array.from({ length: 250 }, (_, at) => ({ ...wireProject, id: `p${at}` }));
    const { noun, warnings } = await listing(
      projects,
      rows.map((row, at) => (at % 99 === 0 ? { ...row, status: 7 } : row)),
    );
    expect(await noun.list()).toHaveLength(247);
    expect(warnings).toHaveLength(3);
  });

  test("a page without any usable id is a contract error", async () => {
    const { noun } = await listing(projects, [7, { name: "shop" }]);
    expect(await errorOf(noun.list())).toBeInstanceOf(ContractError);
  });
});
