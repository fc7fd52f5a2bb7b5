import { errorOf } from "../../support/error-of.js";
import { json } from "../fault-server.js";
import { closeBenches, startBench } from "../test-client.js";
import { wireTelemetryDestination } from "../wire-records.js";

afterEach(closeBenches);

const { id, name, endpoint } = wireTelemetryDestination;
const bodyOf = ({ body }: { readonly body: Buffer }) => JSON.parse(body.toString()) as unknown;

describe("the client's telemetry destinations", () => {
  test("a telemetry destination is read with the names of the headers and the results of exports", async () => {
    const { client, server } = await startBench([json(200, wireTelemetryDestination)]);
    expect(await client.telemetryDestinations.get(id)).toEqual({
      id,
      name,
      endpoint,
      description: "All browsers",
      headerNames: ["Authorization", "X-Tenant"],
      consecutiveFailures: 2,
      lastError: "The endpoint refused the connection.",
      lastErrorAt: "2026-11-21T10:05:00Z",
      lastExportAt: "2026-11-21T10:00:00Z",
      createdAt: "2026-11-21T09:00:00Z",
      updatedAt: "2026-11-21T09:00:00Z",
    });
    expect(server.requests).toMatchObject([{ method: "GET", target: `/telemetry/destinations/${id}` }]);
  });

  test("a telemetry destination with only the required members is read, with null for optional members", async () => {
    const { client } = await startBench([json(200, { id, name, endpoint, headers: {} })]);
    expect(await client.telemetryDestinations.get(id)).toMatchObject({
      description: null,
      headerNames: [],
      consecutiveFailures: null,
      lastExportAt: null,
    });
  });

  test("a telemetry destination is created and changed with the given settings alone", async () => {
    const { client, server } = await startBench([json(200, wireTelemetryDestination)]);
    const { telemetryDestinations } = client;
    await telemetryDestinations.create({ name, endpoint, headers: { "X-Tenant": "1" } });
    await telemetryDestinations.update(id, { description: null, headers: { "X-Tenant": null } });
    await telemetryDestinations.rename(id, "other");
    expect(server.requests.map(bodyOf)).toEqual([
      { name, endpoint, headers: { "X-Tenant": "1" } },
      { description: "", headers: { "X-Tenant": null } },
      { name: "other" },
    ]);
  });

  test("the error for a missing telemetry destination mentions the organization", async () => {
    const { client } = await startBench([json(404, { code: "not_found", message: "Not found." })]);
    const error = await errorOf(client.telemetryDestinations.get(id));
    expect(error.message).toContain("that this API key belongs to its organization");
  });

  test("the error for a conflict of a telemetry destination says what is unique in the organization, and what to change before a deletion", async () => {
    const { client } = await startBench([json(409, { code: "conflict", message: "Conflict." })]);
    const { telemetryDestinations } = client;
    const names =
      /409 conflict, Conflict\. Names are unique in the organization, and a destination that an auth connection selects by name keeps the name\.$/;
    expect((await errorOf(telemetryDestinations.create({ name, endpoint }))).message).toMatch(names);
    expect((await errorOf(telemetryDestinations.rename(id, "other"))).message).toMatch(names);
    expect((await errorOf(telemetryDestinations.update(id, { name: "other" }))).message).toMatch(names);
    expect((await errorOf(telemetryDestinations.delete(id))).message).toMatch(
      /409 conflict, Conflict\. First change or delete what exports to the telemetry destination: auth connections, browser pools and their browsers\.$/,
    );
  });

  test.each<[object, string, string]>([
    [{ name: "a b" }, "name", "must be 1 to 255 of the characters"],
    [{ endpoint: "otlp.example.com" }, "endpoint", "must be an http or https URL"],
    [{ endpoint: "ftp://otlp.example.com" }, "endpoint", "must be an http or https URL"],
    [{ endpoint: `${endpoint}?key=1` }, "endpoint", "without a query and a fragment"],
    [{ endpoint: `${endpoint}/v1/logs/` }, "endpoint", "without /v1/logs"],
    [{ endpoint: `${endpoint}/${"a".repeat(2048)}` }, "endpoint", "at most 2048 characters"],
    [{ description: "a".repeat(1025) }, "description", "at most 1024 characters"],
    [{ headers: { "a b": "hidden1" } }, "headers", "no HTTP header"],
    [{ headers: { "X-Key": "hidden1", "x-key": "hidden2" } }, "headers", "two spellings"],
    [{ headers: { "X-Key": "" } }, "headers", "without a value"],
    [{ headers: { "X-Key": "hidden1\r\nX-Other: 1" } }, "headers", "a line break"],
    [{ headers: { "X-Key": "hidden".repeat(2000) } }, "headers", "at most 8192 bytes"],
    [
      { headers: Object.fromEntries(Array.from({ length: 33 }, (_, at) => [`X-${at}`, "hidden1"])) },
      "headers",
      "at most 32 headers",
    ],
  ])(
    "a telemetry destination with a wrong setting is refused before any request, without a secret (%#)",
    async (wrong, property, problem) => {
      const { client, server } = await startBench([]);
      const error = await errorOf(client.telemetryDestinations.create({ name, endpoint, ...wrong }));
      expect(error).toMatchObject({ name: "InputError", property });
      expect(error.message).toContain(problem);
      expect(error.message).not.toContain("hidden");
      expect(server.requests).toEqual([]);
    },
  );
});
