import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { PlayedKey, type State } from "./played-key.js";

/** What the answer to a write may leave out. */
const optional = ["expires_at", "project_id"];

describe("an API key, with a service whose answers to writes leave out its expiry and its project", () => {
  let played: PlayedKey;
  let server: Server;
  let url: string;

  beforeEach(async () => {
    played = await PlayedKey.start();
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", async () => {
        const { method = "GET", headers } = request;
        const { authorization = "", "content-type": contentType = "application/json" } = headers;
        const answer = await fetch(`${played.emulator.url}${request.url}`, {
          method,
          headers: { authorization, "content-type": contentType },
          ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
        });
        const text = await answer.text();
        response.writeHead(answer.status, { "content-type": "application/json" });
        response.end(method === "GET" || text === "" ? text : shortened(text));
      });
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
    await played.emulator.close();
  });

  function shortened(text: string): string {
    const members = Object.entries(JSON.parse(text)).filter(([name]) => !optional.includes(name));
    return JSON.stringify(Object.fromEntries(members));
  }

  const context = () =>
    played.context({
      environment: { BROWSER_INFRA_BASE_URL: url, BROWSER_INFRA_API_KEY: played.emulator.apiKeys[0] },
    });

  function expectComplete({ outputs }: State): void {
    const { projectId, expiresAt } = played.records().find(({ id }) => id === outputs.keyId) ?? {};
    expect(expiresAt).toEqual(expect.any(String));
    expect(outputs).toMatchObject({ projectId, expiresAt });
  }

  test("keeps both in the state when it is created, renamed and rotated", async () => {
    const { id: projectId } = played.emulator.createProject({ name: "shop" });
    const news = { name: "agents", projectId, daysToExpire: 30 };
    const created = await played.create(news, context());
    expectComplete(created);
    const renamed = await played.deploy(created, { ...news, name: "people" }, context());
    expectComplete(renamed);
    expect(renamed.outputs).toEqual({ ...created.outputs, name: "people" });
    const rotated = await played.deploy(renamed, { ...news, name: "people", triggers: ["1"] }, context());
    expect(rotated.outputs.keyId).not.toBe(created.id);
    expectComplete(rotated);
  });
});
