import { errorOf } from "../../support/error-of.js";
import { PlayedProgram } from "../played-program.js";

const endpoint = "https://otlp.example.com";

describe("a telemetry destination", () => {
  let program: PlayedProgram;

  beforeEach(async () => {
    program = await PlayedProgram.start("TelemetryDestination");
  });

  const destinations = () => program.emulator.telemetryDestinations;
  const live = () => destinations().list()[0];
  test("a telemetry destination has the declared settings, and differing settings are changed in place", async () => {
    await program.up({ name: "logs", endpoint, description: "All", headers: { "x-key": "one" } });
    const { id } = program.stored;
    expect(live()).toMatchObject({ name: "logs", endpoint, description: "All", headers: { "X-Key": "one" } });
    const changed = { name: "traces", endpoint: `${endpoint}/in`, headers: { "x-key": "one", Tenant: "1" } };
    expect(await program.up(changed)).toBe("update");
    expect(live()).toMatchObject({
      ...{ id, name: "traces", endpoint: `${endpoint}/in`, description: null },
      headers: { "X-Key": "one", Tenant: "1" },
    });
    expect(await program.up(changed)).toBe("same");
    expect(await program.up({ name: "traces", endpoint })).toBe("update");
    expect(live()?.headers).toEqual({});
    expect(program.writes).toEqual(["POST", "PATCH", "PATCH"]);
  });

  test("export results and the spelling of header names are no drift", async () => {
    const inputs = { endpoint, headers: { "x-key": "one" } };
    await program.up(inputs);
    destinations().recordExport(program.stored.id, "refused");
    destinations().recordExport(program.stored.id, null);
    await program.refresh();
    expect(program.messages).toEqual([]);
    expect(await program.up(inputs)).toBe("same");
  });

  test("headers removed or added outside of the program are corrected after a refresh", async () => {
    const headers = { "X-Key": "one", "X-Tenant": "1" };
    await program.up({ endpoint, headers });
    const { id } = program.stored;
    destinations().update(id, { headers: { "X-Key": null, "X-Other": "2" } });
    await program.refresh();
    expect(program.messages).toEqual([
      `Telemetry destination ${id} was changed outside of this program: its headers.`,
    ]);
    expect(await program.up({ endpoint, headers })).toBe("update");
    expect(live()?.headers).toEqual(headers);
  });

  test("a lost change that the program no longer declares leaves the declared headers", async () => {
    await program.up({ endpoint, headers: { "X-Key": "one" } });
    program.interrupt("PATCH");
    await errorOf(program.up({ endpoint, headers: { "X-Key": "two", "X-Tenant": "1" } }));
    program.emulator.faults.clear();
    await program.up({ endpoint, headers: { "X-Key": "one" } });
    expect(live()?.headers).toEqual({ "X-Key": "one" });
  });

  test("headers come from the environment, and the next deployment sends a changed value", async () => {
    const inputs = { endpoint, headers: { Tenant: "1" }, headersFromEnv: { "X-Key": "OTLP_KEY" } };
    program.environment.OTLP_KEY = "first-value";
    await program.up(inputs);
    expect(live()?.headers).toEqual({ Tenant: "1", "X-Key": "first-value" });
    expect(JSON.stringify(program.stored)).not.toContain("first-value");
    program.environment.OTLP_KEY = "second-value";
    expect(await program.up(inputs)).toBe("update");
    expect(live()?.headers).toEqual({ Tenant: "1", "X-Key": "second-value" });
    await program.refresh();
    expect(await program.up(inputs)).toBe("same");
  });

  test("a telemetry destination in use is not deleted, and the error names the users and the remedy", async () => {
    await program.up({ name: "logs", endpoint });
    const telemetry = { enabled: true, destination: { name: "logs" } };
    const { id } = program.emulator.browserPools.create({ name: "agents", size: 1, telemetry });
    const { message } = await errorOf(program.up(undefined));
    expect(message).toContain(`used by the browser pools "agents" (id ${id})`);
    expect(message).toMatch(
      /First change or delete .+browser pools and their browsers\..* Nothing was deleted\.$/,
    );
    expect(message).not.toContain("already used");
    program.emulator.browserPools.remove(id);
    await program.up(undefined);
    expect(live()).toBeUndefined();
  });

  test("every mistake is found at once, before any request, without a value in the failures", async () => {
    program.environment.OTLP_KEY = "hunter5";
    const failures = await program.failures({
      ...{ name: "a b", endpoint: `${endpoint}/v1/logs`, description: 7 },
      headers: { "X-Key": "hunter2", "x-key": "hunter3", "X-Both": "hunter4" },
      headersFromEnv: { "X-Both": "OTLP_KEY", "X-Missing": "OTLP_NONE" },
    });
    expect(failures).toEqual([
      expect.stringMatching(/^description: /),
      expect.stringMatching(/^name: /),
      expect.stringMatching(/^endpoint: .+without \/v1\/logs/),
      ': The "headers" has two spellings of one name; case does not count in the names of headers.',
      'headersFromEnv.X-Both: Both "headers.X-Both" and "headersFromEnv.X-Both" are given. Give only one.',
      expect.stringMatching(/^headersFromEnv\.X-Missing: .+OTLP_NONE, which is not set/),
    ]);
    expect(failures.join("\n")).not.toMatch(/hunter/);
    expect(await program.failures({})).toEqual(['endpoint: A TelemetryDestination needs "endpoint".']);
    expect(program.emulator.requests).toEqual([]);
  });
});
