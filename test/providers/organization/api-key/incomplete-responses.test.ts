import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { KeyProgram } from "./keys.js";

/** Members that the response to a write may omit. */
const optional = ["expires_at", "project_id"];

describe("an API key, with a service whose responses to writes leave out its expiry and its project", () => {
  let program: KeyProgram;
  let server: Server;
  let url: string;

  beforeEach(async () => {
    program = await KeyProgram.start();
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", async () => {
        const { method = "GET", headers } = request;
        const { authorization = "", "content-type": contentType = "application/json" } = headers;
        const answer = await fetch(`${program.emulator.url}${request.url}`, {
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
  });

  function shortened(text: string): string {
    const members = Object.entries(JSON.parse(text)).filter(([name]) => !optional.includes(name));
    return JSON.stringify(Object.fromEntries(members));
  }

  function expectComplete(): void {
    const { projectId, expiresAt } = program.records().find(({ id }) => id === program.keyId) ?? {};
    expect(expiresAt).toEqual(expect.any(String));
    expect(program.stored.outputs).toMatchObject({ projectId, expiresAt });
  }

  test("an API key keeps expiry and project in the state, although responses to writes omit both", async () => {
    program.environment.BROWSER_INFRA_BASE_URL = url;
    const { id: projectId } = program.emulator.createProject({ name: "shop" });
    const news = { name: "agents", projectId, daysToExpire: 30 };
    await program.up(news);
    expectComplete();
    const { id, outputs } = program.stored;
    await program.up({ ...news, name: "people" });
    expectComplete();
    expect(program.stored.outputs).toEqual({ ...outputs, name: "people" });
    await program.up({ ...news, name: "people", triggers: ["1"] });
    expect(program.keyId).not.toBe(id);
    expectComplete();
  });

  test("a refresh that first learns the expiry of a new key reports no change of the expiry", async () => {
    program.environment.BROWSER_INFRA_BASE_URL = url;
    const refuse = {
      method: "GET",
      at: "before-commit",
      times: 1,
      action: { answer: { status: 403 } },
    } as const;
    const call = () => void program.emulator.faults.add(refuse);
    program.emulator.faults.add({ method: "POST", at: "after-commit", action: { call } });
    const { id: projectId } = program.emulator.createProject({ name: "shop" });
    const news = { name: "agents", projectId, daysToExpire: 30 };
    await program.up(news);
    expect(program.stored.outputs).not.toHaveProperty("expiresAt");
    await program.refresh();
    expect(program.messages).toEqual([]);
    expectComplete();
    expect(await program.up(news)).toBe("same");
  });
});
