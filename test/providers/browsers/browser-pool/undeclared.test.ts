import { errorOf } from "../../../support/error-of.js";
import { main } from "../../played-program.js";
import { PoolProgram } from "./pools.js";

/** Pool settings made by an outsider and undeclared in the program. */
const theirs = {
  region: "eu-west",
  memory: "16GiB",
  network: { allowed_hosts: ["shop.example"], private_hosts: [] },
  viewport: { width: 800, height: 600, refreshRate: 10 },
  telemetry: {
    enabled: true,
    browser: { console: true },
    destination: { id: "dest_1" },
    isStored: false,
    excludedMethods: ["Page.navigate"],
  },
  timeoutSeconds: 900,
  fillRatePerMinute: 10,
  stealth: true,
  startUrl: "https://shop.example/",
  chromePolicy: { HomepageLocation: "https://shop.example" },
};

/** Pool settings that exist in a single project only. */
const ofProject = {
  profile: { name: "shopper" },
  refreshOnProfileUpdate: false,
  proxyId: "proxy_1",
  network: { ...theirs.network, proxy_routes: [{ hosts: ["*.bank.example"], proxy: { id: "proxy_2" } }] },
};

describe("undeclared settings of a browser pool", () => {
  let program: PoolProgram;
  const news = { size: 1, name: "agents" };

  beforeEach(async () => {
    program = await PoolProgram.ofSpeed();
    for (const id of ["dest_1", "dest_2"]) {
      program.emulator.telemetryDestinations.create({ id, name: id, endpoint: "https://otlp.example.com" });
    }
    for (const id of ["proxy_1", "proxy_2"]) {
      program.emulator.proxies.create({ id, type: "isp" });
    }
    program.emulator.profiles.ensure("shopper");
    await program.up(news);
  });

  /** Settings of the only pool, without members that differ for every pool. */
  function settings(projectId?: string) {
    const {
      id,
      projectId: _project,
      name,
      createdAt,
      availableCount,
      ...others
    } = program.emulator.browserPools.get(program.only(projectId));
    return others;
  }

  function change(changes: object) {
    program.emulator.browserPools.update(program.only(), changes);
    return settings();
  }

  /** Adds settings unknown to this version to the next responses to `method`. */
  async function addUnknown(method: "GET" | "PATCH", more: object = {}) {
    const { url, apiKeys } = program.emulator;
    const path = `/browser_pools/${program.stored.id}`;
    const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${apiKeys[0]}` } });
    const body = (await answer.json()) as { browser_pool_config: Record<string, unknown> };
    const telemetry = { browser: { vision: { enabled: true }, page: { enabled: true } } };
    const network = { dns: ["9.9.9.9"] };
    const config = { ...body.browser_pool_config, gpu: "large", network, telemetry, ...more };
    program.emulator.faults.add({
      method,
      path,
      at: "before-commit",
      action: { answer: { status: 200, body: { ...body, browser_pool_config: config } } },
    });
  }

  test("undeclared settings stay unchanged, are no drift, and are recorded in the state", async () => {
    const set = change({ ...theirs, ...ofProject });
    await program.refresh();
    expect(program.messages).toEqual([]);
    expect(program.stored.inputs).not.toHaveProperty("region");
    expect(program.stored.outputs).toMatchObject({ undeclared: { region: "eu-west", memory: "16GiB" } });
    expect(await program.up(news)).toBe("same");
    expect(settings()).toEqual(set);
  });

  test("undeclared settings stay when the pool is renamed and resized", async () => {
    const set = change({ ...theirs, ...ofProject });
    expect(await program.up({ name: "workers", size: 2 })).toBe("update");
    expect(settings()).toEqual({ ...set, size: 2 });
  });

  const loses =
    /^The replacement loses these undeclared settings of the old pool: region = "eu-west", memory = "16GiB", network = \{.+, timeoutSeconds = 900.+ Declare the settings that are needed\.$/;

  test("a replacement starts from the program alone, and preview and row name the undeclared settings with their values", async () => {
    change({ ...theirs, ...ofProject });
    await program.refresh();
    const { id: projectId } = program.emulator.createProject({ name: "next" });
    await program.preview({ ...news, projectId });
    expect(program.messages).toEqual([expect.stringMatching(loses)]);
    await program.up({ ...news, projectId });
    expect(program.messages).toEqual([expect.stringMatching(loses)]);
    expect(settings(projectId)).toMatchObject({
      region: "us-east",
      memory: "8GiB",
      network: null,
      profile: null,
    });
    expect(await program.up({ ...news, projectId })).toBe("same");
  });

  test("a forced replacement names the undeclared settings on its row", async () => {
    change({ ...theirs, ...ofProject });
    await program.up(news, { replace: main });
    expect(program.messages).toEqual([expect.stringMatching(loses)]);
    expect(settings()).toMatchObject({ region: "us-east", memory: "8GiB", timeoutSeconds: 600 });
  });

  test("a replacement goes on without the undeclared settings on its row if they cannot be read", async () => {
    change(theirs);
    const path = `/browser_pools/${program.only()}`;
    program.emulator.faults.add({
      method: "GET",
      path,
      at: "before-commit",
      action: { answer: { status: 403 } },
    });
    await program.up(news, { replace: main });
    expect(program.messages).toEqual([]);
    expect(settings()).toMatchObject({ region: "us-east", timeoutSeconds: 600 });
  });

  test("undeclared settings are forgotten when the pool leaves the program", async () => {
    change(theirs);
    await program.refresh();
    await program.up(undefined);
    await program.up(news);
    expect(settings()).toMatchObject({
      region: "us-east",
      memory: "8GiB",
      network: null,
      timeoutSeconds: 600,
    });
    expect(program.messages).toEqual([]);
  });

  test("a message names undeclared settings unknown to this version before a replacement loses the settings", async () => {
    await addUnknown("GET");
    await program.up(news, { replace: main });
    expect(program.messages).toEqual([
      expect.stringMatching(
        /settings of the old pool: telemetry = .+, gpu, network\.dns, telemetry\.vision\. /,
      ),
    ]);
  });

  test("a replacement of a pool without undeclared settings reports nothing", async () => {
    await program.up(news, { replace: main });
    expect(program.messages).toEqual([]);
  });

  test("a message about more than 20 lost settings names 20 and counts the others", async () => {
    change({ profile: { name: "shopper" } });
    const more = Object.fromEntries(Array.from({ length: 20 }, (_, number) => [`gpu${number}`, 1]));
    await addUnknown("GET", more);
    await program.refresh();
    const { id: projectId } = program.emulator.createProject({ name: "next" });
    await addUnknown("GET", more);
    await program.preview({ ...news, projectId });
    const names = /old pool: ((?:[^,]+, ){19}[\w.]+) and \d+ more\. /;
    expect(program.messages).toEqual([expect.stringMatching(names)]);
  });

  test("the inputs of an imported pool contain the settings that differ from the defaults", async () => {
    const set = change({ ...theirs, ...ofProject });
    const imported = new PoolProgram(program.emulator, "BrowserPool");
    await imported.import(program.stored.id);
    const { inputs } = imported.stored;
    expect(inputs).toMatchObject({
      region: "eu-west",
      memory: "16GiB",
      network: { allowedHosts: ["shop.example"], privateHosts: [], proxyRoutes: [{ proxyId: "proxy_2" }] },
      telemetry: { console: true },
      telemetryStorage: false,
      viewport: { refreshRate: 10 },
      profileName: "shopper",
    });
    expect(inputs).not.toHaveProperty("headless");
    expect(await imported.up(inputs)).toBe("same");
    expect(settings()).toEqual(set);
  });

  test("a message names the undeclared settings of a reused pool", async () => {
    const killed = new PoolProgram(program.emulator, "BrowserPool");
    await killed.upKilled({ size: 1, timeoutSeconds: 900 });
    await killed.up({ size: 1 });
    expect(killed.messages).toContainEqual(
      expect.stringMatching(/has undeclared settings, which stay unchanged: timeoutSeconds\.$/),
    );
  });

  test("a pool that a killed run created keeps a viewport that left the program, and a message says so", async () => {
    const killed = new PoolProgram(program.emulator, "BrowserPool");
    await killed.upKilled({ size: 1, viewport: { width: 800, height: 600 } });
    await killed.up({ size: 1 });
    expect(killed.messages).toContainEqual(expect.stringMatching(/which stay unchanged: viewport\.$/));
    expect(await killed.up({ size: 1 })).toBe("same");
  });

  test("a viewport declared without a refresh rate keeps the rate of the pool, but not in a replacement", async () => {
    const declared = { ...news, viewport: { width: 800, height: 600 } };
    await program.up(declared);
    change({ viewport: { width: 800, height: 600, refreshRate: 10 } });
    expect(await program.up(declared)).toBe("same");
    await program.up(declared, { replace: main });
    expect(program.messages).toEqual([expect.stringContaining("viewport.refreshRate = 10. ")]);
    expect(settings().viewport).not.toHaveProperty("refreshRate", 10);
  });

  test("the telemetry export stays when the declared telemetry categories change", async () => {
    await program.up({ ...news, telemetry: {} });
    change({ telemetry: theirs.telemetry });
    expect(await program.up({ ...news, telemetry: { page: true } })).toBe("update");
    expect(settings().telemetry).toMatchObject({
      browser: { page: true, console: false },
      destinationId: "dest_1",
      isStored: false,
      excludedMethods: ["Page.navigate"],
    });
  });

  test("default settings in the state of an older version count as undeclared once the pool differs", async () => {
    const { inputs, outputs } = program.stored;
    const defaults = {
      headless: false,
      stealth: false,
      kioskMode: false,
      timeoutSeconds: 600,
      fillRatePerMinute: 25,
    };
    Object.assign(inputs, defaults);
    Object.assign(outputs, defaults, { undeclared: undefined });
    delete (outputs as Record<string, unknown>).undeclared;
    expect(await program.up(news)).toBe("same");
    const set = change({ timeoutSeconds: 900 });
    await program.refresh();
    expect(program.messages).toEqual([]);
    expect(await program.up(news)).toBe("same");
    expect(settings()).toEqual(set);
  });

  describe("declared later", () => {
    const declared = {
      ...news,
      region: "eu-west",
      memory: "16GiB",
      network: {
        allowedHosts: ["shop.example"],
        proxyRoutes: [{ hosts: ["a.example"], proxyId: "proxy_1" }],
      },
      telemetry: { platform: true },
      telemetryDestinationId: "dest_1",
      telemetryStorage: false,
      telemetryExcludedMethods: ["Page.navigate"],
    };

    test("settings declared later replace the pool, are then unchanged, and their drift is corrected", async () => {
      expect(await program.up(declared)).toBe("replace");
      const made = settings();
      expect(made).toMatchObject({
        region: "eu-west",
        memory: "16GiB",
        network: { allowed_hosts: ["shop.example"], proxy_routes: [{ proxy: { id: "proxy_1" } }] },
        telemetry: { destinationId: "dest_1", isStored: false, excludedMethods: ["Page.navigate"] },
      });
      await program.refresh();
      expect(await program.up(declared)).toBe("same");
      change({ memory: "8GiB", network: {}, telemetry: { isStored: true, excludedMethods: [] } });
      await program.refresh();
      expect(program.messages).toEqual([
        expect.stringMatching(/: its memory, network, telemetryStorage, telemetryExcludedMethods\.$/),
      ]);
      expect(await program.up(declared)).toBe("update");
      expect(settings()).toEqual(made);
    });

    test("settings that leave the program return to the default, except the region", async () => {
      await program.up(declared);
      const { id } = program.stored;
      expect(await program.up(news)).toBe("update");
      expect(program.stored.id).toBe(id);
      expect(settings()).toMatchObject({ region: "eu-west", memory: "8GiB", network: null, telemetry: null });
      expect(await program.up(news)).toBe("same");
      expect(await program.up({ ...declared, telemetryDestinationId: "dest_2" })).toBe("update");
      const { telemetryDestinationId, telemetryStorage, telemetryExcludedMethods, ...others } = declared;
      expect(await program.up(others)).toBe("update");
      expect(settings().telemetry).toMatchObject({
        destinationId: null,
        isStored: true,
        excludedMethods: [],
      });
    });

    test("declared empty rules and extensions clear the rules and extensions of the pool", async () => {
      const none = { ...news, network: {}, extensionIds: [], chromePolicy: {} };
      expect(await program.up(none)).toBe("same");
      change({ network: theirs.network, chromePolicy: { a: 1 } });
      expect(await program.up({ ...none, size: 2 })).toBe("update");
      expect(settings()).toMatchObject({ network: null, chromePolicy: null });
    });

    test("a change of the allowed hosts alone reaches idle browsers at once", async () => {
      const network = { allowedHosts: ["a.example"] };
      expect(await program.up({ ...news, network })).toBe("update");
      expect(program.messages).toEqual([]);
      await program.up({ ...news, network: { ...network, privateHosts: [] } });
      expect(program.messages).toEqual([
        expect.stringContaining("have the new network; existing browsers (1) keep"),
      ]);
    });

    test("an update stops if the network of the pool was changed in between, and the next update succeeds", async () => {
      program.emulator.faults.add({
        method: "PATCH",
        at: "before-commit",
        action: { call: () => void change({ network: { allowed_hosts: ["theirs.example"] } }) },
      });
      const wanted = { ...news, size: 2, network: { allowedHosts: ["ours.example"] } };
      const { message } = await errorOf(program.up(wanted));
      expect(message).toMatch(
        /The network of the pool has changed since .+ Run "pulumi refresh" to see the change, and deploy again\.$/,
      );
      expect(settings()).toMatchObject({ size: 1, network: { allowed_hosts: ["theirs.example"] } });
      expect(await program.up(wanted)).toBe("update");
      expect(settings()).toMatchObject({ size: 2, network: { allowed_hosts: ["ours.example"] } });
    });

    test("a network change whose response was lost is made once", async () => {
      program.emulator.faults.add({ method: "PATCH", at: "after-commit", action: "reset" });
      const wanted = { ...news, network: { allowedHosts: ["ours.example"] } };
      expect(await program.up(wanted)).toBe("update");
      expect(program.writes.filter((method) => method === "PATCH")).toHaveLength(2);
      expect(settings()).toMatchObject({ network: { allowed_hosts: ["ours.example"] } });
      expect(await program.up(wanted)).toBe("same");
    });
  });
});
