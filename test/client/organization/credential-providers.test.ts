import { ApiError, InputError, isNotFound } from "../../../src/client/index.js";
import { errorOf } from "../../support/error-of.js";
import { json, noContent } from "../fault-server.js";
import { listOf } from "../list-server.js";
import { closeBenches, startBench } from "../test-client.js";
import { wireCredentialProvider } from "../wire-records.js";

afterEach(closeBenches);

const { id } = wireCredentialProvider;
const path = "/org/credential_providers";
const token = "ops_correct horse battery";
const provider = {
  id,
  name: "vault",
  providerType: "onepassword",
  enabled: true,
  priority: 0,
  createdAt: "2026-11-21T10:00:00Z",
  updatedAt: "2026-11-22T10:00:00Z",
};

describe("credential providers", () => {
  test("a credential provider is created, read, changed and deleted, with the service's names of the settings", async () => {
    const { client, server } = await startBench([
      json(201, wireCredentialProvider),
      json(200, wireCredentialProvider),
      json(200, { ...wireCredentialProvider, enabled: false }),
      noContent,
    ]);
    const { credentialProviders } = client;
    expect(await credentialProviders.create({ name: "vault", token, cacheTtlSeconds: 60 })).toEqual(provider);
    expect(await credentialProviders.get(id)).toEqual(provider);
    const changes = { token, cacheTtlSeconds: 0, enabled: false, priority: -1 };
    expect(await credentialProviders.update(id, changes)).toEqual({ ...provider, enabled: false });
    await credentialProviders.delete(id);
    expect(server.requests.map(({ method, target }) => `${method} ${target}`)).toEqual([
      `POST ${path}`,
      `GET ${path}/${id}`,
      `PATCH ${path}/${id}`,
      `DELETE ${path}/${id}`,
    ]);
    expect(
      server.requests
        .map(({ body }) => body.toString())
        .filter(Boolean)
        .map((body) => JSON.parse(body)),
    ).toEqual([
      { name: "vault", provider_type: "onepassword", token, cache_ttl_seconds: 60 },
      { token, cache_ttl_seconds: 0, enabled: false, priority: -1 },
    ]);
  });

  test("a credential provider is found by name through the search text, since the service has no name filter", async () => {
    const { client, server } = await startBench([
      listOf({ ...wireCredentialProvider, id: "other", name: "vault-2" }, wireCredentialProvider),
    ]);
    expect(await client.credentialProviders.getByName("vault")).toEqual(provider);
    expect(server.requests[0]?.target).toBe(`${path}?limit=100&offset=0&query=vault`);
  });

  test("a test of a credential provider is retried, and a failure shows the reason without the token", async () => {
    const error = `cannot sign in with ${token}`;
    const { client, server } = await startBench([
      json(200, wireCredentialProvider),
      json(503, {}),
      json(200, { success: false, vaults: [], error }),
    ]);
    await client.credentialProviders.update(id, { token });
    expect(await client.credentialProviders.test(id)).toEqual({
      success: false,
      vaults: [],
      error: "cannot sign in with [redacted]",
    });
    expect(server.requests.slice(1).map(({ method, target }) => `${method} ${target}`)).toEqual([
      `POST ${path}/${id}/test`,
      `POST ${path}/${id}/test`,
    ]);
  });

  test("the items of a credential provider are listed with paths", async () => {
    const item = { id: "i1", path: "Work/Shop", title: "Shop", vault_id: "v1", vault_name: "Work" };
    const { client } = await startBench([
      json(200, { items: [{ ...item, urls: ["https://shop.example"] }, item] }),
      json(200, {}),
    ]);
    expect(await client.credentialProviders.items(id)).toEqual([
      { path: "Work/Shop", title: "Shop", urls: ["https://shop.example"] },
      { path: "Work/Shop", title: "Shop", urls: [] },
    ]);
    expect(await client.credentialProviders.items(id)).toEqual([]);
  });

  test("the error for a missing credential provider mentions the organization and no project", async () => {
    const { client } = await startBench([json(404, { code: "not_found", message: "gone" })]);
    const error = await errorOf(client.credentialProviders.test(id));
    expect(error).toBeInstanceOf(ApiError);
    expect(isNotFound(error)).toBe(true);
    expect(error.message).toContain(
      "Check the credential provider's id, and that this API key belongs to its organization.",
    );
  });

  test("the error for a taken name of a credential provider mentions the organization and no project", async () => {
    const { client } = await startBench([json(409, { code: "conflict", message: "Taken." })]);
    const { credentialProviders } = client;
    const names = /409 conflict, Taken\. Names are unique in the organization: choose a different name\.$/;
    expect((await errorOf(credentialProviders.create({ name: "vault", token }))).message).toMatch(names);
    expect((await errorOf(credentialProviders.rename(id, "other"))).message).toMatch(names);
  });

  test.each<[string, object, string]>([
    ["name", { name: " vault" }, "must not start or end with whitespace"],
    ["token", { token: " " }, "is empty"],
    ["cacheTtlSeconds", { cacheTtlSeconds: -1 }, "must be a whole number of at least 0"],
    ["priority", { priority: 0.5 }, "must be a whole number"],
  ])(
    "a bad %s of a credential provider is refused before any request, and not echoed",
    async (property, wrong, problem) => {
      const { client, server } = await startBench([]);
      const error = await errorOf(client.credentialProviders.update(id, wrong));
      expect(error).toBeInstanceOf(InputError);
      expect(error).toMatchObject({
        property,
        message: `The credential provider's "${property}" ${problem}.`,
      });
      expect(server.requests).toEqual([]);
    },
  );
});
