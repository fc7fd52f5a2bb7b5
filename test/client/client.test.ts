import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ClientOptions } from "../../src/client/index.js";
import { errorOf } from "../support/error-of.js";
import { json } from "./fault-server.js";
import { canaryKey, closeBenches, openClient, startBench, wireExtension } from "./test-client.js";

afterEach(closeBenches);

const good = json(200, wireExtension);

describe("a client", () => {
  test("every request carries the key, the agent, and both spellings of the project", async () => {
    const { client, server } = await startBench([good], { projectId: "prj_1" });
    await client.extensions.get("ad-blocker");
    const { version } = JSON.parse(readFileSync(join(__dirname, "../../package.json"), "utf8")) as {
      version: string;
    };
    expect(server.requests[0]?.headers).toMatchObject({
      authorization: `Bearer ${canaryKey}`,
      accept: "application/json",
      "accept-encoding": "identity",
      "user-agent": `pulumi-browser-infra/${version} node/${process.versions.node.split(".")[0]}`,
      "x-kernel-project-id": "prj_1",
      "x-kernel-project": "prj_1",
    });
  });

  test("inProject returns a client that sends the given project id", async () => {
    const { client, server } = await startBench([good], { projectId: "prj_1" });
    const other = client.inProject("prj_2");
    const none = other.inProject(undefined);
    await Promise.all([client, other, none].map(({ extensions }) => extensions.get("ad-blocker")));
    const projects = server.requests.map(({ headers }) => [
      headers["x-kernel-project-id"],
      headers["x-kernel-project"],
    ]);
    expect(projects.map(String).sort()).toEqual([",", "prj_1,prj_1", "prj_2,prj_2"]);
    await client.extensions.get("ad-blocker");
    expect(server.requests[3]?.headers["x-kernel-project"]).toBe("prj_1");
  });

  test("closing a client also closes the clients made with inProject", async () => {
    const { client } = await startBench([good]);
    const other = client.inProject("prj_2");
    await client.close();
    expect(await errorOf(other.extensions.get("ad-blocker"))).toMatchObject({ code: "client_closed" });
    await other.close();
  });

  test("a path prefix of the base URL comes before every path", async () => {
    const { server } = await startBench([good]);
    const { client } = openClient(`${server.url}/kernel/v1/`);
    await client.extensions.get("ad-blocker");
    expect(server.requests[0]?.target).toBe("/kernel/v1/extensions/ad-blocker/metadata");
  });

  test.each<[Partial<ClientOptions>, string]>([
    [{ apiKey: "a\r\nb" }, "ConfigError"],
    [{ baseUrl: "http://example.com" }, "ConfigError"],
    [{ projectId: " " }, "ConfigError"],
    [{ deadlines: { requestMs: 0 } }, "InputError"],
    [{ deadlines: { connectMs: Number.NaN } }, "InputError"],
    [{ retry: { attempts: Number.POSITIVE_INFINITY } }, "InputError"],
    [{ maxPages: -1 }, "InputError"],
  ])("a client with %j is refused", (options, name) => {
    expect(() => openClient("http://127.0.0.1:9", options)).toThrow(expect.objectContaining({ name }));
  });
});
