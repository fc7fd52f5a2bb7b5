import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packExtension } from "../../../src/archive/index.js";
import { BrowserInfraClient } from "../../../src/client/index.js";
import type { Properties } from "../../bridges/wire-messages.js";
import { shortenWaits } from "../../contract/rows/shorter-waits.js";
import { errorOf } from "../../support/error-of.js";
import { PoolProgram } from "../browsers/browser-pool/pools.js";
import { PlayedProgram } from "../played-program.js";

const startUrl = "https://shop.example/";

/** Uploads an extension. Returns the id. */
async function upload({ folder, emulator }: PlayedProgram): Promise<string> {
  mkdirSync(join(folder, "extension"));
  writeFileSync(
    join(folder, "extension", "manifest.json"),
    '{ "manifest_version": 3, "name": "a", "version": "1" }',
  );
  const client = new BrowserInfraClient({ baseUrl: emulator.url, apiKey: String(emulator.apiKeys[0]) });
  const { bytes: archive } = await packExtension(join(folder, "extension"));
  return (await client.extensions.upload({ name: "reader", archive })).id;
}

/** Deployment whose change gets no response, ended by Ctrl-C. */
async function interrupted(program: PlayedProgram, news: Properties): Promise<void> {
  program.interrupt("PATCH");
  expect(await errorOf(program.up(news))).toMatchObject({ code: "outcome_unknown" });
  program.emulator.faults.clear();
}

describe("a setting that only an interrupted change declared", () => {
  shortenWaits();

  test("the next deployment removes from an auth connection the settings that only an interrupted change declared", async () => {
    const program = await PlayedProgram.start("AuthConnection");
    const connections = () => program.emulator.authConnections.list();
    const first = { domain: "shop.example", profileName: "buyer" };
    program.emulator.proxies.create({ id: "proxy_1", type: "isp" });
    await program.up(first);
    const before = connections();
    const added = {
      recordSession: true,
      proxyId: "proxy_1",
      allowedDomains: ["pay.example"],
      loginUrl: "https://shop.example/in",
    };
    await interrupted(program, { ...first, ...added });
    expect(connections()).not.toEqual(before);
    expect(await program.up(first)).toBe("update");
    expect(connections()).toMatchObject([
      { recordSession: false, allowedDomains: [], loginUrl: null, browser: { proxy: { mode: "default" } } },
    ]);
    expect(await program.up(first)).toBe("same");
  });

  test("an auth connection is replaced if the service cannot remove a setting of an interrupted change", async () => {
    const program = await PlayedProgram.start("AuthConnection");
    program.emulator.credentials.create({ name: "login", domain: "shop.example", fields: {} });
    const first = { domain: "shop.example", profileName: "buyer" };
    await program.up(first);
    await interrupted(program, { ...first, credential: { name: "login" } });
    expect(await program.up(first)).toBe("replace");
    expect(program.emulator.authConnections.list()).toMatchObject([{ credential: null }]);
  });

  test("the next deployment removes from a pool the settings that only an interrupted change declared, and the pool releases a new extension", async () => {
    const program = await PoolProgram.ofSpeed();
    await program.up({ size: 1 });
    const extensionId = await upload(program);
    await interrupted(program, { size: 1, extensionIds: [extensionId], startUrl, stealth: true });
    expect(program.pools()).toMatchObject([{ startUrl, extensionIds: [extensionId] }]);
    expect(await program.up({ size: 1 })).toBe("update");
    expect(program.pools()).toMatchObject([{ startUrl: null, extensionIds: [], stealth: false }]);
    expect(await program.up({ size: 1 })).toBe("same");
  });

  test("the next deployment removes from a reused pool the settings that only an interrupted change declared", async () => {
    const program = await PoolProgram.ofSpeed();
    await program.upKilled({ size: 1 });
    await interrupted(program, { size: 1, startUrl });
    await program.up({ size: 1 });
    expect(program.pools()).toMatchObject([{ startUrl: null }]);
  });

  test("a refresh and the next deployment remove from a pool the settings that only an interrupted change declared", async () => {
    const program = await PoolProgram.ofSpeed();
    await program.up({ size: 1 });
    await interrupted(program, { size: 1, startUrl });
    await program.refresh();
    await program.up({ size: 1 });
    expect(program.pools()).toMatchObject([{ startUrl: null }]);
  });

  test("settings of an interrupted change are not inherited by the replacement pool", async () => {
    const program = await PoolProgram.ofSpeed();
    await program.up({ size: 1 });
    await interrupted(program, { size: 1, startUrl });
    await program.up({ size: 1, region: "eu-west" });
    expect(program.pools()).toMatchObject([{ startUrl: null, region: "eu-west" }]);
  });
});
