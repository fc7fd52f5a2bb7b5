import { inspect } from "node:util";
import { ApiError, InputError, OutcomeUnknownError } from "../../../src/client/index.js";
import { errorOf } from "../../support/error-of.js";
import { json, raw, reset } from "../fault-server.js";
import { canaryKey, closeBenches, startBench } from "../test-client.js";
import { wireApiKey } from "../wire-records.js";

afterEach(closeBenches);

const { id } = wireApiKey;
const key = "sk_live_THEONLYPLAINTEXT01";
const created = { ...wireApiKey, key };
const bodyOf = (request: { readonly body: Buffer } | undefined) =>
  JSON.parse(request?.body.toString("utf8") ?? "null") as unknown;

describe("creating, rotating and deleting API keys", () => {
  test("a new key comes with its secret, and what is left out is not sent", async () => {
    const { client, server } = await startBench([json(201, created)]);
    expect(await client.apiKeys.create({ name: "ci", daysToExpire: 30, projectId: "p1" })).toMatchObject({
      id,
      key,
      maskedKey: "sk_1234...abcd",
    });
    await client.apiKeys.create({ name: "ci" });
    expect(server.requests.map(({ method, target }) => [method, target])).toEqual([
      ["POST", "/org/api_keys"],
      ["POST", "/org/api_keys"],
    ]);
    expect(server.requests.map(bodyOf)).toEqual([
      { name: "ci", days_to_expire: 30, project_id: "p1" },
      { name: "ci" },
    ]);
  });

  test("a rotation returns the new key, with its own id", async () => {
    const { client, server } = await startBench([json(201, { ...created, id: "k2" })]);
    expect(await client.apiKeys.rotate(id, { daysToExpire: 30, keepOldKeyDays: 0 })).toMatchObject({
      id: "k2",
      key,
    });
    await client.apiKeys.rotate(id);
    expect(server.requests.map(({ target }) => target)).toEqual(
      [1, 2].map(() => `/org/api_keys/${id}/rotate`),
    );
    expect(server.requests.map(bodyOf)).toEqual([{ days_to_expire: 30, expire_in_days: 0 }, {}]);
  });

  test("nothing that only informs costs the secret", async () => {
    const odd = { created_by: 5, expires_at: "soon", deleted_at: 1, project_id: {}, masked_key: [] };
    const { client } = await startBench([json(201, { ...created, ...odd })]);
    expect(await client.apiKeys.create({ name: "ci" })).toMatchObject({ key, expiresAt: null });
  });

  test("a deletion is done with 204", async () => {
    const { client, server } = await startBench([raw("HTTP/1.1 204 No Content\r\n\r\n")]);
    await client.apiKeys.delete(id);
    expect(server.requests).toMatchObject([{ method: "DELETE", target: `/org/api_keys/${id}` }]);
  });

  test.each([
    ["without a secret", { key: undefined }],
    ["with a secret that no header can hold", { key: "two words" }],
    ["without an id", { id: undefined }],
  ])("an answer %s is in doubt, says what to look for, and shows no secret", async (_what, change) => {
    const { client, server } = await startBench([json(201, { ...created, ...change })]);
    const error = await errorOf(client.apiKeys.create({ name: "ci" }));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error.message).toContain("A key with this name may exist whose secret nobody has.");
    expect(inspect(error, { depth: 9 })).not.toContain(key);
    expect(server.requests).toHaveLength(1);
  });

  test("a rotation to a short life keeps the rotated key no longer", async () => {
    const { client, server } = await startBench([json(201, { ...created, id: "k2" })]);
    await client.apiKeys.rotate(id, { daysToExpire: 3 });
    await client.apiKeys.rotate(id, { daysToExpire: 30 });
    expect(server.requests.map(bodyOf)).toEqual([
      { days_to_expire: 3, expire_in_days: 3 },
      { days_to_expire: 30, expire_in_days: 7 },
    ]);
  });

  test("a rotation that answers with the rotated key is in doubt", async () => {
    const { client } = await startBench([json(201, created)]);
    const error = await errorOf(client.apiKeys.rotate(id));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error.message).toContain("the rotated one will expire");
  });

  test.each([
    [
      "create",
      (bench: Awaited<ReturnType<typeof startBench>>) => bench.client.apiKeys.create({ name: "ci" }),
    ],
    ["rotate", (bench: Awaited<ReturnType<typeof startBench>>) => bench.client.apiKeys.rotate(id)],
    ["delete", (bench: Awaited<ReturnType<typeof startBench>>) => bench.client.apiKeys.delete(id)],
  ])("%s is sent once when its answer is lost, and refused for certain with 4xx", async (_name, run) => {
    const lost = await startBench([reset]);
    expect(await errorOf(run(lost))).toBeInstanceOf(OutcomeUnknownError);
    expect(lost.server.requests).toHaveLength(1);
    const refused = await startBench([json(400, { code: "bad_request", message: "No." })]);
    expect(await errorOf(run(refused))).toBeInstanceOf(ApiError);
    expect(refused.server.requests).toHaveLength(1);
  });

  test.each<[string, string, Parameters<typeof callOf>[0]]>([
    ["a secret as its name", "name", { name: canaryKey }],
    ["an empty name", "name", { name: "" }],
    ["a lifetime of no days", "daysToExpire", { daysToExpire: 0 }],
    ["a lifetime of more than ten years", "daysToExpire", { daysToExpire: 3651 }],
    ["half a day", "daysToExpire", { daysToExpire: 0.5 }],
    ["an id of a project that no header can hold", "projectId", { projectId: "a b" }],
    ["a grace longer than its life", "keepOldKeyDays", { rotate: true, daysToExpire: 3, keepOldKeyDays: 4 }],
    ["a negative grace", "keepOldKeyDays", { rotate: true, keepOldKeyDays: -1 }],
    ["a secret as its id", "id", { rotate: true, id: canaryKey }],
  ])("a key with %s is refused before any request", async (_what, property, args) => {
    const { client, server } = await startBench([json(201, created)]);
    const error = await errorOf(callOf(args)(client.apiKeys));
    if (error instanceof InputError) {
      expect(error.property).toBe(property);
    } else {
      expect(error).toMatchObject({ code: "config_invalid" });
    }
    expect(inspect(error)).not.toContain(canaryKey);
    expect(server.connections()).toBe(0);
  });
});

/** A creation with these arguments, or a rotation. */
function callOf({
  rotate = false,
  id: given = id,
  name = "ci",
  ...rest
}: {
  rotate?: boolean;
  id?: string;
  name?: string;
  daysToExpire?: number;
  keepOldKeyDays?: number;
  projectId?: string;
}) {
  return (apiKeys: Awaited<ReturnType<typeof startBench>>["client"]["apiKeys"]) =>
    rotate ? apiKeys.rotate(given, rest) : apiKeys.create({ name, ...rest });
}
