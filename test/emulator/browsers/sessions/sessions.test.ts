import Kernel, { ConflictError, NotFoundError } from "@onkernel/sdk";
import { newEmulator, useEmulator } from "../../../support/emulator.js";
import { clientOf } from "./played-site.js";

describe("emulator: sessions outside of pools, without a browser", () => {
  const emulator = useEmulator({ speed: 1000 });

  test("a session is created, found by id and name, changed, listed and deleted", async () => {
    const client = clientOf(emulator);
    const profile = await client.profiles.create({ name: "ada" });
    const session = await client.browsers.create({
      ...{ name: "checkout", headless: true, tags: { team: "shop" }, profile: { name: "ada" } },
      ...{ viewport: { width: 800, height: 600 }, start_url: "https://example.com/" },
    });
    expect(session).toMatchObject({
      ...{ name: "checkout", headless: true, stealth: false, timeout_seconds: 60, tags: { team: "shop" } },
      ...{ viewport: { width: 800, height: 600, refresh_rate: 60 }, start_url: "https://example.com/" },
      profile: { id: profile.id, name: "ada" },
      cdp_ws_url: `wss://start-with-browser-option.emulator.invalid/browser/cdp?session=${session.session_id}`,
    });
    expect(session).not.toHaveProperty("pool");
    for (const idOrName of [session.session_id, "checkout"]) {
      expect(await client.browsers.retrieve(idOrName)).toEqual(session);
    }
    const changed = await client.browsers.update("checkout", {
      ...{ name: "payment", tags: {}, viewport: { width: 1024, height: 768, force: true } },
    });
    expect(changed).toMatchObject({ name: "payment", tags: {}, viewport: { width: 1024, height: 768 } });
    expect((await client.browsers.update("payment", { name: "" })).name).toBeUndefined();
    await client.browsers.deleteByID(session.session_id);
    await expect(client.browsers.retrieve(session.session_id)).rejects.toThrow(NotFoundError);
    await expect(client.browsers.deleteByID("checkout")).rejects.toThrow("404 Browser session not found.");
  });

  test("the list has leases and sessions, and no idle browser, in pages", async () => {
    const client = clientOf(emulator);
    const pool = await client.browserPools.create({ name: "pool", size: 2 });
    const ids = [(await client.browserPools.acquire(pool.id, { name: "leased" })).session_id];
    for (let index = 0; index < 24; index += 1) {
      ids.push((await client.browsers.create({ name: `s${index}` })).session_id);
    }
    const listed = [];
    for await (const { session_id } of client.browsers.list({ status: "active" })) {
      listed.push(session_id);
    }
    expect(listed.toSorted()).toEqual(ids.toSorted());
    const found = await client.browsers.list({ query: "leased" });
    expect(found.getPaginatedItems().map(({ pool: of }) => of?.name)).toEqual(["pool"]);
    expect((await client.browsers.list({ status: "deleted" })).getPaginatedItems()).toEqual([]);
    expect((await client.browsers.retrieve("leased")).session_id).toBe(ids[0]);
  });

  test("a name is unique among the leases and sessions of a project", async () => {
    const client = clientOf(emulator);
    const pool = await client.browserPools.create({ name: "pool", size: 2 });
    await client.browsers.create({ name: "one" });
    await client.browserPools.acquire(pool.id, { name: "two" });
    const { session_id } = await client.browsers.create({});
    const message = 'A browser session named "two" is already active in this project.';
    await expect(client.browsers.create({ name: "two" })).rejects.toThrow(message);
    await expect(client.browsers.update(session_id, { name: "two" })).rejects.toThrow(ConflictError);
    await expect(client.browserPools.acquire(pool.id, { name: "one" })).rejects.toThrow(ConflictError);
  });

  test("sessions count against the limits of the project and the organization", async () => {
    const client = clientOf(emulator);
    await client.projects.limits.update(emulator.defaultProject.id, { max_concurrent_sessions: 2 });
    await client.browserPools.create({ name: "pool", size: 1 });
    const { session_id } = await client.browsers.create({});
    const refusal = "403 The project allows 2 concurrent sessions.";
    await expect(client.browsers.create({})).rejects.toThrow(refusal);
    await expect(client.browserPools.create({ name: "other", size: 1 })).rejects.toThrow(refusal);
    await client.browsers.deleteByID(session_id);
    expect(await client.browsers.create({})).toMatchObject({ timeout_seconds: 60 });
  });

  test("a session nobody connects to ends after its time, by the emulator's clock", async () => {
    const client = clientOf(emulator);
    const short = await client.browsers.create({ timeout_seconds: 10 });
    const long = await client.browsers.create({ timeout_seconds: 3600 });
    emulator.clock.advance(9_000);
    expect((await client.browsers.retrieve(short.session_id)).session_id).toBe(short.session_id);
    emulator.clock.advance(1_000);
    await expect(client.browsers.retrieve(short.session_id)).rejects.toThrow(NotFoundError);
    expect((await client.browsers.list()).getPaginatedItems()).toHaveLength(1);
    await client.browsers.deleteByID(long.session_id);
  });

  test("a session is of its project, and ends with the project", async () => {
    const project = emulator.createProject({ name: "Staging" });
    const client = clientOf(emulator);
    const staging = new Kernel({
      apiKey: emulator.createApiKey({ projectId: project.id }).key,
      ...{ baseURL: emulator.url, maxRetries: 0 },
    });
    const { session_id } = await staging.browsers.create({ name: "there" });
    await expect(client.browsers.retrieve(session_id)).rejects.toThrow(NotFoundError);
    expect(await client.browsers.create({ name: "there" })).toMatchObject({ name: "there" });
  });

  const malformed = {
    "an unknown profile": [{ profile: { name: "nobody" } }, "profile names no profile of the project"],
    "a time below ten seconds": [{ timeout_seconds: 9 }, "from 10 to 259200"],
    "an unknown member": [{ colour: "red" }, 'unknown member "colour"'],
    "an unknown extension": [{ extensions: [{ name: "none" }] }, "names no extension of the project"],
  } satisfies Record<string, [object, string]>;
  test.each(Object.entries(malformed))("a session with %s is refused", async (_, [body, message]) => {
    await expect(clientOf(emulator).browsers.create(body as object)).rejects.toThrow(message);
  });

  test("what runs in a browser is refused as not emulated", async () => {
    const client = clientOf(emulator);
    const { session_id } = await client.browsers.create({});
    for (const operation of [
      client.browsers.replays.list(session_id),
      client.browsers.playwright.execute(session_id, { code: "1" }),
      client.browsers.computer.captureScreenshot(session_id),
    ]) {
      await expect(operation).rejects.toThrow("501 The emulator has no route for");
    }
  });

  test("with the option and no browser on the machine, the address of a lease says so", async () => {
    const path = process.env.PATH;
    process.env.PATH = "/nowhere";
    const without = await newEmulator({ browser: true }).finally(() => {
      process.env.PATH = path;
    });
    // A Mac has Chrome outside of PATH.
    if (without.browser === undefined) {
      const { cdp_ws_url } = await clientOf(without).browsers.create({});
      expect(cdp_ws_url).toMatch(/^wss:\/\/no-chromium-on-this-machine\.emulator\.invalid\//);
    }
    await expect(newEmulator({ browser: "/nowhere/chromium" })).rejects.toThrow(
      'The emulator\'s option browser is "/nowhere/chromium", which cannot be executed.',
    );
  });
});
